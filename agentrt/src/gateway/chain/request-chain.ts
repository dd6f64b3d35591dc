import { parseBody } from "./body.ts";
import { KnownRoutes } from "./known-routes.ts";
import type { System } from "../../core/index.ts";
import type { GatewayLog } from "../ports.ts";
import { compose, type Handler, type Middleware } from "./middleware.ts";
import {
  type ClientCert,
  errorResponse,
  type GatewayProcess,
  type GatewayRequest,
  type GatewayResponse,
  type InboundRequest,
} from "../request.ts";
import { recordKey } from "../request-record.ts";
import { Deadline } from "./deadline.ts";
import { notePrincipal } from "./note-principal.ts";
import type { Cors } from "./cors.ts";
import type { CrossSiteGuard } from "./origins.ts";
import { type SendChunks, sendResponse } from "./send-response.ts";
import { createRouter, type RouteMatch } from "./router.ts";
import { parseQuery, type RequestTarget } from "./target.ts";

/** One route: what answers a method on a path. */
export interface Route {
  /** HTTP method, any case. */
  readonly method: string;
  /** Path pattern with `{name}` placeholders. */
  readonly path: string;
  readonly handle: Handler;
  /** Runs only for this route, inside the gateway's own middleware; outermost first. Default none. */
  readonly middleware?: readonly Middleware[];
  /** Runs only for this route, outside of all other middleware: it may say what the credentials are. Default none. */
  readonly ahead?: readonly Middleware[];
  /** In place of the chain's deadline, milliseconds. Default that one. */
  readonly requestTimeoutMs?: number | undefined;
  /** In place of the chain's limit, bytes. Default that one. */
  readonly bodySizeBytesMax?: number | undefined;
  /** True for a route without middleware: a health check. */
  readonly isUngated?: boolean;
}

/** The options of `createRequestChain`. */
export interface RequestChainOptions {
  /** In order of declaration: the first that fits wins. */
  readonly routes: readonly Route[];
  /** Runs for every route, outermost first. Default none. */
  readonly middleware?: readonly Middleware[];
  readonly log: GatewayLog;
  /** What middleware sees as `request.gateway`. */
  readonly process: GatewayProcess;
  /** Finds the client's certificate, on the connection or in a header. Default: no client has one. */
  readonly readClientCert?: (inbound: InboundRequest) => ClientCert | undefined;
  /** Longest request body in bytes, 0 or more. Default 1 048 576. */
  readonly bodySizeBytesMax?: number;
  /** Deepest nesting of a JSON body, 1 to 1 000. Default 128. */
  readonly jsonDepthMax?: number;
  /** Bounds requests with middleware around them; what routes do by themselves has its own bounds. Default none. */
  readonly deadline?: { readonly system: System; readonly timeoutMs: number };
  /** Makes events of the chunks of a response. Default: a response that has some is an error. */
  readonly sendChunks?: SendChunks;
  /** Looks at a request before its body is read and any middleware runs. Default: none is refused. */
  readonly refuseCrossSite?: CrossSiteGuard;
  /** True where `clientIp` is that of the peer, whatever proxies say. Default false. */
  readonly isPeerClient?: boolean;
  /** Answers preflights, before any middleware. Default nobody does. */
  readonly cors?: Cors | undefined;
}

/** Answers one request: the part of a gateway that all listeners share. Never rejects. */
export type RequestChain = (inbound: InboundRequest) => Promise<GatewayResponse>;

const bodySizeBytesMaxDefault = 1_048_576;
const jsonDepthMaxDefault = 128;
/** A method that no route has: a look-up by it lists the methods of a path. */
const anyMethod = "*";
const pathEchoLengthMax = 256;

/**
 * Builds the middle of a gateway: target → route → body → middleware → handler. The route is looked up before the
 * body is read, so that a request without a route costs no memory.
 *
 * @param options Routes, middleware, limits and where failures are logged.
 * @returns The function that a listener calls once for each request.
 * @throws AGENTRT_GATEWAY_ROUTE_INVALID when a route is malformed.
 */
