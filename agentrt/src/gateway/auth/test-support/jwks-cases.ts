import type { AuthCase, AuthCaseGroup } from "./auth-case.ts";
import { newSigningKey, type SigningKey, signWith, writeToken } from "./tokens.ts";

const environment = {
  AGENTRT_JWT_ISSUER: "issuer",
  AGENTRT_JWT_AUDIENCE: "agents",
  AGENTRT_JWT_ALGORITHMS: "RS256,RS512,ES256,EdDSA",
};
const invalid = { status: 401, body: { error: "invalid token" } };
const secret = "published-by-mistake-0123456789abcdef";

/**
 * Cases of tokens whose keys come from a set: which key of it may verify which token.
 *
 * @param nowMs Wall clock, milliseconds.
 * @param writeFile Puts the set where the gateway finds it, and gives the path.
 */
export function jwksCaseGroup(nowMs: number, writeFile: (text: string) => string): AuthCaseGroup {
  const keys = {
    plain: newSigningKey("RS256"),
    restricted: newSigningKey("RS256"),
    curve: newSigningKey("ES256"),
    edwards: newSigningKey("EdDSA"),
    anonymous: newSigningKey("EdDSA"),
    encrypting: newSigningKey("RS256"),
    unknown: newSigningKey("RS256"),
  };
  const jwk = ({ publicKey }: SigningKey, more: object): object => ({
    ...publicKey.export({ format: "jwk" }),
    ...more,
  });
  const set = [
    jwk(keys.plain, { kid: "plain" }),
    jwk(keys.restricted, { kid: "restricted", alg: "RS512", use: "sig" }),
    jwk(keys.curve, { kid: "curve", alg: "ES256" }),
    jwk(keys.edwards, { kid: "edwards" }),
    jwk(keys.anonymous, {}),
    jwk(keys.encrypting, { kid: "encrypting", use: "enc" }),
    { kty: "oct", kid: "secret", k: Buffer.from(secret).toString("base64url") },
  ];
  const path = writeFile(JSON.stringify({ keys: set }));
  const claims = { iss: "issuer", aud: "agents", sub: "ada", exp: Math.floor(nowMs / 1000) + 600 };
  const row = (
    name: string,
    header: { readonly alg: string; readonly kid?: string },
    { key, isGood = false }: { readonly key: SigningKey | string; readonly isGood?: boolean },
  ): AuthCase => {
    const signature = signWith(header.alg, typeof key === "string" ? key : key.privateKey);
    const token = writeToken(header, claims, signature);
    const passed = {
      status: 200,
      body: {
        id: "ada",
        principal: { id: "ada", method: "jwt" },
        claims,
        expiresAtMs: claims.exp * 1000 + 60_000,
      },
    };
    return {
      name,
      headers: { authorization: `Bearer ${token}` },
      ...(isGood ? passed : invalid),
    };
  };
  return {
    name: "require_jwt with a key set",
    middleware: ["agentrt.gateway.jwt_auth.require_jwt"],
    environment: { ...environment, AGENTRT_JWT_JWKS_FILE: path },
    nowMs,
    cases: [
      row("the key of its id", { alg: "RS256", kid: "plain" }, { key: keys.plain, isGood: true }),
      row(
        "the same for another algorithm",
        { alg: "RS512", kid: "plain" },
        { key: keys.plain, isGood: true },
      ),
      row("a key of a curve", { alg: "ES256", kid: "curve" }, { key: keys.curve, isGood: true }),
      row("an Ed25519 key", { alg: "EdDSA", kid: "edwards" }, { key: keys.edwards, isGood: true }),
      row(
        "no key id, one of several fitting keys",
        { alg: "EdDSA" },
        { key: keys.anonymous, isGood: true },
      ),
      row("no key id, the other of them", { alg: "EdDSA" }, { key: keys.edwards, isGood: true }),
      row(
        "a key for its own algorithm",
        { alg: "RS512", kid: "restricted" },
        { key: keys.restricted, isGood: true },
      ),
      row("that key for another", { alg: "RS256", kid: "restricted" }, { key: keys.restricted }),
      row("another key than that of its id", { alg: "RS256", kid: "plain" }, { key: keys.unknown }),
      row("an id of another kind of key", { alg: "ES256", kid: "plain" }, { key: keys.curve }),
      row("an unknown id of a known key", { alg: "RS256", kid: "Plain" }, { key: keys.plain }),
      row("an empty id", { alg: "RS256", kid: "" }, { key: keys.plain }),
      row("an id that is a path", { alg: "RS256", kid: "../../etc/passwd" }, { key: keys.plain }),
      row("a key for encryption", { alg: "RS256", kid: "encrypting" }, { key: keys.encrypting }),
      row("that key without its id", { alg: "RS256" }, { key: keys.encrypting }),
      row("an algorithm that is not accepted", { alg: "PS256", kid: "plain" }, { key: keys.plain }),
      row("a secret of the set", { alg: "HS256", kid: "secret" }, { key: secret }),
      row("an empty secret", { alg: "HS256", kid: "secret" }, { key: "" }),
      row("a public key as secret", { alg: "HS256", kid: "plain" }, { key: keys.plain.publicPem }),
    ],
  };
}
