import { hash } from "node:crypto";
import { type JsonObject, type JsonValue, RecencyMap } from "../../core/index.ts";

/** What a token said, once it was verified. Shared by all requests that bring it: frozen. */
export interface VerifiedToken {
  /** The claim `sub`. */
  readonly subject: string;
  readonly claims: JsonObject;
  /** The claim `exp` as milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Now, as the memory needs it. */
export interface TokenMoment {
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  /** Of the keys: another one makes everything known unknown. */
  readonly generation: number;
}

interface Remembered {
  readonly token: VerifiedToken;
  readonly verifiedAtMs: number;
}

/** Longest time that a token is believed without another look at its signature. */
const ageMsMax = 300_000;

/**
 * Remembers tokens that were verified, so that the next request with one costs no signature. It keeps a digest, not
 * the token; at most `countMax`, the oldest goes; nothing outlives its `exp`, its keys, or five minutes.
 */
export class VerifiedTokens {
  readonly #remembered = new RecencyMap<string, Remembered>();
  readonly #countMax: number;
  #generation = 0;

  /**
   * @param options.countMax Tokens at most, 1 or more; default 10 000.
   */
  constructor(options: { readonly countMax?: number } = {}) {
    this.#countMax = options.countMax ?? 10_000;
  }

  /** Tokens remembered now, those included that will not be believed any more. */
  get count(): number {
    return this.#remembered.size;
  }

  /** Finds a token that was verified and still counts. */
  find(digest: string, { nowMs, generation }: TokenMoment): VerifiedToken | undefined {
    const found = this.#remembered.get(digest);
    if (found === undefined) return undefined;
    const { token, verifiedAtMs } = found;
    const ageMs = nowMs - verifiedAtMs;
    // A clock that was set back makes nothing younger than it is.
    const isGood = ageMs >= 0 && ageMs < ageMsMax && nowMs < token.expiresAtMs;
    if (isGood && generation === this.#generation) return token;
    this.#remembered.delete(digest);
    return undefined;
  }

  /** Remembers a token that was verified just now. */
  add(digest: string, token: VerifiedToken, { nowMs, generation }: TokenMoment): void {
    if (generation !== this.#generation) {
      this.#remembered.clear();
      this.#generation = generation;
    }
    if (nowMs >= token.expiresAtMs) return; // Good within the leeway alone: looked at every time.
    this.#remembered.set(digest, { token, verifiedAtMs: nowMs });
    const { oldest, size } = this.#remembered;
    if (size > this.#countMax && oldest !== undefined) this.#remembered.delete(oldest.key);
  }
}

/** The digest under which a token is remembered. */
export function tokenDigest(token: string): string {
  return hash("sha256", token, "base64");
}

/** Freezes a value with everything in it. */
export function freezeJson<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) freezeJson(member);
  return Object.freeze(value);
}
