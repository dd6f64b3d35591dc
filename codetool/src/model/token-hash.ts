import { hashTerm, spreadHash } from "../index/index.ts";
import { stemInPlace } from "./stem.ts";

const word = new Uint8Array(64);

/**
 * What the table knows a token by: a 32-bit hash of its stem, all bits of which are evenly spread.
 *
 * @param text UTF-8; upper-case ASCII letters mean lower-case ones. At most 64 bytes from `start` to `end`.
 * @returns An unsigned number.
 */
export function tokenHash(text: Uint8Array, start: number, end: number): number {
  let length = 0;
  for (let index = start; index < end; index += 1) {
    const byte = text[index] as number;
    word[length] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    length += 1;
  }
  return hashOf(word, stemInPlace(word, length));
}

/** The hash of what is a stem already. */
export function stemHash(stem: string): number {
  const bytes = Buffer.from(stem, "utf8");
  return hashOf(bytes, bytes.length);
}

function hashOf(stem: Uint8Array, length: number): number {
  return spreadHash(hashTerm(stem, 0, length)) >>> 0;
}
