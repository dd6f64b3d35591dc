import { createPublicKey, type KeyObject } from "node:crypto";
import { gatewayAuthErrors } from "./errors.ts";
import { fitsKey, isJwtAlgorithm, type JwtAlgorithm } from "./jwt-algorithms.ts";
import type { TokenHeader } from "./token-text.ts";

/** One key of a set. */
export interface VerificationKey {
  readonly key: KeyObject;
  readonly keyId: string | undefined;
  /** The one algorithm it is meant for; `undefined` where the set does not say. */
  readonly algorithm: string | undefined;
}

/** Keys that may have signed a token, few; or the word for: the keys cannot be had now. */
export type FoundKeys = readonly VerificationKey[] | "unavailable";

/** Where a verifier finds keys. */
export interface KeySource {
  /** Changes when the keys do: what was verified before counts no more. */
  readonly generation: number;
  /** True when the keys need no look at where they come from. */
  isCurrent(): boolean;
  /** Finds the keys a token may be signed with; the header's algorithm is an accepted one. */
  find(header: TokenHeader): FoundKeys | Promise<FoundKeys>;
}

const keyCountMax = 100;
const candidateCountMax = 4;

/**
 * Picks the keys that a token may be signed with: of its kind, and of its key id where it names one.
 *
 * @param keys The whole set.
 * @param header The token's header.
 * @returns At most four.
 */
export function candidatesOf(
  keys: readonly VerificationKey[],
  { algorithm, keyId }: TokenHeader,
): readonly VerificationKey[] {
  if (!isJwtAlgorithm(algorithm)) return [];
  return keys
    .filter((each) => keyId === undefined || each.keyId === keyId)
    .filter((each) => each.algorithm === undefined || each.algorithm === algorithm)
    .filter((each) => fitsKey(algorithm, each.key))
    .slice(0, candidateCountMax);
}

/**
 * Makes a source of one key from the settings, which serves tokens of any key id.
 *
 * @param key A public key or a secret.
 */
export function singleKey(key: KeyObject): KeySource {
  const known = [{ key, keyId: undefined, algorithm: undefined }];
  return {
    generation: 0,
    isCurrent: () => true,
    find: ({ algorithm }) => candidatesOf(known, { algorithm, keyId: undefined }),
  };
}

/**
 * Reads a JSON Web Key Set. Secrets, keys for encryption, and keys that fit none of the algorithms are left out.
 *
 * @param text The JSON.
 * @param options.source What the set is called in errors.
 * @param options.algorithms The accepted ones.
 * @returns The keys, of the first hundred.
 * @throws AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE when there is no usable key.
 */
export function parseKeySet(
  text: string,
  { source, algorithms }: { readonly source: string; readonly algorithms: readonly JwtAlgorithm[] },
): VerificationKey[] {
  const refuse = (reason: string): Error => new gatewayAuthErrors.JWKS_UNUSABLE({ source, reason });
  const listed = readList(text);
  if (listed === undefined) throw refuse("it is not a JSON object with a list of keys");
  const keys = listed
    .slice(0, keyCountMax)
    .map(importKey)
    .filter((each) => each !== undefined)
    .filter(({ key }) => algorithms.some((algorithm) => fitsKey(algorithm, key)));
  if (keys.length === 0) {
    throw refuse(`none of its ${listed.length} keys verifies ${algorithms.join(", ")}`);
  }
  return keys;
}

function readList(text: string): unknown[] | undefined {
  try {
    const set = JSON.parse(text) as { readonly keys?: unknown } | null;
    return Array.isArray(set?.keys) ? set.keys : undefined;
  } catch {
    return undefined; // Not JSON: the caller says so.
  }
}

function importKey(candidate: unknown): VerificationKey | undefined {
  if (typeof candidate !== "object" || candidate === null) return undefined;
  const { kty, n, e, crv, x, y, kid, alg, use } = candidate as { [name: string]: unknown };
  if (kty !== "RSA" && kty !== "EC" && kty !== "OKP") return undefined;
  if (use !== undefined && use !== "sig") return undefined;
  if (kid !== undefined && typeof kid !== "string") return undefined;
  if (alg !== undefined && typeof alg !== "string") return undefined;
  try {
    // Of a private key that was published by mistake only the public part is taken.
    const publicPart = Object.fromEntries(
      Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined),
    );
    const key = createPublicKey({ key: publicPart, format: "jwk" });
    return { key, keyId: kid, algorithm: alg };
  } catch {
    return undefined; // A key of a kind or curve that this platform does not know: the others serve.
  }
}
