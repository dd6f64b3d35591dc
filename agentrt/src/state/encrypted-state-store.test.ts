import assert from "node:assert/strict";
import { createSecretKey, randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import * as fc from "fast-check";
import { createTemporaryFolder, testStateStore } from "testkit";
import type { JsonObject, StateStore } from "../core/index.ts";
import { openState, readSealedState, sealState } from "./encrypted-value.ts";
import {
  EncryptedStateStore,
  MemoryStateStore,
  readStateKeys,
  SqliteStateStore,
  stateErrors,
} from "./index.ts";

const secret = "the combination is 4711";

function newKey(): string {
  return randomBytes(32).toString("base64");
}

function encrypted(
  store: StateStore,
  ring: { readonly [id: string]: string },
  options: { readonly currentKeyId?: number; readonly isPlaintextReadAllowed?: boolean } = {},
): EncryptedStateStore {
  const environment = Object.fromEntries(
    Object.entries(ring).map(([id, key]) => [`KEY_${id}`, key]),
  );
  const variables = Object.fromEntries(Object.keys(ring).map((id) => [id, `KEY_${id}`]));
  const { currentKeyId, isPlaintextReadAllowed } = options;
  const keys = readStateKeys({ keys: variables, currentKeyId, environment });
  return new EncryptedStateStore({ store, keys, isPlaintextReadAllowed });
}

function sealedText(saved: JsonObject | undefined): string {
  const text = saved?.["__agentrt_enc__"];
  assert.ok(typeof text === "string");
  return text;
}

testStateStore("encrypted store", async () => encrypted(new MemoryStateStore(), { 0: newKey() }));

testStateStore("encrypted sqlite store", async () => {
  const folder = createTemporaryFolder();
  const inner = new SqliteStateStore({ path: join(folder.path, "state.db") });
  const close = inner.close.bind(inner);
  inner.close = async () => {
    await close();
    folder[Symbol.dispose]();
  };
  return encrypted(inner, { 0: newKey() });
});

test("sealState() lays out version, key id, nonce, ciphertext and tag, as the fixed vector has it", () => {
  // Computed with another program, Python's cryptography: key 00…1f, nonce a0…ab, the agent's name as associated data.
  const key = createSecretKey(Uint8Array.from({ length: 32 }, (_, index) => index));
  const nonce = Uint8Array.from({ length: 12 }, (_, index) => 0xa0 + index);
  const sealed = sealState({ count: 1, word: "žluť" }, { agent: "keeper", keyId: 7, key, nonce });
  assert.deepEqual(sealed, {
    __agentrt_enc__: "AQegoaKjpKWmp6ipqqt3iRswOIi2j5o+3zaLlY+fv2Txev0GFWYR+qZlxUlzC61f3Za19vtPMlHy",
  });
  const parts = readSealedState(sealed);
  assert.ok(typeof parts !== "string");
  assert.deepEqual(openState(parts, { agent: "keeper", key }), { count: 1, word: "žluť" });
});

test("an encrypted store saves names in clear and states as one opaque value, another one each time", async () => {
  const inner = new MemoryStateStore();
  const store = encrypted(inner, { 3: newKey() });
  await store.set("keeper", { secret });
  const first = await inner.get("keeper");
  await store.set("keeper", { secret });
  const second = await inner.get("keeper");
  assert.deepEqual(await inner.listAgents(), ["keeper"]);
  assert.deepEqual(Object.keys(first ?? {}), ["__agentrt_enc__"]);
  assert.notDeepEqual(first, second);
  assert.ok(!JSON.stringify([first, second]).includes("4711"));
  const bytes = Buffer.from(sealedText(first), "base64");
  assert.deepEqual([...bytes.subarray(0, 2)], [1, 3]);
});

async function refusal(read: Promise<unknown>, code: string): Promise<Error> {
  const error = await read.then(
    () => assert.fail("it was read"),
    (reason: unknown) => reason as Error & { code: string },
  );
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /"keeper"/);
  return error;
}

test("no altered encrypted state opens, and no error holds anything of it", async () => {
  const key = newKey();
  const inner = new MemoryStateStore();
  const store = encrypted(inner, { 0: key });
  await store.set("keeper", { secret });
  const text = sealedText(await inner.get("keeper"));
  const altered = fc.nat(text.length - 1).chain((index) =>
    fc
      .constantFrom(...Array.from("ABCXYZabcxyz0189+/= -"))
      .filter((character) => character !== text[index])
      .map((character) => text.slice(0, index) + character + text.slice(index + 1)),
  );
  const cut = fc.nat(text.length - 1).map((length) => text.slice(0, length));
  await fc.assert(
    fc.asyncProperty(fc.oneof(altered, cut), async (value) => {
      await inner.set("keeper", { __agentrt_enc__: value });
      const error = await refusal(store.get("keeper"), "AGENTRT_STATE_DECRYPTION_FAILED");
      const shown = inspect(error, { depth: 9 }) + JSON.stringify(error);
      for (const hidden of [key, text.slice(20, 40), "4711"]) assert.ok(!shown.includes(hidden));
      assert.equal(error.cause, undefined);
    }),
    { numRuns: 300, seed: 20260101 },
  );
});

