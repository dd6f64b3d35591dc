import { Decoder, Encoder } from "@msgpack/msgpack";
import { messageBytesMax } from "./serializer.ts";

/** The form of signed messages that this version writes, and the newest that it reads. */
const version = 2;
const algorithm = "ed25519";
const signatureSizeBytes = 64;
/** Eight bytes of the process, eight of a counter. */
export const nonceSizeBytes = 16;
/** Most characters of the name of a signer. */
const signerLengthMax = 1024;
/** Bytes that a signature adds at most, its signer's name apart. */
export const sealBytesMax = 256;

/** What a signature vouches for. */
export interface SignedParts {
  /** Of the message, as a serializer wrote it. */
  readonly message: Uint8Array;
  /** Whom it was sent to: it is not taken by anybody else. */
  readonly topic: string;
  /** Who signed it. */
  readonly signer: string;
  /** Never used twice by its signer. */
  readonly nonce: Uint8Array;
  /** When, by the signer's clock, milliseconds since the Unix epoch. */
  readonly sentAtMs: number;
}

/** A message with its signature, as it came. */
export interface SealedMessage extends Omit<SignedParts, "topic"> {
  readonly value: Uint8Array;
}

const encoder = new Encoder();
const decoder = new Decoder({
  maxBinLength: messageBytesMax,
  maxStrLength: signerLengthMax * 4,
  maxArrayLength: 0,
  maxMapLength: 8,
  maxExtLength: 0,
});

/** @returns The bytes that are signed. */
export function signedBytes({ message, topic, signer, nonce, sentAtMs }: SignedParts): Uint8Array {
  return encoder.encode({ v: version, msg: message, signer, nonce, topic, at: sentAtMs });
}

/** Writes a message with its signature, of `signedBytes`. */
export function sealMessage(parts: Omit<SignedParts, "topic">, value: Uint8Array): Uint8Array {
  const { message, signer, nonce, sentAtMs } = parts;
  const sig = { signer, alg: algorithm, value, nonce, at: sentAtMs };
  return encoder.encode({ v: version, msg: message, sig });
}

/**
 * Reads a message with its signature. Whether the signature is good is not known yet.
 *
 * @param bytes As they came.
 * @returns Undefined for everything else, such as a message without a signature.
 */
export function readSealedMessage(bytes: Uint8Array): SealedMessage | undefined {
  let value: unknown;
  try {
    value = decoder.decode(bytes);
  } catch {
    return undefined;
  }
  const { v, msg, sig } = fieldsOf(value);
  const { signer, alg, value: signature, nonce, at } = fieldsOf(sig);
  if (v !== version || alg !== algorithm || !(msg instanceof Uint8Array)) return undefined;
  if (typeof signer !== "string" || signer.length > signerLengthMax) return undefined;
  if (typeof at !== "number" || !Number.isFinite(at)) return undefined;
  if (!isBytes(signature, signatureSizeBytes) || !isBytes(nonce, nonceSizeBytes)) return undefined;
  return { message: msg, signer, nonce, sentAtMs: at, value: signature };
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? (value as { [name: string]: unknown }) : {};
}

function isBytes(value: unknown, sizeBytes: number): value is Uint8Array {
  return value instanceof Uint8Array && value.length === sizeBytes;
}
