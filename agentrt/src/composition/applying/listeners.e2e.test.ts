/** Gateways that change while requests are in flight: the new one listens before the old one has finished what it has. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, freePort, RawHttpClient } from "testkit";
import {
  Agent,
  createTextLog,
  type JsonObject,
  type Message,
  type TreeNode,
} from "../../core/index.ts";
import type { ListeningAddress } from "../../gateway/index.ts";
import { Runtime } from "../runtime.ts";

/** Answers when its gate is opened; streams its first part at once. */
class Desk extends Agent {
  static gate = Promise.withResolvers<void>();
  static atHand = 0;
  static onMessage: () => void = () => undefined;

  override onStart(): void {
    if (this.config["fails"] === true) throw new Error("the till is locked");
  }

  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["hold"] === "1") await Desk.held();
    return { by: this.config["by"] ?? null };
  }

  static async held(): Promise<void> {
    Desk.atHand += 1;
    Desk.onMessage();
    await Desk.gate.promise;
  }

  /** Settles when so many are held. */
  static async holds(count: number): Promise<void> {
    while (Desk.atHand < count)
      await new Promise<void>((resolve) => {
        Desk.onMessage = resolve;
      });
  }

  static begin(): void {
    Desk.gate = Promise.withResolvers();
    Desk.atHand = 0;
  }
}

/** Streams its first part at once, and the second one when the gate is opened. */
class Parts extends Agent {
  override async *handle(): AsyncGenerator<JsonObject> {
    yield { part: 1 };
    await Desk.held();
    yield { part: 2 };
  }
}

const tree = (children: readonly string[]): string => `supervision:
  name: root
  backoff_base: 0
  children:
    - { agent: { name: parts, type: Parts, concurrency: 16 } }
${children.map((child) => `    - ${child}\n`).join("")}`;

const desk = "{ agent: { name: desk, type: Desk, concurrency: 16 } }";

const gateway = (name: string, port: number, more = ""): string =>
  `{ name: ${name}, type: http_gateway, config: { host: 127.0.0.1, port: ${port}${more}, routes: [{ method: GET, path: /ask, agent: desk }, { method: GET, path: /parts, agent: parts, mode: stream }] } }`;

const files = (text: string) => ({ files: [{ fileName: "next.yaml", text }] as const });

interface Setup extends AsyncDisposable {
  readonly runtime: Runtime;
  /** Settles when something listens there, for the second time where it has done so. */
  listens(port: number, times?: number): Promise<void>;
}

async function run(text: string): Promise<Setup> {
  const folder = createTemporaryFolder({ "topology.yaml": text });
  const told: number[] = [];
  const waiting = new Set<() => void>();
  Desk.begin();
  const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), {
    log: createTextLog({ write: () => undefined }),
    typeMap: { Desk, Parts },
    onListening: ({ port }: ListeningAddress) => {
      told.push(port);
      for (const wake of waiting) wake();
    },
  });
  await runtime.start();
  return {
    runtime,
    async listens(port, times = 1) {
      while (told.filter((each) => each === port).length < times)
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
        });
    },
    async [Symbol.asyncDispose]() {
      Desk.gate.resolve();
      await runtime.stop();
      folder[Symbol.dispose]();
    },
  };
}

async function ask(port: number, path = "/ask"): Promise<readonly [number, string]> {
  // A connection that is there already is answered by who it was made to.
  const headers = { connection: "close" };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return [response.status, await response.text()];
}

const answered = (by: string | null = null): readonly [number, string] => [
  200,
  JSON.stringify({ by }),
];

/** A request and a stream that are held by their agent, whose second parts have not come. */
async function hold(port: number): Promise<() => Promise<void>> {
  const before = Desk.atHand;
  const [one, stream] = [ask(port, "/ask?hold=1"), ask(port, "/parts")];
  await Desk.holds(before + 2);
  return async () => {
    assert.deepEqual(await one, answered());
    const [status, text] = await stream;
    assert.equal(status, 200);
    assert.match(text, /"part":1[^]*"part":2/);
  };
}

