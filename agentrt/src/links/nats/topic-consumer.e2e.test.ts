/** The consumer of a topic over a real NATS server: set up while the connection is lost, messages that are parked, counts that cannot be read. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { skipUnless, startNats } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import {
  type JetStreamLibrary,
  type JetStreamManager,
  loadJetStream,
  loadNatsClient,
  NatsConnector,
} from "../../nats/index.ts";
import { LazyBucket } from "../../nats/index.ts";
import { connectObserver } from "../../nats/test-support/observer.ts";
import type { StoredDelivery } from "../stored-topics.ts";
import { JetStreamTopics } from "./jetstream-topics.ts";

const skip = skipUnless("nats-server");

/** The library as it is, but no answer comes to the first consumer that is asked for: the connection died with it. */
function losingFirstAnswer(library: JetStreamLibrary, onLost: () => void): JetStreamLibrary {
  let isLost = false;
  const losing = (manager: JetStreamManager): JetStreamManager => {
    const { consumers, streams } = manager;
    const add: typeof consumers.add = async (...asked) => {
      if (isLost) return await consumers.add(...asked);
      isLost = true;
      onLost();
      return await new Promise<never>(() => undefined);
    };
    return Object.assign(Object.create(manager), { streams, consumers: { add } });
  };
  return {
    ...library,
    jetstreamManager: async (...asked) => losing(await library.jetstreamManager(...asked)),
  };
}

/** What a test opens topics with. */
interface Opening {
  readonly url: string;
  readonly nkeySeed?: string;
  readonly library?: JetStreamLibrary;
  readonly onFailed?: (reason: string) => void;
}

/** Topics of a process, with its connection. */
async function openTopics({ url, nkeySeed, library, onFailed = () => undefined }: Opening) {
  const system = createRealSystem();
  const client = await loadNatsClient();
  const onWaiting = (): void => undefined;
  const connector = new NatsConnector({
    servers: [url],
    nkeySeed,
    name: "test",
    system,
    onWaiting,
  });
  const connection = await connector.connect(client);
  const used = { client, library: library ?? (await loadJetStream()), connection };
  const topics = await JetStreamTopics.open({
    ...used,
    streamName: "AGENCY",
    where: url,
    system,
    isUp: () => true,
    onFailed,
    kept: new LazyBucket({
      ...used,
      name: "kept",
      ageMsMax: 60_000,
      sizeBytesMax: 1_000_000,
      replicaCount: 1,
      requestTimeoutMs: 5000,
    }),
    inlineBytesMax: () => 1000,
  });
  const stop = async (): Promise<void> => {
    await topics.stop();
    await connection.drain();
  };
  return Object.assign(topics, { [Symbol.asyncDispose]: stop });
}

/** A message for the topic `desk`. */
function messageOf(id: string, text = id): Parameters<JetStreamTopics["store"]>[0] {
  return { topic: "desk", bytes: Buffer.from(text), id, deadlineMs: Infinity };
}

test(
  "a consumer asks again once the connection is back when its first question was lost with it",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const lost = Promise.withResolvers<void>();
    const library = losingFirstAnswer(await loadJetStream(), () => lost.resolve());
    await using topics = await openTopics({ url: server.url, library });
    const came = Promise.withResolvers<string>();
    topics.take("desk", (delivery) => {
      delivery.done();
      came.resolve(Buffer.from(delivery.bytes).toString());
    });
    await lost.promise;
    topics.resume();
    await topics.store(messageOf("hello"));
    assert.equal(await came.promise, "hello");
  },
);

test(
  "messages that come again are handled without a count where the bucket of counts is refused, which is said once",
  { skip },
  async () => {
    const bucket = "STREAM.*.KV_AGENCY_begun";
    const { nkeys } = createRequire(import.meta.url)("@nats-io/transport-node") as {
      readonly nkeys: { createUser(): { getPublicKey(): string; getSeed(): Uint8Array } };
    };
    const [whole, limited] = [nkeys.createUser(), nkeys.createUser()];
    const seedOf = (user: typeof whole): string => Buffer.from(user.getSeed()).toString();
    await using server = await startNats({
      jetStream: true,
      configuration: `authorization { users: [
        { nkey: ${whole.getPublicKey()} }
        { nkey: ${limited.getPublicKey()}, permissions: { publish: { deny: ["$JS.API.${bucket}"] } } }
      ] }`,
    });
    const { url } = server;
    {
      await using first = await openTopics({ url, nkeySeed: seedOf(whole) });
      const given = Promise.withResolvers<void>();
      let count = 0;
      first.take("desk", () => (count += 1) === 20 && given.resolve());
      for (let number = 0; number < 20; number += 1) await first.store(messageOf(`m${number}`));
      await given.promise;
    }
    const said: string[] = [];
    await using second = await openTopics({
      url,
      nkeySeed: seedOf(limited),
      onFailed: (reason) => said.push(reason),
    });
    const handled = new Map<string, number | undefined>();
    const all = Promise.withResolvers<void>();
    second.take("desk", (delivery) => {
      handled.set(Buffer.from(delivery.bytes).toString(), delivery.beginCount);
      delivery.done();
      if (handled.size === 20) all.resolve();
    });
    await all.promise;
    assert.deepEqual(new Set(handled.values()), new Set([undefined]));
    assert.equal(said.length, 1, said.join("\n"));
    assert.match(
      said[0] ?? "",
      /^bucket AGENCY_begun cannot be used: the user of the connection may not do that: .*; messages that come again are handled without a count/,
    );
  },
);

