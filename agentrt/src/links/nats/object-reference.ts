import type { ObjectPlace } from "../../nats/index.ts";
import { messageBytesMax } from "../../wire/index.ts";

/** The header of a message whose bytes are in a bucket. */
export const objectHeader = "Agentrt-Object";

const pattern = /^([\da-f]{32}) (\d{1,10}) (\d{1,16}(?:,\d{1,16}){0,999})$/;

/** Writes where an object is. */
export function writeReference({ id, sizeBytes, chunks }: ObjectPlace): string {
  return `${id} ${sizeBytes} ${chunks.join(",")}`;
}

/** Reads where an object is; undefined for what is none, or larger than a message may be. */
export function readReference(text: string): ObjectPlace | undefined {
  const [, id, size, chunks] = pattern.exec(text) ?? [];
  const sizeBytes = Number(size);
  if (id === undefined || chunks === undefined || sizeBytes > messageBytesMax) return undefined;
  return { id, sizeBytes, chunks: chunks.split(",").map(Number) };
}
