import type { AuditRefusal, System } from "../../core/index.ts";
import type { AddressRanges } from "../../gateway-settings/index.ts";
import { inheritSource, sourceOf } from "./chunk-source.ts";
import { gatewayErrors } from "../errors.ts";
import type { GatewayLog } from "../ports.ts";
import type { GatewayRequest, GatewayResponse, PathParams, RequestAuth } from "../request.ts";

/** Answers a request. */
export type Handler = (request: GatewayRequest) => Promise<GatewayResponse>;

/** What a middleware answers with; without a status, which is 200 then. */
export type MiddlewareResponse = Omit<GatewayResponse, "status"> & { readonly status?: number };

/**
 * Wraps a handler: it may answer by itself, or call `next` and use the response.
 *
 * @example
 * interface Member extends RequestAuth {
 *   readonly principal: { readonly id: string; readonly tenant: string };
 * }
 * const ownOrders: Middleware<"/orders/{id}", Member> = async (request, next) =>
 *   request.pathParams.id.startsWith(`${request.auth?.principal.tenant}-`)
 *     ? await next(request)
 *     : { status: 403, body: { error: "not yours" } };
 */
export type Middleware<Path extends string = string, Auth extends RequestAuth = RequestAuth> =
  // The form of a method: one for a path of its own stands where any middleware may.
  {
    wrap(
      request: GatewayRequest<PathParams<Path>, Auth>,
      next: Handler,
    ): Promise<MiddlewareResponse>;
  }["wrap"];

/** A function, or the dotted path of a middleware of this package such as `agentrt.gateway.jwt_auth.require_jwt`. */
export type MiddlewareRef = Middleware | string;

/** What a middleware of this package is made for. */
export interface MiddlewareSetup {
  /** Name of the gateway's node. */
  readonly node: string;
  readonly system: System;
  readonly log: GatewayLog;
  /** Environment variables. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Takes what is to be called when files are to be read again. It settles, and never rejects. */
  readonly onReopen?: (reopen: () => Promise<void>) => void;
  /** Hears of each request that a middleware refuses. Default nobody. */
  readonly onRefusal?: ((refusal: Omit<AuditRefusal, "gateway">) => void) | undefined;
  /** Proxies that are trusted to name their clients. Default none. */
  readonly trustedProxies?: AddressRanges;
}

/** A middleware of this package, found by its dotted path. */
export interface BuiltInMiddleware {
  /** True when it refuses clients without credentials: then no warning says that the gateway is open. */
  readonly isAuthentication: boolean;
  /**
   * Makes the middleware for one gateway, each time the gateway starts; a rejection keeps the gateway from starting.
   *
   * @throws An error from a table, with one line that says which setting is wrong.
   */
  readonly create: (setup: MiddlewareSetup) => Middleware | Promise<Middleware>;
}

/**
 * Wraps a handler in middleware. Done once when the table is built, so a route without middleware costs nothing extra.
 *
 * A layer may call `next` once for a request. A second call throws AGENTRT_GATEWAY_NEXT_CALLED_TWICE at once, so the
 * handler never runs twice.
 *
 * @param middleware Outermost first.
 * @param handler The innermost.
 * @returns The handler that runs them all.
 */
export function compose(middleware: readonly Middleware[], handler: Handler): Handler {
  return middleware.reduceRight<Handler>(
    (next, layer) => (request) => runLayer(request, layer, next),
    handler,
  );
}

async function runLayer(
  request: GatewayRequest,
  layer: Middleware,
  next: Handler,
): Promise<GatewayResponse> {
  let inner: GatewayResponse | undefined;
  const call = onceOnly(async (given) => (inner = await next(given)), layer);
  try {
    const response = withStatus(await layer(request, call));
    if (response !== inner) inheritSource(response, inner);
    return response;
  } catch (error) {
    sourceOf(inner)?.end();
    throw error;
  }
}

/** What is not an answer at all stays as it is, for who sends it to refuse. */
function withStatus(response: MiddlewareResponse): GatewayResponse {
  const found = response as MiddlewareResponse | null | undefined;
  const isAnswer = typeof found === "object" && found !== null;
  if (!isAnswer || found.status !== undefined || !isFilled(found)) return found as GatewayResponse;
  return { ...found, status: 200 };
}

function isFilled({ body, text, bytes, stream, chunks }: MiddlewareResponse): boolean {
  return [body, text, bytes, stream, chunks].some((content) => content !== undefined);
}

function onceOnly(next: Handler, layer: Middleware): Handler {
  let isCalled = false;
  return (request) => {
    if (isCalled) throw new gatewayErrors.NEXT_CALLED_TWICE({ middleware: layer.name });
    isCalled = true;
    return next(request);
  };
}
