import { createHash } from "node:crypto";
import type { AuthCase, AuthCaseGroup } from "./auth-case.ts";
import { newSigningKey, type SigningKey, signWith, writeToken } from "./tokens.ts";

const middleware = ["agentrt.gateway.jwt_auth.require_jwt"];
const issuer = "https://issuer.example";
const audience = "agents";
const invalid = {
  status: 401,
  body: { error: "invalid token" },
  responseHeaders: { "www-authenticate": 'Bearer error="invalid_token"' },
};
const missing = {
  status: 401,
  body: { error: "missing bearer token" },
  responseHeaders: { "www-authenticate": "Bearer" },
};

const names = { AGENTRT_JWT_ISSUER: issuer, AGENTRT_JWT_AUDIENCE: audience };
const bearer = (token: string): AuthCase["headers"] => ({ authorization: `Bearer ${token}` });

function claimsAt(nowMs: number): { [name: string]: unknown } {
  return { iss: issuer, aud: audience, sub: "ada", exp: Math.floor(nowMs / 1000) + 600 };
}

function accepted(claims: object): Pick<AuthCase, "status" | "body"> {
  return {
    status: 200,
    body: {
      id: "ada",
      principal: { id: "ada", method: "jwt" },
      claims,
      expiresAtMs: Number((claims as { readonly exp?: unknown }).exp) * 1000 + 60_000,
    },
  };
}

/**
 * All cases of tokens, for a gateway whose clock stands at a time.
 *
 * @param nowMs Wall clock, milliseconds.
 */
export function jwtCaseGroups(nowMs: number): AuthCaseGroup[] {
  const rsa = newSigningKey("RS256");
  return [
    ...algorithmGroups(nowMs, rsa),
    {
      name: "require_jwt with an RSA key",
      middleware,
      nowMs,
      environment: { ...names, AGENTRT_JWT_PUBLIC_KEY: rsa.publicPem },
      cases: [
        ...transportCases(nowMs, rsa),
        ...claimCases(nowMs, rsa),
        ...headerCases(nowMs, rsa),
        ...confusionCases(nowMs, rsa),
      ],
    },
  ];
}

/** Every algorithm lets its own tokens pass, and no token of another. */
function algorithmGroups(nowMs: number, rsa: SigningKey): AuthCaseGroup[] {
  const claims = claimsAt(nowMs);
  const secret = "s".repeat(64);
  const keys: { readonly [algorithm: string]: SigningKey } = {
    RS256: rsa,
    RS384: rsa,
    RS512: rsa,
    PS256: rsa,
    PS384: rsa,
    PS512: rsa,
    ES256: newSigningKey("ES256"),
    ES384: newSigningKey("ES384"),
    ES512: newSigningKey("ES512"),
    EdDSA: newSigningKey("EdDSA"),
    Ed25519: newSigningKey("Ed25519"),
  };
  const tokenOf = (algorithm: string): string =>
    writeToken(
      { alg: algorithm },
      claims,
      signWith(algorithm, keys[algorithm]?.privateKey ?? secret),
    );
  const algorithms = [...Object.keys(keys), "HS256", "HS384", "HS512"];
  return algorithms.map((algorithm) => ({
    name: `require_jwt with ${algorithm}`,
    middleware,
    nowMs,
    environment: {
      ...names,
      AGENTRT_JWT_ALGORITHMS: algorithm,
      ...(keys[algorithm] === undefined
        ? { AGENTRT_JWT_SECRET: secret }
        : { AGENTRT_JWT_PUBLIC_KEY: keys[algorithm].publicPem }),
    },
    cases: algorithms.map((other) => ({
      name: `a token signed by ${other}`,
      headers: bearer(tokenOf(other)),
      ...(other === algorithm ? accepted(claims) : invalid),
    })),
  }));
}

/** The digit of base64url with the same upper two bits, which alone count at the end of 256 bytes, and other lower ones. */
function otherBits(digit: string): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return digits[digits.indexOf(digit) | 1] ?? "";
}

