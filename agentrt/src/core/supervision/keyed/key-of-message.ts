import type { Message } from "../../messages/index.ts";
import { reasonOf } from "../../values/index.ts";
import { keyErrors } from "./errors.ts";

/** Longest key, in bytes of UTF-8. */
const keySizeBytesMax = 256;
const wantedKey = `a string of 1 to ${keySizeBytesMax} bytes without control characters`;

/** Whom a message is for. */
export interface KeyedName {
  readonly name: string;
  /** Field of the payload that holds the key. */
  readonly keyField: string | undefined;
}

/**
 * Finds the key of a message: behind the name it was sent to (`ticket/4711`), else in its payload.
 *
 * @returns The key, checked. A whole number in the payload counts as its digits.
 * @throws AGENTRT_KEY_MISSING, AGENTRT_KEY_INVALID.
 */
export function keyOfMessage(
  { name, keyField }: KeyedName,
  { recipient, payload }: Pick<Message, "recipient" | "payload">,
): string {
  if (recipient.length > name.length) return checkKey(name, recipient.slice(name.length + 1));
  if (keyField === undefined) {
    throw new keyErrors.MISSING({ agent: name, place: `"${name}/KEY" or the option key` });
  }
  const found = payload[keyField];
  if (found === undefined || found === null) {
    throw new keyErrors.MISSING({ agent: name, place: `"${keyField}" in its payload` });
  }
  return checkKey(
    name,
    typeof found === "number" && Number.isSafeInteger(found) ? `${found}` : found,
  );
}

/**
 * Checks a key.
 *
 * @param agent The keyed agent, for the error.
 * @returns The key.
 * @throws AGENTRT_KEY_INVALID.
 */
export function checkKey(agent: string, key: unknown): string {
  if (typeof key !== "string") {
    throw new keyErrors.INVALID({ agent, found: `a ${typeof key}`, wanted: wantedKey });
  }
  const isShort = key.length * 3 <= keySizeBytesMax || Buffer.byteLength(key) <= keySizeBytesMax;
  if (key === "" || !isShort || /[\p{Cc}\p{Cs}]/u.test(key)) {
    const found = isShort ? JSON.stringify(key) : `${reasonOf(Buffer.byteLength(key))} bytes long`;
    throw new keyErrors.INVALID({ agent, found, wanted: wantedKey });
  }
  return key;
}
