/**
 * What is between an agent and the tools of its servers: names, deadlines, results.
 *
 * It must not know any protocol, and of the kernel only what `ToolKernel` says.
 */
export { AgentTools } from "./agent-tools.ts";
export { toolErrors } from "./errors.ts";
export { type KnownTool, ToolSet } from "./tool-set.ts";
export type { SourceResult, SourceTool, ToolHost, ToolResult, ToolSource } from "./tool-source.ts";
export type { ToolDescription, ToolOptions, Tools } from "./tools.ts";
