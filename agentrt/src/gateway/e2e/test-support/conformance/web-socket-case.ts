import { closing, opcode } from "./web-socket-frames.ts";

/** A case of the Autobahn test suite, under its number, with messages in JSON as our routes speak it. */
export interface WebSocketCase {
  /** Number in the suite. */
  readonly id: string;
  readonly title: string;
  /** Bytes of the client, written one after the other. */
  readonly send: readonly Buffer[];
  /** What must come back before the connection is closed, in order: texts of replies, payloads of pongs. */
  readonly replies: readonly (readonly [code: number, payload: string])[];
  /** With which code; one the client did not cause is wrong. */
  readonly closeCode: number;
  /** Replies may be missing: the connection is failed while the agent works. */
  readonly mayFailEarly?: boolean;
}

/** The frame of a client that closes well. */
export const good = closing(1000);

/** What the agent, which gives back what it gets, says to a message. */
export function replyTo(payload: Buffer | string): readonly [code: number, payload: string] {
  const text = Buffer.from(payload).toString();
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return [opcode.text, JSON.stringify(isObject ? value : { data: value })];
  } catch {
    return [opcode.text, '{"error":"message is not JSON"}'];
  }
}

/** A text of JSON that has so many bytes. */
export const json = (sizeBytes: number, filler = "*"): Buffer =>
  Buffer.from(sizeBytes < 2 ? "7".repeat(sizeBytes) : `"${filler.repeat(sizeBytes - 2)}"`);

/** What a case sends, and what comes back. */
export interface Exchange {
  readonly send: readonly Buffer[];
  readonly closeCode?: number;
  /** Default none. */
  readonly replies?: WebSocketCase["replies"];
}

/** Sends messages and is answered. */
export function echo(
  id: string,
  title: string,
  { send, messages }: { readonly send: readonly Buffer[]; readonly messages: readonly Buffer[] },
): WebSocketCase {
  return { id, title, send: [...send, good], replies: messages.map(replyTo), closeCode: 1000 };
}

/** Breaks the protocol. */
export function broken(
  id: string,
  title: string,
  { send, closeCode = 1002, replies = [] }: Exchange,
): WebSocketCase {
  return { id, title, send, replies, closeCode, mayFailEarly: true };
}
