import type { Budget } from "../../core/index.ts";
import { httpGatewayKind, nodeKinds } from "../../node-kinds/index.ts";
import {
  type Difference,
  diffTopologies,
  isOfKind,
  isSupervisorNode,
  renderDifference,
  type SupervisorNode,
  type Topology,
  type TopologyNode,
} from "../../topology/index.ts";
import { partsOf, type PlannedPart } from "./planned-parts.ts";

/**
 * What becomes of a node. `change`: a supervisor runs on by other settings. `move`: it runs on under another supervisor;
 * of one that restarts there, `restart`.
 */
export type NodeAct = "change" | "keep" | "move" | "restart" | "start" | "stop";

/** A node of one of two topologies, and what becomes of it. */
export interface PlannedNode {
  readonly name: string;
  /** As the file names it: `agent`, `supervisor`, `pool`, … */
  readonly kind: string;
  readonly act: NodeAct;
  /** The supervisor above it; null for the root. Of a node that stops, the one that it was under. */
  readonly parent: string | null;
  /** The supervisor that it comes from; absent where that is the same one. */
  readonly movedFrom?: string;
  /** One line each: what is described differently, or why it has to begin again. */
  readonly because: readonly string[];
}

/** What would change if another topology were put in place of the one that runs, as far as the two files tell. */
export interface TopologyPlan {
  /** False when the files say the same. */
  readonly isChange: boolean;
  /** All nodes of both files: what stops, last first, then the new file's, in its order. */
  readonly nodes: readonly PlannedNode[];
  /** Model providers and tool servers that come, go or are made again. */
  readonly parts: readonly PlannedPart[];
  /** Process groups of agents that stop, start or begin again. */
  readonly groups: readonly string[];
  /** What cannot change in a process that runs, one line each; with any, the whole is refused. */
  readonly refusals: readonly string[];
}

/**
 * Compares two topologies: what has to stop, start, begin again, or go on elsewhere. Nothing is loaded.
 *
 * @param from The one that runs.
 * @param to The one that is to run.
 */
export function planTopology(from: Topology, to: Topology): TopologyPlan {
  const differences = diffTopologies(from, to, nodeKinds);
  const before = placesOf(from.supervision);
  const after = placesOf(to.supervision);
  const isPlaced = from.transport.type !== "in_process";
  const isSame = (name: string): boolean =>
    isSameDriver(before.get(name), after.get(name), isPlaced);
  const stops = [...before.values()].reverse().flatMap((place): PlannedNode[] => {
    const { node, parent } = place;
    if (isSame(node.name)) return [];
    const next = after.get(node.name)?.node;
    const isMoved = isPlaced && next !== undefined && processOf(next) !== processOf(node);
    const because =
      next === undefined
        ? []
        : [isMoved ? "it comes to be in another process" : "it is a node of another kind"];
    return [{ name: node.name, kind: node.kind, act: "stop", parent, because }];
  });
  const context = { differences, before, from, to };
  const others = [...after.values()].map((place) =>
    isSame(place.node.name) ? keptNode(place, context) : startedNode(place),
  );
  const nodes = [...stops, ...others];
  return {
    isChange: differences.length > 0,
    nodes,
    groups: isPlaced ? groupsOf(nodes, { before, after }) : [],
    parts: partsOf(from, to),
    refusals: [
      ...sectionRefusals(differences),
      ...(isPlaced ? spreadRefusals(nodes, { before, after }) : []),
      ...treeRefusals(from, to, { before, after }),
    ],
  };
}

/** A node and its place. */
interface Place {
  readonly node: TopologyNode;
  readonly parent: string | null;
  /** The budgets of the supervisors above it, the root's first. */
  readonly budgets: readonly { readonly name: string; readonly budget: Budget }[];
}

type Places = ReadonlyMap<string, Place>;

interface PlanContext {
  readonly differences: readonly Difference[];
  readonly before: Places;
  readonly from: Topology;
  readonly to: Topology;
}

function placesOf(root: SupervisorNode): Places {
  const places = new Map<string, Place>();
  const enter = (place: Place): void => {
    const { node, budgets } = place;
    places.set(node.name, place);
    if (!isSupervisorNode(node)) return;
    const { name, budget } = node;
    const below = budget === undefined ? budgets : [...budgets, { name, budget }];
    for (const child of node.children) enter({ node: child, parent: name, budgets: below });
  };
  enter({ node: root, parent: null, budgets: [] });
  return places;
}

const startedNode = ({ node, parent }: Place): PlannedNode => ({
  name: node.name,
  kind: node.kind,
  act: "start",
  parent,
  because: [],
});

function keptNode(place: Place, context: PlanContext): PlannedNode {
  const { node, parent } = place;
  const { name, kind } = node;
  const old = context.before.get(name);
  const movedFrom = old?.parent !== parent ? (old?.parent ?? undefined) : undefined;
  const changes = context.differences.filter(
    ({ section, subject, change }) =>
      section === "supervision" && subject === name && change !== "moved",
  );
  const isOtherKind = changes.some(({ field, change }) => field === "" && change === "added");
  const because = isOtherKind
    ? [`it was of the kind ${old?.node.kind ?? ""}`]
    : changes.map((each) => renderDifference(each).text.replace(`${name}  `, ""));
  if (changes.some(({ field }) => field === "type" || field === "kind")) because.push(classNote);
  if (!isRunningOn(node)) because.push(...outerReasons(place, context));
  const act: NodeAct =
    because.length > 0
      ? isRunningOn(node)
        ? "change"
        : "restart"
      : movedFrom === undefined
        ? "keep"
        : "move";
  return { name, kind, act, parent, ...(movedFrom === undefined ? {} : { movedFrom }), because };
}

const classNote = "another class: a module that this process has loaded already is not read again";

