import { dirname, resolve } from "node:path";
import { env } from "node:process";
import {
  createRealSystem,
  createRedactor,
  type MessageSchemas,
  type SupervisorSpec,
} from "../core/index.ts";
import { RequestMetrics } from "../gateway/index.ts";
import { nodeKinds } from "../node-kinds/index.ts";
import { bindTree, hiddenNames, Observer } from "../node-specs/index.ts";
import { createTypeLoader, type TypeLoader } from "../plugins/index.ts";
import { defaultLog, Runtime as TreeRuntime, type StopReport } from "../runtime/index.ts";
import { loadTopologyFile, type Topology, type TopologyPaths } from "../topology/index.ts";
import { auditControl, auditOf } from "./audit-of.ts";
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
import { maskVariables } from "./mask-variables.ts";
import { ProcessSampler } from "./process-sampler.ts";
import type { FromTopologyOptions, RuntimeOptions } from "./runtime-options.ts";
import { refuseUses } from "./refuse-uses.ts";
import { resilienceOf } from "./resilience-of.ts";
import { samplingOf } from "./sampling-of.ts";
import { shutdownOf } from "./shutdown-of.ts";
import { watchApprovals } from "./watch-approvals.ts";

/** As long as a request to a gateway may take by default. */
const graceMsDefault = 30_000;

let keepLoader: (runtime: Runtime, loader: TypeLoader) => void;

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
  /** There when somebody may look. */
  #sampler: ProcessSampler | undefined;

  static {
    keepLoader = (runtime, loader) => {
      runtime.#loader = loader;
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
    const { onListening, models = [], system = createRealSystem(), ...rest } = options;
    // Gateways and topology servers look at the runtime they are part of, once it runs.
    const built: { runtime?: Runtime; observer?: Observer } = {};
    const running = (): Runtime => {
      if (built.runtime === undefined)
        throw new TypeError("The tree was asked before it was built");
      return built.runtime;
    };
    const requestMetrics = new RequestMetrics();
    const processSampler = new ProcessSampler(system, env);
    const supervision: SupervisorSpec = bindTree(options.supervision, {
      system,
      environment: env,
      addEntrance: (entrance) => running().addEntrance(entrance),
      hasAgent: (name) => hasAgentIn(running().registry, name),
      agentSchemas: () => schemasIn(running().registry),
      suspensions: watchApprovals(running),
      chooseCapable: (tag) => running().registry.chooseCapable(tag, { random: system.random() }),
      isClosed: (name) => hidden.closed.has(name) || running().registry.isSession(name),
      tracer: () => built.runtime?.tracer,
      requestMetrics,
      onRefusal: (refusal) => built.runtime?.noteRefusal(refusal),
      openSession: (name, sink) => running().openSession(name, sink),
      isInfrastructure: (name) => hidden.infrastructure.has(name),
      control: {
        get status() {
          return running().status;
        },
        mailbox: (name, asked) => running().mailbox(name, asked),
        process: () => processSampler.sample(),
        suspend: (name, asked) => running().suspend(name, asked),
        resume: (name, asked) => running().resume(name, asked),
        drain: (name, asked) => running().drain(name, asked),
        restart: (name, asked) => running().restart(name, asked),
        inject: (name, message) => running().inject(name, message),
        isClosed: (name) => hidden.closed.has(name),
        ...auditControl(running),
        turnEnd: () => new Promise((resolve) => system.yieldTurn(resolve)),
        tree: () => running().tree(),
        health: () => running().health(),
        circuits: () => running().circuits(),
        spansOf: (traceId) => running().spansOf(traceId),
        requestMetrics: () => requestMetrics.toValue(),
        snapshot: () => running().snapshot(),
        deadLetters: () => running().deadLetters(),
        activity: (name) => running().activity(name),
        agentState: (name) => running().agentState(name),
        agentNode: (name) => running().agentNode(name),
        get observer() {
          return (built.observer ??= new Observer({ system, redactor: options.redactor }));
        },
      },
      ...(onListening === undefined ? {} : { onListening }),
    });
    checkChildren(supervision);
    const hidden = hiddenNames(supervision);
    super({
      ...rest,
      ...keptLog(built.observer, options),
      models: resolveModels(models),
      system,
      supervision,
    });
    built.runtime = this;
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
    const { topology, variables } = loadTopologyFile(paths, { kinds: nodeKinds, environment });
    const [first] = typeof paths === "string" ? [paths] : paths;
    const redactor = maskVariables(options.redactor ?? processRedactor(), variables);
    return await runtimeOf(topology, first, { ...others, redactor });
  }

  protected override get graceMsDefault(): number {
    return graceMsDefault;
  }

  override async start(): Promise<void> {
    this.#sampler?.watchLoop();
    await super.start();
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

/** @returns True for an agent that is neither a member of a pool nor a client's connection. */
function hasAgentIn(registry: TreeRuntime["registry"], name: string): boolean {
  const found = registry.get(name);
  const isSession = registry.isSession(name);
  return found?.kind === "agent" && found.address?.pool === undefined && !isSession;
}

/** @returns What agents declare of their messages, by name; members of a pool are left out. */
function schemasIn(registry: TreeRuntime["registry"]): ReadonlyMap<string, MessageSchemas> {
  const found = new Map<string, MessageSchemas>();
  for (const { name, schemas, address } of registry.list())
    if (schemas !== undefined && address?.pool === undefined) found.set(name, schemas);
  return found;
}

/** @returns The log of a runtime, whose lines operators may read later; nothing where nobody can. */
function keptLog(
  observer: Observer | undefined,
  { log, system = createRealSystem(), redactor = createRedactor() }: RuntimeOptions,
): Pick<RuntimeOptions, "log"> {
  if (observer === undefined) return {};
  return { log: observer.logs.recorded(log ?? defaultLog(system, redactor)) };
}

/** How a runtime is made from a topology that was read already. */
type TopologyRuntimeOptions = Omit<FromTopologyOptions, "environment">;

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
    return await buildRuntime(topology, { loader, directory: dirname(resolve(path)) }, options);
  } catch (error) {
    loader.uninstall();
    throw error;
  }
}

async function buildRuntime(
  topology: Topology,
  { loader, directory }: { readonly loader: TypeLoader; readonly directory: string },
  options: TopologyRuntimeOptions,
): Promise<Runtime> {
  const { typeMap: _, wrapModels, wrapTools, ...runtimeOptions } = options;
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
  const state =
    runtimeOptions.state ??
    (await openStateStore(topology, {
      loadClass: (type) => loader.load(type, { group: "state" }),
      warn,
    }));
  try {
    const tools = runtimeOptions.tools ?? toolSourcesOf(topology, { environment: env, directory });
    const redactor = runtimeOptions.redactor ?? processRedactor();
    const exporters =
      runtimeOptions.exporters ??
      (await makeExporters(topology, {
        loadClass: (type) => loader.load(type, { group: "exporters" }),
        redactor,
        environment: env,
      }));
    const runtime = new Runtime({
      shutdown: shutdownOf(topology),
      sampling: samplingOf(topology, env, warn),
      resilience: resilienceOf(topology),
      audit: auditOf(topology, env),
      redactor,
      exporters,
      loadClass: (type) => loader.load(type),
      ...runtimeOptions,
      state,
      tools: wrapTools?.(tools) ?? tools,
      models: wrapModels?.(resolveModels(models)) ?? models,
      supervision,
    });
    keepLoader(runtime, loader);
    log = runtime.log;
    for (const message of early) log.warn(message);
    return runtime;
  } catch (error) {
    if (runtimeOptions.state === undefined) await state.close();
    throw error;
  }
}
