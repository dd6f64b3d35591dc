import { dirname, resolve } from "node:path";
import { env } from "node:process";
import {
  createRealSystem,
  createRedactor,
  type NamedModel,
  type Redactor,
  type StateStore,
  type SupervisorSpec,
  type ToolSource,
} from "../core/index.ts";
import { nodeKinds, secretVariables } from "../node-kinds/index.ts";
import {
  agentAnswers,
  bindTree,
  ControlReads,
  followWorkers,
  type HiddenNames,
  hiddenNames,
  joinNames,
  noNames,
  Observer,
} from "../node-specs/index.ts";
import { createTypeLoader, type TypeLoader } from "../plugins/index.ts";
import {
  defaultLog,
  Runtime as TreeRuntime,
  type RuntimeDescription,
  type StopReport,
} from "../runtime/index.ts";
import {
  loadTopologyFile,
  type ParsedTopology,
  type Topology,
  type TopologyPaths,
} from "../topology/index.ts";
import {
  type AppliedTopology,
  applyErrors,
  type ApplyState,
  type LivePlan,
  TopologyChanges,
  type TopologySource,
  type TransportReading,
  tellApplied,
  tellNotApplied,
} from "./applying/index.ts";
import { auditOf } from "./audit-of.ts";
import { builtInClasses } from "./built-in-classes.ts";
import { buildTree } from "./build-tree.ts";
import {
  makeExporters,
  makeModels,
  openStateStore,
  processRedactor,
  resolveModels,
  toolSourcesOf,
} from "./plugins/index.ts";
import { checkChildren, checkRuntimeOptions } from "./check-runtime-options.ts";
import type { PlacedTopologies, SpreadGroup } from "./processes/index.ts";
import { maskVariables } from "./mask-variables.ts";
import { ProcessSampler } from "./process-sampler.ts";
import type { FromTopologyOptions, RuntimeOptions } from "./runtime-options.ts";
import { refuseUses } from "./refuse-uses.ts";
import { resilienceOf } from "./resilience-of.ts";
import { samplingOf } from "./sampling-of.ts";
import { runtimeParts } from "./runtime-parts.ts";
import { shutdownOf } from "./shutdown-of.ts";

/** As long as a request to a gateway may take by default. */
const graceMsDefault = 30_000;

let keepLoader: (runtime: Runtime, loader: TypeLoader) => void;
let keepTopology: (runtime: Runtime, topology: TopologyParts) => void;

/**
 * A supervision tree that runs, made from specs or from a topology file.
 *
 * @example
 * const children = [child(Greeter, "greeter"), httpGateway("gateway", { port: 8080 })];
 * await using runtime = new Runtime({ supervision: supervisor("root", { children }) });
 * await runtime.start();
 */
export class Runtime extends TreeRuntime {
  /** Its hooks serve the lazy imports of running agents, and go when the runtime stops. */
  #loader: TypeLoader | undefined;
  /** There when it was made from a topology, and is still that of one. */
  #changes: TopologyChanges | undefined;
  /** Puts nodes in place that ask the runtime they are part of. */
  readonly #bind: (root: SupervisorSpec) => SupervisorSpec;
  /** Names that clients of a gateway do not reach as they reach others. */
  readonly #hidden: { names: HiddenNames };
  /** There when somebody may look. */
  #sampler: ProcessSampler | undefined;
  #observer: () => Observer | undefined = () => undefined;

