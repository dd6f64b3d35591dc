import type { ObjectPlace } from "./object-bucket.ts";

const pattern = /^([\da-f]{32}) (\d{1,10}) (\d{1,16}(?:,\d{1,16}){0,999})$/;

/** Writes where an object is, for a header. */
export function placeText({ id, sizeBytes, chunks }: ObjectPlace): string {
  return `${id} ${sizeBytes} ${chunks.join(",")}`;
}

/** Reads it; undefined for what is none, or larger than it may be. */
export function readPlace(text: string, sizeBytesMax: number): ObjectPlace | undefined {
  const [, id, size, chunks] = pattern.exec(text) ?? [];
  const sizeBytes = Number(size);
  if (id === undefined || chunks === undefined || sizeBytes > sizeBytesMax) return undefined;
  return { id, sizeBytes, chunks: chunks.split(",").map(Number) };
}
