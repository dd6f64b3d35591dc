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

/**
 * A step: the process may be killed right here. Each has a name and is the how-manieth of that name since the change began, such as
 * `start of kept 1`; it is printed, so that others are killed there.
 */
const steps = `
import { writeSync } from "node:fs";
import { Server } from "node:net";
import process from "node:process";

const counts = new Map<string, number>();
let isArmed = false;
export const arm = () => void (isArmed = true);
export function step(name: string) {
  if (!isArmed) return;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  const isHere = name + " " + count === process.env["KILL_AT"];
  writeSync(1, (isHere ? "killed at " : "step ") + name + " " + count + "\\n");
  if (!isHere) return;
  process.kill(process.pid, "SIGKILL");
  // Nothing goes on meanwhile.
  for (const end = Date.now() + 10_000; Date.now() < end;);
}
const { listen, close } = Server.prototype;
Server.prototype.listen = function (...options: never[]) {
  step("before a gateway listens");
  return listen.apply(this, options);
};
Server.prototype.close = function (...options: never[]) {
  step("before a gateway closes");
  return close.apply(this, options);
};
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
    step("after a removal of " + agent);
  }
}
`;

const agents = `
import { Agent, type Approval, type Message } from "agentrt";
import { arm, step } from "./steps.ts";

export class Desk extends Agent<{ count: number }> {
  override state = { count: 0 };
  override async onStart() {
    step("start of " + this.name);
    if (this.config["by"] === "nobody") throw new Error("the till is locked");
  }
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

/** The last agent of it does not start: what was done until then is taken back. */
const broken = [...two.slice(0, -1), desk("last", "nobody")];

type FileName = "one.yaml" | "two.yaml" | "broken.yaml";

/** A kind of apply: from which file to which. */
interface Kind {
  readonly name: string;
  readonly from: FileName;
  readonly to: FileName;
  /** True where it is taken back, and the new file does not start. */
  readonly isUndone: boolean;
}

const kinds: readonly Kind[] = [
  { name: "a change", from: "one.yaml", to: "two.yaml", isUndone: false },
  { name: "the change back", from: "two.yaml", to: "one.yaml", isUndone: false },
  { name: "a change that is undone", from: "one.yaml", to: "broken.yaml", isUndone: true },
];

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
  /** Where a process was killed last. */
  lastKill = "";
  /** Calls that nobody acknowledged: they may be in the count. */
  readonly #tried = new Map<string, number>();
  readonly #pictures = new Map<FileName, string>();
  approvalIds: readonly string[] = [];

  constructor(folder: string, ports: Ports) {
    this.#folder = folder;
    this.#ports = ports;
  }

  async start(file: FileName, killAt = ""): Promise<Program> {
    const program = startProgram(process.execPath, [binary, "run", file], {
      workingDirectory: this.#folder,
      environment: { KILL_AT: killAt, NODE_COMPILE_CACHE: join(this.#folder, "compiled") },
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
    try {
      await this.#verify(file);
    } catch (error) {
      throw new Error(`after a kill at ${this.lastKill}: ${String(error)}`, { cause: error });
    }
  }

  async #verify(file: FileName): Promise<void> {
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

  arm(file: FileName): Promise<unknown> {
    return ask(`http://127.0.0.1:${this.portOf(file)}/agents/armer`, {});
  }

  /** Looks whether the last process left nothing but the files that were there. */
  checkFolder(files: { readonly [name: string]: string }): void {
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(this.#folder, name), "utf8"), text);
    const made = readdirSync(this.#folder).filter((name) => /yaml|tmp/.test(name));
    assert.deepEqual(made.sort(), Object.keys(files).sort());
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

/** How often a step is tried: whether a call saves a state before or after the end of an apply is left to chance. */
const attemptCountMax = 3;

/**
 * Lists the steps of each kind of apply, kills a process at each of them, and starts it again with the new file and with the old
 * one: each time the tree is that of the file, agents have the states that they acknowledged, and what waits for people waits on.
 *
 * @param rounds How many kills at most. Ends when there was one at each step.
 * @returns What was done, and how many steps of how many were reached.
 * @throws Error that says what is lost after which kill.
 */
export async function soakApplyKill(rounds: number): Promise<string> {
  const ports = { api: await freePort(), moved: await freePort(), ops: await freePort() };
  const moved = { api: ports.moved, ops: ports.ops };
  const files = {
    "one.yaml": topology(ports, one),
    "two.yaml": topology(moved, two),
    "broken.yaml": topology(moved, broken),
  };
  using folder = createTemporaryFolder({
    "steps.ts": steps,
    "store.ts": overAgentrt(store),
    "agents.ts": overAgentrt(agents),
    ...files,
  });
  const scene = new Scene(folder.path, ports);
  const parts: string[] = [];
  await keepCompiled(scene);
  let kills = 0;
  for (const kind of kinds) {
    const steps = new Steps();
    await runOnce(scene, kind, { steps });
    for (let at = steps.next(); at !== undefined && kills < rounds; at = steps.next()) {
      if (!(await runOnce(scene, kind, { steps, at }))) continue;
      kills += 1;
      // The old file starts again for the next kill.
      if (!kind.isUndone) await startAgain(scene, kind.to);
      scene.checkFolder(files);
      if (kills % 20 === 0) process.stderr.write(`  kill ${kills}\n`);
    }
    await startAgain(scene, kind.from);
    parts.push(`${kind.name}: ${steps.text}`);
  }
  return `apply-kill: ${kills} kills; ${parts.join("; ")}; each time the files start whole, no state and no approval lost`;
}

/** Node keeps what it compiled when a process ends as it should: the many starts are faster then. */
async function keepCompiled(scene: Scene): Promise<void> {
  await using program = await scene.start("one.yaml");
  program.kill("SIGTERM");
  await program.exited();
}

/** The steps of a kind of apply that were seen, and those of them at which a process was killed. */
class Steps {
  /** By the step: how often it was tried. */
  readonly #attempts = new Map<string, number>();
  readonly #reached = new Set<string>();

  /** Notes what a process printed. @returns Where it was killed, if it was. */
  note(stdout: string): string | undefined {
    let reached: string | undefined;
    for (const [, word, step = ""] of stdout.matchAll(/^(step|killed at) (.*)$/gm)) {
      if (!this.#attempts.has(step)) this.#attempts.set(step, 0);
      if (word === "step") continue;
      this.#reached.add(step);
      reached = step;
    }
    return reached;
  }

  /** @returns The next step to be killed at; undefined when all were, or were tried often enough. */
  next(): string | undefined {
    for (const [step, attempts] of this.#attempts) {
      if (this.#reached.has(step) || attempts >= attemptCountMax) continue;
      this.#attempts.set(step, attempts + 1);
      return step;
    }
    return undefined;
  }

  get text(): string {
    const missed = [...this.#attempts.keys()].filter((step) => !this.#reached.has(step));
    const more =
      missed.length === 0
        ? ""
        : `, not ${missed.slice(0, 5).join(", ")}${missed.length > 5 ? ", …" : ""}`;
    return `${this.#reached.size} of ${this.#attempts.size} steps${more}`;
  }
}

/** Starts a file after a kill. */
async function startAgain(scene: Scene, file: FileName): Promise<void> {
  await using program = await scene.start(file);
  await scene.verify(file);
  program.kill("SIGKILL");
  await program.exited();
}

/**
 * Applies a file while its agents are called, in a process that is killed at a step.
 *
 * @param options.at The step; undefined for none: then it is killed behind the apply.
 * @returns Whether it was killed there.
 */
async function runOnce(
  scene: Scene,
  { from, to, isUndone }: Kind,
  { steps, at }: { readonly steps: Steps; readonly at?: string },
): Promise<boolean> {
  await using program = await scene.start(from, at);
  if (scene.approvalIds.length === 0) await scene.askForApproval();
  await scene.verify(from);
  await scene.arm(from);
  const applying = scene.apply(to);
  const calls = ["kept", "moved", "last"].map((agent) => scene.call(from, agent));
  const applied = await Promise.race([applying, program.exited().then(() => undefined)]);
  await Promise.all(calls);
  program.kill("SIGKILL");
  const { stdout } = await program.exited();
  const place = steps.note(stdout);
  scene.lastKill = place ?? "the end";
  assert.ok(place !== undefined || isUndone || applied !== undefined, stdout);
  return place !== undefined;
}
