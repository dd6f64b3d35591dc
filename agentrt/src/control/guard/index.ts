/**
 * What is around every route of the control plane: who may use it, and the record of what was done by it.
 *
 * ```
 * request → only local → scope of the route? → record (not of GET) → route → a record of what failed
 * ```
 *
 * `guardRoute` is put around each route in one place, so that no route can be without. Two tables say which scope a route
 * wants and how its record is called; a route that is in none wants `operate`, or `read` for GET, and is recorded
 * by its method and path. The room knows routes as values and must not know what they do.
 */
export { guardRoute, type RouteGuard } from "./guard-route.ts";
export { type Scope, scopeFinder, type ScopeTable } from "./scopes.ts";
