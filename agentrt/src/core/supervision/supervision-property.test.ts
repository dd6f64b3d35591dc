import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import type { TreeNode } from "../tree/tree-node.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor, type ChildSpec, type SupervisorSpec } from "../tree/supervisor-spec.ts";

/** A random tree without names: a number is an agent, whose start fails with that chance in percent. */
type Shape = number | { readonly limits: Limits; readonly children: readonly Shape[] };

interface Limits {
  readonly strategy: "ONE_FOR_ONE" | "ONE_FOR_ALL" | "REST_FOR_ONE";
  readonly backoff: "CONSTANT" | "LINEAR" | "EXPONENTIAL";
  readonly restartCountMax: number;
  readonly restartWindowMs: number;
  readonly backoffBaseMs: number;
}

interface Step {
  readonly agent: number;
  readonly kind: "crash" | "call" | "hang" | "restart" | "stopAgent";
  readonly pauseMs: number;
}

const limits = fc.record<Limits>({
  strategy: fc.constantFrom("ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"),
  backoff: fc.constantFrom("CONSTANT", "LINEAR", "EXPONENTIAL"),
  restartCountMax: fc.integer({ min: 0, max: 4 }),
  restartWindowMs: fc.constantFrom(100, 1000, 60_000),
  backoffBaseMs: fc.constantFrom(0, 1, 50),
});
const shapes = fc.letrec<{ tree: Shape; node: Shape; agent: Shape }>((tie) => ({
  agent: fc.constantFrom(0, 0, 0, 30),
  node: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("agent"), tie("tree")),
  tree: fc.record({ limits, children: fc.array(tie("node"), { minLength: 1, maxLength: 4 }) }),
}));
const steps = fc.array(
  fc.record<Step>({
    agent: fc.nat(20),
    kind: fc.constantFrom("crash", "crash", "crash", "call", "hang", "restart", "stopAgent"),
    pauseMs: fc.constantFrom(0, 0, 1, 60, 2000),
  }),
  { maxLength: 25, size: "max" },
);

class Victim extends Agent {
  override onStart(): void {
    const chance = Number(this.config["startFailurePercent"]);
    // The first start of all must succeed, or there is no tree to look at.
    const starts = Victim.starts.get(this.name) ?? 0;
    Victim.starts.set(this.name, starts + 1);
    if (starts > 0 && (starts * 37) % 100 < chance) throw new Error("does not start");
  }

  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["kind"] === "hang") await new Promise(() => undefined);
    if (message.payload["kind"] === "crash") throw new Error("crash");
    return {};
  }

  static starts = new Map<string, number>();
}

function build(shape: Shape): { root: SupervisorSpec; agents: string[] } {
  const agents: string[] = [];
  let supervisorCount = 0;
  const buildNode = (node: Shape): ChildSpec => {
    if (typeof node === "number") {
      const name = `agent${agents.length}`;
      agents.push(name);
      const config = { startFailurePercent: node };
      return child(Victim, name, { config, shutdownTimeoutMs: 200 });
    }
    supervisorCount += 1;
    const name = `supervisor${supervisorCount}`;
    return supervisor(name, { ...node.limits, children: node.children.map(buildNode) });
  };
  return { root: buildNode(shape) as SupervisorSpec, agents };
}

async function play(options: {
  readonly shape: Shape;
  readonly steps: readonly Step[];
  readonly seed: number;
}): Promise<{ lines: string[]; settled: string }> {
  Victim.starts = new Map();
  const { root, agents } = build(options.shape);
  const simulation = new Simulation({ supervision: root, seed: options.seed });
  await simulation.start();
  const outcomes: string[] = [];
  for (const step of options.steps) {
    const name = agents[step.agent % Math.max(1, agents.length)];
    if (name === undefined) continue;
    const note = (error: Error & { code: string }): void =>
      void outcomes.push(`${name} ${error.code}`);
    const { runtime } = simulation;
    if (step.kind === "restart") runtime.restart(name, { isCharged: true }).catch(note);
    else if (step.kind === "stopAgent") runtime.stopAgent(name).catch(note);
    else runtime.call(name, { kind: step.kind }, { timeoutMs: 500 }).catch(note);
    if (step.pauseMs > 0) await simulation.advance(step.pauseMs);
    noteStarts(simulation, outcomes);
  }
  await simulation.advance(120_000);
  noteStarts(simulation, outcomes);
  const settled = JSON.stringify(simulation.runtime.tree());
  await simulation.stop();
  return { lines: [...simulation.events.lines, ...outcomes], settled };
}

