import { createHash } from "node:crypto";

const isPlain = (character: string): boolean => /^[A-Za-z0-9_-]$/.test(character);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Writes any text as one token of a key or of a name: letters, digits, `_` and `-` stay, each other byte becomes the escape
 * and two hexadecimal digits. Two texts never share a token, and no token is a wildcard.
 *
 * @param escape For keys `=`, which `nats kv` takes; for names of streams and consumers `_`, which then is escaped, too.
 */
export function tokenOf(text: string, escape: "=" | "_"): string {
  let token = "";
  for (const byte of encoder.encode(text)) {
    const character = String.fromCodePoint(byte);
    token +=
      isPlain(character) && character !== escape
        ? character
        : escape + byte.toString(16).toUpperCase().padStart(2, "0");
  }
  return token;
}

/** @returns The text of a token of `tokenOf`; undefined for one that was not made by it. */
export function textOfToken(token: string, escape: "=" | "_"): string | undefined {
  const bytes: number[] = [];
  for (let index = 0; index < token.length; index += 1) {
    const character = token.charAt(index);
    if (character !== escape) {
      if (!isPlain(character)) return undefined;
      bytes.push(character.charCodeAt(0));
      continue;
    }
    const digits = token.slice(index + 1, index + 3);
    if (!/^[\dA-F]{2}$/.test(digits)) return undefined;
    bytes.push(Number.parseInt(digits, 16));
    index += 2;
  }
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** Longer names of consumers are cut, and told apart by a digest: servers take 255 characters. */
const nameLengthMax = 180;

/** Writes any text as the name of a consumer; two texts never share one. */
export function consumerNameOf(text: string): string {
  const token = tokenOf(text, "_");
  if (token.length <= nameLengthMax) return token;
  return `${token.slice(0, nameLengthMax)}-${createHash("sha256").update(text).digest("hex")}`;
}