/** Where the token stands, and what stands there instead of one. */
function transportCases(nowMs: number, { privateKey }: SigningKey): AuthCase[] {
  const claims = claimsAt(nowMs);
  const good = writeToken({ alg: "RS256" }, claims, signWith("RS256", privateKey));
  const [header = "", payload = "", signature = ""] = good.split(".");
  const other = Buffer.from(JSON.stringify({ ...claims, sub: "eve" })).toString("base64url");
  return [
    { name: "a good token", headers: bearer(good), ...accepted(claims) },
    {
      name: "the scheme in another case",
      headers: { authorization: `bEARER ${good}` },
      ...accepted(claims),
    },
    { name: "no authorization", headers: {}, ...missing },
    { name: "another scheme", headers: { authorization: `Basic ${good}` }, ...missing },
    { name: "a scheme without a token", headers: { authorization: "Bearer" }, ...missing },
    { name: "the token alone", headers: { authorization: good }, ...missing },
    { name: "two tokens", headers: bearer(`${good}, ${good}`), ...invalid },
    { name: "text that is no token", headers: bearer("x"), ...invalid },
    { name: "four parts", headers: bearer(`${good}.x`), ...invalid },
    { name: "no signature", headers: bearer(`${header}.${payload}.`), ...invalid },
    { name: "another payload", headers: bearer(`${header}.${other}.${signature}`), ...invalid },
    {
      name: "other bits behind the end of the signature",
      headers: bearer(`${good.slice(0, -1)}${otherBits(good.at(-1) ?? "")}`),
      ...invalid,
    },
    { name: "padding", headers: bearer(`${good}=`), ...invalid },
    {
      name: "a token longer than 8192 characters",
      headers: bearer(
        writeToken(
          { alg: "RS256" },
          { ...claims, filler: "f".repeat(6200) },
          signWith("RS256", privateKey),
        ),
      ),
      ...invalid,
    },
  ];
}

function claimCases(nowMs: number, { privateKey }: SigningKey): AuthCase[] {
  const base = claimsAt(nowMs);
  const nowSeconds = Math.floor(nowMs / 1000);
  const row = (name: string, change: object | string, isGood = false): AuthCase => {
    const claims = typeof change === "string" ? change : { ...base, ...change };
    const token = writeToken({ alg: "RS256" }, claims, signWith("RS256", privateKey));
    if (!isGood) return { name, headers: bearer(token), ...invalid };
    const seen = JSON.parse(typeof claims === "string" ? claims : JSON.stringify(claims)) as object;
    return { name, headers: bearer(token), ...accepted(seen) };
  };
  const twice = JSON.stringify(base).replace('"sub":"ada"', '"sub":"ada","sub":"eve"');
  return [
    row("expired 59 seconds ago, within the leeway", { exp: nowSeconds - 59 }, true),
    row("expired 61 seconds ago", { exp: nowSeconds - 61 }),
    row("no exp", { exp: undefined }),
    row("exp as text", { exp: String(base["exp"]) }),
    row("good in 59 seconds, within the leeway", { nbf: nowSeconds + 59 }, true),
    row("good in 61 seconds", { nbf: nowSeconds + 61 }),
    row("nbf as text", { nbf: "0" }),
    row("another audience", { aud: "others" }),
    row("this audience among others", { aud: ["others", audience] }, true),
    row("a beginning of the audience", { aud: "agent" }),
    row("no audience", { aud: undefined }),
    row("another issuer", { iss: "https://issuer.example.evil" }),
    row("no issuer", { iss: undefined }),
    row("no subject", { sub: undefined }),
    row("an empty subject", { sub: "" }),
    row("a subject that is a number", { sub: 7 }),
    row("a claim twice", twice),
    row("a claim twice, once escaped", twice.replace('"sub":"eve"', String.raw`"\u0073ub":"eve"`)),
    row("claims that are a list", JSON.stringify([base])),
    row("claims that are no JSON", "{"),
    row("further claims", { tenant: "acme", nested: { roles: ["a", "a"] } }, true),
    row(
      "a claim named __proto__",
      JSON.stringify(base).replace("{", '{"__proto__":{"id":"eve"},'),
      true,
    ),
  ];
}

