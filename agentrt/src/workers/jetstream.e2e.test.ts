/** Messages without an answer over a stream of a real NATS server: kept for a worker that is away, and over restarts of the broker. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type NatsServer, skipUnless, startNats } from "testkit";
import {
  Agent,
  type AgentClass,
  child,
  createRealSystem,
  createTextLog,
  type JsonObject,
  type Message,
  supervisor,
} from "../core/index.ts";
import { NatsLink } from "../links/index.ts";
import { loadJetStream, loadNatsClient, NatsConnector } from "../nats/index.ts";
import { Runtime } from "../runtime/index.ts";
import { serializerNamed } from "../wire/index.ts";
import { supervisorNetwork, workerNetwork } from "./index.ts";

const skip = skipUnless("nats-server");
const log = createTextLog({ write: () => undefined });
const name = "desk.>*";

/** What the agents of a test have handled, over all of their incarnations. */
class Book {
  /** False makes handlers of type `gate` hang. */
  isOpen = false;
  readonly ids: number[] = [];
  readonly #different = new Set<number>();
  #waiting: { readonly until: () => boolean; readonly resolve: () => void } | undefined;

  add(id: number): void {
    this.ids.push(id);
    this.#different.add(id);
    if (this.#waiting?.until() === true) this.#waiting.resolve();
  }

  /** How many different ones were handled. */
  get count(): number {
    return this.#different.size;
  }

  /** Settles when so many handlers of type `gate` have begun. */
  async untilBegun(count: number): Promise<void> {
    await this.#until(() => this.ids.filter((id) => id === -2).length >= count);
  }

  /** Settles when a process has so many dead letters. */
  async untilLetters(runtime: Runtime, count: number): Promise<void> {
    const isThere = (): boolean => runtime.deadLetters().length >= count;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = runtime.onDeadLetter(() => isThere() && resolve());
    if (!isThere()) await promise;
    end();
  }

  /** Settles when so many different ones were handled. */
  async until(count: number): Promise<void> {
    await this.#until(() => this.#different.size >= count);
  }

  async #until(until: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { until, resolve };
    if (!until()) await promise;
  }
}

function deskClass(book: Book): AgentClass {
  return class Desk extends Agent {
    override async handle({ payload, type }: Message): Promise<JsonObject | undefined> {
      if (type === "echo") return { text: payload["text"] ?? null };
      if (type === "crash" && book.ids.at(-1) !== -1) {
        book.add(-1);
        throw new Error("the desk broke");
      }
      if (type === "gate" && !book.isOpen) {
        book.add(-2);
        await new Promise<never>(() => undefined);
      }
      book.add(Number(payload["id"]));
      return undefined;
    }
  };
}

/** A supervisor and workers of one topology, which meet at one server. */
class Cluster {
  readonly #server: NatsServer;
  readonly #streamName: string;
  readonly book = new Book();
  readonly links: NatsLink[] = [];

  constructor(server: NatsServer, streamName = "AGENCY") {
    this.#server = server;
    this.#streamName = streamName;
  }

  #connection() {
    const link = new NatsLink({
      servers: [this.#server.url],
      name: "test",
      system: createRealSystem(),
      streamName: this.#streamName,
      onEvent: () => undefined,
    });
    this.links.push(link);
    const agentNames = new Set([name, "front"]);
    return { link, serializer: serializerNamed(undefined), log, topologyHash: "same", agentNames };
  }

  async startSupervisor(): Promise<Runtime> {
    const runtime = new Runtime({
      supervision: supervisor("root", {
        backoffBaseMs: 0,
        restartCountMax: 100,
        children: [
          child(deskClass(this.book), "front"),
          child(deskClass(this.book), name, { process: "back" }),
        ],
      }),
      log,
      network: supervisorNetwork(this.#connection()),
    });
    await runtime.start();
    return runtime;
  }

  async startWorker(): Promise<Runtime> {
    const runtime = new Runtime({
      supervision: supervisor("worker:back", {
        restartCountMax: 0,
        children: [child(deskClass(this.book), name)],
      }),
      log,
      network: workerNetwork({
        ...this.#connection(),
        process: "back",
        others: [{ name: "front", takesKeys: false }],
        onRefused: () => undefined,
      }),
    });
    await runtime.start();
    return runtime;
  }
}

test(
  "jetstream: messages for a worker that is away wait in the stream, in their order, and come when it is back",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const cluster = new Cluster(server);
    await using runtime = await cluster.startSupervisor();
    for (let id = 0; id < 300; id += 1) await runtime.cast(name, { id });
    await assert.rejects(runtime.call(name, { id: 0 }), { code: "AGENTRT_WORKER_AWAY" });
    const first = await cluster.startWorker();
    await cluster.book.until(300);
    assert.deepEqual(
      cluster.book.ids,
      Array.from({ length: 300 }, (_, id) => id),
    );
    // From a worker to the supervisor's agents, too.
    await first.cast("front", { id: 300 });
    await cluster.book.until(301);
    // What it has at hand when it stops, and what waits behind, comes to the next worker.
    await runtime.cast(name, { id: 301 }, { type: "gate" });
    await runtime.cast(name, { id: 302 });
    await cluster.book.until(302);
    const stopping = first.stop({ timeoutMs: 0 });
    await runtime.cast(name, { id: 303 });
    await stopping;
    cluster.book.isOpen = true;
    await using second = await cluster.startWorker();
    assert.ok(second);
    await cluster.book.until(305);
    assert.deepEqual(
      cluster.book.ids.slice(300).toSorted((one, other) => one - other),
      [-2, 300, 301, 302, 303],
    );
  },
);

