/** `agentrt topology plan` and `apply` through the real command line, against a topology that runs, with calls in flight. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

let open = Promise.withResolvers<void>();
let lives = 0;

export class Desk extends Agent<{ count: number }> {
  override state = { count: 0 };
  readonly life = (lives += 1);
  override onStart() {
    if (this.config.fails === true) throw new Error("the till is locked");
  }
  override async handle(message: Message) {
    if (message.payload.hold === "1") await open.promise;
    this.state.count += 1;
    return { life: this.life, count: this.state.count, by: this.config.by ?? null };
  }
}
export class Opener extends Agent {
  override async handle() {
    open.resolve();
    return {};
  }
}
`;
const guards = `
import type { Middleware } from "agentrt";

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;

interface Ports {
  readonly gateway: number;
  readonly control: number;
}

function topology(ports: Ports, desks: string): string {
  return `supervision:
  name: root
  children:
${desks.replaceAll(/^/gm, "    ")}
    - agent: { name: opener, type: agents.Opener }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${ports.gateway} } }
    - name: topo
      type: topology_server
      config: { port: ${ports.control}, auth: { middleware: [guards.badge] } }
`;
}

test("an operator plans and applies a file while calls are in flight, and nothing of them is lost", async () => {
  const ports = { gateway: await freePort(), control: await freePort() };
  const moved = { ...ports, control: await freePort() };
  const desk = (by: string, more = "") =>
    `- agent: { name: desk, type: agents.Desk, shutdown_timeout: 60, config: { by: ${by}${more} } }`;
  const kept = "- agent: { name: kept, type: agents.Desk, shutdown_timeout: 60 }";
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "guards.ts": guards,
    "topology.yaml": topology(ports, `${desk("old")}\n${kept}\n${kept.replace("kept", "gone")}`),
    "next.yaml": topology(
      ports,
      `${kept}\n- supervisor: { name: s, children: [{ agent: { name: n, type: agents.Desk } }] }\n${desk("new")}`,
    ),
    "fails.yaml": topology(ports, `${kept}\n${desk("newest", ", fails: true")}`),
    "moved.yaml": topology(moved, `${kept}\n${desk("new")}`),
    "wrong.yaml": topology(ports, "- agent: { nam: x }"),
    "store.yaml": `${topology(ports, kept)}plugins: { state: { type: sqlite } }\n`,
  });
  const agentrt = async (...words: string[]): Promise<ProgramExit> =>
    await runProgram(process.execPath, [binary, "topology", ...words], {
      workingDirectory: folder.path,
    });
  const running = ["--running", "topology.yaml", "-H", "X-Badge: ada"];
  // It runs while a dozen commands start and end, which takes minutes on a busy machine.
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    timeoutMs: 1_200_000,
  });
  await program.waitFor(/started/);
  const call = async (agent: string, payload: object = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${ports.gateway}/agents/${agent}`, {
      method: "POST",
      body: JSON.stringify(payload),
      headers: { "content-type": "application/json" },
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const control = async (
    path: string,
    body?: object,
  ): Promise<[number, Record<string, unknown>]> => {
    const response = await fetch(`http://127.0.0.1:${ports.control}${path}`, {
      headers: { "x-badge": "bob", "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Record<string, unknown>];
  };

  const next = readFileSync(`${folder.path}/next.yaml`, "utf8");
  const first = await call("kept");
  const plan = await agentrt("plan", "next.yaml", ...running, "--exit-code");
  assert.equal(plan.code, 1, plan.stderr);
  assert.equal(
    plan.stdout,
    `stop      gone  (agent)
change    root  (supervisor)
          order of children: desk, kept -> kept, desk
start     s  (supervisor)
start     n  (agent)
restart   desk  (agent)
          config.by: old -> new

Plan: 1 to stop, 2 to start, 1 to restart, 1 to change, 4 to keep
Nothing was changed: this applies it: agentrt topology apply next.yaml --running topology.yaml
`,
  );
  const same = await agentrt("plan", "topology.yaml", ...running, "--exit-code");
  assert.deepEqual([same.code, same.stdout], [0, "Nothing to change\n"]);
  const unasked = await agentrt("apply", "next.yaml", ...running);
  assert.equal(unasked.code, 1);
  assert.match(unasked.stderr, /--yes was not given: nothing was changed/);
  assert.match(unasked.stdout, /\nPlan: 1 to stop, /);
  const codes = ["topology.yaml", "next.yaml", "store.yaml", "wrong.yaml"].map(async (file) => {
    const exit = await agentrt("plan", file, ...running, "--detailed-exit-code");
    return [
      exit.code,
      exit.stdout.endsWith("\nIt cannot be applied: end the process, and run the file\n"),
    ];
  });
  const [untouched, applicable, needsRestart, broken] = await Promise.all(codes);
  assert.deepEqual(
    { untouched, applicable, needsRestart, broken },
    { untouched: [0, false], applicable: [3, false], needsRestart: [4, true], broken: [1, false] },
  );

  // Two calls wait at an agent that is to restart, one at hand and one behind it; one at an agent that is to go.
  const [atHand, going] = [call("desk", { hold: "1" }), call("gone", { hold: "1" })];
  for (let held = 0; held < 2;) {
    const [, body] = await control("/plan", { topology: next });
    const nodes = body["nodes"] as { messages_at_hand: number }[];
    held = nodes.filter((node) => node.messages_at_hand > 0).length;
  }
  // Each call has a connection: only one that is at hand is before the next for certain.
  const inFlight = [atHand, call("desk"), going];
  for (let depth: unknown; depth !== 1;) [, { depth }] = await control("/agents/desk/mailbox");
  const applying = agentrt("apply", "next.yaml", ...running, "--yes", "--json");
  for (let status: unknown; status !== "applying";) [, { status }] = await control("/apply");
  const [busy, refused] = await control("/apply", { topology: topology(ports, kept) });
  assert.deepEqual([busy, refused["code"]], [409, "AGENTRT_APPLY_BUSY"]);
  await call("opener");
  const applied = await applying;
  assert.equal(applied.code, 0, applied.stderr);
  const printed = JSON.parse(applied.stdout) as { status: string; late: unknown[] };
  assert.deepEqual([printed.status, printed.late], ["applied", []]);
  const answers = await Promise.all(inFlight);
  assert.deepEqual(
    answers.map(({ status, count }) => [status, count]),
    [
      [200, 1],
      [200, 2],
      [200, 1],
    ],
  );
  assert.deepEqual((await call("kept"))["life"], first["life"]);
  assert.deepEqual([(await call("desk"))["by"], (await call("gone"))["status"]], ["new", 404]);
  await program.waitFor(/another topology was applied initiatedBy=ada/);

  const failed = await agentrt("apply", "fails.yaml", ...running, "--yes");
  assert.equal(failed.code, 1);
  assert.match(
    failed.stderr,
    /Cannot apply "fails\.yaml": .*"desk" did not start, and all is as it was before: the till is locked, HTTP status 409/,
  );
  assert.deepEqual([(await call("desk"))["by"], (await call("n"))["status"]], ["new", 200]);
  const wrong = await agentrt("apply", "wrong.yaml", ...running, "--yes");
  assert.match(wrong.stderr, /wrong\.yaml:4:\d+/);
  const store = await agentrt("apply", "store.yaml", ...running, "--yes");
  assert.match(store.stderr, /plugins: state .*: that needs a restart of the process/);
  const [status, body] = await control("/plan", { topology: "supervision: {", name: "x.yaml" });
  assert.equal(status, 400);
  assert.match(String((body["problems"] as string[])[0]), /^x\.yaml:1:/);

  // The control plane itself goes to another port: the answer comes from there.
  const elsewhere = await agentrt("apply", "moved.yaml", ...running, "--yes");
  assert.equal(elsewhere.code, 0, elsewhere.stderr);
  assert.match(
    elsewhere.stdout,
    /restarted topo {2}\(topology_server\)\n {10}port: \d+ -> \d+[^]*Applied\n$/,
  );
  const after = await agentrt("plan", "moved.yaml", "-H", "X-Badge: ada");
  assert.deepEqual([after.code, after.stdout], [0, "Nothing to change\n"]);
  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});
