import type { z } from "zod";
import {
  Agent,
  type AgentClass,
  dynamicSupervisor,
  type SpawnHook,
  type SupervisorSpec,
} from "../core/index.ts";
import { budgetField, budgetKeysAt, fields, type KindNode } from "../topology/index.ts";
import { budgetLabel } from "./budget-label.ts";
import { compositionErrors } from "./errors.ts";
import type { BuildableKind } from "./kind.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { list, mapping, oneOf, seconds, text, textLike, wholeNumber } = fields;

const dynamicSupervisorSettings = mapping({
  max_children: wholeNumber({ min: 1 }).nullish(),
  max_total_spawns: wholeNumber({ min: 1 }).nullish(),
  max_children_per_spawner: wholeNumber({ min: 1 }).nullish(),
  max_total_spawns_per_spawner: wholeNumber({ min: 1 }).nullish(),
  restart: oneOf(["permanent", "transient", "temporary", "never"], "lower").default("transient"),
  max_restarts: wholeNumber({ min: 0 }).default(3),
  restart_window: seconds({ isZeroAllowed: false }).default(60),
  budget: budgetField(["run", "hour"]).optional(),
  spawner_allowlist: list(text(), "a list of agent names").nullish(),
  class_allowlist: list(text(), "a list of classes, as in `type:`").nullish(),
  on_spawn_requested: textLike(
    /^[^\s]+$/,
    "the path of a class, such as policies.SpawnPolicy",
  ).optional(),
}).transform((given) => ({
  childCountMax: given.max_children ?? undefined,
  spawnCountMax: given.max_total_spawns ?? undefined,
  childCountMaxPerSpawner: given.max_children_per_spawner ?? undefined,
  spawnCountMaxPerSpawner: given.max_total_spawns_per_spawner ?? undefined,
  restart: given.restart === "never" ? ("temporary" as const) : given.restart,
  restartCountMax: given.max_restarts,
  restartWindowMs: given.restart_window * 1000,
  budget: given.budget,
  spawnerAllowlist: given.spawner_allowlist ?? undefined,
  /** Paths of the classes that may be spawned; undefined for every class. */
  classPaths: given.class_allowlist ?? undefined,
  /** Path of a class with the method `onSpawnRequested`. */
  hookPath: given.on_spawn_requested,
}));

type DynamicSupervisorSettings = z.output<typeof dynamicSupervisorSettings>;

/** A supervisor that starts empty and gets its children while the tree runs. */
export const dynamicSupervisorKind: BuildableKind<DynamicSupervisorSettings> = {
  name: "dynamic_supervisor",
  form: "settings",
  settings: dynamicSupervisorSettings,
  isSupervisor: true,
  isServed: true,
  draw: (_node, settings) => ({
    label: `max_children: ${settings.childCountMax ?? "∞"}${budgetLabel(settings.budget)}`,
    marker: "dyn",
  }),
  keys: {
    max_children: "Children alive at one time at most; without it unlimited.",
    max_total_spawns: "Children ever spawned at most; without it unlimited.",
    max_children_per_spawner: "Children alive of one spawner at most.",
    max_total_spawns_per_spawner: "Children ever spawned by one spawner at most.",
    restart:
      "Which ends restart a child: every one (permanent), crashes (transient), none (temporary, or never).",
    spawner_allowlist:
      "Names of the agents that may spawn; _runtime is the program itself. Without it everybody may.",
    class_allowlist: "Classes that may be spawned, as in type:. Without it every class may.",
    on_spawn_requested:
      "Path of a class whose method onSpawnRequested(class, name, config, context) decides: only true lets a child pass.",
    max_restarts: "Crashes allowed within restart_window.",
    restart_window: "Length of the sliding window, in seconds.",
    ...budgetKeysAt("budget"),
  },
  build: buildDynamicSupervisor,
};

async function buildDynamicSupervisor(
  node: KindNode<DynamicSupervisorSettings>,
  loader: TreeLoader,
): Promise<SupervisorSpec> {
  const { classPaths, hookPath, ...options } = node.settings;
  // An empty list lets nobody pass.
  const classAllowlist: AgentClass[] | undefined = classPaths === undefined ? undefined : [];
  for (const type of classPaths ?? []) {
    classAllowlist?.push(await loader.loadSubclass(node, type, Agent));
  }
  const onSpawnRequested =
    hookPath === undefined
      ? undefined
      : await loader.orStandIn(node, {
          load: async () => await loadSpawnHook(node, loader, hookPath),
          standIn: (): SpawnHook => () => false,
        });
  return dynamicSupervisor(node.name, {
    ...options,
    classAllowlist,
    onSpawnRequested,
    process: node.process,
  });
}

/** Makes the object whose method is the hook: one for the life of the runtime. */
async function loadSpawnHook(
  node: KindNode,
  loader: TreeLoader,
  hookPath: string,
): Promise<SpawnHook> {
  const loaded = await loader.load(node, hookPath);
  if (!isHookClass(loaded)) {
    throw new compositionErrors.NOT_A_SPAWN_HOOK({
      node: node.name,
      type: hookPath,
      at: loader.at(node),
    });
  }
  const hook = new loaded();
  return (...request) => hook.onSpawnRequested(...request);
}

function isHookClass(
  loaded: unknown,
): loaded is new () => { readonly onSpawnRequested: SpawnHook } {
  return typeof loaded === "function" && typeof loaded.prototype?.onSpawnRequested === "function";
}
