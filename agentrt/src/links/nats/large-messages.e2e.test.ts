/** Messages that are larger than one message of NATS, over buckets of a real server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type NatsServer, skipUnless, startNats } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { connectObserver } from "../../nats/test-support/observer.ts";
import { NatsLink } from "../index.ts";
import { objectHeader } from "./object-reference.ts";
import { subjectOf } from "./subject.ts";

const skip = skipUnless("nats-server");
const megabyte = 1024 * 1024;

interface Ends extends AsyncDisposable {
  readonly server: NatsServer;
  /** Connects one more process. */
  link(): Promise<NatsLink>;
  readonly failures: string[];
  /** Settles when a bucket holds that many messages of its stream. */
  untilHeld(bucket: string, count: number): Promise<void>;
}

async function startEnds(): Promise<Ends> {
  const server = await startNats({ jetStream: true });
  const links: NatsLink[] = [];
  const failures: string[] = [];
  const observer = await connectObserver(server.url);
  return {
    server,
    failures,
    link: async () => {
      const link = new NatsLink({
        servers: [server.url],
        name: `link ${links.length}`,
        system: createRealSystem(),
        streamName: "AGENCY",
        onEvent: (event) => {
          if (event.kind === "failed") failures.push(event.reason);
        },
      });
      links.push(link);
      await link.start();
      return link;
    },
    untilHeld: async (bucket, count) => {
      for (;;) {
        if ((await observer.messageCountOf(`OBJ_AGENCY_${bucket}`)) === count) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const link of links) await link.stop();
      await observer[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Bytes that are no other ones. */
function bytesOf(seed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4)
    bytes.writeUInt32LE((at * 2_654_435_761 + seed) >>> 0, at);
  return bytes;
}

test(
  "messages of several megabytes come whole and in the order of their sender, and leave nothing behind",
  { skip },
  async () => {
    await using ends = await startEnds();
    const [sender, receiver] = [await ends.link(), await ends.link()];
    const sent = [10, 5 * megabyte, 20, 600 * 1024, 3 * megabyte + 1, 30].map((length, seed) =>
      bytesOf(seed, length),
    );
    const came: Uint8Array[] = [];
    const all = Promise.withResolvers<void>();
    await receiver.subscribe("desk", (bytes) => {
      came.push(bytes);
      if (came.length === sent.length) all.resolve();
    });
    for (const bytes of sent) sender.publish("desk", bytes);
    await all.promise;
    for (const [index, bytes] of sent.entries())
      assert.ok(bytes.equals(came[index] ?? Buffer.of()));
    await ends.untilHeld("passing", 0);
    assert.deepEqual(ends.failures, []);
  },
);

test(
  "large messages that are sent before a stop come; what goes to other topics does not wait for them",
  { skip },
  async () => {
    await using ends = await startEnds();
    const [sender, receiver] = [await ends.link(), await ends.link()];
    const order: string[] = [];
    const both = Promise.withResolvers<void>();
    for (const topic of ["one", "other"])
      await receiver.subscribe(topic, (bytes) => {
        order.push(`${topic} ${bytes.length}`);
        if (order.length === 2) both.resolve();
      });
    sender.publish("one", bytesOf(1, 8 * megabyte));
    sender.publish("other", bytesOf(2, 10));
    await sender.stop();
    await both.promise;
    assert.deepEqual(order, ["other 10", `one ${8 * megabyte}`]);
  },
);

test(
  "a large message that is kept is there for the next process until it was handled",
  { skip },
  async () => {
    await using ends = await startEnds();
    const sender = await ends.link();
    const bytes = bytesOf(7, 3 * megabyte);
    await sender.stored?.store({
      topic: "desk",
      bytes,
      id: "m1",
      deadlineMs: Number.POSITIVE_INFINITY,
    });
    // The same message again is left out, and takes its bytes along.
    await sender.stored?.store({
      topic: "desk",
      bytes,
      id: "m1",
      deadlineMs: Number.POSITIVE_INFINITY,
    });
    const first = await ends.link();
    const taken = Promise.withResolvers<Uint8Array>();
    first.stored?.take("desk", (delivery) => taken.resolve(delivery.bytes));
    assert.ok(bytes.equals(await taken.promise));
    await first.stop();
    const second = await ends.link();
    const again = Promise.withResolvers<Uint8Array>();
    second.stored?.take("desk", (delivery) => {
      delivery.done();
      again.resolve(delivery.bytes);
    });
    assert.ok(bytes.equals(await again.promise));
    await ends.untilHeld("kept", 0);
    assert.deepEqual(ends.failures, []);
  },
);

test(
  "what says that its bytes are in a bucket, and they are not, is told and left out; what comes behind it comes",
  { skip },
  async () => {
    await using ends = await startEnds();
    const receiver = await ends.link();
    const came = Promise.withResolvers<number>();
    await receiver.subscribe("desk", (bytes) => came.resolve(bytes.length));
    await using stranger = await connectObserver(ends.server.url);
    const { client, connection } = stranger;
    for (const reference of [
      "nonsense",
      `${"a".repeat(32)} 100 7`,
      `${"a".repeat(32)} 99999999999 1`,
    ]) {
      const own = client.headers();
      own.set(objectHeader, reference);
      connection.publish(subjectOf("desk"), new Uint8Array(), { headers: own });
    }
    connection.publish(subjectOf("desk"), Buffer.from("behind"));
    await connection.flush();
    assert.equal(await came.promise, 6);
    assert.equal(ends.failures.length, 3);
    assert.match(ends.failures[1] ?? "", /a message of 100 bytes for "desk" is not in the bucket/);
  },
);