export function createRequestChain(options: RequestChainOptions): RequestChain {
  const routes = knownRoutes(options);
  const jsonDepthMax = options.jsonDepthMax ?? jsonDepthMaxDefault;

  const answerOf = (request: GatewayRequest, response: GatewayResponse): GatewayResponse => {
    if (!isResponse(response)) throw new TypeError("a middleware or route gave no response");
    return sendResponse(request, response, options.sendChunks);
  };

  const answer = async (inbound: InboundRequest, found: Found): Promise<GatewayResponse> => {
    try {
      const { headers } = inbound;
      const { target, match } = found;
      if (inbound.record !== undefined) inbound.record.route = match.target.path;
      const authority = target.authority ?? headers["host"];
      const refusal = options.refuseCrossSite?.({ method: inbound.method, authority, headers });
      if (refusal !== undefined) return refusal;
      const { handle, deadline, bodySizeBytesMax } = match.target;
      const bytes = await inbound.readBody(bodySizeBytesMax);
      if (bytes === "too_large") {
        return errorResponse(413, `request body is longer than ${bodySizeBytesMax} bytes`);
      }
      if (bytes === "cut_short") return errorResponse(400, "request body was cut short");
      const parsed = parseBody(bytes, headers, jsonDepthMax);
      if ("refusal" in parsed) return parsed.refusal;
      const requestWith = (signal: AbortSignal): GatewayRequest => ({
        method: inbound.method,
        path: target.path,
        authority,
        pathParams: match.pathParams,
        queryParams: parseQuery(target.query),
        headers,
        body: parsed.body,
        clientIp: options.isPeerClient === true ? inbound.clientIp : clientIpOf(inbound),
        requestId: inbound.record?.id ?? "",
        [recordKey]: inbound.record,
        gateway: options.process,
        clientCert: options.readClientCert?.(inbound),
        auth: undefined,
        signal,
      });
      if (deadline === undefined) {
        const request = requestWith(inbound.signal);
        return answerOf(request, await handle(request));
      }
      return await deadline.bound(inbound.signal, async (signal) => {
        const request = requestWith(signal);
        return answerOf(request, await handle(request));
      });
    } catch (error) {
      return failed(error, inbound, options.log);
    }
  };

  return (inbound) => {
    const { method, target: text } = inbound;
    if (text === "*" && method === "OPTIONS")
      return Promise.resolve({ status: 204, body: undefined });
    const preflight = preflightOf(inbound, routes, options.cors);
    if (preflight !== undefined) return Promise.resolve(preflight);
    const found = routes.find(method, text);
    if ("fault" in found) return Promise.resolve(errorResponse(400, found.fault));
    const { target, match } = found;
    return match.kind === "found"
      ? answer(inbound, { target, match })
      : Promise.resolve(missResponse(match, method, target.path));
  };
}

function knownRoutes(options: RequestChainOptions): KnownRoutes<Target> {
  const { routes, middleware = [] } = options;
  const { system, timeoutMs = 0 } = options.deadline ?? {};
  const ofChain = system === undefined ? undefined : new Deadline(system, timeoutMs);
  const router = createRouter<Target>(
    routes.map(({ method, path, ...route }) => {
      const isGated = route.isUngated !== true;
      const around = isGated ? [...middleware, ...(route.middleware ?? [])] : [];
      const ahead = isGated ? (route.ahead ?? []) : [];
      const handle = compose([...ahead, ...around], notePrincipal(route.handle));
      const { requestTimeoutMs } = route;
      const deadline =
        system === undefined || requestTimeoutMs === undefined
          ? ofChain
          : new Deadline(system, requestTimeoutMs);
      const target: Target = {
        path,
        handle,
        deadline: around.length === 0 ? undefined : deadline,
        bodySizeBytesMax:
          route.bodySizeBytesMax ?? options.bodySizeBytesMax ?? bodySizeBytesMaxDefault,
      };
      return { method, path, target };
    }),
  );
  return new KnownRoutes(router);
}

function preflightOf(
  { method, target, headers }: InboundRequest,
  routes: KnownRoutes<Target>,
  cors: Cors | undefined,
): GatewayResponse | undefined {
  if (method !== "OPTIONS" || cors === undefined) return undefined;
  const found = routes.find(anyMethod, target);
  if ("fault" in found || found.match.kind !== "wrong_method") return undefined;
  return cors.preflight(headers, found.match.methods);
}

function clientIpOf({ record, clientIp }: InboundRequest): string {
  return record?.clientIp ?? clientIp;
}

function failed(
  error: unknown,
  { method, clientIp: client, record }: InboundRequest,
  log: GatewayLog,
): GatewayResponse {
  log.error("A gateway route failed", {
    method,
    error,
    client,
    ...(record === undefined ? {} : { requestId: record.id }),
  });
  return errorResponse(500, "internal error");
}

interface Found {
  readonly target: RequestTarget;
  readonly match: Extract<RouteMatch<Target>, { kind: "found" }>;
}

interface Target {
  /** Its pattern. */
  readonly path: string;
  readonly handle: Handler;
  /** Where middleware is around it: what it does by itself has its own bounds. */
  readonly deadline: Deadline | undefined;
  readonly bodySizeBytesMax: number;
}

/** Users' functions are in the chain, so their response is checked before a listener writes it. */
function isResponse(value: unknown): value is GatewayResponse {
  const status = (value as GatewayResponse | null | undefined)?.status;
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}

function missResponse(
  match: Exclude<RouteMatch<Target>, { kind: "found" }>,
  method: string,
  path: string,
): GatewayResponse {
  const shown = path.length > pathEchoLengthMax ? `${path.slice(0, pathEchoLengthMax)}…` : path;
  if (match.kind === "unknown_path") return errorResponse(404, `no route for ${method} ${shown}`);
  const methods = new Set([...match.methods, "OPTIONS"]);
  if (methods.has("GET")) methods.add("HEAD");
  const allow = [...methods].sort().join(", ");
  return method === "OPTIONS"
    ? { status: 204, body: undefined, headers: { allow } }
    : errorResponse(405, `method ${method} is not allowed for ${shown}`, { allow });
}
