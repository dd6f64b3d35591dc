import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../gateway/index.ts";
import { asJson } from "../bodies.ts";
import { type LogLine, lineBody, logLineCountMax } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { wholeNumberOf } from "../whole-number.ts";
import type { LogsBody } from "../wire-history.ts";
import { agentDetailBody } from "./agent-detail.ts";
import { eventStream } from "./event-stream.ts";
import type { ViewRoute } from "./view-route.ts";

/**
 * Makes the routes that show log lines, with `?follow=true` as server-sent events.
 *
 * @param view The running tree.
 * @returns `/logs` and `/agents/{name}/logs`.
 */
export function logRoutes(view: RuntimeView): ViewRoute[] {
  return [
    { path: "/logs", answer: (request) => logsResponse(view, request, undefined) },
    {
      path: "/agents/{name}/logs",
      answer: (request) => {
        const name = request.pathParams["name"] ?? "";
        const isKnown =
          view.observer.logs.last(name, 1).length > 0 ||
          agentDetailBody(view, { name, processId: "" }) !== undefined;
        if (!isKnown) return errorResponse(404, `agent '${name}' not found`);
        return logsResponse(view, request, name);
      },
    },
  ];
}

function logsResponse(
  { observer }: RuntimeView,
  request: GatewayRequest,
  agent: string | undefined,
): GatewayResponse {
  const { limit: asked = String(logLineCountMax), follow = "false" } = request.queryParams;
  if (follow !== "false" && follow !== "true")
    return errorResponse(400, "follow must be true or false");
  const limit = wholeNumberOf(asked);
  if (!Number.isInteger(limit) || limit < 1 || limit > logLineCountMax)
    return errorResponse(400, `limit must be a whole number of 1 to ${logLineCountMax}`);
  if (follow === "true") {
    return eventStream(request, {
      epoch: observer.epoch,
      feed: observer.logs.feed,
      wants: (line: LogLine) => agent === undefined || line.agent === agent,
      show: (line) => ({ event: "log", data: lineBody(line) }),
    });
  }
  const body: LogsBody = { lines: observer.logs.last(agent, limit).map(lineBody) };
  return { status: 200, body: asJson(body) };
}
