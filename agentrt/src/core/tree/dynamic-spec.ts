import type { JsonObject } from "../values/json.ts";
import { supervisionErrors } from "../errors.ts";
import { type AgentClass, supervisor, type SupervisorSpec, timeoutMsMax } from "./tree-spec.ts";

/** When a child that ended is started again: always, only after a crash, or never. */
export type RestartMode = "permanent" | "transient" | "temporary";

/** Who asks for a child, as the veto hook sees it. */
export interface SpawnContext {
  /** Name of the agent whose code asks; `_runtime` for the program that runs the tree. */
  readonly spawner: string;
  /** The dynamic supervisor that is asked. */
  readonly supervisor: string;
  /** Aborted when the hook has taken too long, or nobody waits for the child any more. */
  readonly signal: AbortSignal;
}

/**
 * Decides about a spawn after everything else let it pass. Only `true` admits the child; what it throws refuses it.
 *
 * @param agentClass The class.
 * @param name The child's name.
 * @param config Its configuration: a copy.
 * @param context Who asks.
 */
export type SpawnHook = (
  agentClass: AgentClass,
  name: string,
  config: JsonObject,
  context: SpawnContext,
) => boolean | PromiseLike<boolean>;

/** What `dynamicSupervisor` takes. */
export interface DynamicSupervisorOptions {
  /** Most children at one time, 1 or more; default unlimited. */
  readonly childCountMax?: number | undefined;
  /** Most children in its life, 1 or more; default unlimited. */
  readonly spawnCountMax?: number | undefined;
  /** Most children of one spawner at one time, 1 or more; default unlimited. */
  readonly childCountMaxPerSpawner?: number | undefined;
  /** Most children of one spawner in its life, 1 or more; default unlimited. */
  readonly spawnCountMaxPerSpawner?: number | undefined;
  /** Default `"transient"`: started again after a crash only. `"never"` is another word for `"temporary"`. */
  readonly restart?: RestartMode | "never" | undefined;
  /** Restarts of one child allowed within the window, 0 or more; the next crash ends it for good. Default 3. */
  readonly restartCountMax?: number | undefined;
  /** Length of each child's sliding window; default 60_000. */
  readonly restartWindowMs?: number | undefined;
  /** Who may spawn; default everybody. `_runtime` is the program that runs the tree. */
  readonly spawnerAllowlist?: readonly string[] | undefined;
  /** What may be spawned: these classes, not those derived from them; default every class. */
  readonly classAllowlist?: readonly AgentClass[] | undefined;
  /** Asked last, when everything else lets the child pass. */
  readonly onSpawnRequested?: SpawnHook | undefined;
  /** Upper bound on one `onSpawnRequested`, 1 or more; default 5000. */
  readonly spawnHookTimeoutMs?: number | undefined;
}

/** The policy of a dynamic supervisor, defaults filled in. */
export interface DynamicPolicy extends DynamicLimits {
  readonly spawnerAllowlist: ReadonlySet<string> | undefined;
  readonly classAllowlist: ReadonlySet<AgentClass> | undefined;
  readonly onSpawnRequested: SpawnHook | undefined;
  readonly spawnHookTimeoutMs: number;
}

/** The limits of a dynamic supervisor; undefined where there is none. */
export interface DynamicLimits {
  readonly restart: RestartMode;
  readonly childCountMax: number | undefined;
  readonly spawnCountMax: number | undefined;
  readonly childCountMaxPerSpawner: number | undefined;
  readonly spawnCountMaxPerSpawner: number | undefined;
}

const restartModes: { readonly [mode: string]: RestartMode } = {
  permanent: "permanent",
  transient: "transient",
  temporary: "temporary",
  never: "temporary",
};

/**
 * Describes a supervisor that starts empty and gets its children while the tree runs, by `Agent.spawn`.
 *
 * @param name Unique in the tree, not empty.
 * @param options Limits, restart mode, who may spawn what.
 * @returns The node, for `supervisor({ children })`.
 * @throws AGENTRT_SUPERVISION_OPTION_INVALID when an option is out of its range.
 */
export function dynamicSupervisor(
  name: string,
  options: DynamicSupervisorOptions = {},
): SupervisorSpec {
  const refuse = (option: string, found: unknown, wanted: string): never => {
    const details = { supervisor: name, option, found: String(found), wanted };
    throw new supervisionErrors.OPTION_INVALID(details);
  };
  const count = (
    option:
      | "childCountMax"
      | "spawnCountMax"
      | "childCountMaxPerSpawner"
      | "spawnCountMaxPerSpawner",
  ): number | undefined => {
    const value = options[option];
    if (value === undefined || isCount(value)) return value;
    return refuse(option, value, `a whole number from 1 to ${timeoutMsMax}`);
  };
  const wanted = options.restart ?? "transient";
  const restart = Object.hasOwn(restartModes, wanted) ? restartModes[wanted] : undefined;
  const spawnHookTimeoutMs = options.spawnHookTimeoutMs ?? 5000;
  if (!isCount(spawnHookTimeoutMs)) {
    refuse("spawnHookTimeoutMs", spawnHookTimeoutMs, `a whole number from 1 to ${timeoutMsMax}`);
  }
  const { restartCountMax, restartWindowMs, spawnerAllowlist, classAllowlist } = options;
  const described = supervisor(name, {
    strategy: "ONE_FOR_ONE",
    restartCountMax,
    restartWindowMs,
    backoffBaseMs: 0,
    children: [],
  });
  const dynamic: DynamicPolicy = {
    restart: restart ?? refuse("restart", wanted, "permanent, transient or temporary"),
    childCountMax: count("childCountMax"),
    spawnCountMax: count("spawnCountMax"),
    childCountMaxPerSpawner: count("childCountMaxPerSpawner"),
    spawnCountMaxPerSpawner: count("spawnCountMaxPerSpawner"),
    spawnerAllowlist: spawnerAllowlist === undefined ? undefined : new Set(spawnerAllowlist),
    classAllowlist: classAllowlist === undefined ? undefined : new Set(classAllowlist),
    onSpawnRequested: options.onSpawnRequested,
    spawnHookTimeoutMs,
  };
  return { ...described, dynamic };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= timeoutMsMax;
}
