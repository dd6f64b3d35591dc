/**
 * Agents that agents elsewhere may use: as tools of the Model Context Protocol (`mcp/`) and as agents of the Agent2Agent
 * protocol (`a2a/`), by one key of a gateway.
 *
 *     publish: { agents: [desk] } → PublishedAgent ─┬─ /mcp ─ session ─┐
 *                                                   └─ /a2a ─ task ────┴→ askAgent → AgentBus
 *
 * Both are routes of the gateway like any other, behind its authentication, its limits and its checks of who asks. What an
 * agent answers, and what a failure says, is what a route would have said. Sessions and tasks belong to the identity that
 * began them, and are bounded in number and age.
 *
 * The room is loaded when a gateway publishes something, and not before. It must not know listeners or trees.
 */
export { publishRoutes, type Published } from "./publish-routes.ts";
export type { PublishedAgentConfig, PublishLimits, PublishOptions } from "./publish-options.ts";
export type { SuspensionPorts } from "./suspension-ports.ts";
