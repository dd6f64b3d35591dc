import {
  isReservedType,
  type PayloadIssue,
  TableError,
  type JsonObject,
  type System,
} from "../../core/index.ts";
import { eventStreamHeaders, type EventStreams } from "./event-streams.ts";
import { type AddressRanges, routeBoundsFault } from "../../gateway-settings/index.ts";
import { chunkResponse, ChunkSource, type Middleware, type Route } from "../chain/index.ts";
import { ReplyFault, replyResponse } from "./agent-reply.ts";
import { openChunks } from "./open-chunks.ts";
import { assemblePayload } from "./payload.ts";
import { agentFor, readRecipient, type Recipient } from "./recipient.ts";
import type { RouteConfig } from "./route-config.ts";
import { clientLog } from "../client-log.ts";
import { gatewayErrors } from "../errors.ts";
import { createRouteLimit } from "../rate-limit/index.ts";
import type { MiddlewareResolver } from "../middleware/index.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";
import {
  errorResponse,
  type GatewayRequest,
  type GatewayResponse,
  type StringMap,
} from "../request.ts";
import { recordKey } from "../request-record.ts";
import { parseTraceparent } from "../trace-context.ts";

/** What routes to agents are made of. */
export interface DispatchOptions {
  readonly bus: AgentBus;
  readonly log: GatewayLog;
  /** Longest wait for a reply in milliseconds; then the client gets 504. */
  readonly requestTimeoutMs: number;
  /** Longest wait of a cast for room in the mailbox, milliseconds; then the client gets 503. */
  readonly castTimeoutMs: number;
  /** The streamed replies of the gateway. */
  readonly streams: EventStreams;
  readonly system: System;
  /** Whose word about clients counts where a route has a limit. */
  readonly trustedProxies: AddressRanges | undefined;
  /** Turns the middleware of routes into functions. */
  readonly resolveMiddleware: MiddlewareResolver;
}

interface Outgoing {
  readonly recipient: Recipient;
  readonly mode: "call" | "cast" | "stream";
  readonly path: StringMap;
  /** Fields no client can override. */
  readonly fixed: JsonObject;
  /** Default that of the gateway. */
  readonly requestTimeoutMs?: number | undefined;
  /** True answers at once when the agent is suspended. */
  readonly failIfSuspended?: boolean | undefined;
  /** A message type no client can override. */
  readonly type?: string;
}

const typeDefault = "http.request";
const typeHeader = "x-agentrt-type";
/** With `true` a client does not wait for a suspended agent: of a request, a handshake, or a call's metadata. */
export const suspendedHeader = "x-agentrt-fail-if-suspended";
const typePattern = /^[\x21-\x2b\x2d-\x7e]{1,128}$/;
const retryAfterSeconds = "1";
const nothing: StringMap & JsonObject = Object.freeze({});

/**
 * Makes the routes a topology declares.
 *
 * @param configs In order of declaration.
 * @param options The bus, the log and the time to wait.
 * @returns One route each, in the same order.
 * @throws AGENTRT_GATEWAY_ROUTE_INVALID for a route that names not one of agent and capability.
 */
export async function agentRoutes(
  configs: readonly RouteConfig[],
  options: DispatchOptions,
): Promise<Route[]> {
  const routes: Route[] = [];
  for (const config of configs) {
    const { method, path } = config;
    const refuse = (reason: string): Error =>
      new gatewayErrors.ROUTE_INVALID({ method, path, reason });
    const recipient = readRecipient(config, refuse);
    const fault = routeBoundsFault(config);
    if (fault !== undefined) throw refuse(fault);
    const { requestTimeoutMs, bodySizeBytesMax, failIfSuspended } = config;
    if (failIfSuspended === true && config.mode === "cast")
      throw refuse("failIfSuspended is for the modes call and stream");
    routes.push({
      method,
      path,
      requestTimeoutMs,
      bodySizeBytesMax,
      middleware: [
        ...(await options.resolveMiddleware(config.middleware ?? [])),
        ...limitOf(config, options),
      ],
      handle: (request) =>
        dispatch(request, options, {
          recipient,
          mode: config.mode ?? "call",
          path: request.pathParams,
          fixed: nothing,
          requestTimeoutMs,
          failIfSuspended,
        }),
    });
  }
  return routes;
}

