/** `agentrt run` and `agentrt call` through the real command line, on real sockets and signals. */
import assert from "node:assert/strict";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  startProgram,
  type TemporaryFolder,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Counter extends Agent {
  override async handle(message: Message) {
    if (message.payload["order"] === "crash") throw new Error("told to crash");
    if (message.payload["order"] === "float") void Promise.reject(new Error("left alone"));
    if (message.payload["order"] === "exit") process.exit(7);
    if (message.payload["order"] === "print") console.log("printed");
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"], word: message.payload["word"] ?? null };
  }
}

export class Late extends Counter {
  override async onStart() {
    console.log("late is starting");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

export class Stubborn extends Agent {
  override async handle() {
    return {};
  }
  override async onStop() {
    console.log("stubborn is stopping");
    await new Promise(() => setInterval(() => {}, 1000));
  }
}
`;

function topology(port: number, extra = ""): string {
  return `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: counter, type: agents.Counter }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: GET, path: "/count/{word}", agent: counter }
          - { method: POST, path: "/count", agent: counter }
${extra}`;
}

function start(folder: TemporaryFolder, ...args: string[]): Program {
  return startProgram(process.execPath, [binary, "run", ...args], {
    workingDirectory: folder.path,
  });
}

async function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

async function agentrt(folder: TemporaryFolder, ...args: string[]) {
  return await runProgram(process.execPath, [binary, ...args], { workingDirectory: folder.path });
}

test("run serves agents written in TypeScript, restarts one that crashed with its checkpoint, and stops on SIGTERM", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = start(folder);
  await program.waitFor(/started/);
  const url = `http://127.0.0.1:${port}`;
  const first = await fetch(`${url}/count/hello`);
  assert.deepEqual(await first.json(), { count: 1, word: "hello" });
  const crash = await post(`${url}/count`, { order: "crash" });
  assert.equal(crash.status, 502);
  const second = await fetch(`${url}/count/again`);
  assert.deepEqual(await second.json(), { count: 2, word: "again" });
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, /SIGTERM: stopping[\s\S]*stopped/);
});

test("run keeps the process up when an agent leaves a rejection behind, and restarts that agent", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = start(folder);
  await program.waitFor(/started/);
  const url = `http://127.0.0.1:${port}`;
  await post(`${url}/count`, { order: "float" });
  await program.waitFor(/left alone/);
  const after = await fetch(`${url}/count/after`);
  assert.equal(after.status, 200);
  program.kill("SIGINT");
  assert.equal((await program.exited()).code, 0);
});

test("run refuses a state file that another run holds, naming its process id", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port),
    "second.yaml": topology(await freePort()),
  });
  await using program = start(folder);
  await program.waitFor(/started/);
  const second = await agentrt(folder, "run", "--topology", "second.yaml");
  assert.equal(second.code, 1);
  assert.match(second.stderr, new RegExp(`${program.process.pid}`));
  assert.equal(second.stderr.trim().split("\n").length, 1, second.stderr);
});

test("run refuses a key it does not serve, naming it with its position, and never starts", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": `mcp: { servers: [{ name: a, command: b, sandbox: { enabled: true } }] }\n${topology(port)}`,
  });
  const exit = await agentrt(folder, "run");
  assert.equal(exit.code, 1);
  assert.match(exit.stderr, /topology\.yaml:1:\d+: mcp\.servers\.sandbox/);
  assert.equal(exit.stderr.trim().split("\n").length, 1, exit.stderr);
});

test("run names the node, host and port that are taken, and exits 1", async () => {
  const blocker = createServer();
  blocker.listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const { port } = blocker.address() as { port: number };
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  const exit = await agentrt(folder, "run");
  blocker.close();
  assert.equal(exit.code, 1);
  assert.match(exit.stderr, new RegExp(`gateway.*127\\.0\\.0\\.1.*${port}`));
  assert.doesNotMatch(exit.stderr, /^\s+at /m);
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  test(`a second ${signal} ends a run that waits for a stubborn agent, with exit code ${code}`, async () => {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml":
        "supervision: { name: root, children: [ { agent: { name: stubborn, type: agents.Stubborn } } ] }\n",
    });
    await using program = start(folder);
    await program.waitFor(/started/);
    program.kill(signal);
    await program.waitFor(/stubborn is stopping/);
    program.kill(signal);
    assert.equal((await program.exited()).code, code);
  });

