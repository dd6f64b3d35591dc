import { readAsset } from "./assets.ts";

/** The first word of the table file: "CTOK". */
export const tokenTableMagic = 0x4b_4f_54_43;

/** Layout of the table file; `scripts/build-token-table.ts` describes it. */
export const tokenTableVersion = 1;

/** The classes of characters that the pre-tokenizer tells apart, one bit each. */
export const characterClasses = {
  /** Lu, Lt */
  upper: 1,
  /** Ll */
  lower: 2,
  /** Lm, Lo */
  otherLetter: 4,
  /** M */
  mark: 8,
  /** N */
  number: 16,
  /** White_Space except CR and LF */
  space: 32,
  /** CR, LF */
  newline: 64,
  /** All others, unassigned code points included */
  symbol: 128,
} as const;

/** The vocabulary as typed arrays over one buffer. */
export interface TokenizerTable {
  readonly slots: Uint32Array;
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
  /** Character class of each code point. */
  readonly classes: Uint8Array;
  readonly tokenBytesMax: number;
}

/** Multiplier of the polynomial hash: hash(ab) is made from hash(a) and hash(b), so any part of a piece costs O(1). */
export const hashMultiplier = 0x01_00_01_93;
const rankBits = 18;
const rankMask = 2 ** rankBits - 1;

/** Hash of a byte string, before mixing. */
export function hashOfBytes(bytes: Uint8Array): number {
  let hash = 0;
  for (const byte of bytes) hash = (Math.imul(hash, hashMultiplier) + byte + 1) | 0;
  return hash;
}

/** Spreads a polynomial hash over all bits (the finalizer of MurmurHash3). */
export function mixHash(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Rank of the token that is exactly these bytes, or -1.
 *
 * @param hash Polynomial hash of the bytes, not mixed.
 */
// oxlint-disable-next-line max-params -- asked for every pair of a merge: an object each would be garbage
export function rankOf(
  table: TokenizerTable,
  text: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const { slots, offsets, bytes } = table;
  const mixed = mixHash(hash);
  const fingerprint = (mixed >>> rankBits) >>> 0;
  let slot = mixed & (slots.length - 1);
  for (;;) {
    const entry = slots[slot] as number;
    if (entry === 0) return -1;
    if (entry >>> rankBits === fingerprint) {
      const rank = (entry & rankMask) - 1;
      let at = offsets[rank] as number;
      if ((offsets[rank + 1] as number) - at === end - start) {
        let index = start;
        while (index < end && bytes[at] === text[index]) {
          index += 1;
          at += 1;
        }
        if (index === end) return rank;
      }
    }
    slot = (slot + 1) & (slots.length - 1);
  }
}

/**
 * Loads the table from the shipped asset.
 *
 * @throws Error when the asset is missing or of another layout.
 */
export function loadTokenizerTable(): TokenizerTable {
  const file = readAsset("o200k_base.bin");
  const [
    magic,
    version,
    tokenCount = 0,
    slotCount = 0,
    rangeCount = 0,
    byteCount = 0,
    longest = 0,
  ] = new Uint32Array(file.buffer, file.byteOffset, 8);
  const isKnown = magic === tokenTableMagic && version === tokenTableVersion;
  const slotsAt = 32;
  const offsetsAt = slotsAt + slotCount * 4;
  const rangesAt = offsetsAt + (tokenCount + 1) * 4;
  const bytesAt = rangesAt + rangeCount * 4;
  if (!isKnown || file.length !== bytesAt + byteCount)
    throw new Error(
      'Cannot use "o200k_base.bin": this copy of codetool is damaged, install it again',
    );
  const wordsAt = (offset: number, count: number): Uint32Array =>
    new Uint32Array(file.buffer, file.byteOffset + offset, count);
  return {
    slots: wordsAt(slotsAt, slotCount),
    offsets: wordsAt(offsetsAt, tokenCount + 1),
    bytes: file.subarray(bytesAt),
    classes: expandClasses(wordsAt(rangesAt, rangeCount)),
    tokenBytesMax: longest,
  };
}

function expandClasses(ranges: Uint32Array): Uint8Array {
  const classes = new Uint8Array(0x11_00_00);
  for (const [index, range] of ranges.entries()) {
    const next = ranges[index + 1];
    classes.fill(range & 0xff, range >>> 8, next === undefined ? classes.length : next >>> 8);
  }
  return classes;
}
