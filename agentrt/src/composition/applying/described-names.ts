import type { ChildSpec, SupervisorSpec } from "../../core/index.ts";
import { isSupervisorNode, type SupervisorNode, type TopologyNode } from "../../topology/index.ts";
import type { PlannedNode } from "./plan-topology.ts";

/** What a runtime needs to know of a plan. */
export interface DescribedChange {
  /** Names that are described differently: a node of a file may become several. */
  readonly changed: ReadonlySet<string>;
  /** Those of them that give a port to another one, and so stop before anything starts. */
  readonly stopsFirst: ReadonlySet<string>;
}

/**
 * Says which names of a tree are described differently.
 *
 * @param nodes The plan.
 * @param root Of the new file.
 * @param options.spec The tree that was built from it, node by node.
 * @param options.before The root of the file that runs.
 */
export function describedChange(
  nodes: readonly PlannedNode[],
  root: SupervisorNode,
  { spec, before }: { readonly spec: SupervisorSpec; readonly before: SupervisorNode },
): DescribedChange {
  const names = namesByNode(root, spec);
  const acting = (acts: readonly PlannedNode["act"][]): PlannedNode[] =>
    nodes.filter(({ act }) => acts.includes(act));
  const changed = new Set(
    acting(["change", "restart"]).flatMap(({ name }) => names.get(name) ?? []),
  );
  const starting = acting(["restart", "start"]).map(({ name }) => name);
  const wanted = portsOf(root);
  const held = portsOf(before);
  const stopsFirst = acting(["restart"]).flatMap(({ name }) => {
    const others = starting.filter((other) => other !== name);
    const taken = new Set(others.flatMap((other) => wanted.get(other) ?? []));
    const gives = (held.get(name) ?? []).some((port) => taken.has(port));
    return gives ? (names.get(name) ?? []) : [];
  });
  return { changed, stopsFirst: new Set(stopsFirst) };
}

function namesByNode(root: SupervisorNode, spec: SupervisorSpec): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const visit = (node: TopologyNode, built: ChildSpec): void => {
    if (!isSupervisorNode(node)) {
      names.set(node.name, namesIn(built));
      return;
    }
    names.set(node.name, [built.name]);
    const children = built.kind === "supervisor" ? built.children : [];
    for (const [index, child] of node.children.entries()) {
      const made = children[index];
      if (made !== undefined) visit(child, made);
    }
  };
  visit(root, spec);
  return names;
}

function namesIn(spec: ChildSpec): string[] {
  if (spec.kind === "agent") return [spec.name];
  return [spec.name, ...spec.children.flatMap(namesIn)];
}

const portKeys = ["port", "port_quic", "grpc_port"];

/** The ports that nodes of a file listen on, whatever the address. */
function portsOf(root: SupervisorNode): Map<string, readonly number[]> {
  const ports = new Map<string, readonly number[]>();
  const visit = (node: TopologyNode): void => {
    if (isSupervisorNode(node)) {
      node.children.forEach(visit);
      return;
    }
    const found = portKeys.flatMap((key) => {
      const port = node.declared[key];
      return typeof port === "number" && port !== 0 ? [port] : [];
    });
    ports.set(node.name, found);
  };
  visit(root);
  return ports;
}