/**
 * Writes down when the supervisors of the tree began to run, in the form of a restart from above: one that was given
 * up comes back with a restart() of an agent below it, which is no event, and begins with an empty window, too.
 */
function noteStarts(simulation: Simulation, lines: string[]): void {
  const nowMs = simulation.clock.monotonicMs();
  const visit = (node: TreeNode): void => {
    if (node.kind !== "supervisor") return;
    const startMs = nowMs - node.uptimeMs;
    if (startMs > 0) lines.push(`${startMs} supervisor.restart above/above above: ${node.name}`);
    node.children.forEach(visit);
  };
  visit(simulation.runtime.tree());
}

interface Incident {
  readonly atMs: number;
  readonly supervisor: string;
  readonly isRestart: boolean;
}

function incidentsOf(lines: readonly string[]): Incident[] {
  return lines.flatMap((line) => {
    const match = /^([\d.]+) supervisor\.(crash|restart) (\w+)\//.exec(line);
    if (match === null) return [];
    const [, atMs, kind, name = ""] = match;
    return [{ atMs: Number(atMs), supervisor: name, isRestart: kind === "restart" }];
  });
}

function limitsByName(shape: Shape): Map<string, Limits> {
  const found = new Map<string, Limits>();
  const visit = (spec: ChildSpec): void => {
    if (spec.kind === "agent") return;
    found.set(spec.name, spec.limits);
    spec.children.forEach(visit);
  };
  visit(build(shape).root);
  return found;
}

test("law: for random trees and crashes, the same seed gives the same event log", async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes.tree.filter((shape) => build(shape).agents.length > 0),
      steps,
      fc.integer({ min: 1, max: 1000 }),
      async (shape, sequence, seed) => {
        const first = await play({ shape, steps: sequence, seed });
        const second = await play({ shape, steps: sequence, seed });
        assert.deepEqual(second, first);
      },
    ),
    { numRuns: repetitions(25) },
  );
});

test("law: no supervisor ever takes on more restarts than its window allows, and the tree comes to rest", async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes.tree.filter((shape) => build(shape).agents.length > 0),
      steps,
      async (shape, sequence) => {
        const { lines, settled } = await play({ shape, steps: sequence, seed: 5 });
        const allowed = limitsByName(shape);
        const incidents = incidentsOf(lines);
        const restartsUpward = new Map<string, number[]>();
        for (const line of lines) {
          // A supervisor that is restarted from above begins with an empty window.
          const match = /^([\d.]+) supervisor\.restart \w+\/\w+ \w+: (.*)$/.exec(line);
          for (const name of match?.[2]?.split(", ") ?? []) {
            restartsUpward.set(name, [...(restartsUpward.get(name) ?? []), Number(match?.[1])]);
          }
        }
        for (const [name, limit] of allowed) {
          const crashes = incidents.filter((one) => one.supervisor === name && !one.isRestart);
          const restarts = incidents.filter((one) => one.supervisor === name && one.isRestart);
          assert.ok(restarts.length <= crashes.length, `${name}: a restart without a crash`);
          for (const crash of crashes) {
            const lastFresh = Math.max(
              -1,
              ...ancestorsRestarts(build(shape).root, name, restartsUpward).filter(
                (atMs) => atMs <= crash.atMs,
              ),
            );
            const inWindow = crashes.filter(
              (other) =>
                other.atMs <= crash.atMs &&
                other.atMs > crash.atMs - limit.restartWindowMs &&
                other.atMs > lastFresh,
            );
            assert.ok(
              inWindow.length <= limit.restartCountMax,
              `${name}: ${inWindow.length} restarts in a window that allows ${limit.restartCountMax}`,
            );
          }
        }
        assert.doesNotMatch(settled, /"INITIALIZING"|"STOPPING"/);
      },
    ),
    { numRuns: repetitions(60) },
  );
});

/** When any supervisor on the way from the root to `name`, itself included, was started anew. */
function ancestorsRestarts(
  root: SupervisorSpec,
  name: string,
  restarts: ReadonlyMap<string, readonly number[]>,
): number[] {
  const path: string[] = [];
  const find = (spec: ChildSpec): boolean => {
    path.push(spec.name);
    if (spec.name === name) return true;
    if (spec.kind === "supervisor" && spec.children.some(find)) return true;
    path.pop();
    return false;
  };
  find(root);
  return path.flatMap((ancestor) => restarts.get(ancestor) ?? []);
}