  static {
    keepLoader = (runtime, loader) => {
      runtime.#loader = loader;
    };
    keepTopology = (runtime, topology) => {
      runtime.#changes = new TopologyChanges({
        ...topology,
        nowMs: () => runtime.system.nowMs(),
        tree: () => runtime.tree(),
        trees: () => runtime.treesElsewhere,
        presentGroups: () => (runtime.elsewhere?.present() ?? []).map(groupOfLabel),
        describe: async (next) => runtime.#bind(await topology.describe(next)),
        change: (description) => runtime.#put(description),
      });
      runtime.takeTrees({
        read: async (tree) => await runtime.#topologyChanges().readPart(tree),
      });
    };
  }

  /**
   * Builds the tree; nothing runs yet.
   *
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when two nodes share a name; AGENTRT_MODEL_DUPLICATE_NAME when two
   *   model providers do; AGENTRT_COMPOSITION_MODEL_FAILED, AGENTRT_COMPOSITION_MODEL_UNKNOWN.
   */
  constructor(options: RuntimeOptions) {
    checkRuntimeOptions(options);
    const { onListening, standby, models = [], system = createRealSystem(), ...rest } = options;
    // Gateways and topology servers look at the runtime they are part of, once it runs.
    const built: { runtime?: Runtime; observer?: Observer } = {};
    const running = (): Runtime => {
      if (built.runtime !== undefined) return built.runtime;
      throw new TypeError("The tree was asked before it was built");
    };
    const processSampler = new ProcessSampler(system, env);
    const hidden: { names: HiddenNames } = { names: noNames };
    const reads = new ControlReads();
    const parts = runtimeParts({
      system,
      running,
      isBuilt: () => built.runtime !== undefined,
      hidden,
      sampler: processSampler,
      observer: () => (built.observer ??= observerOf(built.runtime, options)),
      onListening,
      reads,
      standby,
    });
    const bind = (root: SupervisorSpec): SupervisorSpec => {
      const bound = bindTree(root, parts);
      checkChildren(bound);
      return bound;
    };
    // Another process may ask what happened here.
    if (options.network !== undefined) built.observer ??= observerOf(undefined, options);
    const supervision = bind(options.supervision);
    hidden.names = hiddenNames(supervision);
    super({
      ...rest,
      ...keptLog(built.observer, options),
      models: resolveModels(models),
      system,
      supervision,
    });
    built.runtime = this;
    const { processGroup } = this;
    if (processGroup !== undefined) {
      built.observer?.hideRoot(supervision.name);
      this.answerElsewhere(agentAnswers(parts.control, processGroup));
    } else if (options.network !== undefined) {
      followWorkers(parts.control);
      this.answerReads((question) => reads.answer(question));
    }
    this.#bind = bind;
    this.#hidden = hidden;
    this.#observer = () => built.observer;
    this.#letObserve(built.observer, processSampler);
  }

  /** Nobody keeps anything of a tree without a control plane. */
  #letObserve(observer: Observer | undefined, sampler: ProcessSampler): void {
    if (observer === undefined) return;
    observer.watch(this);
    this.#sampler = sampler;
  }

  /**
   * Builds a runtime from a topology: reads and checks its files, loads the classes it names, opens its state store.
   * Nothing runs until `start`.
   *
   * @param paths The topology file, or several of which each is laid over those before; class paths count from the folder
   *   of the first.
   * @param options Type map, variables, and whatever a test replaces.
   * @returns The runtime.
   * @throws AGENTRT_TOPOLOGY_*, AGENTRT_COMPOSITION_*, AGENTRT_PLUGIN_*, AGENTRT_STATE_*.
   */
  static async fromTopology(
    paths: TopologyPaths,
    options: FromTopologyOptions = {},
  ): Promise<Runtime> {
    const { environment, ...others } = options;
    const { topology, variables, parts } = loadTopologyFile(paths, {
      kinds: nodeKinds,
      environment,
    });
    const [first] = typeof paths === "string" ? [paths] : paths;
    const secretNames = new Set(secretVariables(topology));
    const redactor = maskVariables(options.redactor ?? processRedactor(secretNames), variables);
    const files = { files: parts };
    return await runtimeOf(topology, first, {
      ...others,
      ...files,
      environment,
      redactor,
      secretNames,
      variables,
    });
  }

  protected override get graceMsDefault(): number {
    return graceMsDefault;
  }

  override async start(): Promise<void> {
    if (this.#sampler !== undefined) {
      this.#sampler.watchLoop();
      this.dateMessages();
    }
    await super.start();
  }

  /**
   * Says what `apply` would do at this moment: which nodes would stop, start, begin again, move or go on by other
   * settings, and what is under way there. Nothing is loaded, and nothing changes.
   *
   * @param source The files of a topology, or their texts. Class paths count from the folder of the file that runs.
   * @throws AGENTRT_TOPOLOGY_*, AGENTRT_COMPOSITION_KEY_NOT_SERVED; AGENTRT_APPLY_NO_TOPOLOGY for a tree of a program.
   */
  plan(source: TopologySource): LivePlan {
    return this.#topologyChanges().plan(source);
  }

  /**
   * Puts another topology in place of the one that runs, as `change` puts another tree. Code that is loaded stays as it
   * is: descriptions change.
   *
   * @param source As for `plan`.
   * @param options.initiatedBy Who asked, for the log; default `"runtime"`.
   * @throws As `plan` and `change`; AGENTRT_APPLY_NEEDS_RESTART for what a running process cannot change: the state store,
   *   the transport, exporters, `security`, `audit`, `shutdown`, `tracing`, `resilience`, the root's name;
   *   AGENTRT_APPLY_BUSY while another one is applied; AGENTRT_PLUGIN_* and AGENTRT_COMPOSITION_* for what cannot be
   *   loaded. In each case all is as it was before.
   */
  async apply(
    source: TopologySource,
    { initiatedBy = "runtime" }: { readonly initiatedBy?: string } = {},
  ): Promise<AppliedTopology> {
    const observer = this.#observer();
    try {
      const applied = await this.#topologyChanges().apply(source);
      this.log.info("another topology was applied", { initiatedBy });
      if (observer !== undefined) tellApplied(observer, { plan: applied.plan, initiatedBy });
      return applied;
    } catch (error) {
      this.log.warn("a topology was not applied", { initiatedBy, error });
      if (observer !== undefined) tellNotApplied(observer, { error, initiatedBy });
      throw error;
    }
  }

  /** What became of the latest `apply`. */
  get applyState(): ApplyState {
    return this.#changes?.state ?? { status: "none" };
  }

  override async change(description: RuntimeDescription): Promise<StopReport> {
    const report = await this.#put({
      ...description,
      supervision: this.#bind(description.supervision),
    });
    // It runs what no file says.
    this.#changes = undefined;
    return report;
  }

  /** Clients reach no hidden node of the tree before, nor of the one after, while it changes. */
  async #put(description: RuntimeDescription): Promise<StopReport> {
    const hidden = this.#hidden;
    hidden.names = joinNames(hidden.names, hiddenNames(description.supervision));
    try {
      return await super.change(description);
    } finally {
      hidden.names = hiddenNames(this.description);
    }
  }

  #topologyChanges(): TopologyChanges {
    if (this.#changes !== undefined) return this.#changes;
    throw new applyErrors.NO_TOPOLOGY({ runtime: this.description.name });
  }

  override async stop(options: { readonly timeoutMs?: number } = {}): Promise<StopReport> {
    try {
      return await super.stop(options);
    } finally {
      this.#sampler?.end();
      this.#loader?.uninstall();
    }
  }
}