/** Supervisors, also those of spawned children, take other settings while they run. */
function isRunningOn(node: TopologyNode): boolean {
  return isSupervisorNode(node) || isOfSpawned(node);
}

function isOfSpawned(node: TopologyNode): boolean {
  return nodeKinds.kinds.find(({ name }) => name === node.kind)?.isSupervisor === true;
}

/** What is not said of a node itself and yet is part of what it is made from. */
function outerReasons({ node, budgets }: Place, context: PlanContext): string[] {
  const { before, differences } = context;
  const reasons: string[] = [];
  const old = before.get(node.name);
  if (old !== undefined && JSON.stringify(old.budgets) !== JSON.stringify(budgets))
    reasons.push("the budgets of the supervisors above it are other ones");
  const server = attachedServerOf(node);
  const isServerChanged = differences.some(
    ({ section, subject, change }) =>
      section === "supervision" && subject === server && change !== "moved",
  );
  if (server !== undefined && isServerChanged)
    reasons.push(`"${server}" is described differently, whose routes it serves`);
  return reasons;
}

function attachedServerOf(node: TopologyNode): string | undefined {
  if (isSupervisorNode(node) || !isOfKind(httpGatewayKind, node)) return undefined;
  return node.settings.topologyAgent ?? undefined;
}

/** True when the same driver goes on: its class may be another one. */
function isSameDriver(
  one: Place | undefined,
  other: Place | undefined,
  isPlaced: boolean,
): boolean {
  if (one === undefined || other === undefined) return false;
  if (isPlaced && processOf(one.node) !== processOf(other.node)) return false;
  return driverOf(one.node) === driverOf(other.node);
}

function processOf(node: TopologyNode): string | undefined {
  return isSupervisorNode(node) ? undefined : node.process;
}

/** The process groups that something changes for. */
function groupsOf(
  nodes: readonly PlannedNode[],
  { before, after }: { readonly before: Places; readonly after: Places },
): string[] {
  const changing = nodes.filter(({ act }) => act !== "keep" && act !== "move");
  const groups = changing.flatMap(({ name, act }) => {
    const place = (act === "stop" ? before : after).get(name);
    const process = place === undefined ? undefined : processOf(place.node);
    return process ?? [];
  });
  return [...new Set(groups)].sort();
}

/** Supervisors, pools and keyed agents have separate drivers; all else is driven as an agent. */
function driverOf(node: TopologyNode): string {
  const hasOwn = isRunningOn(node) || node.kind === "pool" || node.kind === "keyed";
  return hasOwn ? node.kind : "agent";
}

/** Sections of which a process that runs can change something; all others it reads once, at its start. */
const changingSections: ReadonlySet<Difference["section"]> = new Set([
  "supervision",
  "plugins",
  "mcp",
]);

function sectionRefusals(differences: readonly Difference[]): string[] {
  return differences.flatMap((difference) => {
    const { section, subject, field } = difference;
    const isFixed =
      !changingSections.has(section) ||
      (section === "plugins" && /^(?:state$|exporters(?:\.|$))/.test(subject)) ||
      (section === "mcp" && !/^servers(?:\[|$)/.test(field));
    return isFixed ? [`${section}: ${renderDifference(difference).text}`] : [];
  });
}

/** Whether several workers may join a group, and share states, is known at its start; what it consists of may change. */
function spreadRefusals(
  nodes: readonly PlannedNode[],
  { before, after }: { readonly before: Places; readonly after: Places },
): string[] {
  const [old, next] = [sharingOf(before), sharingOf(after)];
  return nodes.flatMap(({ name, act }) => {
    if (act !== "start" && act !== "stop") return [];
    const { node } = (act === "stop" ? before : after).get(name) ?? {};
    const process = node === undefined ? undefined : processOf(node);
    if (node === undefined || process === undefined) return [];
    const [was, is] = [old.get(process), next.get(process)];
    if (was?.isShared !== true && is?.isShared !== true) return [];
    const refusal = (reason: string): string[] => [
      `supervision: "${name}" ${act === "stop" ? "goes from" : "comes to"} "${process}", ${reason}: its workers and the supervisor have to begin again with the new file`,
    ];
    if (was?.isShared !== is?.isShared && is !== undefined)
      return refusal("which several workers may join by only one of both files");
    if (before.has(name) && after.has(name)) return refusal("and is a node of both files");
    if (act === "start" && was?.hasStates !== true && node.kind !== "pool")
      return refusal("whose workers share no states so far");
    return [];
  });
}

/** What a process group is like: whether several workers may join it, and share states. */
interface Sharing {
  isShared: boolean;
  hasStates: boolean;
}

function sharingOf(places: Places): ReadonlyMap<string, Sharing> {
  const groups = new Map<string, Sharing>();
  for (const { node } of places.values()) {
    const process = processOf(node);
    if (process === undefined) continue;
    const group = groups.get(process) ?? { isShared: false, hasStates: false };
    group.isShared ||= node.kind === "pool" || node.kind === "keyed";
    group.hasStates ||= node.kind !== "pool";
    groups.set(process, group);
  }
  return groups;
}

function treeRefusals(
  from: Topology,
  to: Topology,
  { before, after }: { readonly before: Places; readonly after: Places },
): string[] {
  const refusals: string[] = [];
  const { name } = from.supervision;
  if (to.supervision.name !== name)
    refusals.push(`supervision: the root is called "${to.supervision.name}", not "${name}"`);
  for (const [each, { node }] of before) {
    const next = after.get(each)?.node;
    if (next === undefined || !isRunningOn(node) || driverOf(node) === driverOf(next)) continue;
    refusals.push(
      `supervision: "${each}" is a ${node.kind} that runs, and a ${next.kind} in the new file`,
    );
  }
  return refusals;
}
