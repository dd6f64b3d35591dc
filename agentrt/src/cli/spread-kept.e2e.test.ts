/** Casts to the agents of a group of several workers over JetStream: kept until they are handled, whichever process dies meanwhile. */
import assert from "node:assert/strict";
import { readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  skipUnless,
  startNats,
  startProgram,
} from "testkit";

const skip = skipUnless("nats-server");

/** Agents that write down what they handle; one that is to hold waits until a file `open` is there. */
const agents = `
import { appendFileSync, existsSync, watch } from "node:fs";
import { Agent } from "agentrt";

class Clerk extends Agent {
  override async handle({ payload }) {
    if (payload.poison === true && !existsSync("open")) {
      appendFileSync("book.txt", \`begun \${payload.no} \${process.pid}\\n\`);
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => undefined);
    }
    if (payload.hold === true) {
      const opened = new Promise((resolve) => {
        const watcher = watch(".", () => {
          if (!existsSync("open")) return;
          watcher.close();
          resolve(undefined);
        });
      });
      appendFileSync("book.txt", \`held \${payload.no} \${process.pid}\\n\`);
      if (!existsSync("open")) await opened;
    }
    appendFileSync("book.txt", \`\${this.name} \${payload.no} \${process.pid}\\n\`);
    return undefined;
  }
}
export class Counter extends Clerk {}
export class Member extends Clerk {}
export class Ledger extends Clerk {}
`;

const topology = (natsUrl: string, port: number, more = ""): string => `
transport: { type: nats, servers: "${natsUrl}", jetstream: true }
${more}
plugins:
  state: { type: nats_kv }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - { name: counter, type: keyed, process: heavy, config: { class: agents.Counter, key: id } }
    - { name: team, type: pool, process: heavy, config: { class: agents.Member, size: 4 } }
    - { name: ledger, type: agents.Ledger, process: heavy }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /counter, agent: counter, mode: cast }
          - { method: POST, path: /team, agent: team, mode: cast }
          - { method: POST, path: /ledger, agent: ledger, mode: cast }
    - { name: control, type: topology_server, config: { attach_to: api, dead_letter_payloads: 10 } }
`;

