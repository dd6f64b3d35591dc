import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../gateway/index.ts";
import { asJson } from "../bodies.ts";
import type { ToldEvent } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type { CrashesBody, HistoryBody } from "../wire-history.ts";
import { agentDetailBody } from "./agent-detail.ts";
import { eventStream } from "./event-stream.ts";
import { logRoutes } from "./log-routes.ts";
import { overviewBody } from "./overview.ts";
import { type Redact, stateResponse } from "./state-view.ts";
import type { ViewRoute } from "./view-route.ts";

/**
 * Makes the routes that show what happened, and what goes on.
 *
 * @param view The running tree.
 * @param options.processId What to call the process that runs it.
 * @param options.redact Takes out of states what must not be seen.
 * @returns `/overview`, `/agents/{name}` and its `/history`, `/state` and `/logs`, `/crashes`, `/crashes/{id}`, `/events`
 *   and `/logs`.
 */
export function watchRoutes(
  view: RuntimeView,
  { processId, redact }: { readonly processId: string; readonly redact?: Redact | undefined },
): ViewRoute[] {
  const { observer } = view;
  return [
    ...logRoutes(view),
    { path: "/overview", answer: () => ({ status: 200, body: asJson(overviewBody(view)) }) },
    {
      path: "/agents/{name}/state",
      answer: (request) => stateResponse(view, request.pathParams["name"] ?? "", redact),
    },
    {
      path: "/agents/{name}",
      answer: (request) => {
        const name = request.pathParams["name"] ?? "";
        return found(agentDetailBody(view, { name, processId }), `agent '${name}' not found`);
      },
    },
    {
      path: "/agents/{name}/history",
      answer: (request) => {
        const name = request.pathParams["name"] ?? "";
        const history = observer.history.of(name);
        // A child that is gone has one, too; a name that nobody ever had has none.
        if (history.length === 0 && !isThere(view, name))
          return errorResponse(404, `agent '${name}' not found`);
        const body: HistoryBody = { agent: name, history };
        return { status: 200, body: asJson(body) };
      },
    },
    {
      path: "/crashes",
      answer: () => {
        const body: CrashesBody = { crashes: observer.crashes.list() };
        return { status: 200, body: asJson(body) };
      },
    },
    {
      path: "/crashes/{id}",
      answer: (request) => {
        const id = request.pathParams["id"] ?? "";
        return found(observer.crashes.find(id), `crash '${id}' not found`);
      },
    },
    {
      path: "/events",
      answer: (request) =>
        eventStream(request, {
          epoch: observer.epoch,
          feed: observer.events,
          wants: wantedEvents(request),
          show: ({ type, body }: ToldEvent) => ({ event: type, data: body }),
        }),
    },
  ];
}

function found(body: object | undefined, otherwise: string): GatewayResponse {
  return body === undefined ? errorResponse(404, otherwise) : { status: 200, body: asJson(body) };
}

function isThere(view: RuntimeView, name: string): boolean {
  return agentDetailBody(view, { name, processId: "" }) !== undefined;
}

/** `?agent=desk&type=agent.crashed,supervisor.*`: each a list, of which one must fit. */
function wantedEvents({ queryParams }: GatewayRequest): (event: ToldEvent) => boolean {
  const agents = listOf(queryParams["agent"]);
  const types = listOf(queryParams["type"]);
  const isOfType = (type: string): boolean =>
    types.some((wanted) =>
      wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted,
    );
  return ({ agent, type }) =>
    (agents.length === 0 || (agent !== null && agents.includes(agent))) &&
    (types.length === 0 || isOfType(type));
}

function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((each) => each !== "");
}
