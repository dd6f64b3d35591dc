import type { Message } from "./message.ts";

/** What may be said of a message without its payload. Plain values. */
export interface MessageDigest {
  readonly id: string;
  readonly type: string;
  /** Empty when it came from outside the tree. */
  readonly sender: string;
  readonly priority: number;
  /** When it was sent: wall-clock milliseconds since the Unix epoch. */
  readonly timestampMs: number;
  readonly traceId: string;
}

/** @returns What may be said of a message without its payload. */
export function digestOf(message: Message): MessageDigest {
  const { id, type, sender, priority, timestampMs, traceId } = message;
  return { id, type, sender, priority, timestampMs, traceId };
}

/** @returns When the oldest of some messages was sent: wall-clock milliseconds; null for none. */
export function oldestTimestampMs(messages: readonly Message[]): number | null {
  let oldest: number | null = null;
  for (const { timestampMs } of messages) oldest = Math.min(oldest ?? timestampMs, timestampMs);
  return oldest;
}
