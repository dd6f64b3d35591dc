import type { SectionFile, SectionWriter } from "../sections/index.ts";
import type { TrigramSet } from "./trigram-set.ts";

/** Share of false positives: trigrams that do not occur and yet seem to. */
export const falsePositiveRate = 0.02;
/** Optimal: bits a member times ln 2, rounded; Bloom 1970. */
const hashCount = Math.round(-Math.log2(falsePositiveRate));
const bitsPerMember = -Math.log(falsePositiveRate) / Math.LN2 ** 2;

/** Writes the trigrams of a corpus as a Bloom filter: it never says "no" for one that occurs. Section `trigrams`. */
export function writeBloomFilter(writer: SectionWriter, trigrams: TrigramSet): void {
  const bitCount = Math.max(64, Math.ceil((trigrams.count() * bitsPerMember) / 8) * 8);
  const bits = new Uint8Array(bitCount / 8);
  trigrams.forEach((trigram) => {
    forEachBit(trigram, bitCount, (bit) => {
      bits[bit >>> 3] = (bits[bit >>> 3] as number) | (1 << (bit & 7));
      return true;
    });
  });
  writer.section("trigrams", bits);
}

/** Says whether all trigrams may occur in a corpus; "no" is certain. */
export function mayHoldAll(file: SectionFile, trigrams: readonly number[]): boolean {
  const bits = file.array("trigrams", Uint8Array);
  const bitCount = bits.length * 8;
  return trigrams.every((trigram) =>
    forEachBit(trigram, bitCount, (bit) => ((bits[bit >>> 3] as number) & (1 << (bit & 7))) !== 0),
  );
}

/** Visits the bits of a member until a visit says no; double hashing after Kirsch and Mitzenmacher 2006. */
function forEachBit(member: number, bitCount: number, visit: (bit: number) => boolean): boolean {
  const first = mix(member) >>> 0;
  const step = (mix(member ^ 0x5b_d1_e9_95) | 1) >>> 0;
  for (let index = 0; index < hashCount; index += 1)
    if (!visit((first + index * step) % bitCount)) return false;
  return true;
}

/** The finaliser of MurmurHash3. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return mixed ^ (mixed >>> 16);
}