/** What a header may say beside the algorithm changes nothing, or refuses the token. */
function headerCases(nowMs: number, { privateKey }: SigningKey): AuthCase[] {
  const claims = claimsAt(nowMs);
  const eve = newSigningKey("RS256");
  const row = (
    name: string,
    header: object | string,
    {
      key = privateKey,
      isGood = false,
    }: { readonly key?: typeof privateKey; readonly isGood?: boolean } = {},
  ): AuthCase => ({
    name,
    headers: bearer(writeToken(header, claims, signWith("RS256", key))),
    ...(isGood ? accepted(claims) : invalid),
  });
  const jwk = eve.publicKey.export({ format: "jwk" });
  const url = "https://127.0.0.1:9/keys";
  return [
    row(
      "a key id is no condition where there is one key",
      { alg: "RS256", kid: "any" },
      { isGood: true },
    ),
    row("a URL of keys is ignored", { alg: "RS256", jku: url, x5u: url }, { isGood: true }),
    row(
      "a URL of the attacker's keys",
      { alg: "RS256", jku: url, x5u: url },
      { key: eve.privateKey },
    ),
    row("a key in the header", { alg: "RS256", jwk }, { key: eve.privateKey }),
    row(
      "a key id that is a path",
      { alg: "RS256", kid: "../../../dev/null" },
      { key: eve.privateKey },
    ),
    row(
      "a key id that is SQL",
      { alg: "RS256", kid: "x' UNION SELECT 'k" },
      { key: eve.privateKey },
    ),
    row("a key id that is no text", { alg: "RS256", kid: 7 }),
    row("a critical extension", { alg: "RS256", crit: ["exp"], exp: 1 }),
    row("a critical extension that libraries know", { alg: "RS256", crit: ["b64"], b64: true }),
    row("an empty list of critical extensions", { alg: "RS256", crit: [] }),
    row("an algorithm twice", '{"alg":"none","alg":"RS256"}'),
    row("no algorithm", { typ: "JWT" }),
    row("an algorithm that is no text", { alg: ["RS256"] }),
    row("another key", { alg: "RS256" }, { key: eve.privateKey }),
  ];
}

/** A public key is public: nothing that everybody knows signs a token. */
function confusionCases(nowMs: number, { publicKey, publicPem }: SigningKey): AuthCase[] {
  const claims = claimsAt(nowMs);
  const unsigned = ["none", "None", "nOnE", "NONE", ""].map((alg): AuthCase => ({
    name: `algorithm "${alg}" without a signature`,
    headers: bearer(writeToken({ alg }, claims)),
    ...invalid,
  }));
  const secrets: { readonly [name: string]: string | Uint8Array } = {
    "the public key in PEM": publicPem,
    "the public key in PEM without its line end": publicPem.trim(),
    "the public key in DER": publicKey.export({ type: "spki", format: "der" }),
    "the public key as JWK": JSON.stringify(publicKey.export({ format: "jwk" })),
    "an empty secret": "",
  };
  const signed = Object.entries(secrets).map(([name, secret]): AuthCase => ({
    name: `HS256 signed with ${name}`,
    headers: bearer(writeToken({ alg: "HS256" }, claims, signWith("HS256", secret))),
    ...invalid,
  }));
  const filled = `${writeToken({ alg: "none" }, claims)}${Buffer.from("x").toString("base64url")}`;
  return [
    ...unsigned,
    { name: 'algorithm "none" with a signature', headers: bearer(filled), ...invalid },
    ...signed,
  ];
}

/** Cases of API keys; parameters as above. */
export function apiKeyCaseGroups(nowMs: number): AuthCaseGroup[] {
  const path = ["agentrt.gateway.auth.require_api_key"];
  const refused = { status: 401, body: { error: "invalid or missing API key" } };
  const passed = (key: string): Pick<AuthCase, "status" | "body"> => ({
    status: 200,
    body: { apiKey: { fingerprint: createHash("sha256").update(key).digest("hex").slice(0, 16) } },
  });
  const row = (key: string, isGood = false): AuthCase => ({
    name: `key "${key}"`,
    headers: { "x-api-key": key },
    ...(isGood ? passed(key) : refused),
  });
  return [
    {
      name: "require_api_key with three keys",
      middleware: path,
      nowMs,
      environment: { AGENTRT_GATEWAY_API_KEY: "first", AGENTRT_GATEWAY_API_KEYS: "second, third," },
      cases: [
        row("first", true),
        row("second", true),
        row("third", true),
        row("firs"),
        row("first1"),
        row("FIRST"),
        row("second, third"),
        row("first, first"),
        row(","),
        { name: "no key", headers: {}, ...refused },
        { name: "an empty key", headers: { "x-api-key": "" }, ...refused },
        { name: "the key elsewhere", headers: { authorization: "Bearer first" }, ...refused },
      ],
    },
    {
      name: "require_api_key without a key",
      middleware: path,
      nowMs,
      environment: { AGENTRT_GATEWAY_API_KEY: " ", AGENTRT_GATEWAY_API_KEYS: " , " },
      cases: ["", " ", ",", "undefined"].map((key): AuthCase => ({
        name: `key "${key}"`,
        headers: { "x-api-key": key },
        status: 500,
        body: { error: "server auth is not configured" },
      })),
    },
  ];
}
