import type { AgentClass } from "../agents/index.ts";
import type { JsonObject } from "../values/index.ts";

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
// oxlint-disable-next-line max-params -- the published form
export type SpawnHook = (
  agentClass: AgentClass,
  name: string,
  config: JsonObject,
  context: SpawnContext,
) => boolean | PromiseLike<boolean>;

/** The policy of a dynamic supervisor, defaults filled in. */
export interface DynamicPolicy extends DynamicLimits {
  readonly spawnerAllowlist: ReadonlySet<string> | undefined;
  readonly classAllowlist: ReadonlySet<AgentClass> | undefined;
  readonly onSpawnRequested: SpawnHook | undefined;
  readonly spawnHookTimeoutMs: number;
  /** Name of the process group that its children run in; undefined for the runtime's own process. */
  readonly processName: string | undefined;
}

/** The limits of a dynamic supervisor; undefined where there is none. */
export interface DynamicLimits {
  readonly restart: RestartMode;
  readonly childCountMax: number | undefined;
  readonly spawnCountMax: number | undefined;
  readonly childCountMaxPerSpawner: number | undefined;
  readonly spawnCountMaxPerSpawner: number | undefined;
}
