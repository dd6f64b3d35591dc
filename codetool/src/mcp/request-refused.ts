import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";

/** A request that a client has to put in another way: it is answered with the JSON-RPC error -32602. */
export class RequestRefused extends Error {
  readonly code = ErrorCode.InvalidParams;
}