test("run names a class that is missing and the nearest export, with its place in the topology", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml":
      "supervision:\n  name: root\n  children:\n    - agent: { name: a, type: agents.Conter }\n",
  });
  const exit = await agentrt(folder, "run");
  assert.equal(exit.code, 1);
  assert.match(exit.stderr, /topology\.yaml:4:\d+: .*agents\.Conter.*did you mean "?Counter/);
});

test("call fills the path, sends the rest, prints the reply, and tells failures by its exit code", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  const before = await agentrt(folder, "call", "counter", '{"word":"early"}');
  assert.equal(before.code, 1);
  assert.match(before.stderr, /is the topology running\?/);
  await using program = start(folder);
  await program.waitFor(/started/);
  const good = await agentrt(folder, "call", "counter", '{"word":"hi there"}');
  assert.deepEqual(JSON.parse(good.stdout), { count: 1, word: "hi there" });
  assert.equal(good.code, 0);
  const other = await agentrt(folder, "call", "counter");
  assert.deepEqual(JSON.parse(other.stdout), { count: 2, word: null });
  const unknown = await agentrt(folder, "call", "nobody");
  assert.equal(unknown.code, 1);
  const noJson = await agentrt(folder, "call", "counter", "{");
  assert.equal(noJson.code, 2);
});

test("run says which agent called process.exit, and where", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = start(folder);
  await program.waitFor(/started/);
  await assert.rejects(post(`http://127.0.0.1:${port}/count`, { order: "exit" }));
  const exit = await program.exited();
  assert.equal(exit.code, 7);
  assert.match(exit.stderr, /an agent ends the process agent=counter .* at=\S*agents\.ts:8:\d+\n/);
});

test("run goes on when nobody reads its output any more", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = start(folder);
  await program.waitFor(/started/);
  program.process.stdout?.destroy();
  const url = `http://127.0.0.1:${port}`;
  for (let count = 1; count <= 3; count += 1)
    assert.equal((await post(`${url}/count`, { order: "print" })).status, 200);
  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});

test("run that is told to stop while its tree starts says so and stops what had started", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml":
      "supervision: { name: root, children: [ { agent: { name: late, type: agents.Late } } ] }\n",
  });
  await using program = start(folder);
  await program.waitFor(/late is starting/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.code, 0);
  assert.match(exit.stderr, /^SIGTERM: stopping\nstopped\n$/);
});

test("run that waits for a module which never loads says so and exits 1", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": "await new Promise(() => {});\nexport class A {}\n",
    "topology.yaml":
      "supervision: { name: root, children: [ { agent: { name: a, type: agents.A } } ] }\n",
  });
  const exit = await agentrt(folder, "run");
  assert.equal(exit.code, 1);
  assert.match(exit.stderr, /^agentrt: Cannot go on: nothing is left .*top-level await.*\n$/);
});

test("call tells a foreign server and a stalled reply from an answer", async () => {
  const replies: readonly (readonly [RequestListener, RegExp, string?])[] = [
    [(_, response) => void response.end("<p>\u001B[31m"), /the reply is not JSON/],
    [
      (_, response) => void response.write("{"),
      /Cannot get a reply .*none came within 0\.2 s/,
      "0.2",
    ],
    [(_, response) => void response.writeHead(302, { location: "/" }).end(), /unexpected redirect/],
  ];
  for (const [listener, expected, timeout = "60"] of replies) {
    const server = createHttpServer(listener);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    using folder = createTemporaryFolder({ "topology.yaml": topology(port) });
    const exit = await agentrt(folder, "call", "counter", "{}", "--timeout", timeout);
    server.closeAllConnections();
    server.close();
    assert.equal(exit.code, 1);
    assert.match(exit.stderr, expected);
    assert.equal(exit.stderr.trimEnd().split("\n").length, 1, exit.stderr);
    assert.doesNotMatch(exit.stdout, /\u001B/);
  }
});