/** @returns The process group of a worker: of several workers of one, each has a number. */
function groupOfLabel(label: string): string {
  return label.replace(/\/\d+$/, "");
}

/** Keeps what happens in the tree, from now on where that runs already: a control plane may come later. */
function observerOf(runtime: Runtime | undefined, options: RuntimeOptions): Observer {
  const system = runtime?.system ?? options.system ?? createRealSystem();
  const isOneOfMany = options.network !== undefined;
  const observer = new Observer({ system, redactor: options.redactor, isOneOfMany });
  if (runtime !== undefined) observer.watch(runtime);
  return observer;
}

/** @returns The log of a runtime, whose lines operators may read later; nothing where nobody can. */
function keptLog(
  observer: Observer | undefined,
  { log, system = createRealSystem(), redactor = createRedactor() }: RuntimeOptions,
): Pick<RuntimeOptions, "log"> {
  if (observer === undefined) return {};
  return { log: observer.logs.recorded(log ?? defaultLog(system, redactor)) };
}

/** How a runtime is made from a topology that was read already; the environment is for those that are applied later. */
interface TopologyRuntimeOptions extends FromTopologyOptions {
  /** What was read into it, which `redactor` masks: what later ones read is masked, too. */
  readonly variables?: ParsedTopology["variables"] | undefined;
  /** Names of variables whose values `redactor` masks: those that later ones name are added. */
  readonly secretNames?: Set<string> | undefined;
  /** What it was read from: workers that have an earlier topology, or none, get it. */
  readonly files?: ParsedTopology["parts"] | undefined;
  /** What the command line said of the transport. */
  readonly reading?: TransportReading | undefined;
  /** There where agents are on several processes. */
  readonly placed?: PlacedTopologies | undefined;
  /** There for a worker whose group may have several. */
  readonly spread?: SpreadGroup | undefined;
}

