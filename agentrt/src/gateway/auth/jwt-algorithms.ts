import type { KeyObject } from "node:crypto";

/** A signature algorithm of tokens, by its name in RFC 7518 and RFC 8037. */
export type JwtAlgorithm =
  | "HS256"
  | "HS384"
  | "HS512"
  | "RS256"
  | "RS384"
  | "RS512"
  | "PS256"
  | "PS384"
  | "PS512"
  | "ES256"
  | "ES384"
  | "ES512"
  | "EdDSA"
  | "Ed25519";

/** What a key must be to verify signatures of an algorithm. */
interface KeyWanted {
  readonly words: string;
  readonly fits: (key: KeyObject) => boolean;
}

const rsaBitsMin = 2048;

const secret: KeyWanted = { words: "a shared secret", fits: (key) => key.type === "secret" };
const rsa: KeyWanted = {
  words: `an RSA public key of at least ${rsaBitsMin} bits`,
  fits: (key) =>
    key.type === "public" &&
    key.asymmetricKeyType === "rsa" &&
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin,
};
const onCurve = (name: string, namedCurve: string): KeyWanted => ({
  words: `an EC public key on ${name}`,
  fits: (key) => key.type === "public" && key.asymmetricKeyDetails?.namedCurve === namedCurve,
});
const edwards: KeyWanted = {
  words: "an Ed25519 public key",
  fits: (key) => key.type === "public" && key.asymmetricKeyType === "ed25519",
};

const keyWanted: { readonly [Name in JwtAlgorithm]: KeyWanted } = {
  HS256: secret,
  HS384: secret,
  HS512: secret,
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: onCurve("P-256", "prime256v1"),
  ES384: onCurve("P-384", "secp384r1"),
  ES512: onCurve("P-521", "secp521r1"),
  EdDSA: edwards,
  Ed25519: edwards,
};

/** All algorithms that a gateway can be set to accept. */
export const jwtAlgorithms = Object.keys(keyWanted) as readonly JwtAlgorithm[];

/**
 * Says whether text names an algorithm; upper and lower case matter, and `none` is none.
 *
 * @param name For example `RS256`.
 */
export function isJwtAlgorithm(name: string): name is JwtAlgorithm {
  return Object.hasOwn(keyWanted, name);
}

/** Says whether an algorithm works with a shared secret. */
export function isSymmetric(algorithm: JwtAlgorithm): boolean {
  return keyWanted[algorithm] === secret;
}

/** Says whether a key can verify signatures of an algorithm: right kind, curve and size. */
export function fitsKey(algorithm: JwtAlgorithm, key: KeyObject): boolean {
  return keyWanted[algorithm].fits(key);
}

/** Says in words which key an algorithm needs. */
export function wantedKeyOf(algorithm: JwtAlgorithm): string {
  return keyWanted[algorithm].words;
}
