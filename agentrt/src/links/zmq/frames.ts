/**
 * How messages lie in ZeroMQ's: the first part says for whom and from whom they are, each part behind it is one message, or all of
 * them are one.
 */

/** What the parts behind a head are. */
export type FrameKind = "messages" | "pieces" | "probe";

/** The first part. */
export interface Head {
  readonly topic: string;
  readonly kind: FrameKind;
  /** Of the first message, counted by its sender for each topic; of a probe, which one it is. */
  readonly sequence: number;
  /** The sender: another one after each start. */
  readonly sender: string;
}

/** What ends a topic. Subscriptions are prefixes: without it, who subscribes to `a` would get what is for `ab`. */
const terminator = 0;
const kindCodes: { readonly [kind in FrameKind]: number } = { messages: 1, probe: 2, pieces: 3 };
const kinds = new Map(Object.entries(kindCodes).map(([kind, code]) => [code, kind as FrameKind]));
const sequenceByteCount = 6;
/** Bytes between the terminator and the sender. */
const fixedByteCount = 1 + sequenceByteCount;

/**
 * Writes what a socket subscribes to for an address. A NUL in an address is escaped, and so is `%`: no two addresses share a
 * topic.
 */
export function prefixOf(address: string): Buffer {
  const escaped = address.replaceAll("%", "%25").replaceAll("\0", "%00");
  return Buffer.concat([Buffer.from(escaped), Buffer.of(terminator)]);
}

/** Writes a head behind the prefix of its topic. */
export function writeHead(prefix: Buffer, { kind, sequence, sender }: Omit<Head, "topic">): Buffer {
  const head = Buffer.allocUnsafe(prefix.length + fixedByteCount + sender.length);
  prefix.copy(head);
  head[prefix.length] = kindCodes[kind];
  head.writeUIntBE(sequence, prefix.length + 1, sequenceByteCount);
  head.write(sender, prefix.length + fixedByteCount, "latin1");
  return head;
}

/** @returns What a head says; undefined for what is none. */
export function readHead(head: Buffer): Head | undefined {
  const end = head.indexOf(terminator);
  if (end === -1 || head.length < end + 1 + fixedByteCount) return undefined;
  const kind = kinds.get(head[end + 1] ?? 0);
  if (kind === undefined) return undefined;
  return {
    topic: head.toString("utf8", 0, end).replaceAll("%00", "\0").replaceAll("%25", "%"),
    kind,
    sequence: head.readUIntBE(end + 2, sequenceByteCount),
    sender: head.toString("latin1", end + 1 + fixedByteCount),
  };
}

/**
 * Most bytes of a part that the client library copies. A larger one it lends to another thread and gets back, which wakes this one
 * once more, and at the other end it is memory outside of the heap: both cost more than some parts.
 */
const copiedBytesMax = 128;
/** Most parts of a message that is sent so. */
const pieceCountMax = 8;

/** @returns The message in parts that are copied; undefined where it is too large for that, or is one. */
export function piecesOf(bytes: Uint8Array): Uint8Array[] | undefined {
  if (bytes.length <= copiedBytesMax || bytes.length > copiedBytesMax * pieceCountMax)
    return undefined;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += copiedBytesMax)
    pieces.push(bytes.subarray(at, at + copiedBytesMax));
  return pieces;
}
