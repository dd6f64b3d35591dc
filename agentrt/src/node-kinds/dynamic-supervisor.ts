import {
  Agent,
  type AgentClass,
  dynamicSupervisor,
  type SpawnHook,
  type SupervisorSpec,
} from "../core/index.ts";
import { type KindNode, settingsOf } from "../topology/index.ts";
import { compositionErrors } from "../composition/errors.ts";
import { dynamicSupervisorKind } from "./node-kinds.ts";

/**
 * Describes a dynamic supervisor of a topology.
 *
 * @param node The node.
 * @param at Where it stands, for errors.
 * @param loadClass Loads the classes it names: those of its allowlist and that of its hook.
 * @returns The description.
 * @throws AGENTRT_COMPOSITION_NOT_AN_AGENT, AGENTRT_COMPOSITION_NOT_A_SPAWN_HOOK, AGENTRT_COMPOSITION_CLASS_NOT_LOADED.
 */
export async function buildDynamicSupervisor(
  node: KindNode,
  at: string,
  loadClass: (type: string) => Promise<unknown>,
): Promise<SupervisorSpec> {
  const { classPaths, hookPath, ...options } = settingsOf(dynamicSupervisorKind, node);
  let classAllowlist: AgentClass[] | undefined;
  for (const type of classPaths ?? []) {
    const loaded = await loadClass(type);
    if (typeof loaded !== "function" || !(loaded.prototype instanceof Agent)) {
      throw new compositionErrors.NOT_AN_AGENT({ node: node.name, type, wanted: Agent.name, at });
    }
    (classAllowlist ??= []).push(loaded as AgentClass);
  }
  // An empty list lets nobody pass.
  if (classPaths?.length === 0) classAllowlist = [];
  const onSpawnRequested =
    hookPath === undefined ? undefined : spawnHook(await loadClass(hookPath), { node, at });
  return dynamicSupervisor(node.name, { ...options, classAllowlist, onSpawnRequested });
}

/** Makes the object whose method is the hook: one for the life of the runtime. */
function spawnHook(
  loaded: unknown,
  { node, at }: { readonly node: KindNode; readonly at: string },
): SpawnHook {
  const hookClass = loaded as new () => { readonly onSpawnRequested?: unknown };
  const { hookPath = "" } = settingsOf(dynamicSupervisorKind, node);
  if (typeof hookClass.prototype?.onSpawnRequested !== "function") {
    throw new compositionErrors.NOT_A_SPAWN_HOOK({ node: node.name, type: hookPath, at });
  }
  const hook = new hookClass() as { readonly onSpawnRequested: SpawnHook };
  return (agentClass, name, config, context) =>
    hook.onSpawnRequested(agentClass, name, config, context);
}
