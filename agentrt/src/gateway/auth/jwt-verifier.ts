import type { jwtVerify } from "jose";
import type { JsonObject, System } from "../../core/index.ts";
import { isJwtAlgorithm } from "./jwt-algorithms.ts";
import type { JwtSettings } from "./jwt-settings.ts";
import type { KeySource, VerificationKey } from "./key-set.ts";
import { readTokenHeader, tokenLengthMax } from "./token-text.ts";
import {
  freezeJson,
  tokenDigest,
  type TokenMoment,
  type VerifiedToken,
  VerifiedTokens,
} from "./verified-tokens.ts";

/** What became of a token: what it says, or the word for why it does not count. */
export type TokenVerdict = VerifiedToken | "invalid" | "unavailable";

/** What a verifier is made of. */
export interface JwtVerifierOptions {
  readonly settings: Pick<JwtSettings, "algorithms" | "audience" | "issuer">;
  readonly keys: KeySource;
  readonly system: System;
  /** That of `jose`, which is loaded only where tokens are verified. */
  readonly jwtVerify: typeof jwtVerify;
  /** Tokens remembered at most. Default 10 000. */
  readonly rememberedCountMax?: number;
}

/** How far clocks may differ, milliseconds. */
export const leewayMs = 60_000;

/** Verifies tokens, for every listener of a gateway that takes them. */
export class JwtVerifier {
  readonly #options: JwtVerifierOptions;
  readonly #verified: VerifiedTokens;

  constructor(options: JwtVerifierOptions) {
    this.#options = options;
    const { rememberedCountMax: countMax } = options;
    this.#verified = new VerifiedTokens(countMax === undefined ? {} : { countMax });
  }

  /** Tokens remembered now. */
  get rememberedCount(): number {
    return this.#verified.count;
  }

  /**
   * Verifies a token: its signature by an accepted algorithm and a known key, `exp`, `nbf`, `iss`, `aud`, and that it
   * has a subject. Clocks may differ by a minute.
   *
   * @param token In compact form.
   * @returns What it says; `invalid`; or `unavailable` when the keys cannot be had now. Never rejects.
   */
  async verify(token: string): Promise<TokenVerdict> {
    const { keys, system, settings } = this.#options;
    if (token.length > tokenLengthMax) return "invalid";
    const digest = tokenDigest(token);
    if (keys.isCurrent()) {
      const known = this.#verified.find(digest, this.#moment());
      if (known !== undefined) return known;
    }
    const header = readTokenHeader(token);
    if (header === undefined || !isJwtAlgorithm(header.algorithm)) return "invalid";
    if (!settings.algorithms.includes(header.algorithm)) return "invalid";
    const candidates = await keys.find(header);
    if (candidates === "unavailable") return candidates;
    const moment = this.#moment();
    for (const candidate of candidates) {
      const verified = await this.#verifyWith(candidate, token, system.nowMs());
      if (verified === undefined) continue;
      this.#verified.add(digest, verified, moment);
      return verified;
    }
    return "invalid";
  }

  #moment(): TokenMoment {
    const { keys, system } = this.#options;
    return { nowMs: system.nowMs(), generation: keys.generation };
  }

  async #verifyWith(
    { key }: VerificationKey,
    token: string,
    nowMs: number,
  ): Promise<VerifiedToken | undefined> {
    const { settings, jwtVerify: verify } = this.#options;
    const { algorithms, audience, issuer } = settings;
    try {
      const { payload } = await verify(token, key, {
        algorithms: [...algorithms],
        audience,
        issuer,
        clockTolerance: leewayMs / 1000,
        currentDate: new Date(nowMs),
        requiredClaims: ["exp", "sub"],
      });
      const { sub: subject, exp } = payload;
      if (typeof subject !== "string" || subject === "" || exp === undefined) return undefined;
      return Object.freeze({
        subject,
        claims: freezeJson(payload as JsonObject),
        expiresAtMs: exp * 1000,
      });
    } catch {
      return undefined; // Whatever is wrong with it, the client learns only that it is.
    }
  }
}
