/** A halt by an eval agent through the death of the process: `agentrt run`, killed, run again, resumed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, EvalAgent, type EvalEvent, type Message } from "agentrt";

export class Judge extends EvalAgent {
  override onEvalEvent({ payload }: EvalEvent) {
    return payload["text"] === "rude" ? ({ severity: "halt", reason: "it is rude" } as const) : null;
  }
}
export class Writer extends Agent {
  override onStart() { console.log(this.name + " begins with " + JSON.stringify(this.state)); }
  override onResume(approver: string) { console.log(this.name + " goes on by " + approver); }
  override async handle({ payload }: Message) {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    if (!this.name.startsWith("desks")) await this.checkpoint();
    await this.emitEval("answer", { text: payload["text"] ?? "" });
    return { count: this.state["count"], by: this.name };
  }
}
export class Spawner extends Agent {
  override async onStart() { await this.spawn("agents.Writer", "spawned"); }
  override async handle() { return {}; }
}
`;

const topology = (port: number, controlPort: number): string => `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - { name: judge, type: eval_agent, config: { class: agents.Judge } }
    - agent: { name: writer, type: agents.Writer }
    - { name: ticket, type: keyed, class: agents.Writer, key: ticket }
    - { name: desks, type: pool, class: agents.Writer, size: 1 }
    - { name: spawning, type: dynamic_supervisor, config: { class_allowlist: ["agents.Writer"] } }
    - agent: { name: spawner, type: agents.Spawner }
    - { name: gateway, type: http_gateway, config: { port: ${port} } }
    - { name: control, type: topology_server, config: { port: ${controlPort} } }
`;

const halted = ["writer", "ticket/4711", "desks/1", "spawned"];

/** How a client reaches each of them. */
const routes: { readonly [name: string]: readonly [path: string, body: object] } = {
  writer: ["writer", {}],
  "ticket/4711": ["ticket", { ticket: "4711" }],
  "desks/1": ["desks", {}],
  spawned: ["spawned", {}],
};

test("a halt outlives kill -9, says who and why, and is lifted from the command line, of every kind of agent", async () => {
  const [port, controlPort] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, controlPort),
  });
  const start = () =>
    startProgram(process.execPath, [binary, "run"], { workingDirectory: folder.path });
  const run = (...words: string[]) =>
    runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
  const write = async (name: string, text: string) => {
    const [path, body] = routes[name] ?? ["", {}];
    const response = await fetch(`http://127.0.0.1:${port}/agents/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, text }),
    });
    return { status: response.status, body: JSON.stringify(await response.json()) };
  };
  const ask = async (path: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${controlPort}${path}`)).json()) as Answer;
  {
    await using program = start();
    await program.waitFor(/started/);
    for (const name of halted) {
      assert.equal((await write(name, "rude")).status, 200, name);
      await program.waitFor(new RegExp(`agent is halted.*${name}`));
    }
    const { history } = await ask("/agents/writer/history");
    const entry = history?.find(({ event }) => event === "halted");
    assert.deepEqual(
      [entry?.["initiated_by"], entry?.["reason"], entry?.["durable"]],
      ["judge", "it is rude", true],
    );
    program.kill("SIGKILL");
    await program.exited();
  }
  const audit = readFileSync(join(folder.path, "agentrt_audit.jsonl"), "utf8");
  const record = audit.split("\n").find((line) => line.includes("agent.halt")) ?? "";
  for (const part of ["writer", '"initiated_by":"judge"', '"reason":"it is rude"'])
    assert.ok(record.includes(part), record);
  await using program = start();
  await program.waitFor(/halted and does not start.*writer.*judge.*it is rude/);
  await program.waitFor(/started/);
  for (const name of halted) {
    const { status, body } = await write(name, "kind");
    assert.equal(status, 503, `${name}: ${body}`);
  }
  const listed = (await ask("/agents")) as unknown as readonly Listed[];
  const writer = listed.find(({ name }) => name === "writer");
  assert.equal(writer?.status, "STOPPED");
  assert.deepEqual([writer.halted?.initiated_by, writer.halted?.reason], ["judge", "it is rude"]);
  assert.deepEqual((await ask("/health")).halted?.toSorted(), ["desks/1", "spawned", "writer"]);
  const { processes } = await ask("/processes");
  assert.deepEqual(processes?.[0]?.halted?.toSorted(), ["desks/1", "spawned", "writer"]);
  assert.match(
    (await run("ps")).stdout,
    /\n! writer is halted by an eval agent: agentrt describe writer, then agentrt resume writer\n/,
  );
  const described = await run("describe", "writer");
  assert.match(described.stdout, /halted +by judge .* ago: it is rude/);
  const restarted = await run("restart", "writer");
  assert.notEqual(restarted.code, 0);
  assert.match(restarted.stderr, /"judge" has halted it/);
  assert.ok(!/begins/.test(program.output.split("halted and does not start")[0] ?? ""));
  for (const name of halted) {
    const resumed = await run("resume", name);
    assert.equal(resumed.code, 0, resumed.stderr);
    await program.waitFor(new RegExp(`${name} goes on by `));
    assert.deepEqual(JSON.parse((await write(name, "kind")).body), {
      count: name.startsWith("desks") ? 1 : 2,
      by: name,
    });
  }
  assert.equal((await ask("/health")).halted, undefined);
  program.kill("SIGKILL");
  await program.exited();
  await using third = start();
  await third.waitFor(/started/);
  for (const name of halted) assert.equal((await write(name, "kind")).status, 200, name);
});

interface Listed {
  readonly name: string;
  readonly status: string;
  readonly halted?: { readonly initiated_by: string; readonly reason: string };
}

interface Answer {
  readonly halted?: readonly string[];
  readonly processes?: readonly { readonly halted?: readonly string[] }[];
  readonly history?: readonly { readonly [name: string]: unknown }[];
}
