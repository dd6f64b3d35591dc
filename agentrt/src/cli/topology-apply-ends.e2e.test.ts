/**
 * `topology apply` that comes to its end otherwise: its client leaves, the process is stopped in
 * the middle, the control plane goes with the old file.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

let open = Promise.withResolvers<void>();

export class Desk extends Agent<{ count: number }> {
  override state = { count: 0 };
  override async onStart() {
    if (this.config.waits !== true || this.state.count > 0) return;
    await open.promise;
    this.state.count = 1;
  }
  override async handle(message: Message) {
    if (message.payload.hold === true) await open.promise;
    this.state.count += 1;
    await this.checkpoint();
    return { count: this.state.count, by: this.config.by ?? null };
  }
}
export class Opener extends Agent {
  override async handle() {
    open.resolve();
    open = Promise.withResolvers();
    return {};
  }
}
`;

interface Ports {
  readonly api: number;
  readonly ops: number;
}

const controlPlane = (
  port: number,
): string => `    - { name: topo, type: topology_server, config: { attach_to: ops } }
    - name: ops
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: topo, routes: [{ method: POST, path: /open, agent: opener }] }
`;

const topology = (
  ports: Ports,
  desks: string,
  control = controlPlane(ports.ops),
): string => `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - agent: { name: opener, type: agents.Opener }
${desks.replaceAll(/^/gm, "    ")}
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${ports.api} } }
${control}`;

const desk = (name: string, by: string, more = ""): string =>
  `- agent: { name: ${name}, type: agents.Desk, config: { by: ${by}${more} } }`;

type Body = { readonly [key: string]: unknown };

async function post(port: number, path: string, body: object = {}): Promise<[number, Body]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  return [response.status, (await response.json()) as Body];
}

async function becomes(port: number, wanted: string): Promise<Body> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/apply`);
    const body = (await response.json()) as Body;
    if (body["status"] === wanted) return body;
  }
}

async function waits(port: number, agent: string): Promise<void> {
  for (let depth = 0; depth === 0;) {
    const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`);
    ({ mailbox_depth: depth } = (await response.json()) as { mailbox_depth: number });
  }
}

test("an apply goes on when its client leaves, a stop ends it, and the next start runs the file that it is given", async () => {
  const ports = { api: await freePort(), ops: await freePort() };
  const moved = { ...ports, api: await freePort() };
  const waiting = (name: string): string =>
    desk(name, "x", ", waits: true").replace("config:", "shutdown_timeout: 0.1, config:");
  const files = {
    "topology.yaml": topology(ports, desk("desk", "one")),
    "slower.yaml": topology(ports, `${waiting("slower")}\n${desk("desk", "three")}`),
    "moved.yaml": topology(moved, "", `${controlPlane(ports.ops)}    ${waiting("slowest")}\n`),
    "closed.yaml": topology(ports, desk("desk", "five"), ""),
  };
  using folder = createTemporaryFolder({ "agents.ts": agents, ...files });
  const agentrt = async (...words: string[]): Promise<ProgramExit> =>
    await runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
  const start = async (file: string): Promise<Program> => {
    const program = startProgram(process.execPath, [binary, "run", file], {
      workingDirectory: folder.path,
    });
    await program.waitFor(/started; Ctrl/);
    return program;
  };

  const call = async (port = ports.api): Promise<Body> => (await post(port, "/agents/desk"))[1];
  const open = async (): Promise<void> => void (await post(ports.ops, "/open"));

  await using first = await start("topology.yaml");
  assert.deepEqual(await call(), { count: 1, by: "one" });
  const running = ["--running", "topology.yaml", "--yes"];
  const leaving = new AbortController();
  const left = fetch(`http://127.0.0.1:${ports.ops}/apply`, {
    method: "POST",
    signal: leaving.signal,
    body: JSON.stringify({ topology: files["slower.yaml"] }),
    headers: { "content-type": "application/json" },
  });
  left.catch(() => undefined);
  await becomes(ports.ops, "applying");
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });
  const [status, refused] = await post(ports.ops, "/apply", { topology: files["topology.yaml"] });
  assert.deepEqual([status, refused["code"]], [409, "AGENTRT_APPLY_BUSY"]);
  await open();
  await becomes(ports.ops, "applied");
  assert.deepEqual(await call(), { count: 2, by: "three" });

  // Stopped in the middle: an agent is gone, a gateway has another port already, and an agent waits in its start.
  const moving = post(ports.ops, "/apply", { topology: files["moved.yaml"] });
  await first.waitFor(new RegExp(`api listens on http://127.0.0.1:${moved.api}`));
  const held = call();
  await waits(ports.ops, "desk");
  first.kill("SIGTERM");
  const [told, ended] = await moving;
  assert.deepEqual([told, ended["code"]], [503, "AGENTRT_SUPERVISION_NOT_STARTED"]);
  // The agent that was gone is there again for what has come meanwhile.
  assert.deepEqual(await held, { count: 3, by: "three" });
  const stopped = await first.exited();
  assert.deepEqual([stopped.code, stopped.signal], [0, null], stopped.stderr);
  assert.match(stopped.stderr, /a topology was not applied/);

  await using second = await start("topology.yaml");
  assert.deepEqual(await call(), { count: 4, by: "one" });
  const gone = await agentrt("topology", "apply", "closed.yaml", ...running);
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /it is under way, and the file has no control plane/);
  await second.waitFor(/another topology was applied/);
  assert.deepEqual(await call(), { count: 5, by: "five" });
  await assert.rejects(post(ports.ops, "/open"));
  second.kill("SIGTERM");
  assert.equal((await second.exited()).code, 0);
});
