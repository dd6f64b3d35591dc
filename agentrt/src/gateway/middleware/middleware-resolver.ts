import { didYouMean } from "../../core/index.ts";
import { builtInMiddleware } from "./built-in-middleware.ts";
import { gatewayErrors } from "../errors.ts";
import { watchRefusals } from "./watch-refusals.ts";
import type { Middleware, MiddlewareRef, MiddlewareSetup } from "../chain/index.ts";

/** Turns the middleware a gateway was described with into functions. */
export type MiddlewareResolver = (refs: readonly MiddlewareRef[]) => Promise<Middleware[]>;

/**
 * Makes the resolver of one start of a gateway. A path that is in several places gives one and the same middleware.
 *
 * @param setup What built-in middleware is made for.
 * @returns The resolver; it rejects with AGENTRT_GATEWAY_MIDDLEWARE_UNKNOWN, or as the middleware's own setup does.
 */
export function createMiddlewareResolver(setup: MiddlewareSetup): MiddlewareResolver {
  const { onRefusal } = setup;
  const made = new Map<string, Middleware | Promise<Middleware>>();
  const make = (path: string): Middleware | Promise<Middleware> => {
    const known = made.get(path);
    if (known !== undefined) return known;
    const found = builtInMiddleware.get(path);
    if (found === undefined) {
      const hint = didYouMean(path, [...builtInMiddleware.keys()]);
      throw new gatewayErrors.MIDDLEWARE_UNKNOWN({ node: setup.node, path, hint });
    }
    const created = found.create(setup);
    made.set(path, created);
    return created;
  };
  return async (refs) => {
    const middleware: Middleware[] = [];
    // One after the other, so that the first that cannot be made is the one reported.
    for (const ref of refs) {
      const made = typeof ref === "string" ? await make(ref) : ref;
      const name =
        typeof ref === "string" ? (ref.split(".").at(-1) ?? ref) : ref.name || "middleware";
      middleware.push(onRefusal === undefined ? made : watchRefusals(made, name, onRefusal));
    }
    return middleware;
  };
}

/**
 * Says whether middleware that was declared as authentication keeps out clients without credentials. A function of the
 * user's does: that is what it was declared as.
 *
 * @param refs Functions and paths.
 * @returns False when there is nothing but built-in middleware that authenticates nobody.
 */
export function authenticatesAsDeclared(refs: readonly MiddlewareRef[]): boolean {
  return refs.some(
    (ref) => typeof ref !== "string" || builtInMiddleware.get(ref)?.isAuthentication !== false,
  );
}

/**
 * Says whether some middleware of this package keeps out clients without credentials.
 *
 * @param refs Functions and paths.
 * @returns False where nothing does. What a function of the user's does nobody knows: it may write a log.
 */
export function authenticates(refs: readonly MiddlewareRef[]): boolean {
  return refs.some(
    (ref) => typeof ref === "string" && builtInMiddleware.get(ref)?.isAuthentication === true,
  );
}
