import type { ChildSpec, SupervisorSpec } from "../../core/index.ts";
import { nodeKinds } from "../../node-kinds/index.ts";
import {
  isSupervisorNode,
  type SupervisorNode,
  type TopologyNode,
  walkTree,
} from "../../topology/index.ts";
import { portsOf } from "./listened-ports.ts";
import type { PlannedNode } from "./plan-topology.ts";

/** What a runtime needs to know of a plan. */
export interface DescribedChange {
  /** Names that are described differently: a node of a file may become several. */
  readonly changed: ReadonlySet<string>;
  /** Those of them, or of what is gone, that give a port to another one, and so stop, or close it, before anything starts. */
  readonly stopsFirst: ReadonlySet<string>;
  /** Those of them that listen: they may listen again before what they were before has stopped. */
  readonly startsBeside: ReadonlySet<string>;
  /** Those of them that keep a port, whatever the address. */
  readonly regains: ReadonlySet<string>;
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
  const restarting = acting(["restart"]).map(({ name }) => name);
  const starting = [...restarting, ...acting(["start"]).map(({ name }) => name)];
  const stopping = new Set(acting(["stop"]).map(({ name }) => name));
  const gone = [...walkTree(before)].filter(({ name }) => stopping.has(name));
  const wanted = portsOf(root);
  const held = portsOf(before);
  const givesTo = (name: string, takers: readonly string[]): boolean => {
    const taken = new Set(takers.flatMap((taker) => wanted.get(taker) ?? []));
    return (held.get(name) ?? []).some((port) => taken.has(port));
  };
  const namesOf = (given: readonly string[]): Set<string> =>
    new Set(given.flatMap((name) => names.get(name) ?? []));
  return {
    changed,
    stopsFirst: new Set([
      ...namesOf(restarting.filter((name) => givesTo(name, without(starting, name)))),
      ...gone.filter(({ name }) => givesTo(name, starting)).flatMap(namesOfNode),
    ]),
    startsBeside: namesOf(restarting.filter((name) => held.has(name) && wanted.has(name))),
    regains: namesOf(restarting.filter((name) => givesTo(name, [name]))),
  };
}

/** The names that a node of a file becomes, known without its classes. */
function namesOfNode(node: TopologyNode): readonly string[] {
  if (isSupervisorNode(node)) return [node.name];
  const kind = nodeKinds.kinds.find(({ name }) => name === node.kind);
  return [node.name, ...(kind?.impliedNames?.(node.name, node.settings) ?? [])];
}

function without(names: readonly string[], name: string): string[] {
  return names.filter((other) => other !== name);
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
