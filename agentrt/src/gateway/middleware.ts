import type { GatewayRequest, GatewayResponse } from "./request.ts";

/** Answers a request. */
export type Handler = (request: GatewayRequest) => Promise<GatewayResponse>;

/** Stands around a handler: may answer by itself, or call `next` and look at what comes back. */
export type Middleware = (request: GatewayRequest, next: Handler) => Promise<GatewayResponse>;

/**
 * Wraps a handler in middleware. Done once when the table is built: no middleware costs nothing per request.
 *
 * @param middleware Outermost first.
 * @param handler The innermost.
 * @returns The handler that runs them all.
 */
export function compose(middleware: readonly Middleware[], handler: Handler): Handler {
  return middleware.reduceRight<Handler>(
    (next, layer) => (request) => layer(request, next),
    handler,
  );
}
