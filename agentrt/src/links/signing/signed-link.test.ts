/** What a signed link takes and refuses, by its settings and its clock. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { test } from "node:test";
import { VirtualClock } from "../../testing/index.ts";
import type { Link } from "../link.ts";
import type { StoredDelivery, StoredTopics } from "../stored-topics.ts";
import { SignedLink, type SignedLinkInit } from "./signed-link.ts";

/** A link on which a test hands over what it likes. */
function openWire() {
  const receivers = new Map<string, (bytes: Uint8Array) => void>();
  const sent: Uint8Array[] = [];
  const link: Link = {
    name: "wire",
    messageBytesMax: 10_000,
    start: async () => {},
    publish: (_, bytes) => void sent.push(bytes),
    subscribe: async (topic, receive) => {
      receivers.set(topic, receive);
      return () => void receivers.delete(topic);
    },
    flush: async () => {},
    onRejoined: () => {},
    stop: async () => {},
  };
  return {
    link,
    sent,
    deliver: (topic: string, bytes: Uint8Array) => receivers.get(topic)?.(bytes),
  };
}

const { privateKey, publicKey } = generateKeyPairSync("ed25519");

async function pair(settings: Partial<SignedLinkInit> = {}) {
  const clock = new VirtualClock({ seed: 1 });
  const wire = openWire();
  const faults: string[] = [];
  const init: SignedLinkInit = {
    link: wire.link,
    signer: { name: "one", sign: (bytes) => sign(null, bytes, privateKey) },
    verifierOf: (name) =>
      name === "one" ? (bytes, value) => verify(null, bytes, publicKey, value) : undefined,
    system: clock,
    ageMsMax: 5000,
    isUnsignedTaken: false,
    isRefusing: true,
    onFault: (fault) => void faults.push(fault),
    ...settings,
  };
  const [sender, receiver] = [new SignedLink(init), new SignedLink(init)];
  const taken: string[] = [];
  await receiver.subscribe("desk", (bytes) => void taken.push(Buffer.from(bytes).toString()));
  const seal = (text: string): Uint8Array => {
    sender.publish("desk", Buffer.from(text));
    return wire.sent.pop() ?? new Uint8Array();
  };
  return { clock, wire, faults, receiver, taken, seal, deliver: wire.deliver };
}

test("a message is taken within its age and refused after it, and each refusal is counted", async () => {
  const { clock, seal, deliver, taken, faults, receiver } = await pair();
  const [early, late] = [seal("early"), seal("late")];
  await clock.advance(5000);
  deliver("desk", early);
  await clock.advance(1);
  deliver("desk", late);
  assert.deepEqual([taken, faults], [["early"], ["too_old"]]);
  assert.equal(receiver.refused["too_old"], 1);
});

test("every byte of a signed message counts: with any one changed it is refused, or it was no signed message", async () => {
  const { seal, deliver, taken, receiver } = await pair();
  const sealed = seal("hello");
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    deliver("desk", changed);
  }
  assert.deepEqual(taken, []);
  const refusedCount = Object.values(receiver.refused).reduce((sum, count) => sum + count, 0);
  assert.equal(refusedCount, sealed.length);
  deliver("desk", sealed);
  assert.deepEqual(taken, ["hello"]);
});

test("unsigned messages are taken where that is allowed, and faults are only counted where nothing is refused", async () => {
  const open = await pair({ isUnsignedTaken: true });
  open.deliver("desk", Buffer.from("plain"));
  assert.deepEqual([open.taken, open.faults], [["plain"], []]);
  const watching = await pair({ isRefusing: false });
  const sealed = watching.seal("twice");
  watching.deliver("desk", sealed);
  watching.deliver("desk", sealed);
  watching.deliver("desk", Buffer.from("plain"));
  assert.deepEqual(watching.taken, ["twice", "twice", "plain"]);
  assert.deepEqual(watching.faults, ["replayed", "unsigned"]);
});

test("a message that is kept is taken after days and again, but not when it was altered or signed for another name", async () => {
  const kept: { readonly topic: string; readonly bytes: Uint8Array }[] = [];
  const takers = new Map<string, (delivery: StoredDelivery) => void>();
  const stored: StoredTopics = {
    duplicateCount: 0,
    store: async (message) => void kept.push(message),
    noteBegin: async () => undefined,
    take: (topic, receive) => {
      takers.set(topic, receive);
      return () => undefined;
    },
  };
  const { link } = openWire();
  const { receiver, faults, clock } = await pair({ link: { ...link, stored } });
  const taken: string[] = [];
  const take = (topic: string): void => {
    receiver.stored?.take(topic, (delivery) => {
      taken.push(Buffer.from(delivery.bytes).toString());
      delivery.done();
    });
  };
  take("desk");
  take("other");
  const bytes = Buffer.from("hello");
  await receiver.stored?.store({ topic: "desk", bytes, id: "1", deadlineMs: 1000 });
  const sealed = kept[0]?.bytes ?? new Uint8Array();
  let doneCount = 0;
  const deliver = (topic: string, given: Uint8Array): void =>
    takers.get(topic)?.({
      bytes: given,
      done: () => (doneCount += 1),
      later: () => undefined,
      park: () => () => undefined,
    });
  await clock.advance(7 * 24 * 3_600_000);
  deliver("desk", sealed);
  deliver("desk", sealed);
  deliver("other", sealed);
  const changed = Buffer.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  deliver("desk", changed);
  deliver("desk", bytes);
  assert.deepEqual(taken, ["hello", "hello"]);
  assert.deepEqual(faults.toSorted(), ["bad_signature", "bad_signature", "unsigned"]);
  assert.equal(doneCount, 5);
});
