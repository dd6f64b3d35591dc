import { fallbacksOf, printable } from "../../core/index.ts";
import { budgetText } from "../schema/index.ts";
import {
  countTopology,
  isSupervisorNode,
  type KindNode,
  type SupervisorNode,
  type Topology,
  type TopologyNode,
  type NodeKind,
  type NodeKindTable,
} from "../model/index.ts";

/** How to draw. */
export interface RenderTopologyOptions {
  /** The table the topology was parsed with. */
  readonly kinds: NodeKindTable;
  /** Put in parentheses after the root, for example `runtime not running`. */
  readonly annotation?: string;
  /** Most lines of the tree; one more says how many nodes are left out. Default: all. */
  readonly lineCountMax?: number;
}

/**
 * Draws the static tree of a topology, as `topology show` prints it.
 *
 * @param topology The topology.
 * @param options Table of kinds and annotation.
 * @returns Lines joined by line feeds, with one at the end.
 */
export function renderTopology(
  topology: Topology,
  { kinds, annotation, lineCountMax = Number.POSITIVE_INFINITY }: RenderTopologyOptions,
): string {
  const byName = new Map(kinds.kinds.map((kind) => [kind.name, kind]));
  const note = annotation === undefined ? "" : `  (${annotation})`;
  const lines = [`${supervisorLine(topology.supervision)}${note}`];
  renderChildren(topology.supervision, "", { byName, lines });
  const leftOutCount = lines.length - lineCountMax;
  if (leftOutCount > 0)
    lines.splice(lineCountMax, leftOutCount, `… and ${leftOutCount} more: agentrt topology show`);
  return `${lines.join("\n")}\n\n${renderFooter(topology, kinds)}`;
}

interface Drawing {
  readonly byName: ReadonlyMap<string, NodeKind>;
  readonly lines: string[];
}

function renderChildren(parent: SupervisorNode, indent: string, drawing: Drawing): void {
  parent.children.forEach((child, index) => {
    const isLast = index === parent.children.length - 1;
    drawing.lines.push(`${indent}${isLast ? "└── " : "├── "}${nodeLine(child, drawing.byName)}`);
    if (isSupervisorNode(child))
      renderChildren(child, `${indent}${isLast ? "    " : "│   "}`, drawing);
  });
}

function nodeLine(node: TopologyNode, kinds: ReadonlyMap<string, NodeKind>): string {
  return isSupervisorNode(node) ? supervisorLine(node) : kindLine(node, kinds.get(node.kind));
}

function supervisorLine(node: SupervisorNode): string {
  const limits = `restarts: ${node.restartCountMax}/${formatSeconds(node.restartWindowMs)}s`;
  const budget = node.budget === undefined ? "" : `  budget: ${budgetText(node.budget)}`;
  return `${node.name}  ${node.strategy}  ${limits}  backoff: ${node.backoff.toLowerCase()}${budget}`;
}

function kindLine(node: KindNode, kind: NodeKind | undefined): string {
  const drawn = kind?.draw(node, node.settings) ?? { label: node.kind };
  return [
    node.name,
    drawn.label,
    drawn.marker === undefined ? "" : `[${drawn.marker}]`,
    node.process === undefined ? "" : `@${node.process}`,
  ]
    .filter((part) => part !== "")
    .map((part) => printable(part))
    .join("  ");
}

/** Seconds with at least one digit after the point: `60.0`, `0.25`. */
function formatSeconds(milliseconds: number): string {
  const text = String(milliseconds / 1000);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/**
 * Draws what is below the tree: transport, plugins and counts.
 *
 * @param topology The topology.
 * @param kinds The table it was parsed with.
 * @returns Lines joined by line feeds, with one at the end.
 */
export function renderFooter(topology: Topology, kinds: NodeKindTable): string {
  const { transport } = topology;
  const counts = countTopology(topology, kinds);
  const details = {
    in_process: "",
    zmq: `  ${transport.pubAddr}`,
    nats: `  ${transport.servers.join(", ")}${transport.isJetstream ? "  jetstream" : ""}`,
  }[transport.type];
  const lines = [
    `Transport: ${transport.type}${printable(details)}`,
    `Plugins: ${counts.pluginCount}`,
    ...resilienceLines(topology),
    `Topology: ${plural(counts.agentCount, "agent")} · ${plural(counts.supervisorCount, "supervisor")} · ${plural(counts.processCount, "process", "processes")}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What has a policy, and what is asked in place of a model. */
function resilienceLines({ targets }: Topology): string[] {
  const models = Object.entries(targets.models ?? {}).map(([name, policy]) =>
    ["model", name, ...fallbacksOf(policy).flatMap((each) => ["→", each])].join(" "),
  );
  const agents = Object.keys(targets.agents ?? {}).map((name) => `agent ${name}`);
  const tools = Object.keys(targets.tools ?? {}).map((name) => `tool ${name}`);
  const all = [...models, ...agents, ...tools];
  return all.length === 0 ? [] : [`Resilience: ${printable(all.join(" · "))}`];
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
