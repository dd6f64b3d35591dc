/** A consumer of a stream whose connection is lost while it is set up, over a real NATS server. */
import assert from "node:assert/strict";
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
import { JetStreamTopics } from "./jetstream-topics.ts";
import { LazyBucket } from "../../nats/index.ts";

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

test(
  "a consumer asks again once the connection is back when its first question was lost with it",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const system = createRealSystem();
    const client = await loadNatsClient();
    const connector = new NatsConnector({
      servers: [server.url],
      name: "test",
      system,
      onWaiting: () => undefined,
    });
    const connection = await connector.connect(client);
    const lost = Promise.withResolvers<void>();
    const library = losingFirstAnswer(await loadJetStream(), () => lost.resolve());
    const topics = await JetStreamTopics.open({
      client,
      library,
      connection,
      streamName: "AGENCY",
      where: server.url,
      system,
      isUp: () => true,
      onFailed: () => undefined,
      kept: new LazyBucket({
        client,
        library,
        connection,
        name: "kept",
        ageMsMax: 60_000,
        sizeBytesMax: 1_000_000,
        replicaCount: 1,
        requestTimeoutMs: 5000,
      }),
      inlineBytesMax: () => 1000,
    });
    const came = Promise.withResolvers<string>();
    topics.take("desk", (delivery) => {
      delivery.done();
      came.resolve(new TextDecoder().decode(delivery.bytes));
    });
    await lost.promise;
    topics.resume();
    await topics.store({
      topic: "desk",
      bytes: new TextEncoder().encode("hello"),
      id: "1",
      deadlineMs: Infinity,
    });
    assert.equal(await came.promise, "hello");
    await topics.stop();
    await connection.close();
  },
);
