import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  overAgentrt,
  type Program,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

/** A step: the process may be killed right here. Counted from the moment at which the change begins. */
const steps = `
import { writeSync } from "node:fs";
import process from "node:process";

let count = 0;
let isArmed = false;
export const arm = () => void (isArmed = true);
export function step(name: string) {
  if (!isArmed) return;
  count += 1;
  if (count !== Number(process.env["KILL_AT"])) return;
  process.stdout.write("killed at " + name + "\\n", () => process.kill(process.pid, "SIGKILL"));
  // Nothing goes on meanwhile.
  for (const end = Date.now() + 10_000; Date.now() < end;);
}
`;

/** Tells its steps before and after each write. */
const store = `
import { SqliteStateStore } from "agentrt/state";
import { step } from "./steps.ts";

export class Store extends SqliteStateStore {
  constructor() { super({ path: "state.db" }); }
  override async set(agent: string, state: never) {
    step("before a write of " + agent);
    await super.set(agent, state);
    step("after a write of " + agent);
  }
  override async delete(agent: string) {
    step("before a removal of " + agent);
    await super.delete(agent);
  }
}
`;

const agents = `
import { Agent, type Approval, type Message } from "agentrt";
import { arm, step } from "./steps.ts";

export class Desk extends Agent<{ count: number }> {
  override state = { count: 0 };
  override async onStart() { step("start of " + this.name); }
  override async onStop() { step("stop of " + this.name); }
  override async handle() {
    this.state.count += 1;
    await this.checkpoint();
    return { count: this.state.count, by: this.config["by"] ?? null };
  }
}
export class Payer extends Agent {
  override async onStart() { step("start of " + this.name); }
  override async onStop() { step("stop of " + this.name); }
  override async handle() { return { id: await this.suspendForApproval({ kind: "pay", payload: {}, expiresMs: 86_400_000 }) }; }
  override async onApproval(approval: Approval) { approval.granted(); }
}
export class Armer extends Agent {
  override async handle() { arm(); return {}; }
}
`;

interface Ports {
  readonly api: number;
  readonly moved: number;
  readonly ops: number;
}

const desk = (name: string, by = "x"): string =>
  `- agent: { name: ${name}, type: agents.Desk, config: { by: ${by} } }`;

const topology = (
  { api, ops }: Pick<Ports, "api" | "ops">,
  children: readonly string[],
): string => `plugins:
  state: { type: store.Store }
supervision:
  name: root
  children:
    - agent: { name: armer, type: agents.Armer }
${children.map((child) => `    ${child}\n`).join("")}    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${api} } }
    - { name: ops, type: topology_server, config: { port: ${ops} } }
`;

const payer = (by: string): string =>
  `- agent: { name: payer, type: agents.Payer, config: { by: ${by} } }`;

const one = [
  desk("kept"),
  desk("changed", "one"),
  payer("one"),
  desk("gone"),
  `- supervisor: { name: s, strategy: ONE_FOR_ALL, children: [${desk("moved").slice(2)}, ${desk("last").slice(2)}] }`,
];
const two = [
  desk("moved"),
  desk("fresh"),
  `- supervisor: { name: t, children: [${desk("changed", "two").slice(2)}] }`,
  payer("two"),
  desk("kept"),
  desk("last"),
];

type FileName = "one.yaml" | "two.yaml";

type Body = { readonly [key: string]: unknown };

async function ask(url: string, body?: object): Promise<Body | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(20_000),
      ...(body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
    });
    const answer = (await response.json()) as Body;
    return response.ok ? answer : undefined;
  } catch {
    // It was killed meanwhile.
    return undefined;
  }
}

/** A process that runs one of the files, and what is known of its agents. */
class Scene {
  readonly #folder: string;
  readonly #ports: Ports;
  /** The least count that an agent must have: what was acknowledged. */
  readonly #acknowledged = new Map<string, number>();
  /** Calls that nobody acknowledged: they may be in the count. */
  readonly #tried = new Map<string, number>();
  readonly #pictures = new Map<FileName, string>();
  approvalIds: readonly string[] = [];

  constructor(folder: string, ports: Ports) {
    this.#folder = folder;
    this.#ports = ports;
  }

  async start(file: FileName, killAt = 0): Promise<Program> {
    const program = startProgram(process.execPath, [binary, "run", file], {
      workingDirectory: this.#folder,
      environment: { KILL_AT: String(killAt) },
    });
    await program.waitFor(/started; Ctrl/);
    return program;
  }

  portOf(file: FileName): number {
    return file === "one.yaml" ? this.#ports.api : this.#ports.moved;
  }

