/**
 * Text: bytes, lines, encodings, hashes.
 *
 * In: the bytes of one file, or a string. Out: numbers and strings. Offsets are UTF-8 bytes from 0, lines count from 1
 * and end at a line feed; a carriage return before it belongs to the line's text and is never changed here.
 *
 * A byte order mark is taken off when a text is decoded and remembered next to it, so that offsets are those of the
 * text everybody sees. Bytes that are not UTF-8 become U+FFFD: a file with one odd byte is still a text.
 * What is shown to people may be UTF-16 too (`readableText`); what is searched and indexed is bytes, and there it is binary.
 *
 * A file that is to be written again is decoded exactly: every byte of it comes back, in whatever encoding it is.
 *
 * What is large or slow to load (the hash, the vocabulary of the token counter) is loaded by the function that needs
 * it, at its first call.
 *
 * It must not know files, paths, languages or commands.
 */
export { type AssetParts, openAsset, readAsset } from "./assets.ts";
export { checksumOf } from "./checksum.ts";
export { compareBytes } from "./compare-bytes.ts";
export { contentHash, hasContentHash } from "./content-hash.ts";
export {
  binaryProbeBytes,
  decodeText,
  hasUtf16Mark,
  isAsciiText,
  isBinary,
  readableText,
  type ReadableText,
  searchableText,
} from "./decode.ts";
export { countLines } from "./count-lines.ts";
export { decodeExactly, encodeExactly, type ExactEncoding, type ExactText } from "./exact-text.ts";
export { growTo, type KernelMemory, makeKernel } from "./kernel.ts";
export { loadTokenCounter } from "./load-token-counter.ts";
export { nameHash, nameHashStart, nameHashStep } from "./name-hash.ts";
