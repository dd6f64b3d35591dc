import { randomBytes, sign, verify } from "node:crypto";
import { Decoder, Encoder } from "@msgpack/msgpack";
import { reasonOf } from "../../core/index.ts";
import { wireErrors } from "../errors.ts";
import { messageBytesMax } from "../serializer.ts";
import { type KeyPair, publicKeyOf } from "./key-pair.ts";

/** Bytes of a signature (RFC 8032) and of a nonce. */
const [signatureSizeBytes, nonceSizeBytes] = [64, 16];
/** Version of the frame around a signed message; 1 is a message without one. */
const frameVersion = 2;

const encoder = new Encoder();
const decoder = new Decoder({
  maxExtLength: 0,
  maxBinLength: messageBytesMax,
  maxStrLength: 4096,
  maxArrayLength: 0,
  maxMapLength: 8,
});

/** A signed message that was opened; whose signature is not checked yet. */
export interface SignedMessage {
  /** The message, as its serializer wrote it. */
  readonly bytes: Uint8Array;
  readonly signer: string;
  readonly nonce: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Signs a message: `{v: 2, msg, sig: {signer, alg: "ed25519", value, nonce}}` in MessagePack, whatever serializer wrote the
 * message. The bytes themselves are signed, with version, signer and nonce, so that nobody needs to write them the same way
 * again to check them.
 *
 * @param bytes The message.
 * @param signer Name that goes with the key.
 */
export function signMessage(
  bytes: Uint8Array,
  signer: string,
  { privateKey }: KeyPair,
): Uint8Array {
  const nonce = randomBytes(nonceSizeBytes);
  const value = sign(null, signedPart(bytes, signer, nonce), privateKey);
  const sig = { signer, alg: "ed25519", value, nonce };
  return encoder.encode({ v: frameVersion, msg: bytes, sig });
}

/**
 * Opens a signed message.
 *
 * @throws AGENTRT_WIRE_UNREADABLE for bytes that are none.
 */
export function openSigned(frame: Uint8Array): SignedMessage {
  let decoded: unknown;
  try {
    decoded = decoder.decode(frame);
  } catch (error) {
    throw new wireErrors.UNREADABLE({ reason: reasonOf(error) }, { cause: error });
  }
  const { v, msg, sig } = membersOf(decoded);
  const { signer, alg, value, nonce } = membersOf(sig);
  const isWellFormed =
    v === frameVersion &&
    alg === "ed25519" &&
    typeof signer === "string" &&
    msg instanceof Uint8Array &&
    isBytes(value, signatureSizeBytes) &&
    isBytes(nonce, nonceSizeBytes);
  if (!isWellFormed) throw new wireErrors.UNREADABLE({ reason: "it carries no signature" });
  return { bytes: msg, signer, nonce, signature: value };
}

/**
 * Checks a signature.
 *
 * @param publicText The key that is known for the signer, 32 bytes in base64.
 */
export function isSignedBy(message: SignedMessage, publicText: string): boolean {
  const key = publicKeyOf(publicText);
  if (key === undefined) return false;
  const { bytes, signer, nonce, signature } = message;
  return verify(null, signedPart(bytes, signer, nonce), key, signature);
}

function signedPart(msg: Uint8Array, signer: string, nonce: Uint8Array): Uint8Array {
  return encoder.encode({ v: frameVersion, msg, signer, nonce });
}

function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? (value as { [name: string]: unknown }) : {};
}

function isBytes(value: unknown, sizeBytes: number): value is Uint8Array {
  return value instanceof Uint8Array && value.length === sizeBytes;
}