/** What a runtime keeps of the topology that it was made from. */
type TopologyParts = Omit<
  ConstructorParameters<typeof TopologyChanges>[0],
  "nowMs" | "tree" | "change" | "trees" | "presentGroups"
>;

/**
 * Builds a runtime from a topology that was read already.
 *
 * @param topology The topology.
 * @param path Where it is: class paths count from its folder.
 * @param options As for `Runtime.fromTopology`, without what reading needs.
 */
export async function runtimeOf(
  topology: Topology,
  path: string,
  options: TopologyRuntimeOptions,
): Promise<Runtime> {
  refuseUses(topology);
  const loader = createTypeLoader({
    projectRoot: dirname(resolve(path)),
    typeMap: { ...builtInClasses, ...options.typeMap },
  });
  try {
    const { own, network, spread, placed } = await ownPartOf(topology, options, loader);
    const source = { loader, directory: dirname(resolve(path)) };
    return await buildRuntime(own, source, { network, spread, placed, ...options });
  } catch (error) {
    loader.uninstall();
    throw error;
  }
}

/** What of a topology one process runs, and what connects it with the others. */
interface OwnPart extends Pick<RuntimeOptions, "network"> {
  readonly own: Topology;
  readonly spread?: SpreadGroup | undefined;
  readonly placed?: PlacedTopologies;
}

/** What of a topology this process runs. What connects processes is loaded where there are several. */
async function ownPartOf(
  topology: Topology,
  options: TopologyRuntimeOptions,
  loader: TypeLoader,
): Promise<OwnPart> {
  const { processes = {}, files, state, wrapState = (store) => store } = options;
  if (topology.transport.type === "in_process") return { own: topology };
  const { networkOf, placedTopologies, withStatesOf, workerTopology } =
    await import("./processes/index.ts");
  const { process } = processes;
  const worker = process === undefined ? undefined : workerTopology(topology, process);
  const { others, budgetedNames } = worker ?? {};
  const openGroupStates = async (group: string): Promise<StateStore> => {
    const opening = { loader, processes, isShared: true, warn: () => undefined };
    return wrapState(await openStates(withStatesOf(topology, group), opening));
  };
  const network = networkOf(topology, processes, {
    others,
    budgetedNames,
    files,
    openGroupStates: state === undefined ? openGroupStates : undefined,
  });
  const placed = placedTopologies(process);
  return { own: worker?.topology ?? topology, network, spread: worker?.spread, placed };
}

/** The states of this process; those of a group of several workers are shared. */
async function ownStates(
  topology: Topology,
  { spread, processes }: TopologyRuntimeOptions,
  { loader, warn }: { readonly loader: TypeLoader; readonly warn: (message: string) => void },
): Promise<StateStore> {
  const open = async (isShared: boolean): Promise<StateStore> =>
    await openStates(topology, { loader, processes, isShared, warn });
  if (spread === undefined) return await open(false);
  const { openSharedStates } = await import("./processes/index.ts");
  return await openSharedStates(spread, async () => await open(true));
}

async function openStates(
  topology: Topology,
  opening: Pick<TopologyRuntimeOptions, "processes"> & {
    readonly loader: TypeLoader;
    readonly isShared: boolean;
    readonly warn: (message: string) => void;
  },
): Promise<StateStore> {
  const { loader, processes, isShared, warn } = opening;
  return await openStateStore(topology, {
    loadClass: (type) => loader.load(type, { group: "state" }),
    isShared,
    warn,
    natsServers: processes?.natsServers,
  });
}

