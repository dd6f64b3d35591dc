import { isUtf8 } from "node:buffer";

/** How the bytes of a file were read so that every one of them can be written back. */
export type ExactEncoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "latin-1"
  | "utf-8 with stray bytes";

/** A text that means exactly the bytes it came from. */
export interface ExactText {
  /** Without a byte order mark. Of a stray byte the text has a lone low surrogate, U+DC00 and the byte. */
  readonly text: string;
  readonly encoding: ExactEncoding;
  readonly hasByteOrderMark: boolean;
  /** UTF-16 ends in half a character: its byte. */
  readonly lastByte?: number;
}

/** A character that an encoding does not have. */
export interface Unencodable {
  readonly unencodable: string;
}

/**
 * Decodes bytes so that `encodeExactly` gives the same bytes again, whatever they are.
 *
 * With the byte order mark of UTF-16 they are that; else UTF-8, if they are; else Latin-1, if no character of more bytes
 * than one is among them; else UTF-8 in which some bytes are astray.
 */
export function decodeExactly(bytes: Uint8Array): ExactText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return decodeUtf16(buffer, "utf-16le");
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return decodeUtf16(buffer, "utf-16be");
  const hasByteOrderMark = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  const body = hasByteOrderMark ? buffer.subarray(3) : buffer;
  if (isUtf8(body)) return { text: body.toString("utf8"), encoding: "utf-8", hasByteOrderMark };
  const stray = decodeStray(body);
  if (stray === undefined && !hasByteOrderMark)
    return { text: body.toString("latin1"), encoding: "latin-1", hasByteOrderMark };
  const text = stray ?? body.toString("latin1").replace(/[\x80-\xff]/g, surrogateOf);
  return { text, encoding: "utf-8 with stray bytes", hasByteOrderMark };
}

/**
 * Encodes a text as the one it was made from.
 *
 * @param text What has become of `like.text`.
 * @param like What `decodeExactly` gave.
 * @returns The bytes; or the first character that the encoding does not have.
 */
export function encodeExactly(text: string, like: ExactText): Buffer | Unencodable {
  switch (like.encoding) {
    case "utf-8":
      return Buffer.from(like.hasByteOrderMark ? `\ufeff${text}` : text, "utf8");
    case "latin-1": {
      const beyond = /[^\0-\xff]/u.exec(text);
      return beyond === null ? Buffer.from(text, "latin1") : { unencodable: beyond[0] };
    }
    case "utf-16le":
    case "utf-16be": {
      const body = Buffer.from(`\ufeff${text}`, "utf16le");
      if (like.encoding === "utf-16be") body.swap16();
      return like.lastByte === undefined ? body : Buffer.concat([body, Buffer.of(like.lastByte)]);
    }
    case "utf-8 with stray bytes": {
      const parts = like.hasByteOrderMark ? [Buffer.of(0xef, 0xbb, 0xbf)] : [];
      let position = 0;
      for (const { index } of text.matchAll(/[\udc80-\udcff]/gu)) {
        parts.push(Buffer.from(text.slice(position, index), "utf8"));
        parts.push(Buffer.of(text.charCodeAt(index) - 0xdc00));
        position = index + 1;
      }
      return Buffer.concat([...parts, Buffer.from(text.slice(position), "utf8")]);
    }
  }
}

function decodeUtf16(buffer: Buffer, encoding: "utf-16le" | "utf-16be"): ExactText {
  const isOdd = buffer.length % 2 === 1;
  const body = buffer.subarray(2, isOdd ? buffer.length - 1 : buffer.length);
  const littleEndian = encoding === "utf-16be" ? Buffer.from(body).swap16() : body;
  return {
    text: littleEndian.toString("utf16le"),
    encoding,
    hasByteOrderMark: true,
    ...(isOdd ? { lastByte: buffer[buffer.length - 1] as number } : {}),
  };
}

function surrogateOf(byte: string): string {
  return String.fromCharCode(0xdc00 + byte.charCodeAt(0));
}

/** UTF-8 with a lone surrogate for each byte that is none; `undefined` when no character of more bytes is in it. */
function decodeStray(bytes: Buffer): string | undefined {
  const parts: string[] = [];
  let start = 0;
  let index = 0;
  let hasLong = false;
  while (index < bytes.length) {
    const length = characterLength(bytes, index);
    if (length > 1) hasLong = true;
    if (length > 0) {
      index += length;
      continue;
    }
    parts.push(bytes.toString("utf8", start, index));
    parts.push(String.fromCharCode(0xdc00 + (bytes[index] as number)));
    index += 1;
    start = index;
  }
  if (!hasLong) return undefined;
  parts.push(bytes.toString("utf8", start));
  return parts.join("");
}

/** Bytes of the UTF-8 character at an index; 0 where none begins. */
function characterLength(bytes: Buffer, index: number): number {
  const first = bytes[index] as number;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || index + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(index, index + length)) ? length : 0;
}
