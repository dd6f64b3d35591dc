import { isAscii, isUtf8 } from "node:buffer";
import { decodeExactly } from "./exact-text.ts";

/** The text of a file, and what decoding it took. */
export interface DecodedText {
  /** Without a byte order mark; line ends as they stood. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  /** True when the bytes were not UTF-8 and U+FFFD means what could not be read. */
  readonly isLossy: boolean;
}

/** How much of a file is looked at to tell whether it is binary. */
export const binaryProbeBytes = 8192;

/** Tells whether bytes are binary: a NUL in the first 8 KiB. */
export function isBinary(bytes: Uint8Array): boolean {
  const nulIndex = bytes.subarray(0, binaryProbeBytes).indexOf(0);
  return nulIndex !== -1;
}

/** Tells whether bytes are ASCII, so that each is one character. */
export function isAsciiText(bytes: Uint8Array): boolean {
  return isAscii(bytes);
}

/** Decodes UTF-8, with or without a byte order mark; other bytes become U+FFFD and are never an error. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = hasByteOrderMark ? bytes.subarray(3) : bytes;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return { text: buffer.toString("utf8"), hasByteOrderMark, isLossy: !isUtf8(body) };
}

/** A text to be shown, and in what it was written. */
export interface ReadableText extends DecodedText {
  readonly isUtf16: boolean;
}

/**
 * Decodes what is a text: UTF-16 with its byte order mark, else UTF-8.
 *
 * @returns `undefined` for binary content.
 */
export function readableText(bytes: Uint8Array): ReadableText | undefined {
  if (!hasUtf16Mark(bytes))
    return isBinary(bytes) ? undefined : { ...decodeText(bytes), isUtf16: false };
  const { text, lastByte } = decodeExactly(bytes);
  if (text.slice(0, binaryProbeBytes / 2).includes("\0")) return undefined;
  return {
    text: text.toWellFormed() + (lastByte === undefined ? "" : "\uFFFD"),
    hasByteOrderMark: true,
    isLossy: lastByte !== undefined || !text.isWellFormed(),
    isUtf16: true,
  };
}

/**
 * The text of a file as bytes in UTF-8, for who searches bytes: as they are, or converted from UTF-16.
 *
 * @returns `undefined` for binary content.
 */
export function searchableText(bytes: Buffer): Buffer | undefined {
  if (!hasUtf16Mark(bytes)) return isBinary(bytes) ? undefined : bytes;
  const readable = readableText(bytes);
  return readable === undefined ? undefined : Buffer.from(readable.text, "utf8");
}

/** Tells whether bytes begin with the byte order mark of UTF-16. */
export function hasUtf16Mark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