async function buildRuntime(
  topology: Topology,
  { loader, directory }: { readonly loader: TypeLoader; readonly directory: string },
  options: TopologyRuntimeOptions,
): Promise<Runtime> {
  const {
    typeMap: _,
    environment: __,
    processes,
    variables: ___,
    wrapState = (store) => store,
    wrapModels,
    wrapTools,
    spread: ____,
    files: _____,
    reading: ______,
    placed: _______,
    secretNames = new Set(secretVariables(topology)),
    ...runtimeOptions
  } = options;
  const supervision = await buildTree(topology, loader);
  // What is said before there is a runtime is logged by it.
  let { log } = runtimeOptions;
  const early: string[] = [];
  const warn = (message: string): void => {
    if (log === undefined) early.push(message);
    else log.warn(message);
  };
  const models =
    runtimeOptions.models ??
    (await makeModels(topology, {
      loadClass: (type) => loader.load(type, { group: "models" }),
      warn,
    }));
  const state = runtimeOptions.state ?? (await ownStates(topology, options, { loader, warn }));
  try {
    const tools = runtimeOptions.tools ?? toolSourcesOf(topology, { environment: env, directory });
    const redactor = runtimeOptions.redactor ?? processRedactor(secretNames);
    const exporters =
      runtimeOptions.exporters ?? (await exportersOf(topology, { loader, redactor }));
    const resolved = resolveModels(models);
    const wrapped = {
      models: wrapModels?.(resolved) ?? resolved,
      tools: wrapTools?.(tools) ?? tools,
    };
    const runtime = new Runtime({
      ...sectionsOf(topology, { processes, warn }),
      redactor,
      exporters,
      loadClass: (type) => loader.load(type),
      typeOfClass: (agentClass) => loader.typeOf(agentClass),
      ...runtimeOptions,
      state: wrapState(state),
      ...wrapped,
      supervision,
    });
    keepLoader(runtime, loader);
    keepTopology(
      runtime,
      topologyParts({ topology, loader, directory, options, wrapped, redactor, secretNames }),
    );
    log = runtime.log;
    for (const message of early) log.warn(message);
    return runtime;
  } catch (error) {
    if (runtimeOptions.state === undefined) await state.close();
    throw error;
  }
}

/** What sections of the file say; operators are known to the supervisor's process, and so is what they did. */
function sectionsOf(
  topology: Topology,
  {
    processes,
    warn,
  }: Pick<FromTopologyOptions, "processes"> & { readonly warn: (message: string) => void },
): Pick<RuntimeOptions, "shutdown" | "sampling" | "audit" | "resilience"> {
  const isWorker = processes?.process !== undefined;
  return {
    shutdown: shutdownOf(topology),
    sampling: samplingOf(topology, env, warn),
    audit: isWorker ? undefined : auditOf(topology, env),
    resilience: resilienceOf(topology),
  };
}

/** @returns The exporters that the file names. */
async function exportersOf(
  topology: Topology,
  { loader, redactor }: { readonly loader: TypeLoader; readonly redactor: Redactor },
): ReturnType<typeof makeExporters> {
  return await makeExporters(topology, {
    loadClass: (type) => loader.load(type, { group: "exporters" }),
    redactor,
    environment: env,
  });
}

/** What is needed to put another topology in place of this one. */
function topologyParts(of: {
  readonly topology: Topology;
  readonly loader: TypeLoader;
  readonly directory: string;
  readonly options: TopologyRuntimeOptions;
  readonly redactor: Redactor;
  readonly secretNames: Set<string>;
  /** As agents have them. */
  readonly wrapped: {
    readonly models: readonly NamedModel[];
    readonly tools: readonly ToolSource[];
  };
}): TopologyParts {
  const { loader, directory, options, wrapped } = of;
  const { wrapModels, wrapTools, environment, variables, reading, placed } = options;
  return {
    variables,
    reading,
    placed,
    redactText: of.redactor.text,
    secretNames: of.secretNames,
    running: {
      topology: of.topology,
      models: options.models === undefined ? wrapped.models : undefined,
      tools: options.tools === undefined ? wrapped.tools : undefined,
    },
    environment,
    describe: async (topology) => await buildTree(topology, loader),
    makeModels: async (topology) => {
      const loadClass = (type: string): Promise<unknown> => loader.load(type, { group: "models" });
      const made = await makeModels(topology, {
        loadClass,
        warn: (text) => options.log?.warn(text),
      });
      return wrapModels?.(made) ?? made;
    },
    makeTools: (topology) => {
      const made = toolSourcesOf(topology, { environment: env, directory });
      return wrapTools?.(made) ?? made;
    },
  };
}
