/**
 * What operators may look at: the answers about what happened and what goes on.
 *
 * The room makes responses of what the view and its `Observer` hold. It must not know how a listener sends them, and
 * nothing in it waits for a client: a stream is pulled.
 */
export { agentDetailBody } from "./agent-detail.ts";
export { joinKeys, keysResponse, processesOfKeys } from "./keys-view.ts";
export { agentViews } from "./agent-views.ts";
export { joinedHistory } from "./joined-history.ts";
export { logLineRoutes } from "./log-routes.ts";
export { pageRoutes } from "./page-routes.ts";
export { pastRoutes } from "./past-routes.ts";
export { type Redact, redactedState } from "./state-view.ts";
export { watchRoutes } from "./watch-routes.ts";
