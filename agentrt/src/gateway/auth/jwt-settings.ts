import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import type { MiddlewareSetup } from "../chain/index.ts";
import { gatewayAuthErrors } from "./errors.ts";
import {
  fitsKey,
  isJwtAlgorithm,
  isSymmetric,
  type JwtAlgorithm,
  jwtAlgorithms,
  wantedKeyOf,
} from "./jwt-algorithms.ts";

/** Where the keys come from that tokens are verified with. */
export type JwtKeys =
  | { readonly kind: "key"; readonly key: KeyObject }
  | { readonly kind: "jwks_url"; readonly url: string }
  | { readonly kind: "jwks_file"; readonly path: string };

/** How tokens are verified. */
export interface JwtSettings {
  readonly keys: JwtKeys;
  readonly algorithms: readonly JwtAlgorithm[];
  /** One of a token's `aud`. */
  readonly audience: string;
  /** A token's `iss`. */
  readonly issuer: string;
  /** What is odd about the settings and refuses nothing. */
  readonly warnings: readonly string[];
}

const names = {
  secret: "AGENTRT_JWT_SECRET",
  publicKey: "AGENTRT_JWT_PUBLIC_KEY",
  jwksUrl: "AGENTRT_JWT_JWKS_URL",
  jwksFile: "AGENTRT_JWT_JWKS_FILE",
  audience: "AGENTRT_JWT_AUDIENCE",
  issuer: "AGENTRT_JWT_ISSUER",
  algorithms: "AGENTRT_JWT_ALGORITHMS",
} as const;

const algorithmsDefault = "RS256";
const sources = [names.jwksUrl, names.jwksFile, names.publicKey, names.secret] as const;
const secretSizeBytesWanted: { readonly [name: string]: number } = {
  HS256: 32,
  HS384: 48,
  HS512: 64,
};

/**
 * Reads how tokens are verified from the environment.
 *
 * @param setup The gateway and the environment.
 * @returns The settings.
 * @throws AGENTRT_GATEWAY_AUTH_SETTING_INVALID: one line that names the variable and what is wrong with it.
 */
export function readJwtSettings(setup: Pick<MiddlewareSetup, "node" | "environment">): JwtSettings {
  const refuse = (reason: string): Error =>
    new gatewayAuthErrors.SETTING_INVALID({ node: setup.node, middleware: "require_jwt", reason });
  const valueOf = (name: string): string | undefined => setup.environment[name] || undefined;
  const found = sources.filter((name) => valueOf(name) !== undefined);
  const [source, second] = found;
  if (source === undefined) throw refuse(`no key is set: set one of ${sources.join(", ")}`);
  if (second !== undefined) throw refuse(`${found.join(" and ")} are set: keep one of them`);
  const required = (name: string): string => {
    const value = valueOf(name)?.trim();
    if (value === undefined || value === "") throw refuse(`${name} is not set`);
    return value;
  };
  const audience = required(names.audience);
  const issuer = required(names.issuer);
  const algorithms = readAlgorithms(valueOf(names.algorithms) ?? algorithmsDefault, {
    isSecret: source === names.secret,
    source,
    refuse,
  });
  const keys = readKeys(source, valueOf(source) ?? "", { algorithms, refuse });
  const warnings = source === names.secret ? weakSecret(valueOf(source) ?? "", algorithms) : [];
  return { keys, algorithms, audience, issuer, warnings };
}

type Refuse = (reason: string) => Error;

function readAlgorithms(
  text: string,
  { isSecret, source, refuse }: { isSecret: boolean; source: string; refuse: Refuse },
): JwtAlgorithm[] {
  const algorithms: JwtAlgorithm[] = [];
  for (const name of text.split(",").map((part) => part.trim())) {
    if (!isJwtAlgorithm(name)) {
      throw refuse(
        `${names.algorithms} holds "${name}": wanted some of ${jwtAlgorithms.join(", ")}`,
      );
    }
    if (!algorithms.includes(name)) algorithms.push(name);
  }
  const symmetric = algorithms.filter(isSymmetric);
  if (symmetric.length > 0 && symmetric.length < algorithms.length) {
    throw refuse(`${names.algorithms} mixes HS algorithms with others: one key cannot serve both`);
  }
  if (isSecret && symmetric.length === 0) {
    throw refuse(`${source} needs an HS algorithm: set ${names.algorithms} to HS256`);
  }
  if (!isSecret && symmetric.length > 0) {
    throw refuse(`${source} holds public keys, and ${symmetric.join(", ")} needs ${names.secret}`);
  }
  return algorithms;
}

function readKeys(
  source: (typeof sources)[number],
  value: string,
  { algorithms, refuse }: { algorithms: readonly JwtAlgorithm[]; refuse: Refuse },
): JwtKeys {
  switch (source) {
    case names.jwksUrl:
      return { kind: "jwks_url", url: readUrl(value, refuse) };
    case names.jwksFile:
      return { kind: "jwks_file", path: value };
    case names.publicKey: {
      const key = readPublicKey(value, refuse);
      const misfit = algorithms.find((algorithm) => !fitsKey(algorithm, key));
      if (misfit === undefined) return { kind: "key", key };
      throw refuse(`${source} does not fit ${misfit}: wanted ${wantedKeyOf(misfit)}`);
    }
    case names.secret:
      if (value.includes("-----BEGIN ")) {
        throw refuse(`${source} holds a PEM key: wanted a secret, or set ${names.publicKey}`);
      }
      return { kind: "key", key: createSecretKey(value, "utf8") };
    default:
      return source satisfies never;
  }
}

function readUrl(value: string, refuse: Refuse): string {
  const url = URL.parse(value.trim());
  if (url?.protocol !== "https:") throw refuse(`${names.jwksUrl} is not an https URL`);
  if (url.username !== "" || url.password !== "") {
    throw refuse(`${names.jwksUrl} holds a user name or a password`);
  }
  return url.href;
}

/** PEM of a public key or a certificate; line ends may be written as `\n`, as `.env` files need it. */
function readPublicKey(value: string, refuse: Refuse): KeyObject {
  const pem = value.replaceAll("\\n", "\n").trim();
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw refuse(`${names.publicKey} holds a private key: wanted the public one`);
  }
  try {
    return createPublicKey({ key: pem, format: "pem" });
  } catch {
    // OpenSSL's own words would print parts of what it was given.
    throw refuse(`${names.publicKey} is not a public key in PEM`);
  }
}

function weakSecret(secret: string, algorithms: readonly JwtAlgorithm[]): string[] {
  const wanted = Math.max(...algorithms.map((name) => secretSizeBytesWanted[name] ?? 0));
  const sizeBytes = Buffer.byteLength(secret);
  if (sizeBytes >= wanted) return [];
  return [
    `${names.secret} has ${sizeBytes} bytes and can be guessed: wanted ${wanted} random ones or more`,
  ];
}
