import type { GatewayRequest } from "../../gateway/index.ts";
import { asJson } from "../bodies.ts";
import { wholeView } from "../elsewhere/index.ts";
import type { ToldEvent } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { eventStream } from "./event-stream.ts";
import { logRoutes } from "./log-routes.ts";
import { overviewBody } from "./overview.ts";
import type { ViewRoute } from "./view-route.ts";

/** How long workers may take for their figures, milliseconds: less than a command waits for the whole. */
const figuresWaitMs = 3000;

/**
 * Makes the routes that show what happened, and what goes on.
 *
 * @param view The running tree.
 * @returns `/overview`, `/agents/{name}/logs`, `/events` and `/logs`.
 */
export function watchRoutes(view: RuntimeView): ViewRoute[] {
  const { observer } = view;
  return [
    ...logRoutes(view),
    {
      path: "/overview",
      answer: async ({ queryParams }) => {
        const whole = await wholeView(view, figuresWaitMs);
        const names = queryParams["agent"]?.split(",");
        return { status: 200, body: asJson(overviewBody({ ...whole, observer }, names)) };
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

/** `?agent=desk&type=agent.crashed,supervisor.*`: each a list, of which one must fit. */
function wantedEvents({ queryParams }: GatewayRequest): (event: ToldEvent) => boolean {
  const agents = listOf(queryParams["agent"]);
  const types = listOf(queryParams["type"]);
  const isOfType = (type: string): boolean =>
    types.some((wanted) =>
      wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted,
    );
  return ({ agent, type }) =>
    // It is not known whom those were about that are missing.
    type === "gap" ||
    ((agents.length === 0 || (agent !== null && agents.includes(agent))) &&
      (types.length === 0 || isOfType(type)));
}

function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((each) => each !== "");
}
