import { agentLimits, type AgentSpec, type ChildSpec, type SupervisorSpec } from "../core/index.ts";
import type { TopologyServerPorts } from "../control/index.ts";

/** What a node may ask of the runtime it is part of; answered while the runtime runs, not before. */
export type RuntimeParts = TopologyServerPorts;

/** What a node that needs its runtime is built from. */
export interface NodeContext {
  readonly parts: RuntimeParts;
  /** The whole tree as it was described. */
  readonly root: SupervisorSpec;
}

/** The key under which a description holds how to build it for a runtime. */
const buildFor = Symbol("buildFor");

interface RuntimeNode {
  readonly [buildFor]: (context: NodeContext) => ChildSpec;
}

/**
 * Marks a description that can be built only when its runtime is known. `Runtime` replaces it by what `build` returns.
 *
 * @param placeholder Its place in the description of the tree until then.
 * @param build Makes the node.
 * @returns The placeholder, marked.
 */
export function runtimeNode<Spec extends ChildSpec>(
  placeholder: Spec,
  build: (context: NodeContext) => ChildSpec,
): Spec {
  const marked: Spec & RuntimeNode = { ...placeholder, [buildFor]: build };
  return marked;
}

/**
 * Puts in place all nodes of a tree that need their runtime.
 *
 * @param root The tree as it was described; untouched.
 * @param parts What the nodes may ask of the runtime.
 * @returns The tree to run.
 */
export function bindTree(root: SupervisorSpec, parts: RuntimeParts): SupervisorSpec {
  const bind = (spec: ChildSpec): ChildSpec => {
    if (isRuntimeNode(spec)) return spec[buildFor]({ parts, root });
    return spec.kind === "supervisor" ? bindSupervisor(spec) : spec;
  };
  const bindSupervisor = (spec: SupervisorSpec): SupervisorSpec => ({
    ...spec,
    children: spec.children.map(bind),
  });
  return bindSupervisor(root);
}

/** Names of agents that clients of a gateway do not reach as they reach others. */
export interface HiddenNames {
  /** Of the runtime itself: nobody reaches them. */
  readonly closed: ReadonlySet<string>;
  /** Of what serves other agents: reached where settings of a gateway name them. */
  readonly infrastructure: ReadonlySet<string>;
}

/**
 * Finds the agents of a tree that are not for clients.
 *
 * @param root The tree to run.
 * @returns Their names.
 */
export function hiddenNames(root: SupervisorSpec): HiddenNames {
  const closed = new Set<string>();
  const infrastructure = new Set<string>();
  const visit = (spec: ChildSpec): void => {
    if (spec.kind === "supervisor") spec.children.forEach(visit);
    else if (spec.isClosedToClients === true) closed.add(spec.name);
    else if (spec.kind === "agent" && spec.isInfrastructure === true) infrastructure.add(spec.name);
  };
  visit(root);
  return { closed, infrastructure };
}

/** Of a tree that is not described yet. */
export const noNames: HiddenNames = { closed: new Set(), infrastructure: new Set() };

/** @returns The names of both. */
export function joinNames(one: HiddenNames, other: HiddenNames): HiddenNames {
  return {
    closed: new Set([...one.closed, ...other.closed]),
    infrastructure: new Set([...one.infrastructure, ...other.infrastructure]),
  };
}

function isRuntimeNode(spec: ChildSpec): spec is ChildSpec & RuntimeNode {
  return buildFor in spec;
}

/**
 * Describes an agent that `runtimeNode` puts another one in place of.
 *
 * @param name Unique in the tree.
 */
export function placeholder(name: string): AgentSpec {
  return {
    kind: "agent",
    name,
    create: () => {
      throw new TypeError(`"${name}" can only be built by Runtime of "agentrt"`);
    },
    limits: agentLimits(name, {}),
    capabilities: [],
    capabilityMetadata: {},
    processName: undefined,
  };
}
