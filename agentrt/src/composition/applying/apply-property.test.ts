/**
 * Random pairs of trees: what is applied is what a fresh start of the new file gives, what did not change kept its object,
 * its state and its queue, and each message is handled once or ends typed.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { repetitions } from "testkit";
import {
  Agent,
  child,
  type ChildSpec,
  type JsonObject,
  type Message,
  type SupervisorSpec,
  type TreeNode,
} from "../../core/index.ts";
import { nodeKinds } from "../../node-kinds/index.ts";
import { SeededRandom } from "../../testing/seeded-random.ts";
import { Simulation } from "../../testing/simulation.ts";
import { parseTopology, requireTopology, type Topology } from "../../topology/index.ts";
import { buildTree } from "../build-tree.ts";
import { describedChange } from "./described-names.ts";
import { type PlannedNode, planTopology } from "./plan-topology.ts";

/** What the agents of one run do and have done. */
const world = {
  lives: 0,
  handled: [] as string[],
  ports: new Map<number, string>(),
  failing: new Set<string>(),
  gate: Promise.withResolvers<void>(),
};

class Worker extends Agent<{ count: number }> {
  override state = { count: 0 };
  readonly life = (world.lives += 1);

  override onStart(): void {
    if (world.failing.has(`${this.name} ${JSON.stringify(this.config["by"])}`))
      throw new Error(`${this.name} does not start`);
  }

  override async handle(message: Message): Promise<JsonObject> {
    const { id, hold } = message.payload;
    if (hold === true) await world.gate.promise;
    if (typeof id === "string") world.handled.push(id);
    this.state.count += 1;
    return { life: this.life, count: this.state.count };
  }
}

/** In place of a gateway: one at a time has a port. */
class Listener extends Agent {
  override onStart(): void {
    const port = Number(this.config["port"]);
    const holder = world.ports.get(port);
    if (holder !== undefined) throw new Error(`port ${port} is in use by ${holder}`);
    world.ports.set(port, this.name);
  }

  override handle(): JsonObject {
    return {};
  }

  override onStop(): void {
    world.ports.delete(Number(this.config["port"]));
  }
}

/** A random topology over a small stock of names, so that two of them have many in common. */
function topologyText(random: SeededRandom): string {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const lines: string[] = [];
  const ports = [8001, 8002, 8003];
  const leaf = (name: string): string => {
    const by = pick(["x", "y"]);
    if (name.startsWith("g"))
      return `{ name: ${name}, type: http_gateway, config: { port: ${ports.splice(random.below(ports.length), 1)[0]} } }`;
    if (name.startsWith("d"))
      return `{ name: ${name}, type: dynamic_supervisor, config: { max_children: ${pick([5, 9])} } }`;
    if (name.startsWith("p"))
      return `{ name: ${name}, type: pool, class: Worker, size: ${pick([1, 2, 3])}, class_config: { by: ${by} } }`;
    if (name.startsWith("k"))
      return `{ name: ${name}, type: keyed, class: Worker, idle: ${pick([60, 90])}, class_config: { by: ${by} } }`;
    const kind = pick(["agent", "agent", "agent", "agent", "agent", "pool"]);
    if (kind === "pool")
      return `{ name: ${name}, type: pool, class: Worker, size: 2, class_config: { by: ${by} } }`;
    const tags = pick(["", "", ", capabilities: [tag]"]);
    return `{ agent: { name: ${name}, type: Worker, config: { by: ${by} }${tags} } }`;
  };
  const leaves = ["a1", "a2", "a3", "a4", "a5", "a6", "p1", "k1", "d1", "d2", "g1", "g2"].filter(
    () => random.next() < 0.7,
  );
  const supervisors = ["s1", "s2", "s3"].filter(() => random.next() < 0.7);
  const above = new Map<string, string[]>([["root", ["a0"]]]);
  for (const name of supervisors) {
    // Under one that is there already: any nesting, and no loop.
    above.get(pick([...above.keys()]))?.push(name);
    above.set(name, []);
  }
  for (const name of leaves) above.get(pick([...above.keys()]))?.push(name);
  const write = (name: string, indent: string): void => {
    const strategy = pick(["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"]);
    const children = above.get(name) ?? [];
    if (children.length === 0) children.push(`b${name}`);
    for (let index = children.length - 1; index > 0; index -= 1) {
      const other = random.below(index + 1);
      [children[index], children[other]] = [children[other] as string, children[index] as string];
    }
    lines.push(`${indent}name: ${name}`, `${indent}strategy: ${strategy}`);
    lines.push(
      `${indent}max_restarts: ${pick([2, 5])}`,
      `${indent}backoff_base: 0`,
      `${indent}children:`,
    );
    for (const each of children) {
      if (!above.has(each)) lines.push(`${indent}  - ${leaf(each)}`);
      else {
        lines.push(`${indent}  - supervisor:`);
        write(each, `${indent}      `);
      }
    }
  };
  lines.push("supervision:");
  write("root", "  ");
  return `${lines.join("\n")}\n`;
}

