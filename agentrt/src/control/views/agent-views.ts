import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import { asJson } from "../bodies.ts";
import type { ControlRequest } from "../elsewhere/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type { HistoryBody } from "../wire-history.ts";
import { agentDetailBody } from "./agent-detail.ts";
import { joinedHistory } from "./joined-history.ts";
import { type Redact, stateResponse } from "./state-view.ts";

type View = (request: ControlRequest) => GatewayResponse;

/**
 * Makes what shows one agent, by the name in the path.
 *
 * @param view The running tree.
 * @param options.processId What to call the process that runs it.
 * @param options.redact Takes out of states what must not be seen.
 */
export function agentViews(
  view: RuntimeView,
  { processId, redact }: { readonly processId: string; readonly redact?: Redact | undefined },
): { readonly detail: View; readonly history: View; readonly state: View } {
  const named =
    (show: (name: string) => GatewayResponse): View =>
    ({ pathParams }) =>
      show(pathParams["name"] ?? "");
  return {
    detail: named((name) => {
      const body = agentDetailBody(view, { name, processId });
      return body === undefined ? unknown(name) : { status: 200, body: asJson(body) };
    }),
    history: named((name) => {
      const history = view.observer.history.of(name);
      // A child that is gone has one, too; a name that nobody ever had has none.
      if (history.length === 0 && agentDetailBody(view, { name, processId }) === undefined)
        return unknown(name);
      const isElsewhere = view.elsewhere?.processOf(name) !== undefined;
      const shown = isElsewhere ? joinedHistory(history) : history;
      const body: HistoryBody = { agent: name, history: shown };
      return { status: 200, body: asJson(body) };
    }),
    state: named((name) => stateResponse(view, name, redact)),
  };
}

function unknown(name: string): GatewayResponse {
  return errorResponse(404, `agent '${name}' not found`);
}
