import type { JsonObject } from "../../core/index.ts";
import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../gateway/index.ts";
import { asJson } from "../bodies.ts";
import { type AgentRoute, askElsewhere, type ControlRequest } from "../elsewhere/index.ts";
import { type LogLine, lineBody, logLineCountMax } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { wholeNumberOf } from "../whole-number.ts";
import type { LogsBody } from "../wire-history.ts";
import { agentDetailBody } from "./agent-detail.ts";
import { eventStream } from "./event-stream.ts";
import { mergedLines } from "./merged-lines.ts";
import type { ViewRoute } from "./view-route.ts";

/**
 * Makes the routes that show log lines of all processes, with `?follow=true` as server-sent events.
 *
 * @param view The running tree.
 * @returns `/logs` and `/agents/{name}/logs`.
 */
export function logRoutes(view: RuntimeView): ViewRoute[] {
  return logLineRoutes(view).map((route) => {
    const ask = askElsewhere(route, () => view.elsewhere);
    return {
      path: route.path,
      answer: async (request) => {
        const { follow = "false", limit = "1" } = request.queryParams;
        if (follow !== "false" && follow !== "true")
          return errorResponse(400, "follow must be true or false");
        if (follow === "false") return await ask(request);
        const { name } = request.pathParams;
        const known = await ask({ ...request, queryParams: { limit } });
        return known.status === 200 ? followResponse(view, request, name) : known;
      },
    };
  });
}

/**
 * Makes the same without `follow`, as any process answers them for its lines.
 *
 * @param view The running tree.
 */
export function logLineRoutes(view: RuntimeView): AgentRoute[] {
  return [
    {
      method: "GET",
      path: "/logs",
      about: "all",
      isPartial: true,
      handle: (request) => linesResponse(view, request, undefined),
      join: joinLines,
    },
    {
      method: "GET",
      path: "/agents/{name}/logs",
      about: "agent",
      handle: (request) => {
        const name = request.pathParams["name"] ?? "";
        const isKnown =
          view.observer.logs.last(name, 1).length > 0 ||
          agentDetailBody(view, { name, processId: "" }) !== undefined;
        if (!isKnown) return errorResponse(404, `agent '${name}' not found`);
        return linesResponse(view, request, name);
      },
      join: joinLines,
    },
  ];
}

function linesResponse(
  { observer }: RuntimeView,
  request: ControlRequest,
  agent: string | undefined,
): GatewayResponse {
  const limit = limitOf(request);
  if (limit === undefined)
    return errorResponse(400, `limit must be a whole number of 1 to ${logLineCountMax}`);
  const body: LogsBody = { lines: observer.logs.last(agent, limit).map(lineBody) };
  return { status: 200, body: asJson(body) };
}

function limitOf({ queryParams }: ControlRequest): number | undefined {
  const limit = wholeNumberOf(queryParams["limit"] ?? String(logLineCountMax));
  return Number.isInteger(limit) && limit >= 1 && limit <= logLineCountMax ? limit : undefined;
}

function joinLines(answers: readonly GatewayResponse[], request: ControlRequest): GatewayResponse {
  const lines = answers.flatMap(({ body }) => (body as unknown as LogsBody).lines);
  const timeOf = ({ time }: JsonObject): string => (typeof time === "string" ? time : "");
  const sorted = lines.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
  const body: LogsBody = { lines: sorted.slice(-(limitOf(request) ?? logLineCountMax)) };
  return { status: 200, body: asJson(body) };
}

function followResponse(
  view: RuntimeView,
  request: GatewayRequest,
  agent: string | undefined,
): GatewayResponse {
  const { observer, elsewhere } = view;
  if (elsewhere !== undefined) return mergedLines({ view, others: elsewhere, request, agent });
  return eventStream(request, {
    epoch: observer.epoch,
    feed: observer.logs.feed,
    wants: (line: LogLine) => agent === undefined || line.agent === agent,
    show: (line) => ({ event: "log", data: lineBody(line) }),
  });
}