test("a bit that flips in any part of an encrypted state, and each byte cut off its end, is told from a state", async () => {
  const inner = new MemoryStateStore();
  const store = encrypted(inner, { 5: newKey() });
  await store.set("keeper", { secret });
  const whole = Buffer.from(sealedText(await inner.get("keeper")), "base64");
  const read = async (bytes: Buffer): Promise<Error> => {
    await inner.set("keeper", { __agentrt_enc__: bytes.toString("base64") });
    return await refusal(store.get("keeper"), "AGENTRT_STATE_DECRYPTION_FAILED");
  };
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { message } = await read(bytes);
    // Version, key id, then nonce, ciphertext and tag, which are one to the reader.
    if (bit < 8) assert.match(message, /another version of agentrt wrote it$/);
    else if (bit < 16) assert.match(message, /with key \d+: the ring has no such key$/);
    else assert.match(message, /with key 5: the key is another one, or the state was altered$/);
  }
  for (let length = 0; length < whole.length; length += 1) await read(whole.subarray(0, length));
});

test("an encrypted state does not open under another name, another key, or an id the ring lacks", async () => {
  const inner = new MemoryStateStore();
  const key = newKey();
  await encrypted(inner, { 1: key }).set("other", { secret });
  await inner.set("keeper", (await inner.get("other")) ?? {});
  const code = "AGENTRT_STATE_DECRYPTION_FAILED";
  await refusal(encrypted(inner, { 1: key }).get("keeper"), code);
  await encrypted(inner, { 1: key }).set("keeper", { secret });
  const wrong = await refusal(encrypted(inner, { 1: newKey() }).get("keeper"), code);
  assert.match(wrong.message, /with key 1: the key is another one/);
  const missing = await refusal(encrypted(inner, { 2: key }).get("keeper"), code);
  assert.match(missing.message, /with key 1: the ring has no such key/);
  for (const value of [7, "", "AQE=", Buffer.from([2, ...Buffer.alloc(40)]).toString("base64")]) {
    await inner.set("keeper", { __agentrt_enc__: value });
    await refusal(encrypted(inner, { 1: key }).get("keeper"), code);
  }
});

test("a ring reads with the key that wrote and writes with the current one", async () => {
  const inner = new MemoryStateStore();
  const [old, current] = [newKey(), newKey()];
  await encrypted(inner, { 1: old }).set("keeper", { round: 1 });
  const both = encrypted(inner, { 1: old, 2: current }, { currentKeyId: 2 });
  assert.deepEqual(await both.get("keeper"), { round: 1 });
  await both.set("keeper", { round: 2 });
  assert.deepEqual(await encrypted(inner, { 2: current }).get("keeper"), { round: 2 });
});

test("a plain state is refused, or read as it is where that is allowed and encrypted when saved next", async () => {
  const inner = new MemoryStateStore();
  const key = newKey();
  const plain: JsonObject = { secret, list: [1] };
  await inner.set("keeper", plain);
  const error = await refusal(
    encrypted(inner, { 0: key }).get("keeper"),
    "AGENTRT_STATE_PLAINTEXT_FOUND",
  );
  assert.ok(!inspect(error).includes("4711"));
  const lenient = encrypted(inner, { 0: key }, { isPlaintextReadAllowed: true });
  assert.deepEqual(await lenient.get("keeper"), plain);
  assert.deepEqual(await inner.get("keeper"), plain);
  await lenient.set("keeper", plain);
  assert.deepEqual(await encrypted(inner, { 0: key }).get("keeper"), plain);
});

test("an encrypted store around memory says once that it keeps nothing", () => {
  const warnings: string[] = [];
  const keys = readStateKeys({ environment: { AGENTRT_STATE_KEY: newKey() } });
  const warn = (message: string): void => void warnings.push(message);
  const store = new EncryptedStateStore({ store: new MemoryStateStore(), keys, warn });
  assert.match(warnings.join("\n"), /^.*in memory.*$/);
  assert.equal(new EncryptedStateStore({ store, keys, warn }) instanceof EncryptedStateStore, true);
  assert.equal(warnings.length, 1);
});

test("readStateKeys() names the variable that holds no key, and never what it holds", () => {
  for (const [value, reason] of [
    [undefined, /is not set$/],
    ["", /is not set$/],
    ["not base64!", /not base64$/],
    [randomBytes(31).toString("base64"), /found 31 bytes, wanted 32$/],
    [randomBytes(64).toString("base64"), /found 64 bytes, wanted 32$/],
  ] as const) {
    const environment = { AGENTRT_STATE_KEY: value };
    assert.throws(
      () => readStateKeys({ environment }),
      (error: unknown) => {
        assert.ok(error instanceof stateErrors.KEY_INVALID);
        assert.match(error.message, reason);
        assert.match(error.message, /AGENTRT_STATE_KEY/);
        return value === undefined || value === "" || !inspect(error).includes(value);
      },
    );
  }
  const key = newKey();
  const ring = readStateKeys({ environment: { AGENTRT_STATE_KEY: ` ${key}\n` } });
  assert.equal(ring.currentId, 0);
  assert.ok(!inspect(ring, { depth: 9, showHidden: true }).includes(key));
});

test("readStateKeys() refuses rings that cannot work", () => {
  const environment = { A: newKey(), B: newKey() };
  for (const [options, reason] of [
    [{ keys: {} }, /holds no key/],
    [{ keys: { 256: "A" } }, /id "256"/],
    [{ keys: { "01": "A" } }, /id "01"/],
    [{ keys: { 1: "A", 2: "B" } }, /current_key_id/],
    [{ keys: { 1: "A" }, currentKeyId: 2 }, /current id 2/],
    [{ keys: { 1: "A" }, keyEnv: "B" }, /both/],
  ] as const) {
    const read = (): unknown => readStateKeys({ ...options, environment });
    assert.throws(read, { code: "AGENTRT_STATE_KEY_RING_INVALID", message: reason });
  }
  assert.equal(readStateKeys({ keyEnv: "A", currentKeyId: 9, environment }).currentId, 9);
});
