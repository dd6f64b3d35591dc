/** What several kinds of nodes have in common: fields of their schemas, and checks that no schema can make. */
export {
  rateLimitField,
  routeBounds,
  routeBoundsFields,
  routeLimit,
} from "./route-bounds-fields.ts";
export { checkEdge, edgeFields, edgeKeys, edgeSettings, origin } from "./edge-fields.ts";
export { checkGrpc } from "./check-grpc.ts";
export { checkHttp3 } from "./check-http3.ts";
export { checkMiddleware } from "./check-middleware.ts";
export { checkPort } from "./check-port.ts";
export { checkAgent, checkCapability, checkKind, checkRecipient } from "./check-references.ts";
export { checkDocsRoutes, checkRoutes } from "./check-routes.ts";
export { checkWebSocketRoute } from "./check-web-socket-route.ts";
export { checkUnused, unusedKeys } from "./check-unused.ts";
export { authSchema, certSettings, checkCerts, flatCertKeys } from "./client-cert-fields.ts";
export { addressOf, host, listenerKeys, middleware, prefix } from "./listener-fields.ts";
export { checkPublish, publishField, publishKeys } from "./publish-fields.ts";
