import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { VirtualClock } from "../../testing/index.ts";
import { JwksSource } from "./jwks-source.ts";
import { parseKeySet, type VerificationKey } from "./key-set.ts";

const key = (): KeyObject => generateKeyPairSync("ed25519").publicKey;
const first: VerificationKey = { key: key(), keyId: "first", algorithm: undefined };
const second: VerificationKey = { key: key(), keyId: "second", algorithm: undefined };

const minuteMs = 60_000;

/** A set that can be replaced, held back and taken away, and a source that reads it. */
class Issuer {
  readonly clock = new VirtualClock();
  readonly warned: string[] = [];
  keys: readonly VerificationKey[] | undefined = [first];
  readCount = 0;
  held: Promise<void> | undefined;
  readonly source = new JwksSource({
    load: async () => {
      this.readCount += 1;
      const { keys } = this;
      await this.held;
      if (keys === undefined) throw new Error("no answer");
      return keys;
    },
    system: this.clock,
    node: "api",
    log: {
      warn: (message) => void this.warned.push(message),
      error: (message) => assert.fail(message),
    },
  });

  /** Key ids found for a key id, or the word for why none is. */
  async find(keyId: string | undefined): Promise<readonly (string | undefined)[] | string> {
    const found = await this.source.find({ algorithm: "EdDSA", keyId });
    return found === "unavailable" ? found : found.map((each) => each.keyId);
  }
}

test("a key set is read once for many tokens at a time, and not again while it is fresh", async () => {
  const issuer = new Issuer();
  const release = Promise.withResolvers<void>();
  issuer.held = release.promise;
  const finding = Array.from({ length: 100 }, () => issuer.find("first"));
  release.resolve();
  assert.deepEqual(
    await Promise.all(finding),
    Array.from({ length: 100 }, () => ["first"]),
  );
  await issuer.clock.advance(10 * minuteMs);
  assert.deepEqual(await issuer.find("first"), ["first"]);
  assert.equal(issuer.readCount, 1);
});

test("a key set is read again when it is old, and serves on meanwhile", async () => {
  const issuer = new Issuer();
  await issuer.find("first");
  issuer.keys = [second];
  await issuer.clock.advance(10 * minuteMs + 1);
  const release = Promise.withResolvers<void>();
  issuer.held = release.promise;
  const { generation } = issuer.source;
  assert.equal(issuer.source.isCurrent(), false);
  assert.deepEqual(await issuer.find("first"), ["first"]);
  release.resolve();
  await issuer.source.reload();
  assert.equal(issuer.source.generation, generation + 1);
  assert.deepEqual(await issuer.find("first"), []);
  assert.deepEqual(await issuer.find("second"), ["second"]);
});

test("a set that stays the same keeps its generation", async () => {
  const issuer = new Issuer();
  await issuer.find("first");
  const { generation } = issuer.source;
  issuer.keys = [{ ...first }];
  await issuer.source.reload();
  assert.equal(issuer.source.generation, generation);
});

test("an unknown key id reads the set again, at most twice a minute", async () => {
  const issuer = new Issuer();
  await issuer.find("first");
  issuer.keys = [first, second];
  for (let index = 0; index < 50; index += 1) {
    assert.deepEqual(await issuer.find(`invented-${index}`), []);
  }
  assert.equal(issuer.readCount, 1);
  await issuer.clock.advance(30_000);
  assert.deepEqual(await issuer.find("second"), ["second"]);
  for (let index = 0; index < 50; index += 1) await issuer.find(`invented-${index}`);
  assert.equal(issuer.readCount, 2);
});

test("keys that cannot be had let nobody in, and are asked for every five seconds", async () => {
  const issuer = new Issuer();
  issuer.keys = undefined;
  for (let index = 0; index < 10; index += 1) {
    assert.equal(await issuer.find("first"), "unavailable");
  }
  assert.equal(issuer.readCount, 1);
  assert.deepEqual(issuer.warned, ["Keys of tokens could not be read: no answer"]);
  await issuer.clock.advance(5_000);
  issuer.keys = [first];
  assert.deepEqual(await issuer.find("first"), ["first"]);
  assert.equal(issuer.readCount, 2);
});

test("an issuer that went away is believed for an hour, and no longer", async () => {
  const issuer = new Issuer();
  await issuer.find("first");
  issuer.keys = undefined;
  await issuer.clock.advance(59 * minuteMs);
  assert.deepEqual(await issuer.find("first"), ["first"]);
  await issuer.source.reload();
  await issuer.clock.advance(minuteMs + 1);
  assert.equal(await issuer.find("first"), "unavailable");
  await issuer.clock.advance(5_000);
  issuer.keys = [second];
  assert.deepEqual(await issuer.find("first"), []);
  assert.deepEqual(await issuer.find("second"), ["second"]);
});

const source = "https://issuer.example/keys";
const algorithms = ["EdDSA", "RS256"] as const;

test("parseKeySet() keeps the public keys that verify, and leaves everything else out", () => {
  const pair = generateKeyPairSync("ed25519");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const jwk = rsa.publicKey.export({ format: "jwk" });
  const keys = [
    { ...pair.publicKey.export({ format: "jwk" }), kid: "edwards" },
    { ...jwk, kid: "rsa", alg: "RS256", use: "sig" },
    { ...rsa.privateKey.export({ format: "jwk" }), kid: "private by mistake" },
    { ...jwk, kid: "for encryption", use: "enc" },
    { ...jwk, kid: 7 },
    { ...weak.publicKey.export({ format: "jwk" }), kid: "weak" },
    { kty: "oct", k: "c2VjcmV0", kid: "secret" },
    { kty: "RSA", n: "?", e: "AQAB", kid: "broken" },
    { kty: "EC", crv: "P-256", x: "AA", y: "AA", kid: "no point" },
    null,
    "key",
  ];
  const found = parseKeySet(JSON.stringify({ keys }), { source, algorithms });
  assert.deepEqual(
    found.map(({ keyId, algorithm, key: { type } }) => [keyId, algorithm, type]),
    [
      ["edwards", undefined, "public"],
      ["rsa", "RS256", "public"],
      ["private by mistake", undefined, "public"],
    ],
  );
});

test("parseKeySet() reads the first hundred keys alone", () => {
  const jwk = key().export({ format: "jwk" });
  const keys = Array.from({ length: 150 }, () => jwk);
  assert.equal(parseKeySet(JSON.stringify({ keys }), { source, algorithms }).length, 100);
});

test("parseKeySet() refuses what holds no usable key", () => {
  for (const text of ["", "{", "null", "[]", "{}", '{"keys":{}}', '{"keys":[]}', '{"keys":[{}]}']) {
    assert.throws(() => parseKeySet(text, { source, algorithms }), {
      code: "AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE",
      message: /^Cannot use the key set https:\/\/issuer\.example\/keys: /,
    });
  }
});
