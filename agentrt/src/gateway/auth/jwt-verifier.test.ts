import assert from "node:assert/strict";
import { test } from "node:test";
import { jwtVerify } from "jose";
import { VirtualClock } from "../../testing/index.ts";
import { JwtVerifier } from "./jwt-verifier.ts";
import { candidatesOf, type KeySource, singleKey, type VerificationKey } from "./key-set.ts";
import { newSigningKey, type SigningKey, signWith, writeToken } from "./test-support/tokens.ts";

const settings = { algorithms: ["EdDSA"], audience: "agents", issuer: "issuer" } as const;
const signer = newSigningKey("EdDSA");

function tokenAt(
  nowMs: number,
  change: { readonly [claim: string]: unknown } = {},
  { privateKey }: SigningKey = signer,
): string {
  const claims = { iss: "issuer", aud: "agents", sub: "ada", exp: nowMs / 1000 + 600, ...change };
  return writeToken({ alg: "EdDSA", kid: "k" }, claims, signWith("EdDSA", privateKey));
}

/** Keys that can be exchanged, and that count how often they are asked for. */
class TestKeys implements KeySource {
  generation = 0;
  findCount = 0;
  #key = signer;

  isCurrent(): boolean {
    return true;
  }

  replace(key: SigningKey): void {
    this.#key = key;
    this.generation += 1;
  }

  find(header: Parameters<KeySource["find"]>[0]): readonly VerificationKey[] {
    this.findCount += 1;
    const key = { key: this.#key.publicKey, keyId: "k", algorithm: undefined };
    return candidatesOf([key], header);
  }
}

test("a token is verified once in five minutes, and is never believed after its exp", async () => {
  const clock = new VirtualClock();
  const keys = new TestKeys();
  const verifier = new JwtVerifier({ jwtVerify, settings, keys, system: clock });
  const exp = clock.nowMs() / 1000 + 400;
  const token = tokenAt(clock.nowMs(), { exp });
  const first = await verifier.verify(token);
  assert.ok(typeof first === "object");
  assert.deepEqual([first.subject, first.expiresAtMs], [first.claims["sub"], exp * 1000]);
  assert.equal(first.claims["sub"], "ada");
  for (let index = 1; index < 10; index += 1) {
    assert.equal(await verifier.verify(token), first); // The same object: it was not verified again.
  }
  assert.equal(keys.findCount, 1);
  await clock.advance(300_000);
  await verifier.verify(token);
  assert.equal(keys.findCount, 2);
  await clock.advance(100_000); // Its exp: the leeway is left to the verification, each time.
  await verifier.verify(token);
  assert.equal(typeof (await verifier.verify(token)), "object");
  assert.equal(keys.findCount, 4);
  await clock.advance(61_000);
  assert.equal(await verifier.verify(token), "invalid");
});

test("a key that is exchanged ends what it signed at once", async () => {
  const clock = new VirtualClock();
  const keys = new TestKeys();
  const verifier = new JwtVerifier({ jwtVerify, settings, keys, system: clock });
  const token = tokenAt(clock.nowMs());
  assert.equal(typeof (await verifier.verify(token)), "object");
  keys.replace(newSigningKey("EdDSA"));
  assert.equal(await verifier.verify(token), "invalid");
});

test("the memory of verified tokens is bounded, and refused tokens take none of it", async () => {
  const clock = new VirtualClock();
  const keys = singleKey(signer.publicKey);
  const verifier = new JwtVerifier({
    jwtVerify,
    settings,
    keys,
    system: clock,
    rememberedCountMax: 3,
  });
  for (let index = 0; index < 8; index += 1) {
    await verifier.verify(tokenAt(clock.nowMs(), { sub: `user ${index}` }));
  }
  assert.equal(verifier.rememberedCount, 3);
  const other = new JwtVerifier({ jwtVerify, settings, keys, system: clock });
  const stranger = newSigningKey("EdDSA");
  await other.verify(tokenAt(clock.nowMs(), {}, stranger));
  await other.verify(tokenAt(clock.nowMs(), { aud: "others" }));
  await other.verify("x".repeat(10_000));
  assert.equal(other.rememberedCount, 0);
});

test("what a token says cannot be changed by those who read it", async () => {
  const clock = new VirtualClock();
  const verifier = new JwtVerifier({
    jwtVerify,
    settings,
    keys: singleKey(signer.publicKey),
    system: clock,
  });
  const verified = await verifier.verify(tokenAt(clock.nowMs(), { roles: { list: ["reader"] } }));
  assert.ok(typeof verified === "object");
  const roles = verified.claims["roles"] as { list: string[] };
  assert.throws(() => roles.list.push("admin"), TypeError);
  assert.throws(() => Object.assign(verified.claims, { sub: "eve" }), TypeError);
});

test("keys that cannot be had are no judgement of the token", async () => {
  const clock = new VirtualClock();
  const keys: KeySource = {
    generation: 0,
    isCurrent: () => false,
    find: () => "unavailable",
  };
  const verifier = new JwtVerifier({ jwtVerify, settings, keys, system: clock });
  assert.equal(await verifier.verify(tokenAt(clock.nowMs())), "unavailable");
  assert.equal(await verifier.verify("nonsense"), "invalid");
});
