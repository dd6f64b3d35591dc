/** Keyed agents from YAML, through `agentrt run`: keys, states over restarts of the process, what operators see, streams. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import { clientFrame, RawWebSocket } from "../websocket/test-support/raw-web-socket.ts";
import { agentrtBinary } from "./test-support/running-topology.ts";

const agents = `
import { existsSync, watch } from "node:fs";
import { Agent, type Message } from "agentrt";

/** Waits until the test removes the file. */
async function fileGone(path: string): Promise<void> {
  const watcher = watch(".");
  try {
    for (; existsSync(path);) await new Promise((resolve) => watcher.once("change", resolve));
  } finally {
    watcher.close();
  }
}

export class Ticket extends Agent {
  override async handle(message: Message) {
    const { text, crash, wait } = message.payload;
    if (crash !== undefined) throw new Error("secret " + String(crash));
    if (wait !== undefined) await fileGone(String(wait));
    const notes = (this.state["notes"] ?? []) as string[];
    if (text !== undefined) this.state["notes"] = [...notes, String(text)];
    return { ticket: this.key ?? "", notes: this.state["notes"] ?? [] };
  }
  override onPassivate() {
    console.log("passivated " + this.key);
  }
}

export class Talker extends Agent {
  override async *handle(message: Message) {
    for (let n = 1; n <= 3; n += 1) {
      this.state["said"] = Number(this.state["said"] ?? 0) + 1;
      yield { key: this.key ?? "", said: Number(this.state["said"]) };
    }
  }
}
`;

function topology(port: number, controlPort: number): string {
  return `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - type: keyed
      name: ticket
      class: agents.Ticket
      key: id
      idle: 600
      max_resident: 2
      max_waiting: 1
      max_restarts: 0
      cool_down: 30
    - { type: keyed, name: talker, class: agents.Talker, key: who }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: ${controlPort} } }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: POST, path: "/tickets/{id}", agent: ticket }
          - { method: POST, path: /tickets, agent: ticket }
          - { method: GET, path: "/talk/{who}", agent: talker, mode: stream }
        ws_routes: [{ path: "/talk/{who}", agent: talker }]
