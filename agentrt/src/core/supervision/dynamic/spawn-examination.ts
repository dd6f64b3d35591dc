import { Agent, type AgentClass, isThenable, type SpawnRequest } from "../../agents/index.ts";
import { Alarm } from "../../ports/index.ts";
import { reasonOf } from "../../values/index.ts";
import type { FaultOwner, Kernel, DynamicPolicy } from "../../tree/index.ts";
import { spawnErrors } from "./errors.ts";
import type { SpawnNames } from "./spawn-ledger.ts";

/** Loads the class that a `type:` names. */
export type ClassLoader = (type: string) => Promise<unknown>;

/** What an examination needs to know. */
export interface ExaminationInit {
  readonly kernel: Kernel;
  readonly policy: DynamicPolicy;
  /** Undefined where only classes themselves can be given. */
  readonly loadClass: ClassLoader | undefined;
}

/**
 * Checks what a spawn asks for, after names and limits: the class, the spawner, the hook's word, in this order.
 *
 * @param init The policy.
 * @param request What is asked for.
 * @param names Who asks.
 * @returns The class: at once where nothing has to be waited for.
 * @throws AGENTRT_SPAWN_CLASS_NOT_LOADED, AGENTRT_SPAWN_CLASS_NOT_ALLOWED, AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED,
 *   AGENTRT_SPAWN_VETOED.
 */
export function examine(
  init: ExaminationInit,
  request: SpawnRequest,
  names: SpawnNames,
): AgentClass | Promise<AgentClass> {
  const { agentClass } = request;
  if (typeof agentClass === "string") return examineType(init, request, names);
  return examineClass(init, request, { ...names, agentClass });
}

async function examineType(
  init: ExaminationInit,
  request: SpawnRequest,
  names: SpawnNames,
): Promise<AgentClass> {
  const type = String(request.agentClass);
  const refuse = (reason: string, cause?: unknown): never => {
    throw new spawnErrors.CLASS_NOT_LOADED({ ...names, agentClass: type, reason }, { cause });
  };
  if (init.loadClass === undefined) {
    return refuse("this runtime was built without a topology, and loads no classes by name");
  }
  let loaded: unknown;
  try {
    loaded = await init.loadClass(type);
  } catch (cause) {
    return refuse(reasonOf(cause), cause);
  }
  return await examineClass(init, request, { ...names, agentClass: loaded });
}

function examineClass(
  init: ExaminationInit,
  request: SpawnRequest,
  found: SpawnNames & { readonly agentClass: unknown },
): AgentClass | Promise<AgentClass> {
  const { agentClass, ...names } = found;
  const shown =
    typeof request.agentClass === "string" ? request.agentClass : nameOfClass(agentClass);
  if (!isAgentClass(agentClass)) {
    const reason = `it is ${kindOf(agentClass)}, want a class that derives from Agent`;
    throw new spawnErrors.CLASS_NOT_LOADED({ ...names, agentClass: shown, reason });
  }
  const { classAllowlist, spawnerAllowlist, onSpawnRequested } = init.policy;
  if (classAllowlist !== undefined && !classAllowlist.has(agentClass)) {
    throw new spawnErrors.CLASS_NOT_ALLOWED({ ...names, agentClass: shown });
  }
  if (spawnerAllowlist !== undefined && !spawnerAllowlist.has(names.spawner)) {
    throw new spawnErrors.SPAWNER_NOT_ALLOWED(names);
  }
  if (onSpawnRequested === undefined) return agentClass;
  return askHook(init, request, { ...names, agentClass });
}

/** Asks the hook, which has its time and no more. */
function askHook(
  { kernel, policy }: ExaminationInit,
  request: SpawnRequest,
  found: SpawnNames & { readonly agentClass: AgentClass },
): Promise<AgentClass> {
  const { agentClass, ...names } = found;
  const { spawner, supervisor } = names;
  const { onSpawnRequested, spawnHookTimeoutMs } = policy;
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const refuse = (reason: string, cause?: unknown): void =>
      reject(new spawnErrors.VETOED({ ...names, reason }, { cause }));
    const alarm = new Alarm(() => {
      refuse(`it gave no answer within ${spawnHookTimeoutMs} ms`);
      controller.abort();
    });
    const decide = (verdict: unknown): void => {
      kernel.wheel.disarm(alarm);
      if (verdict === true) resolve(agentClass);
      else refuse(verdict === false ? "it said no" : `it answered ${typeof verdict}, want true`);
    };
    const fail = (error: unknown): void => {
      kernel.wheel.disarm(alarm);
      refuse(reasonOf(error), error);
    };
    kernel.wheel.arm(alarm, kernel.system.monotonicMs() + spawnHookTimeoutMs);
    try {
      const config = structuredClone(request.config ?? {});
      const context = { spawner, supervisor, signal: controller.signal };
      // A late, uncaught fault of the hook is only logged: it belongs to no agent, and must not end the process.
      const owner: FaultOwner = {
        name: supervisor,
        crash: (error) => kernel.log.error("onSpawnRequested failed", { supervisor, error }),
      };
      const verdict = kernel.faultOwner.run(owner, () =>
        onSpawnRequested?.(agentClass, request.name, config, context),
      );
      if (isThenable(verdict)) verdict.then(decide, fail);
      else decide(verdict);
    } catch (error) {
      fail(error);
    }
  });
}

function isAgentClass(value: unknown): value is AgentClass {
  return typeof value === "function" && value.prototype instanceof Agent;
}

function nameOfClass(value: unknown): string {
  return typeof value === "function" ? value.name : String(value);
}

function kindOf(value: unknown): string {
  if (value === Agent) return "Agent itself";
  if (typeof value === "function") return "another class or a function";
  return value === null ? "null" : `a value of type ${typeof value}`;
}