/** Innermost, so that it knows who the client is and counts only who was let through. */
function limitOf(
  { method, path, rateLimit: rule }: RouteConfig,
  { system, trustedProxies }: DispatchOptions,
): Middleware[] {
  if (rule === undefined) return [];
  const route = `${method.toUpperCase()} ${path}`;
  return [createRouteLimit({ rule, route, system, trustedProxies })];
}

/**
 * Makes the routes of a gateway that declares none: call, cast and state of every agent in the tree.
 *
 * @param options The bus, the log and the time to wait.
 * @returns Three routes. The agent's name is not a part of the payload.
 */
export function defaultRoutes(options: DispatchOptions): Route[] {
  const toAgent =
    (outgoing: Omit<Outgoing, "recipient" | "path">) =>
    (request: GatewayRequest): Promise<GatewayResponse> => {
      const recipient = request.pathParams["name"] ?? "";
      const { bus } = options;
      if (!bus.hasAgent(recipient) || bus.isInfrastructure(recipient)) {
        return Promise.resolve(unknownAgent(recipient));
      }
      return dispatch(request, options, { ...outgoing, recipient, path: nothing });
    };
  const state = { mode: "call", fixed: { __op__: "state" }, type: "state" } as const;
  return [
    { method: "POST", path: "/agents/{name}", handle: toAgent({ mode: "call", fixed: nothing }) },
    {
      method: "POST",
      path: "/agents/{name}/cast",
      handle: toAgent({ mode: "cast", fixed: nothing }),
    },
    { method: "GET", path: "/agents/{name}/state", handle: toAgent(state) },
  ];
}

async function dispatch(
  request: GatewayRequest,
  options: DispatchOptions,
  outgoing: Outgoing,
): Promise<GatewayResponse> {
  const typeFromClient = request.headers[typeHeader];
  const refusedType = typeFromClient === undefined ? undefined : refuseType(typeFromClient);
  if (refusedType !== undefined) return refusedType;
  const { bus, log } = options;
  const timeoutMs = Math.ceil(outgoing.requestTimeoutMs ?? options.requestTimeoutMs);
  const found = findAgent(outgoing.recipient, options);
  if (typeof found !== "string") return found;
  const message: GatewayMessage = {
    recipient: found,
    type: outgoing.type ?? (typeFromClient || typeDefault),
    payload: assemblePayload({
      query: request.queryParams,
      body: request.body,
      path: outgoing.path,
      fixed: outgoing.fixed,
    }),
    correlationId: request.requestId === "" ? undefined : request.requestId,
    trace: request[recordKey]?.trace ?? parseTraceparent(request.headers["traceparent"]),
    timeoutMs: outgoing.mode === "cast" ? Math.min(options.castTimeoutMs, timeoutMs) : timeoutMs,
    signal: request.signal,
    failIfSuspended:
      outgoing.failIfSuspended === true || request.headers[suspendedHeader] === "true",
  };
  try {
    if (outgoing.mode === "stream") return await beginStream(request, message, options);
    if (outgoing.mode === "cast") {
      await bus.cast(message);
      return { status: 202, body: {} };
    }
    const reply = await bus.call(message);
    return replyResponse(reply);
  } catch (error) {
    return failureResponse(error, found, clientLog(log, request.clientIp));
  }
}

function findAgent(recipient: Recipient, { bus, log }: DispatchOptions): string | GatewayResponse {
  try {
    return agentFor(recipient, bus);
  } catch (error) {
    return failureResponse(error, "", log);
  }
}

/** The status is sent before the agent has said anything: what fails later is its own event. */
async function beginStream(
  request: GatewayRequest,
  message: GatewayMessage,
  { bus, log, streams }: DispatchOptions,
): Promise<GatewayResponse> {
  const { recipient } = message;
  const resumed = streams.resume(request);
  if (resumed !== undefined) return resumed;
  if (!bus.hasAgent(recipient)) return unknownAgent(recipient);
  // Nobody would read what the agent says.
  if (request.method === "HEAD")
    return { status: 200, body: undefined, headers: eventStreamHeaders };
  const { queueLengthMax: bufferLengthMax, idleTimeoutMs, durationMsMax } = streams.limits;
  const { signal: _, ...asked } = message;
  const limits = { bufferLengthMax, idleTimeoutMs, durationMsMax };
  const source = new ChunkSource({
    chunks: await openChunks(bus.stream(asked, limits), streams.system),
    describe: (error) => streamFailure(error, recipient, clientLog(log, request.clientIp)),
    signal: request.signal,
    request,
  });
  return chunkResponse(source, eventStreamHeaders);
}

