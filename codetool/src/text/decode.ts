import { isUtf8 } from "node:buffer";

/** The text of a file, and what decoding it took. */
export interface DecodedText {
  /** Without a byte order mark; line ends as they stood. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  /** True when the bytes were not UTF-8 and U+FFFD stands for what could not be read. */
  readonly isLossy: boolean;
}

/** How much of a file is looked at to tell whether it is binary. */
export const binaryProbeBytes = 8192;

/** Tells whether bytes are binary: a NUL in the first 8 KiB. */
export function isBinary(bytes: Uint8Array): boolean {
  const nulIndex = bytes.subarray(0, binaryProbeBytes).indexOf(0);
  return nulIndex !== -1;
}

/** Decodes UTF-8, with or without a byte order mark; other bytes become U+FFFD and are never an error. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = hasByteOrderMark ? bytes.subarray(3) : bytes;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return { text: buffer.toString("utf8"), hasByteOrderMark, isLossy: !isUtf8(body) };
}
