import {
  agentLimits,
  readBudget,
  checkOptions,
  type OptionNames,
  type SpawnOptions,
  didYouMean,
  DynamicSupervisor,
  isNodeName,
  spawnErrors,
  timeoutMsMax,
  wantedNodeName,
  type ChildrenPort,
  type ChildStopReport,
  type EndRequest,
  type Kernel,
  type SpawnReport,
  type SpawnRequest,
} from "../core/index.ts";
import type { TreeIndex } from "./tree-index.ts";

const stopTimeoutMs = 30_000;

/** Finds the dynamic supervisor that serves a request to spawn or end a child, and checks the request. */
export class DynamicChildren implements ChildrenPort {
  readonly #tree: () => TreeIndex;
  readonly #kernel: () => Kernel;
  readonly #refuseUnlessUp: () => void;

  /**
   * @param of.tree Read when something is asked: the tree is built later.
   * @param of.kernel Read when something is asked.
   * @param of.refuseUnlessUp Throws before the start and after the stop.
   */
  constructor(of: {
    readonly tree: () => TreeIndex;
    readonly kernel: () => Kernel;
    readonly refuseUnlessUp: () => void;
  }) {
    this.#tree = of.tree;
    this.#kernel = of.kernel;
    this.#refuseUnlessUp = of.refuseUnlessUp;
  }

  /** {@inheritDoc ChildrenPort.spawn} */
  spawn(spawner: string, request: SpawnRequest): Promise<SpawnReport> {
    try {
      this.#refuseUnlessUp();
      checkSpawn(request);
      const supervisor = this.#supervisorFor(spawner, request);
      return supervisor.spawn(spawner, this.#isolated(request));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** {@inheritDoc ChildrenPort.end} */
  end(requester: string, request: EndRequest): Promise<ChildStopReport> {
    try {
      const ended = this.#end(request);
      // Otherwise it would wait for its own message at hand, which waits for this: a deadlock.
      return requester === request.name ? Promise.resolve({ lateNames: [] }) : ended;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #end(request: EndRequest): Promise<ChildStopReport> {
    this.#refuseUnlessUp();
    const { name, drain } = request;
    const timeoutMs = checkEnd(request);
    const parent = this.#tree().findParent(name);
    if (!(parent instanceof DynamicSupervisor)) {
      throw this.#kernel().registry.get(name) === undefined
        ? new spawnErrors.UNKNOWN_CHILD({ child: name })
        : new spawnErrors.NOT_A_DYNAMIC_CHILD({ child: name });
    }
    const isHard = drain === "now";
    return parent.endChild(name, {
      reason: isHard ? "despawned" : "clean_exit",
      stopOptions: {
        after: isHard ? "now" : drain === "all" ? "queue" : "message",
        isFinal: true,
        deadlineMs: this.#kernel().system.monotonicMs() + timeoutMs,
      },
    });
  }

  #supervisorFor(spawner: string, { name, into }: SpawnRequest): DynamicSupervisor {
    const tree = this.#tree();
    if (into === undefined) {
      const nearest = tree.nearestDynamic(spawner);
      if (nearest === undefined) throw new spawnErrors.NO_SUPERVISOR({ child: name, spawner });
      return nearest;
    }
    if (into === spawner) throw new spawnErrors.INTO_ITSELF({ child: name, spawner });
    const named = tree.dynamicSupervisors.find((candidate) => candidate.name === into);
    if (named !== undefined) return named;
    const found = this.#kernel().registry.get(into);
    const details = { child: name, supervisor: into };
    if (found === undefined) {
      const hint = didYouMean(
        into,
        tree.dynamicSupervisors.map((each) => each.name),
      );
      throw new spawnErrors.UNKNOWN_SUPERVISOR({ ...details, hint });
    }
    const kind = found.kind === "agent" ? "an agent" : "a supervisor of declared children";
    throw new spawnErrors.NOT_DYNAMIC({ ...details, found: kind });
  }

  /** Copies the options, so that later changes by the spawner do not reach the child. */
  #isolated(request: SpawnRequest): SpawnRequest {
    const { config, options } = request;
    if (config === undefined && options === undefined) return request;
    const { bus } = this.#kernel();
    const capabilities = options?.capabilities;
    const metadata = options?.capabilityMetadata;
    return {
      ...request,
      config: config === undefined ? undefined : bus.isolate(config),
      options: options && {
        ...options,
        capabilities: capabilities && [...capabilities],
        capabilityMetadata: metadata && bus.isolate(metadata),
        budget: options.budget && { ...options.budget },
      },
    };
  }
}

const spawnOptionNames: OptionNames<SpawnOptions> = {
  concurrency: true,
  mailboxLengthMax: true,
  retryCountMax: true,
  shutdownTimeoutMs: true,
  handleTimeoutMs: true,
  startTimeoutMs: true,
  hookTimeoutMs: true,
  key: true,
  capabilities: true,
  capabilityMetadata: true,
  keepState: true,
  budget: true,
  wait: true,
  token: true,
  timeoutMs: true,
  signal: true,
};

function checkSpawn({ name, options }: SpawnRequest): void {
  if (!isNodeName(name)) refuseOption(name, "name", { found: name, wanted: wantedNodeName });
  if (options === undefined) return;
  checkOptions(`agent "${name}"`, options, spawnOptionNames);
  agentLimits(name, options);
  readBudget(`agent "${name}"`, options.budget);
  const { timeoutMs, token, wait, keepState } = options;
  if (timeoutMs !== undefined) checkMilliseconds(name, timeoutMs, 1);
  if (token !== undefined && (typeof token !== "string" || token === "")) {
    refuseOption(name, "token", { found: token, wanted: "some text" });
  }
  if (wait !== undefined && typeof wait !== "boolean") {
    refuseOption(name, "wait", { found: wait, wanted: "true or false" });
  }
  if (keepState !== undefined && typeof keepState !== "boolean") {
    refuseOption(name, "keepState", { found: keepState, wanted: "true or false" });
  }
}

function checkEnd({ name, drain, timeoutMs }: EndRequest): number {
  if (!["now", "current", "all"].includes(drain)) {
    refuseOption(name, "drain", { found: drain, wanted: "current or all" });
  }
  if (timeoutMs !== undefined) checkMilliseconds(name, timeoutMs, 0);
  // A hard end waits only for onStop, which has the agent's own limit.
  return timeoutMs ?? (drain === "now" ? Number.POSITIVE_INFINITY : stopTimeoutMs);
}

function checkMilliseconds(name: string, value: unknown, least: number): void {
  if (typeof value === "number" && value >= least && value <= timeoutMsMax) return;
  const wanted = `a number from ${least} to ${timeoutMsMax}`;
  refuseOption(name, "timeoutMs", { found: value, wanted });
}

function refuseOption(
  child: unknown,
  option: string,
  value: { readonly found: unknown; readonly wanted: string },
): never {
  const details = { child: String(child), option, found: String(value.found) };
  throw new spawnErrors.OPTION_INVALID({ ...details, wanted: value.wanted });
}
