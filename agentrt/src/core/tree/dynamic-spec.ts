import type { DynamicPolicy, RestartMode, SpawnHook } from "./dynamic-policy.ts";
import { supervisionErrors } from "../errors.ts";
import { checkNodeName, checkOptions, type OptionNames } from "./check-options.ts";
import type { AgentClass, AnyAgentClass } from "../agents/index.ts";
import type { BudgetOptions } from "../llm/index.ts";
import { supervisor, type SupervisorSpec } from "./supervisor-spec.ts";
import { timeoutMsMax } from "../values/index.ts";

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
  readonly classAllowlist?: readonly AnyAgentClass[] | undefined;
  /** Asked last, when everything else lets the child pass. */
  readonly onSpawnRequested?: SpawnHook | undefined;
  /** Upper bound on one `onSpawnRequested`, 1 or more; default 5000. */
  readonly spawnHookTimeoutMs?: number | undefined;
  /** What the model calls of all its children may cost together; default nothing bounds them here. */
  readonly budget?: BudgetOptions | undefined;
  /** Process group that its children run in; under the in-process transport they run in this process all the same. */
  readonly process?: string | undefined;
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
  checkNodeName("supervisor", name);
  checkOptions(`supervisor "${name}"`, options, dynamicOptionNames);
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
    budget: options.budget,
    children: [],
  });
  const dynamic: DynamicPolicy = {
    restart: restart ?? refuse("restart", wanted, "permanent, transient or temporary"),
    childCountMax: count("childCountMax"),
    spawnCountMax: count("spawnCountMax"),
    childCountMaxPerSpawner: count("childCountMaxPerSpawner"),
    spawnCountMaxPerSpawner: count("spawnCountMaxPerSpawner"),
    spawnerAllowlist: spawnerAllowlist === undefined ? undefined : new Set(spawnerAllowlist),
    classAllowlist:
      classAllowlist === undefined ? undefined : new Set(classAllowlist as readonly AgentClass[]),
    onSpawnRequested: options.onSpawnRequested,
    spawnHookTimeoutMs,
    processName: options.process,
  };
  return { ...described, dynamic };
}

const dynamicOptionNames: OptionNames<DynamicSupervisorOptions> = {
  childCountMax: true,
  spawnCountMax: true,
  childCountMaxPerSpawner: true,
  spawnCountMaxPerSpawner: true,
  restart: true,
  restartCountMax: true,
  restartWindowMs: true,
  spawnerAllowlist: true,
  classAllowlist: true,
  onSpawnRequested: true,
  spawnHookTimeoutMs: true,
  budget: true,
  process: true,
};

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= timeoutMsMax;
}