  async call(file: FileName, agent: string): Promise<Body | undefined> {
    const answer = await ask(`http://127.0.0.1:${this.portOf(file)}/agents/${agent}`, {});
    if (answer === undefined) this.#tried.set(agent, (this.#tried.get(agent) ?? 0) + 1);
    else {
      const least = (this.#acknowledged.get(agent) ?? 0) + 1;
      const count = Number(answer["count"]);
      const most = least + (this.#tried.get(agent) ?? 0);
      assert.ok(count >= least && count <= most, `${agent}: ${count}, want ${least} to ${most}`);
      this.#acknowledged.set(agent, count);
      this.#tried.delete(agent);
    }
    return answer;
  }

  async apply(file: FileName): Promise<unknown> {
    const text = readFileSync(join(this.#folder, file), "utf8");
    return await ask(`http://127.0.0.1:${this.#ports.ops}/apply`, { topology: text });
  }

  /** Looks at a process that was just started: the tree, the states, and what waits for people. */
  async verify(file: FileName): Promise<void> {
    const ops = `http://127.0.0.1:${this.#ports.ops}`;
    const tree = await ask(`${ops}/topology`);
    const shape = JSON.stringify(shapeOf(tree?.["root"] ?? tree));
    const before = this.#pictures.get(file) ?? shape;
    this.#pictures.set(file, before);
    assert.equal(shape, before, `a start of ${file} gives another tree`);
    for (const agent of file === "one.yaml" ? agentsOfOne : agentsOfTwo) {
      const answer = await this.call(file, agent);
      assert.ok(answer !== undefined, `${agent} does not answer after a start of ${file}`);
      const by = agent === "changed" ? file.slice(0, 3) : "x";
      assert.equal(answer["by"], by, `${agent} is described as in the other file`);
    }
    const page = await ask(`${ops}/approvals?status=pending`);
    const pending = (page?.["approvals"] ?? []) as { readonly id: string }[];
    const ids = pending.map(({ id }) => id);
    if (this.approvalIds.length === 0) this.approvalIds = ids;
    assert.deepEqual(ids, this.approvalIds, `after a start of ${file}`);
  }

  async askForApproval(): Promise<void> {
    void ask(`http://127.0.0.1:${this.#ports.api}/agents/payer`, {});
    const ops = `http://127.0.0.1:${this.#ports.ops}`;
    for (let count = 0; count === 0;) {
      const page = await ask(`${ops}/approvals?status=pending`);
      count = ((page?.["approvals"] ?? []) as unknown[]).length;
    }
  }

  arm(): Promise<unknown> {
    return ask(`http://127.0.0.1:${this.#ports.api}/agents/armer`, {});
  }
}

const agentsOfOne = ["kept", "changed", "gone", "moved", "last"];
const agentsOfTwo = ["moved", "fresh", "changed", "kept", "last"];

/** Names, kinds and settings of a tree, without what passes. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value;
  const kept = ["name", "kind", "type", "strategy", "status", "children", "max_restarts", "root"];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => kept.includes(key))
      .map(([key, each]) => [key, shapeOf(each)]),
  );
}

/**
 * Kills a process at each step of an apply, and starts it again with the new file and with the old one: each time the tree is
 * that of the file, agents have the states that they acknowledged, and what waits for people waits on.
 *
 * @param rounds How many kills; from the first step on, and again from the first one behind the last.
 * @returns What was done.
 * @throws Error that says what is lost after which kill.
 */
export async function soakApplyKill(rounds: number): Promise<string> {
  const ports = { api: await freePort(), moved: await freePort(), ops: await freePort() };
  const files = {
    "one.yaml": topology(ports, one),
    "two.yaml": topology({ api: ports.moved, ops: ports.ops }, two),
  };
  using folder = createTemporaryFolder({
    "steps.ts": steps,
    "store.ts": overAgentrt(store),
    "agents.ts": overAgentrt(agents),
    ...files,
  });
  const scene = new Scene(folder.path, ports);
  const places = new Set<string>();
  let wholeCount = 0;
  for (let round = 1, killAt = 1; round <= rounds; round += 1, killAt += 1) {
    const place = await killOnce(scene, killAt, round === 1);
    if (place === undefined) {
      wholeCount += 1;
      killAt = 0;
    } else places.add(place);
    const order: readonly FileName[] =
      round % 2 === 0 ? ["one.yaml", "two.yaml"] : ["two.yaml", "one.yaml"];
    for (const file of order) {
      await using program = await scene.start(file);
      try {
        await scene.verify(file);
      } catch (error) {
        throw new Error(`after a kill at ${place ?? "the end"}: ${String(error)}`, {
          cause: error,
        });
      }
      program.kill("SIGKILL");
      await program.exited();
    }
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(folder.path, name), "utf8"), text);
    const made = readdirSync(folder.path).filter((name) => /yaml|tmp/.test(name));
    assert.deepEqual(made.sort(), ["one.yaml", "two.yaml"]);
    if (round % 20 === 0) process.stderr.write(`  kill ${round} of ${rounds}\n`);
  }
  return `apply-kill: ${rounds} kills, ${places.size} different steps of an apply and ${wholeCount} behind its end; each time both files start whole, no state and no approval lost`;
}

/** @returns Where it was killed; undefined when the apply was done before. */
async function killOnce(
  scene: Scene,
  killAt: number,
  isFirst: boolean,
): Promise<string | undefined> {
  await using program = await scene.start("one.yaml", killAt);
  if (isFirst) await scene.askForApproval();
  await scene.verify("one.yaml");
  await scene.arm();
  const applying = scene.apply("two.yaml");
  const calls = ["kept", "moved", "last"].map((agent) => scene.call("one.yaml", agent));
  const applied = await Promise.race([applying, program.exited().then(() => undefined)]);
  await Promise.all(calls);
  program.kill("SIGKILL");
  const { stdout } = await program.exited();
  const place = /killed at (.*)/.exec(stdout)?.[1];
  assert.ok(place !== undefined || applied !== undefined, stdout);
  return place;
}