/** What the agents have written down. */
class Book {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    writeFileSync(join(folder, "book.txt"), "");
  }

  /** The lines of an agent or of all members or keys of a node: `no pid`. */
  of(name: string): string[][] {
    return readFileSync(join(this.#folder, "book.txt"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}/`))
      .map((line) => line.split(" ").slice(1));
  }

  numbersOf(name: string): number[] {
    return this.of(name).map(([number]) => Number(number));
  }

  /** Settles when so many different ones of a node are there. */
  async until(name: string, count: number): Promise<void> {
    const isThere = (): boolean => new Set(this.numbersOf(name)).size >= count;
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher = watch(this.#folder, () => isThere() && resolve());
    if (!isThere()) await promise;
    watcher.close();
  }
}

/**
 * A server, and a folder with the topology.
 *
 * @param more Further sections of the topology.
 */
async function openScene(more?: string) {
  const nats = await startNats({ jetStream: true });
  const port = await freePort();
  const folder = createTemporaryFolder({
    "topology.yaml": topology(nats.url, port, more),
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  return {
    port,
    book: new Book(folder.path),
    /** Lets go what is held. */
    open: (): void => writeFileSync(join(folder.path, "open"), ""),
    /** Starts `agentrt run` with further words. */
    start: (...words: string[]) =>
      startProgram(process.execPath, [agentrtLauncher(), "run", ...words], {
        workingDirectory: folder.path,
      }),
    async [Symbol.asyncDispose](): Promise<void> {
      folder[Symbol.dispose]();
      await nats[Symbol.asyncDispose]();
    },
  };
}

const names = ["counter", "team", "ledger"];

/** Casts numbers of a range to each node, one after another. */
async function castAll(port: number, from: number, to: number): Promise<void> {
  for (let no = from; no < to; no += 1)
    await Promise.all(names.map(async (name) => await cast(port, name, { no })));
}

async function cast(port: number, name: string, body: object): Promise<void> {
  const { no } = body as { readonly no: number };
  const response = await fetch(`http://127.0.0.1:${port}/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, id: `k${no % 7}` }),
  });
  assert.equal(response.status, 202, await response.text());
}

test(
  "jetstream: casts to a pool, keys and an agent of two workers wait for a worker, and survive workers and the supervisor",
  { skip },
  async () => {
    await using scene = await openScene();
    const { port, book, open, start } = scene;
    const supervisor = start();
    await supervisor.waitFor(/started; Ctrl\+C stops/);

    // Nobody is there yet: they wait, in their order.
    await castAll(port, 0, 30);
    await using first = start("--process", "heavy");
    for (const name of names) await book.until(name, 30);
    const inOrder = Array.from({ length: 30 }, (_, no) => no);
    assert.deepEqual(book.numbersOf("ledger"), inOrder);
    assert.deepEqual(
      book.numbersOf("counter/k3"),
      inOrder.filter((no) => no % 7 === 3),
    );

    // The supervisor is killed while messages are at hand and wait behind; the worker goes on, and none is handled twice.
    for (const name of names) await cast(port, name, { no: 30, hold: true });
    await book.until("held", 1);
    await castAll(port, 31, 60);
    supervisor.kill("SIGKILL");
    await supervisor.exited();
    open();
    await using next = start();
    await next.waitFor(/started; Ctrl\+C stops/);
    await castAll(port, 60, 70);
    for (const name of names) await book.until(name, 70);

    // A worker is killed with what it has: the other one handles that.
    await using second = start("--process", "heavy");
    await second.waitFor(/started; Ctrl\+C stops/);
    first.kill("SIGKILL");
    await castAll(port, 70, 100);
    for (const name of names) await book.until(name, 100);
    // What one process has handled comes to it again when the supervisor dies, and is left out.
    for (const name of names) {
      const lines = book.of(name).map((line) => line.join(" "));
      assert.equal(new Set(lines).size, lines.length, name);
    }
    second.kill("SIGTERM");
    assert.equal((await second.exited()).code, 0);
    next.kill("SIGTERM");
    assert.equal((await next.exited()).code, 0);
  },
);

interface Letters {
  readonly dead_letters: readonly { readonly id: string; readonly [name: string]: unknown }[];
}

test(
  "jetstream: a cast that kills each worker that begins it is a dead letter after five, can be replayed, and takes no other along",
  { skip },
  async () => {
    await using scene = await openScene();
    const { port, book, open, start } = scene;
    await using run = start("--spawn-workers=2", "topology.yaml");
    await run.waitFor(/\[heavy#2\] started; Ctrl\+C stops/);
    await cast(port, "team", { no: 1000, poison: true });
    await castAll(port, 0, 20);
    const read = async (): Promise<Letters["dead_letters"]> => {
      const response = await fetch(`http://127.0.0.1:${port}/dead-letters`);
      return ((await response.json()) as Letters).dead_letters;
    };
    await run.waitFor(/message not handled.*exhausted/);
    for (const name of names) await book.until(name, 20);
    assert.equal(book.of("begun").length, 5);
    const letters = await read();
    assert.deepEqual(
      letters.map(({ reason, recipient }) => [reason, recipient]),
      [["exhausted", "team"]],
    );
    open();
    const replayed = await fetch(`http://127.0.0.1:${port}/dead-letters/${letters[0]?.id}/replay`, {
      method: "POST",
    });
    assert.equal(replayed.status, 202, await replayed.text());
    await book.until("team", 21);
    run.kill("SIGTERM");
    assert.equal((await run.exited()).code, 0);
  },
);

test(
  "jetstream: signed casts to a pool, keys and an agent are kept, also more to one key than are given out at once, and survive their worker",
  { skip },
  async () => {
    const signing = "security: { signing: { enabled: true }, identity: { key_dir: keys } }";
    await using scene = await openScene(signing);
    const { port, book, open, start } = scene;
    await using supervisor = start();
    await supervisor.waitFor(/started; Ctrl\+C stops/);
    await castAll(port, 0, 10);
    await using first = start("--process", "heavy");
    for (const name of names) await book.until(name, 10);
    // A key that is held has 99 behind it, and the others are served.
    const heldKey = 700;
    await cast(port, "counter", { no: heldKey, hold: true });
    await book.until("held", 1);
    for (let turn = 1; turn < 100; turn += 1)
      await cast(port, "counter", { no: heldKey + 7 * turn });
    await castAll(port, 11, 14);
    for (const name of names) await book.until(name, 13);
    first.kill("SIGKILL");
    open();
    await using second = start("--process", "heavy");
    await second.waitFor(/started; Ctrl\+C stops/);
    await book.until("counter", 113);
    const inOrder = Array.from({ length: 100 }, (_, turn) => heldKey + 7 * turn);
    assert.deepEqual(
      book.numbersOf("counter/k0").filter((no) => no >= heldKey),
      inOrder,
    );
    for (const program of [supervisor, second]) {
      program.kill("SIGTERM");
      assert.equal((await program.exited()).code, 0);
      assert.doesNotMatch(program.output, /refused/);
    }
  },
);

test(
  "jetstream: of two supervisors the one that waits takes over what is kept and what is under way when the first is killed, and none is handled twice",
  { skip },
  async () => {
    await using scene = await openScene();
    const { port, book, open, start } = scene;
    const first = start();
    await first.waitFor(/started; Ctrl\+C stops/);
    await using second = start();
    await second.waitFor(/another supervisor of this topology leads/);
    await using worker = start("--process", "heavy");
    await castAll(port, 0, 10);
    for (const name of names) await book.until(name, 10);
    for (const name of names) await cast(port, name, { no: 10, hold: true });
    await book.until("held", 1);
    // More for one key than its worker gets at once.
    for (let turn = 1; turn < 60; turn += 1) await cast(port, "counter", { no: 10 + 7 * turn });
    first.kill("SIGKILL");
    await first.exited();
    await second.waitFor(/started; Ctrl\+C stops/);
    open();
    await castAll(port, 11, 15);
    await book.until("counter", 74);
    for (const name of ["team", "ledger"]) await book.until(name, 15);
    for (const name of names) {
      const lines = book.of(name).map((line) => line.join(" "));
      assert.equal(new Set(lines).size, lines.length, name);
    }
    for (const program of [worker, second]) {
      program.kill("SIGTERM");
      assert.equal((await program.exited()).code, 0);
    }
  },
);