test("a gateway that goes to another port listens there while the old one still has its requests, and both are answered", async () => {
  const [old, next] = [await freePort(), await freePort()];
  await using setup = await run(tree([desk, gateway("api", old)]));
  const finished = await hold(old);
  const applying = setup.runtime.apply(files(tree([desk, gateway("api", next)])));
  await setup.listens(next);
  assert.deepEqual(await ask(next), answered());
  assert.equal(setup.runtime.applyState.status, "applying");
  Desk.gate.resolve();
  await finished();
  assert.deepEqual((await applying).lateNames, []);
  await assert.rejects(RawHttpClient.open(old));
  const api = setup.runtime.tree().children[2];
  assert.deepEqual([api?.name, api?.status], ["api", "RUNNING"]);
});

test("a gateway that keeps its port, and two that swap theirs, listen anew while the requests before are finished", async () => {
  const [one, two] = [await freePort(), await freePort()];
  await using setup = await run(tree([desk, gateway("a", one), gateway("b", two)]));
  const kept = await hold(one);
  const same = setup.runtime.apply(
    files(tree([desk, gateway("a", one, ", request_timeout: 20"), gateway("b", two)])),
  );
  await setup.listens(one, 2);
  assert.deepEqual(await ask(one), answered());
  Desk.gate.resolve();
  await kept();
  await same;
  Desk.begin();
  const ends = [await hold(one), await hold(two)];
  const swapping = setup.runtime.apply(files(tree([desk, gateway("a", two), gateway("b", one)])));
  await Promise.all([setup.listens(one, 3), setup.listens(two, 2)]);
  assert.deepEqual([await ask(one), await ask(two)], [answered(), answered()]);
  Desk.gate.resolve();
  for (const end of ends) await end();
  await swapping;
  assert.deepEqual([await ask(one), await ask(two)], [answered(), answered()]);
  // A new one takes the port that another one gives up.
  const [three] = [await freePort()];
  await setup.runtime.apply(
    files(tree([desk, gateway("n", two), gateway("a", three), gateway("b", one)])),
  );
  for (const port of [one, two, three]) assert.deepEqual(await ask(port), answered());
});

test("a gateway that takes the port of one that is gone listens at once, and what that one has is finished; taken back, that one listens again", async () => {
  const [one, two] = [await freePort(), await freePort()];
  const server = `{ name: topo, type: topology_server, config: { port: ${two} } }`;
  const audit = "audit: { sink: null }\n";
  await using setup = await run(tree([desk, gateway("a", one), server]) + audit);
  const finished = await hold(one);
  const failing = "{ agent: { name: late, type: Desk, config: { fails: true } } }";
  const undone = assert.rejects(
    setup.runtime.apply(files(tree([desk, gateway("n", one), gateway("m", two), failing]) + audit)),
    /the till is locked/,
  );
  await Promise.all([setup.listens(one, 3), setup.listens(two, 3)]);
  assert.deepEqual(await ask(one), answered());
  assert.equal((await ask(two, "/health"))[0], 200);
  Desk.gate.resolve();
  await finished();
  await undone;
  Desk.begin();
  const again = await hold(one);
  const applying = setup.runtime.apply(
    files(tree([desk, gateway("n", one), gateway("m", two)]) + audit),
  );
  await Promise.all([setup.listens(one, 4), setup.listens(two, 4)]);
  assert.deepEqual([await ask(one), await ask(two)], [answered(), answered()]);
  Desk.gate.resolve();
  await again();
  assert.deepEqual((await applying).lateNames, []);
  assert.deepEqual(
    setup.runtime.tree().children.map(({ name, status }) => `${name} ${status}`),
    ["parts RUNNING", "desk RUNNING", "n RUNNING", "m RUNNING"],
  );
  assert.deepEqual([await ask(one), await ask(two)], [answered(), answered()]);
});

