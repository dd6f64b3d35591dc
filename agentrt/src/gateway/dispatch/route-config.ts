import type { JsonObject } from "../../core/index.ts";
import type { RouteBounds } from "../../gateway-settings/index.ts";
import type { Handler, MiddlewareRef, MiddlewareResponse } from "../chain/index.ts";
import type { GatewayRequest, PathParams } from "../request.ts";
import type { RecipientConfig } from "./recipient.ts";

/** A route of a topology: which agent answers a method on a path. */
export interface RouteConfig extends RecipientConfig, RouteBounds {
  /** HTTP method, any case. */
  readonly method: string;
  /** Path pattern with `{name}` placeholders, the last perhaps `{name*}`; their values go into the payload. */
  readonly path: string;
  /** `call` waits for the reply (200), `cast` does not (202), `stream` sends chunks as events. Default `call`. */
  readonly mode?: "call" | "cast" | "stream";
  /**
   * Not of `cast`: true answers 503 at once while the agent is suspended; default false, and then it waits. A client asks
   * for the same with `X-Agentrt-Fail-If-Suspended: true`.
   */
  readonly failIfSuspended?: boolean | undefined;
  /** JSON Schema of the body, only for the API's description: agents validate what they are sent. */
  readonly request?: JsonObject | undefined;
  /** JSON Schema of the reply, or of each chunk, only for the API's description. */
  readonly response?: JsonObject | undefined;
  /** Runs only for this route, inside the gateway's own middleware; outermost first. Default none. */
  readonly middleware?: readonly MiddlewareRef[];
}

/** Any middleware for a path: each says itself what it wants to find in `request.auth`. */
type FittingMiddleware<Path extends string> = {
  // oxlint-disable-next-line typescript/no-explicit-any -- the only type that fits into each and from each
  wrap(request: GatewayRequest<PathParams<Path>, any>, next: Handler): Promise<MiddlewareResponse>;
}["wrap"];

/** A route whose path the compiler knows. */
export interface RouteOf<Path extends string> extends Omit<RouteConfig, "path" | "middleware"> {
  /** Path pattern with `{name}` placeholders, the last perhaps `{name*}`; their values go into the payload. */
  readonly path: Path;
  /** Runs only for this route, as in `RouteConfig`. What each wants to find in `request.auth` is not checked. */
  readonly middleware?: readonly (FittingMiddleware<NoInfer<Path>> | string)[];
}

/**
 * Describes a route for `httpGateway({ routes })`, and lets the compiler hold its middleware to its path: one for
 * `/orders/{id}` does not fit `/orders/{number}`.
 *
 * @param config The route.
 * @returns The same route.
 */
export function route<const Path extends string>(config: RouteOf<Path>): RouteConfig {
  return config as object as RouteConfig;
}
