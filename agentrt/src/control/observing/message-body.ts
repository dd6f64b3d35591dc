import type { MessageDigest } from "../../core/index.ts";
import type { MessageBody } from "../wire-history.ts";

/** Makes the body of a message without its payload. */
export function messageBody(message: MessageDigest): MessageBody {
  const { id, type, sender, priority, timestampMs, traceId } = message;
  return { id, type, sender, priority, timestamp: timestampMs / 1000, trace_id: traceId };
}
