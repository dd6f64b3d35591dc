/**
 * A running topology as a server of the Model Context Protocol: an assistant looks at its agents, and steers them where it
 * may.
 *
 *     stdin ─ the SDK's server ─ tool of the table ─ ControlPort ─▶ route of the control plane
 *
 * A tool is a row: what it takes, what it answers, and the route behind it. It sees only what the control plane shows, and
 * what a topology's authentication lets the given headers do. What changes something is offered only with
 * `--allow-writes`. Only `call_agent` goes to a gateway, as `agentrt call` does.
 *
 * The folder must not know flags.
 */
export { serveControl } from "./serve-control.ts";
