/**
 * The middle of a gateway, the same for every listener: target → route → body → middleware → handler.
 *
 * `createRequestChain` builds it once from routes; a listener calls it with each request. The room knows requests and
 * responses as values. It must not know listeners, agents or the settings of a node.
 */
export {
  createRequestChain,
  type Route,
  type RequestChain,
  type RequestChainOptions,
} from "./request-chain.ts";
export {
  type MiddlewareRef,
  type MiddlewareSetup,
  type BuiltInMiddleware,
  type Middleware,
  type MiddlewareResponse,
  compose,
  type Handler,
} from "./middleware.ts";
export { ChunkFault, chunkResponse, ChunkSource, sourceOf } from "./chunk-source.ts";
export type { SendChunks } from "./send-response.ts";
export { createCrossSiteGuard, type CrossSiteGuard, isOriginAllowed } from "./origins.ts";
export { Deadline } from "./deadline.ts";
export { isDeeperThan } from "./body.ts";
export { notePrincipal } from "./note-principal.ts";
export { type Cors, createCors } from "./cors.ts";
export { changedNumber } from "./changed-number.ts";
export { createRouter, type Router } from "./router.ts";
export { parseQuery, parseTarget, type RequestTarget, splitPath } from "./target.ts";
