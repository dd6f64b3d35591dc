/**
 * The MCP front: commands as tools of a client that speaks the Model Context Protocol.
 *
 *   stdin ─ LineTransport ─▶ request ─ tool of the table ─ PathGuard ─▶ executeCommand ─▶ envelope ─▶ stdout
 *
 * A tool is a row of the command table; its schema is made from the row's flags and positionals, and its answer is the
 * envelope that the command line prints. A tool that may write says so in its annotations, and writes only
 * with `apply`.
 *
 * Paths stay inside of the client's roots, else of the folder the server was started in, links resolved: even an
 * agent that was misled by a text it read cannot read or write anything else through this server.
 *
 * It must not know what a command does.
 */
export { serveMcp } from "./serve-mcp.ts";
export { serveMcpHttp } from "./serve-mcp-http.ts";