test(
  "what is parked is read again in the order in which it is asked for, small or large, and before what comes later",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    await using topics = await openTopics({ url: server.url });
    const large = (id: string): string => id.padEnd(5000, ".");
    const came: string[] = [];
    const unparks: ReturnType<StoredDelivery["park"]>[] = [];
    const [parked, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const note = (delivery: StoredDelivery | undefined): void => {
      came.push(Buffer.from(delivery?.bytes ?? []).toString());
      delivery?.done();
      if (came.length === 5) all.resolve();
    };
    topics.take(
      "desk",
      (delivery) => {
        if (unparks.length === 4) note(delivery);
        else if (unparks.push(delivery.park()) === 4) parked.resolve();
      },
      true,
    );
    await topics.store(messageOf("a"));
    await topics.store(messageOf("b", large("b")));
    await topics.store(messageOf("c"));
    await topics.store(messageOf("d", large("d")));
    await parked.promise;
    for (const at of [1, 0, 3, 2]) unparks[at]?.(note);
    await topics.store(messageOf("e"));
    await all.promise;
    assert.deepEqual(came, [large("b"), "a", large("d"), "c", "e"]);
  },
);

test(
  "a large message whose bucket is gone while it waits holds up none behind it, and is named",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    await using observer = await connectObserver(server.url);
    const said: string[] = [];
    await using topics = await openTopics({
      url: server.url,
      onFailed: (reason) => said.push(reason),
    });
    const unparks: ReturnType<StoredDelivery["park"]>[] = [];
    const [parked, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const came: (string | undefined)[] = [];
    const note = (delivery: StoredDelivery | undefined): void => {
      came.push(delivery && Buffer.from(delivery.bytes).toString());
      delivery?.done();
      if (came.length === 3) all.resolve();
    };
    topics.take(
      "desk",
      (delivery) => {
        if (unparks.length === 2) note(delivery);
        else if (unparks.push(delivery.park()) === 2) parked.resolve();
      },
      true,
    );
    await topics.store(messageOf("a", "a".padEnd(5000, ".")));
    await topics.store(messageOf("b"));
    await parked.promise;
    await observer.deleteStream("OBJ_kept");
    for (const unpark of unparks) unpark(note);
    await topics.store(messageOf("c"));
    await all.promise;
    assert.deepEqual(came, [undefined, "b", "c"]);
    assert.match(said.join("\n"), /the 5000 bytes of a message that is kept for "desk" are gone/);
  },
);

test(
  "a consumer that is there with another limit is taken over, with the limit of many keys and back",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    await using observer = await connectObserver(server.url);
    const limits: unknown[] = [];
    for (const hasLines of [false, true, false]) {
      await using topics = await openTopics({ url: server.url });
      const came = Promise.withResolvers<void>();
      topics.take(
        "desk",
        (delivery) => {
          delivery.done();
          came.resolve();
        },
        hasLines,
      );
      await topics.store(messageOf(`m${limits.length}`));
      await came.promise;
      const { consumers } = observer.manager as unknown as {
        readonly consumers: {
          info(stream: string, name: string): Promise<{ config: { max_ack_pending: number } }>;
        };
      };
      limits.push((await consumers.info("AGENCY", "desk")).config.max_ack_pending);
    }
    assert.deepEqual(limits, [256, 10_000, 256]);
  },
);

test(
  "what is parked comes to the next consumer of the topic when its own takes no more, and so does what is parked after that",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    await using topics = await openTopics({ url: server.url });
    const given = new Map<string, StoredDelivery>();
    const both = Promise.withResolvers<void>();
    const end = topics.take(
      "desk",
      (delivery) => {
        given.set(Buffer.from(delivery.bytes).toString(), delivery);
        if (given.size === 2) both.resolve();
      },
      true,
    );
    await topics.store(messageOf("a"));
    await topics.store(messageOf("b"));
    await both.promise;
    given.get("a")?.park();
    end();
    given.get("b")?.park();
    const came = new Set<string>();
    const all = Promise.withResolvers<void>();
    topics.take(
      "desk",
      (delivery) => {
        came.add(Buffer.from(delivery.bytes).toString());
        delivery.done();
        if (came.size === 2) all.resolve();
      },
      true,
    );
    await all.promise;
    assert.deepEqual([...came].sort(), ["a", "b"]);
  },
);

test(
  "a message that the user may not read again is given out again, and what waits behind it goes on",
  { skip },
  async () => {
    const { nkeys } = createRequire(import.meta.url)("@nats-io/transport-node") as {
      readonly nkeys: { createUser(): { getPublicKey(): string; getSeed(): Uint8Array } };
    };
    const user = nkeys.createUser();
    await using server = await startNats({
      jetStream: true,
      configuration: `authorization { users: [
        { nkey: ${user.getPublicKey()}, permissions: { publish: { deny: ["$JS.API.STREAM.MSG.GET.AGENCY"] } } }
      ] }`,
    });
    const said: string[] = [];
    await using topics = await openTopics({
      url: server.url,
      nkeySeed: Buffer.from(user.getSeed()).toString(),
      onFailed: (reason) => said.push(reason),
    });
    const came: string[] = [];
    const all = Promise.withResolvers<void>();
    const note = (delivery: StoredDelivery | undefined): void => {
      came.push(delivery === undefined ? "given back" : Buffer.from(delivery.bytes).toString());
      delivery?.done();
      if (came.length === 3) all.resolve();
    };
    let isFirst = true;
    topics.take(
      "desk",
      (delivery) => {
        if (!isFirst) return note(delivery);
        isFirst = false;
        delivery.park()(note);
      },
      true,
    );
    await topics.store(messageOf("a"));
    await topics.store(messageOf("b"));
    await all.promise;
    assert.deepEqual(came.toSorted(), ["a", "b", "given back"]);
    assert.match(said[0] ?? "", /^desk: the user of the connection may not do that: /);
  },
);
