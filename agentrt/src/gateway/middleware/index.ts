/**
 * Middleware of this package by dotted path, and what turns the paths and functions of a node's settings into functions.
 * A middleware of this package is a row of `built-in-middleware.ts`; it is made once at each start of its gateway.
 */
export {
  authenticates,
  authenticatesAsDeclared,
  createMiddlewareResolver,
  type MiddlewareResolver,
} from "./middleware-resolver.ts";
export { builtInMiddleware } from "./built-in-middleware.ts";