test("a gateway that is gone has its requests answered before the agents stop that are gone, wherever they are in the file", async () => {
  const one = await freePort();
  const pool = "{ name: desk, type: pool, class: Desk, size: 1 }";
  await using setup = await run(tree([gateway("a", one), pool]));
  const asked = [ask(one, "/ask?hold=1"), ask(one), ask(one)];
  await Desk.holds(1);
  const desks = (): TreeNode | undefined => setup.runtime.tree().children[2];
  const waitingCount = (): number => {
    const node = desks();
    return node?.kind === "supervisor" ? (node.pool?.mailboxDepth ?? 0) : 0;
  };
  while (waitingCount() < 2) await new Promise((resolve) => setImmediate(resolve));
  const applying = setup.runtime.apply(files(tree([])));
  const isOpen = (): Promise<boolean> =>
    RawHttpClient.open(one).then(
      async (client) => {
        await client[Symbol.asyncDispose]();
        return true;
      },
      () => false,
    );
  while (desks()?.status === "RUNNING" && (await isOpen()));
  Desk.gate.resolve();
  assert.deepEqual(await Promise.all(asked), [answered(), answered(), answered()]);
  assert.deepEqual((await applying).lateNames, []);
});

test("where the new gateway cannot listen, or a later agent does not start, the old ones were never away or listen again", async () => {
  const [one, two, free] = [await freePort(), await freePort(), await freePort()];
  await using setup = await run(tree([desk, gateway("a", one), gateway("b", two)]));
  const { runtime } = setup;
  const foreign = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => foreign.once("listening", resolve));
  const taken = (foreign.address() as { port: number }).port;
  await using kept = await RawHttpClient.open(one);
  const askKept = async (): Promise<number | undefined> => {
    kept.send("GET /ask HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return (await kept.response())?.status;
  };
  assert.equal(await askKept(), 200);
  const refused = async (children: readonly string[], message: RegExp): Promise<void> => {
    await assert.rejects(runtime.apply(files(tree(children))), {
      code: "AGENTRT_CHANGE_START_FAILED",
      message,
    });
    assert.deepEqual([await ask(one), await ask(two)], [answered(), answered()]);
    const states = runtime.tree().children.map(({ name, status }) => [name, status]);
    assert.deepEqual(states, [
      ["parts", "RUNNING"],
      ["desk", "RUNNING"],
      ["a", "RUNNING"],
      ["b", "RUNNING"],
    ]);
  };
  await refused(
    [desk, gateway("a", taken), gateway("b", two)],
    /"a" did not start.*another program/,
  );
  const failing = "{ agent: { name: late, type: Desk, config: { fails: true } } }";
  await refused([desk, gateway("a", free), gateway("b", two), failing], /the till is locked/);
  // The port that it got is free again for who had it, and is gone or elsewhere in the new file.
  await refused([desk, gateway("a", two), failing], /the till is locked/);
  await refused([desk, gateway("a", two), gateway("b", free), failing], /the till is locked/);
  await assert.rejects(RawHttpClient.open(free));
  // The same connection: its gateway was never away.
  assert.equal(await askKept(), 200);
  const finished = await hold(one);
  const later = [desk, gateway("a", two), gateway("b", one), failing];
  const undone = refused(later, /the till is locked/);
  await Promise.all([setup.listens(one, 3), setup.listens(two, 5)]);
  Desk.gate.resolve();
  await finished();
  await undone;
  await refused(
    [desk, gateway("a", one, ", request_timeout: 20"), gateway("b", two), failing],
    /the till is locked/,
  );
  await runtime.apply(files(tree([desk, gateway("a", two), gateway("b", one)])));
  assert.deepEqual([await ask(one), await ask(two)], [answered(), answered()]);
  foreign.close();
});
