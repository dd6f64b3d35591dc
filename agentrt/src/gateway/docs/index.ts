/**
 * The API's description, as OpenAPI and as a page, made from the routes of a gateway. It must not know agents or
 * listeners: it describes what it is given.
 */
export { describeBySchemas, toJsonSchema } from "./schema-descriptions.ts";
export { docsPathDefault, docsRoutes, type DocsOptions } from "./docs-routes.ts";
export { type RouteDescription } from "./openapi.ts";