/**
 * Makes the line that a client gets when a streamed reply has failed.
 *
 * @param error What the stream was rejected with.
 * @param recipient Name of the agent.
 * @param log For what is not the client's business.
 * @returns One line.
 */
export function streamFailure(error: unknown, recipient: string, log: GatewayLog): string {
  const reason = error instanceof TableError ? streamReason(error, recipient) : undefined;
  if (reason !== undefined) return reason;
  const { body } = failureResponse(error, recipient, log);
  return (body as { readonly error: string }).error;
}

/** What the error of a stream says of itself; undefined for another error. */
function streamReason({ code, details }: TableError, recipient: string): string | undefined {
  if (!code.startsWith("AGENTRT_STREAM_")) return undefined;
  if (code === "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT") return lateText(recipient, { details });
  return (details as { readonly reason?: string }).reason;
}

/**
 * Refuses a message type from outside that is malformed, or reserved for the runtime.
 *
 * @param type As the client sent it; empty for none.
 * @returns The response, or `undefined` when it is fine.
 */
export function refuseType(type: string): GatewayResponse | undefined {
  if (type === "") return undefined;
  if (!typePattern.test(type)) return errorResponse(400, "malformed X-Agentrt-Type header");
  return isReservedType(type)
    ? errorResponse(400, `message type '${type}' is reserved for the runtime`)
    : undefined;
}

/** The response where there is no agent of that name, or none that clients may reach. */
export function unknownAgent(name: string): GatewayResponse {
  return errorResponse(404, `agent '${name}' not found`);
}

/** The response where no agent of a capability takes messages. */
export function noCapableAgent(found: {
  readonly tag: string;
  /** Agents that declare it. */
  readonly holderCount: number;
}): GatewayResponse {
  const { tag, holderCount } = found;
  return holderCount === 0
    ? errorResponse(404, `no agent has the capability '${tag}'`)
    : errorResponse(503, `no agent with the capability '${tag}' takes messages`);
}

/**
 * Makes the response to a failure. What is not the client's business is logged instead.
 *
 * @param error What the bus was rejected with.
 * @param recipient Name of the agent.
 * @param log For what is not the client's business.
 * @returns The response.
 */
