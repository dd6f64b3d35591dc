/** `agentrt run` as supervisor and as worker over each transport between processes: a client is served over HTTP, whatever dies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";
import { transportCases } from "./test-support/transports.ts";

type JsonObject = { readonly [name: string]: unknown };

const binary = agentrtLauncher();

const agents = `
import { Agent, httpReply } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }) {
    if (payload.say === "hang") {
      console.log("hanging;");
      await new Promise(() => undefined);
    }
    if (payload.say === "create")
      return httpReply({ status: 201, headers: { location: "/tickets/7" }, contentType: "text/plain", body: "made" });
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { pid: process.pid, count: this.state["count"], front: await this.call("front", payload),
      note: await this.call("notes", {}, { key: "4711" }) };
  }
}

export class Notes extends Agent {
  override async handle() {
    return { key: this.key, pid: process.pid };
  }
}

export class Front extends Agent {
  override async handle({ payload }) {
    return { pid: process.pid, said: payload.say ?? null };
  }
}
`;

const topology = (transport: string, port: number): string => `transport: ${transport}
plugins:
  state: { type: sqlite }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - agent: { name: front, type: agents.Front }
    - agent: { name: desk, type: agents.Desk, process: back }
    - { name: notes, type: keyed, config: { class: agents.Notes } }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes: [{ method: POST, path: /desk, agent: desk }]
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

interface Served {
  readonly pid: number;
  readonly count: number;
  readonly front: { readonly pid: number; readonly said: string };
  readonly note: { readonly pid: number; readonly key: string };
}

async function post(port: number, say = "hello"): Promise<Response> {
  return await fetch(`http://127.0.0.1:${port}/desk`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ say }),
  });
}

/** Asks until it is served: 503 while the worker is away, 502 for what it took along. */
async function ask(port: number): Promise<Served> {
  for (;;) {
    const response = await post(port);
    if (response.status === 200) return (await response.json()) as Served;
    assert.match(String(response.status), /^50[23]$/, await response.text());
    await new Promise(setImmediate);
  }
}

for (const { name, mode, skip, open } of transportCases)
  test(
    `${name}: run starts a supervisor and a worker, and goes on when either dies`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.section, port),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
        });
      const supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      const away = await post(port);
      assert.equal(away.status, 503);
      assert.match(await away.text(), /agent 'desk' cannot be reached for now/);

      const worker = start("--process", "back");
      const first = await ask(port);
      assert.notEqual(first.pid, first.front.pid);
      assert.deepEqual([first.count, first.front.said], [1, "hello"]);
      assert.deepEqual(first.note, { key: "4711", pid: first.front.pid });
      const listed = await fetch(`http://127.0.0.1:${port}/processes`);
      const { deployment, processes } = (await listed.json()) as {
        readonly deployment: object;
        readonly processes: readonly JsonObject[];
      };
      assert.deepEqual(deployment, { transport: name, mode });
      assert.deepEqual(
        processes.map(({ kind, id, pid }) => [kind, id, pid]),
        [
          ["runtime", "control", first.front.pid],
          ["worker", "back", first.pid],
        ],
      );
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const families = [...metrics.matchAll(/^agentrt_link_messages_lost_total\{(.*)\} 0$/gm)];
      assert.deepEqual(
        families.map(([, label]) => label),
        name === "zmq"
          ? ["", ',worker="back"'].flatMap((of) => [
              `reason="unsent"${of}`,
              `reason="missing"${of}`,
            ])
          : [],
      );

      // Status, headers and text of a reply come over from the worker.
      const made = await post(port, "create");
      assert.deepEqual(
        [
          made.status,
          made.headers.get("location"),
          made.headers.get("content-type"),
          await made.text(),
        ],
        [201, "/tickets/7", "text/plain; charset=utf-8", "made"],
      );

      // The control plane reaches the worker's agent, over the port of the supervisor.
      const control = async (path: string, body?: object): Promise<[number, JsonObject]> => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
          headers: { "content-type": "application/json" },
        });
        return [response.status, (await response.json()) as JsonObject];
      };
      const detail = async (): Promise<JsonObject> => (await control("/agents/desk"))[1];
      assert.deepEqual((await control("/agents/desk/state"))[1], {
        agent: "desk",
        state: { count: 1 },
      });
      assert.deepEqual(await control("/agents/desk/suspend", { reason: "lunch" }), [
        200,
        { status: "suspend_requested", agent: "desk", initiated_by: "unauthenticated" },
      ]);
      let shown = await detail();
      while (shown["status"] !== "SUSPENDED") shown = await detail();
      const { reason, initiated_by } = shown["suspension"] as JsonObject;
      assert.deepEqual([reason, initiated_by], ["lunch", "unauthenticated"]);
      assert.equal(shown["process_id"], "back");
      const waiting = post(port, "later");
      const [injected] = await control("/agents/desk/mailbox", { type: "message", payload: {} });
      assert.equal(injected, 202);
      let depth = 0;
      while (depth < 2) depth = Number((await control("/agents/desk/mailbox"))[1]["depth"]);
      assert.equal((await control("/agents/nobody/mailbox"))[0], 404);
      assert.equal((await control("/agents/desk/resume", { reason: 5 }))[0], 400);
      assert.equal((await control("/agents/desk/resume", {}))[0], 200);
      assert.equal((await waiting).status, 200);
      const [, { history }] = await control("/agents/desk/history");
      const events = (history as JsonObject[]).map(({ event }) => event);
      assert.ok(events.includes("suspended") && events.includes("resumed"), String(events));
      assert.deepEqual((await control("/approvals"))[1], { approvals: [], next: null });

      // Killed, it is back with its state as soon as another one is there; what it worked on is lost, and says so.
      const hanging = post(port, "hang");
      await worker.waitFor(/hanging;/);
      worker.kill("SIGKILL");
      await worker.exited();
      const second = start("--process", "back");
      const lost = await hanging;
      assert.deepEqual(
        [lost.status, await lost.json()],
        [502, { error: "agent 'desk' was lost with its process" }],
      );
      const later = await ask(port);
      assert.deepEqual([later.count, later.pid === first.pid], [4, false]);

      // The supervisor is killed: the worker waits for the next one.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      const third = start();
      await third.waitFor(/started; Ctrl\+C stops/);
      const last = await ask(port);
      assert.deepEqual([last.count, last.pid], [5, later.pid]);

      for (const program of [third, second]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );

