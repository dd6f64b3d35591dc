/**
 * Published agents over the Agent2Agent protocol (https://a2a-protocol.org, versions 1.0 and 0.3, JSON-RPC binding).
 *
 *     POST /a2a/{agent} → A2aServer → Task → TaskRuns → the bus
 *                              └─ wire ←┘     └ input-required while the agent waits for a person
 *
 * Each message of a client is a task. A task goes on when its client has gone, and is asked for by its id until it is too
 * old, or room is needed. Both versions are the same tasks: `read-message` takes either, `wire` writes either. The room
 * must not know sockets, nor how an agent is found.
 */
export { A2aServer } from "./a2a-server.ts";