export function failureResponse(
  error: unknown,
  recipient: string,
  log: GatewayLog,
): GatewayResponse {
  const retry = { "retry-after": retryAfterSeconds };
  if (error instanceof TableError) {
    switch (error.code) {
      case "AGENTRT_BUS_NO_ROUTE":
        return unknownAgent(recipient);
      case "AGENTRT_BUS_NO_CAPABLE":
        return noCapableAgent(
          error.details as { readonly tag: string; readonly holderCount: number },
        );
      case "AGENTRT_BUS_TIMEOUT":
        return upstreamTimeout(recipient, error);
      case "AGENTRT_BUS_EXPIRED":
        return errorResponse(504, "upstream timeout");
      case "AGENTRT_AGENT_SUSPENDED":
        return errorResponse(503, `agent '${recipient}' is suspended`, retry);
      case "AGENTRT_AGENT_CRASHED":
        return errorResponse(502, `agent '${recipient}' crashed`);
      case "AGENTRT_AGENT_FAILED":
        return errorResponse(502, `agent '${recipient}' failed to handle the message`);
      case "AGENTRT_STREAM_NOT_A_REPLY":
        return errorResponse(502, `agent '${recipient}' answers with a stream, not with one reply`);
      case "AGENTRT_BUS_MAILBOX_FULL":
        return errorResponse(503, `agent '${recipient}' has no room for more messages`, retry);
      case "AGENTRT_KEY_EXHAUSTED":
        return errorResponse(503, `agent '${recipient}' has no room for more keys`, retry);
      case "AGENTRT_KEY_FAILED":
        return failedKey(error);
      case "AGENTRT_CIRCUIT_OPEN":
        return errorResponse(503, `agent '${recipient}' takes no requests for now`, waitOf(error));
      case "AGENTRT_AGENT_STOPPED":
        return stoppedAgent(recipient, error);
      case "AGENTRT_AGENT_DRAINED":
        return errorResponse(
          503,
          `agent '${recipient}' is drained: it takes no new messages`,
          retry,
        );
      case "AGENTRT_KEY_ELSEWHERE":
      case "AGENTRT_WORKER_AWAY":
      case "AGENTRT_LINK_DOWN":
      case "AGENTRT_LINK_REQUESTS":
        return errorResponse(503, `agent '${recipient}' cannot be reached for now`, retry);
      case "AGENTRT_LINK_LOST":
      case "AGENTRT_WORKER_GONE":
        return errorResponse(502, `agent '${recipient}' was lost with its process`);
      case "AGENTRT_BUS_CANCELLED":
        return errorResponse(503, "request was cancelled", retry);
      case "AGENTRT_BUS_PAYLOAD_NOT_JSON":
        return errorResponse(400, "request body holds a value that is not JSON");
      case "AGENTRT_BUS_PAYLOAD_INVALID":
        return invalidPayload(error);
      case "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT":
      case "AGENTRT_STREAM_IDLE_TIMEOUT":
      case "AGENTRT_STREAM_DURATION_EXCEEDED":
        return errorResponse(504, streamReason(error, recipient) ?? "upstream timeout");
      default:
        if (error.httpStatus < 500) return errorResponse(error.httpStatus, error.message);
        if (error.isRetryable && error.httpStatus > 500) return forNow(error, recipient, log);
    }
  }
  if (error instanceof ReplyFault) {
    log.error("A reply cannot be sent", { agent: recipient, reason: error.message });
  } else log.error("A message could not be dispatched", { recipient, error });
  return errorResponse(500, "internal error");
}

/** What is wrong is not the client's business; that it may be over some time is. */
function forNow(error: TableError, recipient: string, log: GatewayLog): GatewayResponse {
  log.warn("A message could not be dispatched for now", { recipient, error });
  const { httpStatus: status } = error;
  const headers = status === 503 ? { "retry-after": retryAfterSeconds } : {};
  return errorResponse(status, `agent '${recipient}' cannot answer for now`, headers);
}

function upstreamTimeout(recipient: string, { details }: TableError): GatewayResponse {
  return errorResponse(504, lateText(recipient, { details }));
}

function lateText(recipient: string, { details }: Pick<TableError, "details">): string {
  const isSuspended = (details as { readonly isSuspended?: true }).isSuspended === true;
  const reason = isSuspended ? `: agent '${recipient}' is suspended` : "";
  return `upstream timeout${reason}`;
}

/** What is wrong and where, in words and as a list. */
function invalidPayload({ message, details }: TableError): GatewayResponse {
  const { issues } = details as { readonly issues: readonly PayloadIssue[] };
  const listed = issues.map((issue) => ({ ...issue }));
  return { status: 400, body: { error: message, issues: listed } };
}

/** It is gone for good, so nothing says when to come again. */
function stoppedAgent(recipient: string, { details }: TableError): GatewayResponse {
  const isCrashed = (details as { readonly crash?: object }).crash !== undefined;
  const state = isCrashed ? "has crashed and is not being restarted" : "is stopped";
  return errorResponse(503, `agent '${recipient}' ${state}`);
}

/** The reason of its crashes is not the client's business; when it is tried again is. */
function failedKey(error: TableError): GatewayResponse {
  const { agent, key } = error.details as { readonly agent: string; readonly key: string };
  const reason = `key '${key}' of agent '${agent}' has failed too often`;
  return errorResponse(503, reason, waitOf(error));
}

/** When to come again, in whole seconds. */
function waitOf({ details }: TableError): { readonly "retry-after": string } {
  const { retryAfterMs } = details as { readonly retryAfterMs: number };
  return { "retry-after": `${Math.max(1, Math.ceil(retryAfterMs / 1000))}` };
}