async function describe(text: string): Promise<{ topology: Topology; spec: SupervisorSpec }> {
  const topology = requireTopology(parseTopology(text, { fileName: "t.yaml", kinds: nodeKinds }));
  const spec = await buildTree(topology, {
    load: async () => Worker,
    loadFunction: async () => () => undefined,
  });
  const gateways = new Map<string, number>();
  const find = (node: Topology["supervision"]): void => {
    for (const each of node.children) {
      if (each.kind === "supervisor") find(each as Topology["supervision"]);
      else if (each.kind === "http_gateway" && "declared" in each)
        gateways.set(each.name, Number(each.declared["port"]));
    }
  };
  find(topology.supervision);
  const place = (each: ChildSpec): ChildSpec => {
    if (each.kind === "supervisor") return { ...each, children: each.children.map(place) };
    const port = gateways.get(each.name);
    return port === undefined ? each : child(Listener, each.name, { config: { port } });
  };
  return { topology, spec: place(spec) as SupervisorSpec };
}

/** What a tree is, without what passes. */
function picture(node: TreeNode): object {
  const { name, status } = node;
  if (node.kind === "agent") return { name, status, capabilities: node.capabilities };
  const { strategy, restartCountMax } = node;
  const { memberCountMax, capabilities } = node.pool ?? {};
  const { idleMs } = node.keyed ?? {};
  const { childCountMax } = node.dynamic ?? {};
  const children = node.dynamic === undefined ? node.children.map(picture) : [];
  return {
    name,
    status,
    strategy,
    restartCountMax,
    memberCountMax,
    capabilities,
    idleMs,
    childCountMax,
    children,
  };
}

interface Sent {
  readonly id: string;
  readonly to: string;
  readonly done: Promise<JsonObject>;
}

/** Sends to all that take messages: one that is held at hand, some that wait behind it. */
function sendToAll(
  simulation: Simulation,
  nodes: readonly PlannedNode[],
  random: SeededRandom,
): Sent[] {
  return nodes.flatMap(({ name, kind, act }) => {
    if (act === "start" || ["supervisor", "dynamic_supervisor", "http_gateway"].includes(kind))
      return [];
    const to = kind === "keyed" ? `${name}/1` : name;
    const count = random.below(4);
    return Array.from({ length: count }, (_, index) => {
      const id = `${name}#${index}`;
      const done = simulation.runtime.call(to, { id, hold: index === 0 });
      done.catch(() => undefined);
      return { id, to: name, done };
    });
  });
}

