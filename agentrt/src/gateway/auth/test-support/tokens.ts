import {
  constants,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  sign,
  type SignKeyObjectInput,
} from "node:crypto";

/** A key pair for signing tokens. */
export interface SigningKey {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
}

/** Makes a key pair of an algorithm's kind. */
export function newSigningKey(algorithm: string): SigningKey {
  const curve = ecCurves[algorithm];
  const pair =
    curve !== undefined
      ? generateKeyPairSync("ec", { namedCurve: curve })
      : algorithm.startsWith("Ed")
        ? generateKeyPairSync("ed25519")
        : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...pair, publicPem: pair.publicKey.export({ type: "spki", format: "pem" }) };
}

const ecCurves: { readonly [algorithm: string]: string } = {
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
};

/**
 * Writes a token from its parts, right or wrong, so that a test can make what no library would.
 *
 * @param header A value, or the JSON text itself.
 * @param claims A value, or the JSON text itself.
 * @param signature Signs the text of both; without it the third part is empty.
 */
export function writeToken(
  header: object | string,
  claims: object | string,
  signature: (text: string) => Uint8Array = () => new Uint8Array(0),
): string {
  const part = (value: object | string): string =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${Buffer.from(signature(text)).toString("base64url")}`;
}

/** Signs as an algorithm says; of `HS` algorithms the key is the secret. */
export function signWith(
  algorithm: string,
  key: KeyObject | string | Uint8Array,
): (text: string) => Uint8Array {
  const digest = `sha${algorithm.slice(2)}`;
  return (text) => {
    if (algorithm.startsWith("HS")) return createHmac(digest, key).update(text).digest();
    const input: SignKeyObjectInput = { key: key as KeyObject };
    if (algorithm.startsWith("Ed")) return sign(undefined, Buffer.from(text), input);
    if (algorithm.startsWith("PS")) {
      input.padding = constants.RSA_PKCS1_PSS_PADDING;
      input.saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
    }
    if (algorithm.startsWith("ES")) input.dsaEncoding = "ieee-p1363";
    return sign(digest, Buffer.from(text), input);
  };
}
