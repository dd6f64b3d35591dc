import assert from "node:assert/strict";
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encode } from "@msgpack/msgpack";
import { assert as assertLaw, integer, property } from "fast-check";
import { createTemporaryFolder } from "testkit";
import {
  isSignedBy,
  keyPairOf,
  nonceCountMax,
  openSigned,
  readKeyPair,
  ReplayWindow,
  replayWindowMs,
  signMessage,
} from "./index.ts";

const seedOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const alice = keyPairOf(seedOf(1));
const mallory = keyPairOf(seedOf(2));
const text = Buffer.from("pay the invoice");

test("the key pair of a seed is that of RFC 8032", () => {
  // Section 7.1, test 1.
  const seed = Buffer.from(
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "hex",
  );
  assert.equal(
    Buffer.from(keyPairOf(seed).publicText, "base64").toString("hex"),
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  );
});

test("a signed message is opened and trusted with the signer's key alone", () => {
  const opened = openSigned(signMessage(text, "alice", alice));
  assert.deepEqual(Buffer.from(opened.bytes), text);
  assert.equal(opened.signer, "alice");
  assert.ok(isSignedBy(opened, alice.publicText));
  assert.ok(!isSignedBy(opened, mallory.publicText));
  for (const wrong of ["", "AAAA", alice.publicText.slice(1), `${alice.publicText}\n`])
    assert.ok(!isSignedBy(opened, wrong));
  assert.ok(!isSignedBy({ ...opened, signer: "bob" }, alice.publicText));
  assert.ok(!isSignedBy({ ...opened, nonce: new Uint8Array(16) }, alice.publicText));
  assert.notDeepEqual(openSigned(signMessage(text, "alice", alice)).nonce, opened.nonce);
});

test("a message of which any byte was changed is not trusted", () => {
  const frame = signMessage(text, "alice", alice);
  assertLaw(
    property(
      integer({ min: 0, max: frame.length - 1 }),
      integer({ min: 1, max: 255 }),
      (place, change) => {
        const changed = Uint8Array.from(frame);
        changed[place] = (changed[place] ?? 0) ^ change;
        try {
          assert.ok(!isSignedBy(openSigned(changed), alice.publicText), `byte ${place}`);
        } catch (error) {
          assert.equal((error as { readonly code?: string }).code, "AGENTRT_WIRE_UNREADABLE");
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("what carries no signature is told", () => {
  const sig = {
    signer: "alice",
    alg: "ed25519",
    value: new Uint8Array(64),
    nonce: new Uint8Array(16),
  };
  const frames = [
    { v: 1, msg: text, sig },
    { v: 2, msg: "text", sig },
    { v: 2, msg: text },
    { v: 2, msg: text, sig: { ...sig, alg: "none" } },
    { v: 2, msg: text, sig: { ...sig, value: new Uint8Array(63) } },
    { v: 2, msg: text, sig: { ...sig, nonce: new Uint8Array(15) } },
    { v: 2, msg: text, sig: { ...sig, signer: 5 } },
    null,
    [],
  ];
  for (const frame of frames)
    assert.throws(() => openSigned(encode(frame)), { code: "AGENTRT_WIRE_UNREADABLE" });
});

test("a message is taken once, in whatever order messages come", () => {
  const window = new ReplayWindow();
  const nowMs = 1_000_000;
  assert.equal(window.take("b", nowMs, nowMs), undefined);
  assert.equal(window.take("a", nowMs - 50, nowMs), undefined);
  assert.match(window.take("b", nowMs, nowMs + 10) ?? "", /sent before/);
  assert.match(window.take("c", nowMs - replayWindowMs, nowMs) ?? "", /too old/);
  assert.match(window.take("d", nowMs + replayWindowMs + 1, nowMs) ?? "", /in the future/);
  // After the window its nonce is forgotten, and its time tells.
  assert.match(window.take("b", nowMs, nowMs + replayWindowMs) ?? "", /too old/);
});

test("a nonce that had to make room cannot be used again", () => {
  const window = new ReplayWindow();
  for (let number = 0; number <= nonceCountMax; number += 1)
    assert.equal(window.take(`n${number}`, 1000 + number, 20_000), undefined);
  assert.match(window.take("n0", 1000, 20_000) ?? "", /too old/);
  assert.match(window.take("n1", 1001, 20_000) ?? "", /sent before/);
});

test("keys are made once, 0600, and read again; what is wrong with a file is told and nothing is written over", () => {
  using folder = createTemporaryFolder({});
  const make = { mayMake: true };
  const made = readKeyPair(folder.path, "triage/desk", make);
  const path = join(folder.path, "triage%2Fdesk", "id_ed25519");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(`${path}.pub`).mode & 0o777, 0o644);
  assert.equal(readFileSync(`${path}.pub`, "latin1"), `${made.publicText}\n`);
  assert.equal(
    readKeyPair(folder.path, "triage/desk", { mayMake: false }).publicText,
    made.publicText,
  );
  for (const agent of ["..", ".", "../up", "a*b"]) readKeyPair(folder.path, agent, make);
  assert.throws(() => statSync(join(folder.path, "..", "id_ed25519")), { code: "ENOENT" });

  const refused = (message: RegExp): void => {
    assert.throws(
      () => readKeyPair(folder.path, "triage/desk", make),
      (error: Error & { readonly code?: string }) =>
        error.code === "AGENTRT_WIRE_KEY_FILE" && message.test(error.message),
    );
  };
  chmodSync(path, 0o640);
  refused(/others may read it: run chmod 600/);
  chmodSync(path, 0o600);
  const seed = readFileSync(path, "latin1");
  writeFileSync(path, `${Buffer.from(seedOf(7)).toString("base64")}\n`);
  refused(/belongs to another id_ed25519/);
  writeFileSync(path, seed.slice(0, 20));
  refused(/wanted 32 bytes in base64/);
  rmSync(path);
  assert.throws(() => readKeyPair(folder.path, "triage/desk", { mayMake: false }), /is missing/);
});
