import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { readJwtSettings } from "./jwt-settings.ts";
import { newSigningKey } from "./test-support/tokens.ts";

const rsa = newSigningKey("RS256");
const named = { AGENTRT_JWT_AUDIENCE: "agents", AGENTRT_JWT_ISSUER: "https://issuer.example" };
const withKey = { ...named, AGENTRT_JWT_PUBLIC_KEY: rsa.publicPem };
const withSecret = {
  ...named,
  AGENTRT_JWT_SECRET: "s".repeat(32),
  AGENTRT_JWT_ALGORITHMS: "HS256",
};
const withUrl = { ...named, AGENTRT_JWT_JWKS_URL: "https://issuer.example/keys" };

interface Environment {
  readonly [name: string]: string;
}

function read(environment: Environment): ReturnType<typeof readJwtSettings> {
  return readJwtSettings({ node: "api", environment });
}

test("readJwtSettings() refuses to start with anything that is missing, double or does not fit", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
  const small = weak.export({ type: "spki", format: "pem" });
  const privatePem = rsa.privateKey.export({ type: "pkcs8", format: "pem" });
  const rows: readonly (readonly [Environment, reason: string])[] = [
    [
      named,
      "no key is set: set one of AGENTRT_JWT_JWKS_URL, AGENTRT_JWT_JWKS_FILE, AGENTRT_JWT_PUBLIC_KEY, AGENTRT_JWT_SECRET",
    ],
    [
      { ...named, AGENTRT_JWT_SECRET: "" },
      "no key is set: set one of AGENTRT_JWT_JWKS_URL, AGENTRT_JWT_JWKS_FILE, AGENTRT_JWT_PUBLIC_KEY, AGENTRT_JWT_SECRET",
    ],
    [
      { ...withKey, ...withSecret },
      "AGENTRT_JWT_PUBLIC_KEY and AGENTRT_JWT_SECRET are set: keep one of them",
    ],
    [{ ...withKey, AGENTRT_JWT_AUDIENCE: " " }, "AGENTRT_JWT_AUDIENCE is not set"],
    [{ ...withKey, AGENTRT_JWT_ISSUER: "" }, "AGENTRT_JWT_ISSUER is not set"],
    [
      { ...withKey, AGENTRT_JWT_ALGORITHMS: "RS256,HS256" },
      "AGENTRT_JWT_ALGORITHMS mixes HS algorithms with others: one key cannot serve both",
    ],
    [
      { ...named, AGENTRT_JWT_SECRET: "s".repeat(32) },
      "AGENTRT_JWT_SECRET needs an HS algorithm: set AGENTRT_JWT_ALGORITHMS to HS256",
    ],
    [
      { ...withKey, AGENTRT_JWT_ALGORITHMS: "HS256" },
      "AGENTRT_JWT_PUBLIC_KEY holds public keys, and HS256 needs AGENTRT_JWT_SECRET",
    ],
    [
      { ...withUrl, AGENTRT_JWT_ALGORITHMS: "HS512" },
      "AGENTRT_JWT_JWKS_URL holds public keys, and HS512 needs AGENTRT_JWT_SECRET",
    ],
    [
      { ...withUrl, AGENTRT_JWT_JWKS_URL: "http://issuer.example/keys" },
      "AGENTRT_JWT_JWKS_URL is not an https URL",
    ],
    [
      { ...withUrl, AGENTRT_JWT_JWKS_URL: "file:///etc/passwd" },
      "AGENTRT_JWT_JWKS_URL is not an https URL",
    ],
    [{ ...withUrl, AGENTRT_JWT_JWKS_URL: "keys" }, "AGENTRT_JWT_JWKS_URL is not an https URL"],
    [
      { ...withUrl, AGENTRT_JWT_JWKS_URL: "https://me:pass@issuer.example/" },
      "AGENTRT_JWT_JWKS_URL holds a user name or a password",
    ],
    [
      { ...withKey, AGENTRT_JWT_PUBLIC_KEY: privatePem },
      "AGENTRT_JWT_PUBLIC_KEY holds a private key: wanted the public one",
    ],
    [
      { ...withKey, AGENTRT_JWT_PUBLIC_KEY: "key.pem" },
      "AGENTRT_JWT_PUBLIC_KEY is not a public key in PEM",
    ],
    [
      { ...withKey, AGENTRT_JWT_PUBLIC_KEY: small },
      "AGENTRT_JWT_PUBLIC_KEY does not fit RS256: wanted an RSA public key of at least 2048 bits",
    ],
    [
      { ...withKey, AGENTRT_JWT_ALGORITHMS: "RS256,ES256" },
      "AGENTRT_JWT_PUBLIC_KEY does not fit ES256: wanted an EC public key on P-256",
    ],
    [
      { ...withSecret, AGENTRT_JWT_SECRET: rsa.publicPem },
      "AGENTRT_JWT_SECRET holds a PEM key: wanted a secret, or set AGENTRT_JWT_PUBLIC_KEY",
    ],
  ];
  for (const [environment, reason] of rows) {
    assert.throws(() => read(environment), {
      code: "AGENTRT_GATEWAY_AUTH_SETTING_INVALID",
      message: `Cannot start gateway "api" with require_jwt: ${reason}`,
    });
  }
  for (const algorithms of ["none", "rs256", "RS256,", "__proto__", "constructor"]) {
    assert.throws(() => read({ ...withKey, AGENTRT_JWT_ALGORITHMS: algorithms }), {
      message: /AGENTRT_JWT_ALGORITHMS holds "[^"]*": wanted some of HS256, /,
    });
  }
});

test("readJwtSettings() takes RS256 by default, line ends of a .env file, and certificates", () => {
  assert.deepEqual(read(withKey).algorithms, ["RS256"]);
  const oneLine = rsa.publicPem.replaceAll("\n", "\\n");
  const { keys, warnings } = read({ ...withKey, AGENTRT_JWT_PUBLIC_KEY: oneLine });
  assert.ok(keys.kind === "key" && keys.key.equals(rsa.publicKey));
  assert.deepEqual(warnings, []);
  const several = read({ ...withKey, AGENTRT_JWT_ALGORITHMS: " RS256 , PS512, RS256" });
  assert.deepEqual(several.algorithms, ["RS256", "PS512"]);
});

test("readJwtSettings() warns of a secret that can be guessed, and never prints it", () => {
  assert.deepEqual(read(withSecret).warnings, []);
  assert.deepEqual(read({ ...withSecret, AGENTRT_JWT_SECRET: "swordfish" }).warnings, [
    "AGENTRT_JWT_SECRET has 9 bytes and can be guessed: wanted 32 random ones or more",
  ]);
});
