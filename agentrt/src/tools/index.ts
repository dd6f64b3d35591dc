/**
 * Tool servers that speak the Model Context Protocol (https://modelcontextprotocol.io, revision 2025-06-18), as the
 * tools of agents.
 *
 *     McpToolSource → the official SDK's client → a program's stdin and stdout, or a URL
 *
 * In: where the servers are, and the calls of agents (`ToolSource` of core). Out: the tools that each server lists, and
 * what they answer. A server is connected once for the whole runtime, not once an agent; one that cannot be reached
 * is a warning at the start, and every later call tries again. A server that goes away in the middle of a call fails
 * that call; one that says its list has changed is asked for it again.
 *
 * The SDK is loaded when the first server is opened: who has no servers needs not have it installed.
 *
 * This folder must not know agents, the tree or topology text. Secrets come as values from the reader of the
 * environment; none of them is in a log line or an error.
 */
export { McpToolSource } from "./mcp-tool-source.ts";
export type { McpProgram, McpServerOptions, McpUrl } from "./mcp-server-options.ts";
export { mcpErrors } from "./errors.ts";
