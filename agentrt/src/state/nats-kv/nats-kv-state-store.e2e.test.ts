/** States in a bucket of a real NATS server: the suite of all stores, states under fences, and a server that is away. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type NatsServer, skipUnless, startNats, testStateStore } from "testkit";
import { connectObserver } from "../../nats/test-support/observer.ts";
import { NatsKvStateStore } from "../index.ts";
import { testFencedStates } from "../test-support/fenced-cases.ts";

const skip = skipUnless("nats-server");

/** Stores that a test closes in the end, each in a bucket that no other test has. */
class Buckets {
  readonly #server: NatsServer;
  readonly #stores: NatsKvStateStore[] = [];
  #count = 0;

  constructor(server: NatsServer) {
    this.#server = server;
  }

  /** Of their server. */
  get url(): string {
    return this.#server.url;
  }

  /** @returns A bucket's name. */
  next(): string {
    this.#count += 1;
    return `test_${this.#count}`;
  }

  open(bucket = this.next(), timeoutMs?: number): NatsKvStateStore {
    const store = new NatsKvStateStore({ servers: [this.#server.url], bucket, timeoutMs });
    this.#stores.push(store);
    return store;
  }

  /** Makes a bucket that has room for so many bytes. */
  async limit(bucket: string, sizeBytesMax: number): Promise<void> {
    await using observer = await connectObserver(this.#server.url);
    await observer.manager.streams.add({
      name: `KV_${bucket}`,
      subjects: [`$KV.${bucket}.>`],
      retention: "limits",
      storage: "file",
      discard: "new",
      num_replicas: 1,
      max_bytes: sizeBytesMax,
      max_age: 0,
      max_msgs_per_subject: 1,
      allow_direct: true,
      allow_rollup_hdrs: true,
    });
  }

  /** Closes what a test has left open. */
  async close(): Promise<void> {
    await Promise.all(this.#stores.map(async (store) => await store.close()));
  }
}

if (skip !== false) test("nats_kv store", { skip }, () => undefined);
else {
  const server = await startNats({ jetStream: true });
  const buckets = new Buckets(server);
  after(async () => {
    await buckets.close();
    await server[Symbol.asyncDispose]();
  });
  testStateStore("nats_kv store", async () => buckets.open());
  testFencedStates("nats_kv store", async () => {
    const bucket = buckets.next();
    const [one, other] = [buckets.open(bucket), buckets.open(bucket)];
    return {
      one,
      other,
      [Symbol.asyncDispose]: async () => {
        await one.close();
        await other.close();
      },
    };
  });
  testNatsKv(buckets);
}

function testNatsKv(buckets: Buckets): void {
  test("nats_kv store: several processes use one bucket at the same time, under any names", async () => {
    const bucket = buckets.next();
    const [one, other] = [buckets.open(bucket), buckets.open(bucket)];
    const names = ["a", "a.b", "a.*", ">", "*", "ticket/47 11", "=41", "Žába", "_1"];
    await Promise.all(names.map((name) => one.set(name, { name })));
    for (const name of names) assert.deepEqual(await other.get(name), { name });
    assert.deepEqual(await other.listAgents(), [...names].sort());
    await other.delete("a.b");
    assert.equal(await one.get("a.b"), undefined);
    assert.deepEqual(await one.get("a"), { name: "a" });
    await assert.rejects(one.set("x".repeat(2000), {}), { code: "AGENTRT_STATE_TOO_LARGE" });
    await Promise.all([one.close(), other.close()]);
  });

  test("nats_kv store: an earlier state than the server acknowledged is not read, also after the fence is raised again; a write mends it", async () => {
    const bucket = buckets.next();
    const [one, other] = [buckets.open(bucket), buckets.open(bucket)];
    const [fence] = await one.fenced.raise(["part"]);
    assert.ok(fence !== undefined);
    await one.fenced.set("counter", { count: 1 }, fence);
    await one.fenced.set("counter", { count: 2 }, fence);
    await using observer = await connectObserver(buckets.url);
    const { manager } = observer;
    // As a server that has lost what it acknowledged, or is behind.
    await manager.streams.purge(`KV_${bucket}`, { filter: `$KV.${bucket}.counter` });

    const refused = {
      code: "AGENTRT_STATE_UNAVAILABLE",
      message: /has revision 0 of it and acknowledged \d+: it is behind, or has lost it/,
    };
    await assert.rejects(one.fenced.get("counter", fence), refused);
    const [next] = await one.fenced.raise(["part"]);
    assert.ok(next !== undefined);
    await assert.rejects(one.fenced.get("counter", next), refused);
    // Who has the state itself knows the last one.
    await one.fenced.set("counter", { count: 3 }, next);
    assert.deepEqual(await one.fenced.get("counter", next), { count: 3 });
    const [others] = await other.fenced.raise(["part"]);
    assert.ok(others !== undefined);
    assert.deepEqual(await other.fenced.get("counter", others), { count: 3 });
    await Promise.all([one.close(), other.close()]);
  });

  test("nats_kv store: a bucket without room is one that may have some later: saves fail as retryable, and go well then", async () => {
    const bucket = buckets.next();
    await buckets.limit(bucket, 600_000);
    const store = buckets.open(bucket, 600);
    const padding = "x".repeat(250_000);
    await store.set("one", { padding });
    await store.set("two", { padding });
    await assert.rejects(store.set("three", { padding }), {
      code: "AGENTRT_STATE_UNAVAILABLE",
      isRetryable: true,
      message: /there is no room/,
    });
    assert.match(store.outage()?.reason ?? "", /there is no room/);
    await store.delete("one");
    await store.set("three", { padding });
    assert.equal(store.outage(), undefined);
    await store.close();
  });

  test("nats_kv store: a state that the server does not take is a typed error, and the one before it stays", async () => {
    const store = buckets.open();
    await store.set("keeper", { count: 1 });
    await assert.rejects(store.set("keeper", { padding: "x".repeat(67_108_864) }), {
      code: "AGENTRT_STATE_TOO_LARGE",
      message: /has more than 67108864 characters of JSON/,
    });
    assert.deepEqual(await store.get("keeper"), { count: 1 });
    await store.close();
  });

  test("nats_kv store: a state over a megabyte is an object; the one before it goes, and fences hold for it", async () => {
    const bucket = buckets.next();
    const [one, other] = [buckets.open(bucket), buckets.open(bucket)];
    await using observer = await connectObserver(buckets.url);
    // Each has six chunks, and what it is.
    const objects = async (): Promise<number> =>
      (await observer.messageCountOf(`OBJ_${bucket}_large`)) / 7;
    const large = (fill: string) => ({ padding: fill.repeat(3_000_000) });
    await one.set("keeper", large("a"));
    assert.deepEqual(await other.get("keeper"), large("a"));
    await one.set("keeper", large("b"));
    assert.deepEqual(await other.get("keeper"), large("b"));
    assert.equal(await objects(), 1);
    assert.deepEqual(await one.listAgents(), ["keeper"]);
    // Small again, and by a process that has not read it.
    await buckets.open(bucket).set("keeper", { count: 1 });
    assert.deepEqual([await one.get("keeper"), await objects()], [{ count: 1 }, 0]);

    // Who has lost its fence writes nothing, and leaves nothing.
    const [first] = await one.fenced.raise(["part"]);
    assert.ok(first);
    await one.fenced.set("key", large("c"), first);
    const [second] = await other.fenced.raise(["part"]);
    assert.ok(second);
    assert.deepEqual(await other.fenced.get("key", second), large("c"));
    await assert.rejects(one.fenced.set("key", large("d"), first), {
      code: "AGENTRT_STATE_FENCED",
    });
    await other.fenced.set("key", large("e"), second);
    assert.deepEqual(await one.get("key"), large("e"));
    assert.equal(await objects(), 1);
    await other.fenced.delete("key", second);
    assert.deepEqual([await one.get("key"), await objects()], [undefined, 0]);

    // One that reads while another one writes has one of both.
    await one.set("keeper", large("0"));
    const writes = (async () => {
      for (const fill of ["1", "2", "3", "4"]) await one.set("keeper", large(fill));
    })();
    for (let count = 0; count < 8; count += 1) {
      const { padding } = (await other.get("keeper")) as { padding: string };
      assert.equal(padding.length, 3_000_000);
      assert.equal(padding, (padding[0] ?? "").repeat(3_000_000));
    }
    await writes;
    await one.deleteAll();
    assert.equal(await objects(), 0);
  });

  test("nats_kv store: of processes that take each other's fence away no count is lost", async () => {
    const bucket = buckets.next();
    const stores = Array.from({ length: 6 }, () => buckets.open(bucket));
    const saved: number[] = [];
    const count = async ({ fenced }: NatsKvStateStore): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        const [fence] = await fenced.raise(["counter#1"]);
        assert.ok(fence !== undefined);
        try {
          for (let step = 0; step < 5; step += 1) {
            const found = (await fenced.get("counter", fence)) ?? { count: 0 };
            const next = Number(found["count"]) + 1;
            await fenced.set("counter", { count: next }, fence);
            saved.push(next);
          }
        } catch (error) {
          assert.equal((error as { code?: string }).code, "AGENTRT_STATE_FENCED");
        }
      }
    };
    await Promise.all(stores.map(async (store) => await count(store)));
    // Whoever raised it last was not disturbed any more.
    assert.ok(saved.length >= 5);
    assert.deepEqual(
      saved.toSorted((a, b) => a - b),
      Array.from({ length: saved.length }, (_, index) => index + 1),
    );
    assert.deepEqual(await stores[0]?.listAgents(), ["counter"]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("nats_kv store: while the server is away a checkpoint waits, and goes on when it is back", async () => {
    await using away = await startNats({ jetStream: true });
    const store = new NatsKvStateStore({ servers: [away.url], timeoutMs: 60_000 });
    const short = new NatsKvStateStore({ servers: [away.url], timeoutMs: 300 });
    const [fence] = await store.fenced.raise(["keepers"]);
    assert.ok(fence !== undefined);
    await store.fenced.set("keeper", { count: 1 }, fence);
    await short.open();
    await away.stop("SIGKILL");
    await assert.rejects(short.get("keeper"), { code: "AGENTRT_STATE_UNAVAILABLE" });
    assert.deepEqual(short.outage(), { store: "nats_kv", reason: "the NATS server is away" });
    const waiting = store.fenced.set("keeper", { count: 2 }, fence);
    await away.start();
    await waiting;
    assert.deepEqual(await store.get("keeper"), { count: 2 });
    assert.equal(store.outage(), undefined);
    await Promise.all([store.close(), short.close()]);
    await assert.rejects(store.get("keeper"), { code: "AGENTRT_STATE_CLOSED" });
  });

  test("nats_kv store: a server without JetStream is said in one line", async () => {
    await using plain = await startNats();
    const store = new NatsKvStateStore({ servers: [plain.url] });
    await assert.rejects(store.open(), {
      code: "AGENTRT_STATE_BUCKET_FAILED",
      message: /agentrt_state at nats:.*JetStream is not enabled on the server/,
    });
    await store.close();
  });

  test("nats_kv store: what its libraries are installed by is said", async () => {
    const missing = Object.assign(new Error("Cannot find package"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    const store = new NatsKvStateStore({
      servers: ["nats://127.0.0.1:1"],
      loadJetStream: async () => await Promise.reject(missing),
    });
    await assert.rejects(store.get("keeper"), {
      code: "AGENTRT_STATE_DRIVER_MISSING",
      message: /nats_kv.*npm install @nats-io\/transport-node@\d.* @nats-io\/jetstream@\d/,
    });
    await store.close();
  });
}
