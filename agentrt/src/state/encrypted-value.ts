import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";
import type { JsonObject, JsonValue } from "../core/index.ts";
import { stateErrors } from "./errors.ts";
import { stateLengthMax, stateTextOf } from "./state-text.ts";

/** The one key of an encrypted state; its value is the base64 of what `sealState` lays out. */
const envelopeKey = "__agentrt_enc__";
/** Length of a key. */
export const keySizeBytes = 32;
/** Length of the random value that must never repeat under one key. */
export const nonceSizeBytes = 12;

const plaintextBytesMax = 0.75 * stateLengthMax - 1024;
const version = 1;
const tagSizeBytes = 16;
const headSizeBytes = 2 + nonceSizeBytes;
const cipher = "chacha20-poly1305";

/** What sealing takes. */
export interface SealOptions {
  /** Bound to the value: under another name it does not open. */
  readonly agent: string;
  readonly keyId: number;
  readonly key: KeyObject;
  /** Random, `nonceSizeBytes` long. */
  readonly nonce: Uint8Array;
}

/** An encrypted state taken apart; whether it is genuine shows when it is opened. */
export interface SealedState {
  readonly keyId: number;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly tag: Uint8Array;
}

/**
 * Encrypts a state: version byte, key id byte, nonce, ciphertext, tag; then base64 under one key.
 *
 * @param state The state.
 * @param options Key, nonce, and the name it is bound to.
 * @returns The object to save.
 */
export function sealState(state: JsonObject, options: SealOptions): JsonObject {
  const { agent, keyId, key, nonce } = options;
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagSizeBytes });
  const plaintext = Buffer.from(stateTextOf(agent, state), "utf8");
  // In base64 it has to fit into the store around.
  if (plaintext.length > plaintextBytesMax)
    throw new stateErrors.TOO_LARGE({ agent, limit: `${plaintextBytesMax} characters of JSON` });
  sealing.setAAD(Buffer.from(agent, "utf8"), { plaintextLength: plaintext.length });
  const ciphertext = Buffer.concat([sealing.update(plaintext), sealing.final()]);
  const head = Buffer.from([version, keyId]);
  const all = Buffer.concat([head, nonce, ciphertext, sealing.getAuthTag()]);
  return { [envelopeKey]: all.toString("base64") };
}

/**
 * Tells whether a saved state is an encrypted one, by its one key.
 *
 * @param state Any saved state.
 */
export function isEncryptedState(state: JsonValue): boolean {
  return (
    typeof state === "object" &&
    state !== null &&
    !Array.isArray(state) &&
    Object.hasOwn(state, envelopeKey) &&
    Object.keys(state).length === 1
  );
}

/**
 * Takes an encrypted state apart.
 *
 * @param state An object for which `isEncryptedState` holds.
 * @returns Its parts, or why it cannot be one, in words that hold nothing of it.
 */
export function readSealedState(state: JsonObject): SealedState | string {
  const text = state[envelopeKey];
  if (typeof text !== "string") return "it is not in the form of an encrypted state";
  const bytes = Buffer.from(text, "base64");
  // Node skips what is not base64, so only the text it would write itself is taken.
  if (bytes.length < headSizeBytes + tagSizeBytes || bytes.toString("base64") !== text)
    return "it is not in the form of an encrypted state";
  if (bytes[0] !== version) return "another version of agentrt wrote it";
  return {
    keyId: bytes[1] ?? 0,
    nonce: bytes.subarray(2, headSizeBytes),
    ciphertext: bytes.subarray(headSizeBytes, -tagSizeBytes),
    tag: bytes.subarray(-tagSizeBytes),
  };
}

/**
 * Decrypts a state.
 *
 * @param sealed Its parts.
 * @param options The name it was saved under, and the key of its id.
 * @returns The state, or `undefined` when the key is another one or anything was altered.
 */
export function openState(
  sealed: SealedState,
  { agent, key }: { readonly agent: string; readonly key: KeyObject },
): JsonObject | undefined {
  const opening = createDecipheriv(cipher, key, sealed.nonce, { authTagLength: tagSizeBytes });
  opening.setAAD(Buffer.from(agent, "utf8"), { plaintextLength: sealed.ciphertext.length });
  opening.setAuthTag(sealed.tag);
  try {
    const plaintext = Buffer.concat([opening.update(sealed.ciphertext), opening.final()]);
    return JSON.parse(plaintext.toString("utf8")) as JsonObject;
  } catch {
    // What exactly did not fit would help nobody but the one who altered it.
    return undefined;
  }
}