async function checkPair(seed: number): Promise<"applied" | "undone"> {
  const random = new SeededRandom(seed);
  Object.assign(world, { lives: 0, handled: [], gate: Promise.withResolvers<void>() });
  world.ports.clear();
  world.failing.clear();
  const [one, two] = [topologyText(random), topologyText(random)];
  const before = await describe(one);
  const after = await describe(two);
  const plan = planTopology(before.topology, after.topology);
  assert.deepEqual(plan.refusals, []);
  const simulation = new Simulation({ supervision: before.spec, seed });
  await simulation.start();
  const { runtime } = simulation;
  const lifeOf = async (name: string): Promise<unknown> =>
    (await simulation.call(name, {}))["life"];
  const living = plan.nodes.filter(({ kind, act }) => kind === "agent" && act !== "start");
  const lives = new Map<string, unknown>();
  for (const { name } of living) lives.set(name, await lifeOf(name));
  const spawned: { readonly name: string; readonly under: string; readonly life: unknown }[] = [];
  for (const { name, kind, act } of plan.nodes) {
    if (kind !== "dynamic_supervisor" || act === "start") continue;
    const childName = `${name}-child`;
    await simulation.until(runtime.spawnInto(name, Worker, childName));
    spawned.push({ name: childName, under: name, life: await lifeOf(childName) });
  }
  const pictured = picture(runtime.tree());
  const byOf = (name: string, text: string): string =>
    new RegExp(`name: ${name},[^}]*by: (.)`).exec(text)?.[1] ?? "";
  // Only by its new description: the old one starts again.
  const mayFail = plan.nodes.filter(
    ({ act, kind, name }) =>
      kind === "agent" &&
      (act === "start" || act === "restart") &&
      byOf(name, one) !== byOf(name, two),
  );
  const isToFail = random.next() < 0.3;
  const failing = isToFail ? mayFail[random.below(Math.max(1, mayFail.length))] : undefined;
  if (failing !== undefined) world.failing.add(`${failing.name} "${byOf(failing.name, two)}"`);
  const sent = sendToAll(simulation, plan.nodes, random);
  await simulation.runUntilIdle();
  const changing = runtime.change({
    supervision: after.spec,
    ...describedChange(plan.nodes, after.topology.supervision, {
      spec: after.spec,
      before: before.topology.supervision,
    }),
  });
  changing.catch(() => undefined);
  await simulation.runUntilIdle();
  world.gate.resolve();
  const [outcome] = await simulation.until(Promise.allSettled([changing]));
  const isUndone = outcome?.status === "rejected";
  if (isUndone)
    assert.equal(
      (outcome.reason as { code: string }).code,
      "AGENTRT_CHANGE_START_FAILED",
      String(outcome.reason),
    );
  assert.equal(isUndone, failing !== undefined, one + two + String(isUndone && outcome.reason));

  await checkMessages(simulation, { sent, nodes: plan.nodes, isUndone });
  if (isUndone) assert.deepEqual(picture(runtime.tree()), pictured);
  else await checkFresh(simulation, after.spec);
  for (const { name, act } of living) {
    const isKept = act === "keep" || act === "move";
    if (isKept) assert.equal(await lifeOf(name), lives.get(name), `${name} is another object`);
    if (!isKept && isUndone) await lifeOf(name);
  }
  for (const { name, under, life } of spawned) {
    const isGone =
      !isUndone && plan.nodes.some((node) => node.name === under && node.act === "stop");
    if (isGone) assert.equal(runtime.registry.get(name), undefined);
    else assert.equal(await lifeOf(name), life);
  }
  await simulation.stop();
  assert.deepEqual([...world.ports], []);
  return isUndone ? "undone" : "applied";
}

/** Each message is handled once, in the order in which it was sent, or ends typed. */
async function checkMessages(
  simulation: Simulation,
  of: {
    readonly sent: readonly Sent[];
    readonly nodes: readonly PlannedNode[];
    readonly isUndone: boolean;
  },
): Promise<void> {
  const results = await simulation.until(Promise.allSettled(of.sent.map(({ done }) => done)));
  const counts = new Map<string, number>();
  for (const id of world.handled) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [index, { id, to }] of of.sent.entries()) {
    const result = results[index];
    const ends = of.nodes.some(({ name, act }) => name === to && act === "stop") && !of.isUndone;
    if (result?.status === "rejected") {
      assert.ok(ends, `${id} was lost: ${String(result.reason)}`);
      assert.equal((result.reason as { code: string }).code, "AGENTRT_AGENT_STOPPED");
    }
    assert.equal(counts.get(id) ?? 0, result?.status === "fulfilled" ? 1 : 0, id);
  }
  for (const to of new Set(of.sent.map((each) => each.to))) {
    const isOneByOne = of.nodes.some(
      ({ name, kind, act }) => name === to && kind === "agent" && act !== "start",
    );
    const own = world.handled.filter((id) => id.startsWith(`${to}#`));
    if (isOneByOne) assert.deepEqual(own, own.toSorted());
  }
}

async function checkFresh(simulation: Simulation, spec: SupervisorSpec): Promise<void> {
  const ports = new Map(world.ports);
  world.ports.clear();
  const fresh = new Simulation({ supervision: spec });
  await fresh.start();
  assert.deepEqual(picture(simulation.runtime.tree()), picture(fresh.runtime.tree()));
  assert.deepEqual(new Map(ports), new Map(world.ports));
  await fresh.stop();
  for (const [port, holder] of ports) world.ports.set(port, holder);
}

test("random pairs of trees: applying gives what a fresh start gives, or leaves what was; no message is lost or handled twice", async (t) => {
  const outcomes = { applied: 0, undone: 0 };
  // Other pairs: PAIR_SEED=1001.
  const first = Number(process.env["PAIR_SEED"] ?? 1);
  for (let seed = first; seed < first + repetitions(200); seed += 1) {
    try {
      outcomes[await checkPair(seed)] += 1;
    } catch (error) {
      throw new Error(`the pair of seed ${seed} fails`, { cause: error });
    }
  }
  // Both were looked at.
  t.diagnostic(JSON.stringify(outcomes));
  assert.ok(outcomes.applied > 20 && outcomes.undone > 3, JSON.stringify(outcomes));
});