test("run says what a worker needs", async () => {
  using folder = createTemporaryFolder({
    "topology.yaml": topology('{ type: nats, servers: "nats://127.0.0.1:1" }', 1),
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  const run = async (...words: string[]) =>
    await runProgram(process.execPath, [binary, "run", ...words], {
      workingDirectory: folder.path,
    });
  const unknown = await run("--process", "front");
  assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
  assert.match(
    unknown.stderr,
    /Cannot run process "front" of .*: no agent belongs to it; there are "back"/,
  );
  const alone = await run("--process", "back", "--transport", "in_process");
  assert.equal(alone.code, 2);
  assert.match(
    alone.stderr,
    /Cannot run with --process: it needs transport zmq or nats, found in_process/,
  );
  const unreachable = await run();
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.stderr, /Cannot connect over nats to nats:\/\/127\.0\.0\.1:1/);
});

test("a worker whose file names no transport waits for the proxy of its supervisor, and says so", async () => {
  const [pub, sub, port] = [await freePort(), await freePort(), await freePort()];
  const section = `{ pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }`;
  using folder = createTemporaryFolder({
    "topology.yaml": topology(section, port),
    "second.yaml": `transport: ${section}
supervision: { name: root, children: [{ name: front, type: agents.Front }] }
`,
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  const start = (...words: string[]) =>
    startProgram(process.execPath, [binary, "run", ...words], { workingDirectory: folder.path });
  const waits = new RegExp(
    `no proxy of ZeroMQ is there yet; it is tried again.*tcp://127\\.0\\.0\\.1:${pub} and`,
  );
  await using early = start("--process", "back");
  await early.waitFor(waits);
  early.kill("SIGTERM");
  const left = await early.exited();
  assert.deepEqual([left.code, left.signal], [0, null], left.stderr);

  await using worker = start("--process", "back");
  await worker.waitFor(waits);
  await using supervisor = start("--transport", "zmq");
  await supervisor.waitFor(/started; Ctrl\+C stops/);
  assert.equal((await ask(port)).count, 1);

  // The ports of the proxy are taken.
  const second = await runProgram(
    process.execPath,
    [binary, "run", "second.yaml", "--transport", "zmq"],
    {
      workingDirectory: folder.path,
    },
  );
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(`Cannot start the proxy of transport zmq at \\S+${pub}: `),
  );
  for (const program of [worker, supervisor]) {
    program.kill("SIGTERM");
    assert.equal((await program.exited()).code, 0);
  }
});

for (const { name, skip, open } of transportCases)
  test(
    `${name}: --spawn-workers starts the workers, again when one dies, and none outlives it`,
    { skip },
    async () => {
      await using broker = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(broker.section, port),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const start = () =>
        startProgram(process.execPath, [binary, "run", "--spawn-workers"], {
          workingDirectory: folder.path,
        });
      const run = start();
      await run.waitFor(/\[back\] started; Ctrl\+C stops/);
      const first = await ask(port);
      assert.notEqual(first.pid, first.front.pid);

      process.kill(first.pid, "SIGKILL");
      await run.waitFor(/worker "back" ended with SIGKILL: started again in 0.1 s/);
      const second = await ask(port);
      assert.deepEqual([second.count, second.front.pid], [2, first.front.pid]);
      run.kill("SIGTERM");
      assert.equal((await run.exited()).code, 0);
      assert.equal(isThere(second.pid), false);

      // Where nothing tells the worker, its stdin does.
      const other = start();
      const third = await askAnew(port, other);
      other.kill("SIGKILL");
      await other.exited();
      while (isThere(third.pid)) await new Promise(setImmediate);
    },
  );

test("--spawn-workers says what it needs", async () => {
  using folder = createTemporaryFolder({
    "topology.yaml": topology("{ type: in_process }", 1),
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  const run = async (...words: string[]) =>
    await runProgram(process.execPath, [binary, "run", "--spawn-workers", ...words], {
      workingDirectory: folder.path,
    });
  const alone = await run();
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /Cannot run with --spawn-workers: it needs transport zmq or nats/);
  const both = await run("--process", "back", "--transport", "zmq");
  assert.equal(both.code, 2);
  assert.match(both.stderr, /Cannot run with both --spawn-workers and --process/);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** As `ask`, once the program serves. */
async function askAnew(port: number, program: ReturnType<typeof startProgram>): Promise<Served> {
  await program.waitFor(/\[back\] started; Ctrl\+C stops/);
  return await ask(port);
}
