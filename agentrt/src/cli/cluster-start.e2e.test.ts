/** Links and states over a cluster of three NATS servers of which most are away: what starts then waits until they are back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipUnless, startNatsCluster } from "testkit";
import { createRealSystem } from "../core/index.ts";
import { NatsLink } from "../links/index.ts";
import { NatsKvStateStore } from "../state/index.ts";

test(
  "a link and a state store that start while most servers of a cluster are away say so, and wait for them",
  { skip: skipUnless("nats-server") },
  async () => {
    await using cluster = await startNatsCluster();
    await cluster.metaLeader();
    const [, second, third] = cluster.servers;
    await second?.stop("SIGKILL");
    await third?.stop("SIGKILL");
    const servers = cluster.urls;
    const [linkWaits, storeWaits] = [
      Promise.withResolvers<string>(),
      Promise.withResolvers<string>(),
    ];
    const link = new NatsLink({
      servers,
      name: "test",
      system: createRealSystem(),
      streamName: "AGENCY",
      replicaCount: 3,
      connectTimeoutMs: 600_000,
      onEvent: (event) => {
        if (event.kind === "waiting") linkWaits.resolve(event.reason);
      },
    });
    const store = new NatsKvStateStore({
      servers,
      replicaCount: 3,
      connectTimeoutMs: 600_000,
      warn: storeWaits.resolve,
    });
    const started = link.start();
    const opened = store.open();
    const told = [
      await Promise.race([linkWaits.promise, started.then(() => "it started")]),
      await Promise.race([storeWaits.promise, opened.then(() => "it opened")]),
    ];
    for (const each of told)
      assert.match(each, /JetStream does not answer, most servers of its cluster may be away/);
    await second?.start();
    await third?.start();
    await Promise.all([started, opened]);
    await store.set("keeper", { count: 1 });
    assert.deepEqual(await store.get("keeper"), { count: 1 });
    await Promise.all([link.stop(), store.close()]);
  },
);
