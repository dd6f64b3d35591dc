import { keepReplyHead } from "../messages/index.ts";
import type { JsonObject } from "../values/index.ts";

/**
 * Copies a chunk of a streamed reply, with what `httpReply` said of it.
 *
 * @param bus Copies payloads.
 * @param chunk As the handler gave it.
 * @throws AGENTRT_BUS_PAYLOAD_NOT_JSON.
 */
export function copyOfChunk(
  bus: { isolate(value: object): JsonObject },
  chunk: object,
): JsonObject {
  const copy = bus.isolate(chunk);
  keepReplyHead(chunk, copy);
  return copy;
}