test(
  "jetstream: calls, their answers, and casts may have several megabytes; without a stream the sender is refused",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const cluster = new Cluster(server);
    await using runtime = await cluster.startSupervisor();
    await using worker = await cluster.startWorker();
    assert.ok(worker);
    const text = "x".repeat(3 * 1024 * 1024);
    const answers = await Promise.all(
      [text, "", text].map(
        async (sent) => await runtime.call(name, { text: sent }, { type: "echo" }),
      ),
    );
    assert.deepEqual(answers, [{ text }, { text: "" }, { text }]);
    await runtime.cast(name, { id: 7, text });
    await cluster.book.until(1);
    assert.deepEqual(cluster.book.ids, [7]);
    const tooLarge = { text: "x".repeat(17 * 1024 * 1024) };
    await assert.rejects(runtime.call(name, tooLarge), { code: "AGENTRT_WIRE_TOO_LARGE" });
  },
);

test(
  "jetstream: the broker is restarted under load, and no acknowledged message is missing or handled twice",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const cluster = new Cluster(server);
    await using runtime = await cluster.startSupervisor();
    await using worker = await cluster.startWorker();
    assert.ok(worker);
    const acknowledged: number[] = [];
    const ended = new AbortController();
    let next = 0;
    const send = async (): Promise<void> => {
      while (!ended.signal.aborted) {
        const id = (next += 1);
        await runtime.cast(name, { id });
        acknowledged.push(id);
      }
    };
    const senders = Array.from({ length: 20 }, async () => await send());
    for (let round = 0; round < 5; round += 1) {
      await cluster.book.until(cluster.book.count + 100);
      await server.stop(round % 2 === 0 ? "SIGKILL" : "SIGTERM");
      await server.start();
    }
    ended.abort();
    await Promise.all(senders);
    assert.ok(acknowledged.length > 500);
    await cluster.book.until(acknowledged.length);
    const handled = new Set(cluster.book.ids);
    assert.deepEqual(
      acknowledged.filter((id) => !handled.has(id)),
      [],
    );
    assert.equal(cluster.book.ids.length, handled.size);
    assert.equal(typeof worker.snapshot().linkDuplicateCount, "number");
  },
);

test(
  "jetstream: a message that its agent crashes on is not given out again, and those behind it are handled",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const cluster = new Cluster(server);
    await using runtime = await cluster.startSupervisor();
    await using worker = await cluster.startWorker();
    assert.ok(worker);
    await runtime.cast(name, {}, { type: "crash" });
    await runtime.cast(name, { id: 1 });
    await cluster.book.until(2);
    assert.deepEqual(cluster.book.ids, [-1, 1]);
  },
);

test(
  "jetstream: a message is begun five times at most when its process ends each time, then it is a dead letter; one behind it is handled",
  { skip },
  async () => {
    await using server = await startNats({ jetStream: true });
    const cluster = new Cluster(server);
    const { book } = cluster;
    await using runtime = await cluster.startSupervisor();
    await runtime.cast(name, { id: 9 }, { type: "gate" });
    for (let id = 10; id < 13; id += 1) await runtime.cast(name, { id });
    for (let round = 1; round <= 5; round += 1) {
      const worker = await cluster.startWorker();
      await book.untilBegun(round);
      await worker.stop({ timeoutMs: 0 });
    }
    await using last = await cluster.startWorker();
    await book.until(4);
    await book.untilLetters(last, 1);
    assert.deepEqual(
      book.ids.toSorted((one, other) => one - other),
      [-2, -2, -2, -2, -2, 10, 11, 12],
    );
    assert.deepEqual(
      last.deadLetters().map(({ reason, recipient, type }) => [reason, recipient, type]),
      [["exhausted", name, "gate"]],
    );
    // What is cast next is not counted with it.
    await runtime.cast(name, { id: 13 });
    await book.until(5);
  },
);

test(
  "jetstream: a server without it, a stream without the subjects, and a full one are said by typed errors",
  { skip },
  async () => {
    await using plain = await startNats();
    await assert.rejects(new Cluster(plain).startSupervisor(), {
      code: "AGENTRT_LINK_STREAM",
      exitCode: 1,
      message: /^Cannot use stream AGENCY of nats:\S+: JetStream is not enabled on the server/,
    });
    await using server = await startNats({ jetStream: true });
    const connection = await new NatsConnector({
      servers: [server.url],
      name: "test",
      system: createRealSystem(),
      onWaiting: () => undefined,
    }).connect(await loadNatsClient());
    const { streams } = await (await loadJetStream()).jetstreamManager(connection);
    const add = async (name: string, subject: string): Promise<void> => {
      await streams.add({
        name,
        subjects: [subject],
        retention: "limits",
        storage: "memory",
        discard: "new",
        num_replicas: 1,
        max_bytes: 1000,
        max_age: 0,
        max_msgs_per_subject: -1,
      });
    };
    await add("OTHER", "elsewhere.>");
    await assert.rejects(new Cluster(server, "OTHER").startSupervisor(), {
      code: "AGENTRT_LINK_STREAM",
      message: /it is there without the subject agentrt\.stored\.OTHER\.>/,
    });
    await add("WIDE", "agentrt.stored.>");
    const cluster = new Cluster(server);
    await using runtime = await cluster.startSupervisor();
    await runtime.cast(name, { id: 1 });
    await assert.rejects(runtime.cast(name, { id: 2, padding: "x".repeat(1000) }), {
      code: "AGENTRT_LINK_STREAM_FULL",
      httpStatus: 503,
      message: /stream WIDE has no room/,
    });
    await server.stop();
    await assert.rejects(runtime.cast(name, { id: 4 }, { timeoutMs: 300 }), {
      code: "AGENTRT_LINK_NOT_STORED",
      isRetryable: true,
    });
    await connection.close();
  },
);
