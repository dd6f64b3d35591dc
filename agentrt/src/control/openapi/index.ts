/**
 * The control plane's description of itself: one row for each route (`operations.ts`), the schemas of its bodies
 * (`schemas.ts`), and the OpenAPI document made of both. A route without a row, and a row without a route, fail a test; so
 * does a body with a member that its schema does not know.
 *
 * The folder must not know what serves the routes.
 */
export { controlDocument } from "./control-document.ts";
export { operations, type Operation } from "./operations.ts";
