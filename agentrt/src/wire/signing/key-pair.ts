import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** An Ed25519 key pair (RFC 8032). */
export interface KeyPair {
  /** 32 bytes, in base64: what others need to check a signature. */
  readonly publicText: string;
  readonly privateKey: KeyObject;
}

/** Bytes of a seed and of a public key. */
export const keySizeBytes = 32;

/** The bytes before the 32 of a seed in PKCS#8, and before those of a public key in SPKI (RFC 8410, section 10). */
const seedHead = Buffer.from("302e020100300506032b657004220420", "hex");
const publicHead = Buffer.from("302a300506032b6570032100", "hex");

/** Makes the pair that belongs to a seed of 32 bytes. */
export function keyPairOf(seed: Uint8Array): KeyPair {
  const der = Buffer.concat([seedHead, seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return { publicText: spki.subarray(publicHead.length).toString("base64"), privateKey };
}

/**
 * Reads a public key.
 *
 * @param text 32 bytes in base64.
 * @returns Undefined for anything else.
 */
export function publicKeyOf(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== keySizeBytes || bytes.toString("base64") !== text) return undefined;
  const der = Buffer.concat([publicHead, bytes]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}