`;
}

interface Answer {
  readonly status: number;
  readonly retry: string | null;
  readonly body: unknown;
}

interface Setup extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly controlPort: number;
  readonly port: number;
  program: Program;
  readonly ask: (path: string, body?: object) => Promise<Answer>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function open(): Promise<Setup> {
  const [port, controlPort] = [await freePort(), await freePort()];
  const files = { "agents.ts": agents, "topology.yaml": topology(port, controlPort), held: "" };
  const folder = createTemporaryFolder(files);
  const begin = async (): Promise<Program> => {
    const program = startProgram(process.execPath, [agentrtBinary, "run"], {
      workingDirectory: folder.path,
      timeoutMs: 300_000,
    });
    await program.waitFor(/started/);
    return program;
  };
  const setup: Setup = {
    folder,
    port,
    controlPort,
    program: await begin(),
    ask: async (path, body = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const retry = response.headers.get("retry-after");
      return { status: response.status, retry, body: await response.json() };
    },
    start: async () => void (setup.program = await begin()),
    stop: async () => {
      setup.program.kill("SIGTERM");
      assert.equal((await setup.program.exited()).code, 0);
    },
    async [Symbol.asyncDispose]() {
      await setup.program[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
  return setup;
}

const answered = (ticket: string, ...notes: readonly string[]) => ({
  status: 200,
  retry: null,
  body: { ticket, notes },
});

test("keys come from the path or the payload, and their states come back over passivation, a stop and a kill", async () => {
  await using setup = await open();
  const { ask } = setup;
  assert.deepEqual(await ask("/tickets/a", { text: "1" }), answered("a", "1"));
  assert.deepEqual(await ask("/tickets", { id: "a", text: "2" }), answered("a", "1", "2"));
  assert.deepEqual(await ask("/tickets/4711", { id: "a", text: "3" }), answered("4711", "3"));
  assert.deepEqual(await ask("/tickets", { id: 4711 }), answered("4711", "3"));
  const missing = await ask("/tickets", { text: "4" });
  assert.equal(missing.status, 400);
  // A third key takes the place of the one that was used longest ago.
  assert.deepEqual(await ask("/tickets/c", { text: "5" }), answered("c", "5"));
  await setup.program.waitFor(/passivated a/);
  assert.deepEqual(await ask("/tickets/a"), answered("a", "1", "2"));
  await setup.stop();
  assert.match(setup.program.output, /passivated c/);
  await setup.start();
  assert.deepEqual(await ask("/tickets/c", { text: "6" }), answered("c", "5", "6"));
  assert.deepEqual(await ask("/tickets/a", { text: "7" }), answered("a", "1", "2", "7"));
  assert.deepEqual(await ask("/tickets/4711"), answered("4711", "3"));
  // The third key made `c` go: its state is saved. What `a` got was never saved.
  setup.program.kill("SIGKILL");
  await setup.program.exited();
  await setup.start();
  assert.deepEqual(await ask("/tickets/c"), answered("c", "5", "6"));
  assert.deepEqual(await ask("/tickets/a"), answered("a", "1", "2"));
});

test("a full line is 503 with Retry-After, and so is a key out of its budget; operators see both", async () => {
  await using setup = await open();
  const { ask, folder, controlPort } = setup;
  const crashed = await ask("/tickets/bad", { crash: "detail" });
  assert.deepEqual([crashed.status, crashed.body], [502, { error: "agent 'ticket' crashed" }]);
  await setup.program.waitFor(/bad/);
  const refused = await ask("/tickets/bad");
  assert.deepEqual(
    [refused.status, refused.body],
    [503, { error: "key 'bad' of agent 'ticket' has failed too often" }],
  );
  assert.ok(Number(refused.retry) > 0 && Number(refused.retry) <= 30, String(refused.retry));
  const held = Promise.allSettled(
    ["a", "b", "c"].map((id) => ask(`/tickets/${id}`, { wait: "held", text: id })),
  );
  const topologyOf = async () => {
    const response = await fetch(`http://127.0.0.1:${controlPort}/topology`);
    const { children } = (await response.json()) as { children: { name: string }[] };
    return children.find(({ name }) => name === "ticket") as { [field: string]: unknown };
  };
  let seen = await topologyOf();
  while (seen["resident_count"] !== 2 || seen["waiting_count"] !== 1) seen = await topologyOf();
  const { restart_count: _, process_id: _process, mailbox_depth: _depth, ...shape } = seen;
  assert.deepEqual(shape, {
    name: "ticket",
    type: "keyed",
    status: "RUNNING",
    crashes_in_window: 0,
    key: "id",
    max_resident: 2,
    resident_count: 2,
    waiting_count: 1,
    failed_count: 1,
    suspend_category: null,
    children: [],
  });
  assert.deepEqual(await ask("/tickets/d"), {
    status: 503,
    retry: "1",
    body: { error: "agent 'ticket' has no room for more keys" },
  });
  const shown = await runProgram(
    process.execPath,
    [agentrtBinary, "topology", "show", "topology.yaml"],
    {
      workingDirectory: folder.path,
    },
  );
  assert.match(
    shown.stdout,
    /^├── ticket {2}resident: 2\/2 {2}failed: 1 {2}status: RUNNING {2}\[keyed\]$/m,
    shown.stdout,
  );
  rmSync(join(folder.path, "held"));
  assert.deepEqual(
    (await held).map((end) => (end.status === "fulfilled" ? end.value.body : end.reason)),
    ["a", "b", "c"].map((id) => ({ ticket: id, notes: [id] })),
  );
});

test("a generator of a keyed agent streams over SSE and WebSocket, each key with its own state", async () => {
  await using setup = await open();
  const { port } = setup;
  const events = async (who: string): Promise<unknown[]> => {
    const text = await (await fetch(`http://127.0.0.1:${port}/talk/${who}`)).text();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  };
  const said = (key: string, ...numbers: readonly number[]) =>
    numbers.map((number) => ({ key, said: number }));
  assert.deepEqual(await Promise.all([events("ada"), events("bob")]), [
    said("ada", 1, 2, 3),
    said("bob", 1, 2, 3),
  ]);
  await using socket = await RawWebSocket.open(port, "/talk/ada");
  socket.write(clientFrame(Buffer.from("{}")));
  const frames: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    frames.push(JSON.parse((await socket.frame())?.payload.toString() ?? "null"));
  }
  assert.deepEqual(frames, said("ada", 4, 5, 6));
});
