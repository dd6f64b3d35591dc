import process from "node:process";

/**
 * What the gateway takes from Node's `http`. Of an `import` of that module Node reads every export once, and so loads its
 * client for `fetch` and WebSocket: .08 s of processor time at each start, also of commands that serve nothing.
 */
export const { createServer, STATUS_CODES, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule("node:http");
