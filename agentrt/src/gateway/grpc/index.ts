/**
 * gRPC: the service `agentrt.Agent` on its own port.
 *
 * ```
 * node:http2 → GrpcServer ─ middleware ─ GrpcCall ─ agent-service ──── AgentBus.call / cast / stream
 *                  │                        │ frames, deadline, status
 *                  └ health, reflection ────┘ (everybody may ask)
 * ```
 *
 * gRPC is HTTP/2 with a prefix of five bytes before each message and a status in the trailers, so it is written here
 * on `node:http2` as the gateway's own listener is, with the same budgets against floods, and needs no package. The
 * messages are few: `wire-reader.ts` and `wire-writer.ts` are the part of protocol buffers that they need, and
 * `struct.ts` turns `google.protobuf.Struct` into payloads and back. `agent.proto` is what clients compile.
 *
 * Middleware sees a call as `POST /agentrt.Agent/Invoke` with metadata as headers and an empty body; what it refuses
 * with a status of HTTP ends the call with the status of gRPC that says the same (`status.ts`). Health and reflection
 * are outside of it. Messages may be compressed with gzip; what they become is
 * bounded (`compression.ts`), so that no few bytes become many.
 */
export type { GrpcLimits } from "./limits.ts";
export type { GrpcServer } from "./server.ts";
export { setUpGrpc } from "./set-up.ts";
