import type { NamedModel, SupervisorSpec, ToolSource } from "../../core/index.ts";
import { nodeKinds, secretVariables } from "../../node-kinds/index.ts";
import type {
  PreparedTree,
  RuntimeDescription,
  StopReport,
  TreeFiles,
  TreePart,
  TreesElsewhere,
} from "../../runtime/index.ts";
import {
  parseParts,
  parseTopologyFile,
  type ParsedTopology,
  requireTopology,
  type SourcePart,
  type Topology,
  type TopologyPaths,
} from "../../topology/index.ts";
import type { PlacedTopologies } from "../processes/index.ts";
import { refuseUses } from "../refuse-uses.ts";
import { describedChange } from "./described-names.ts";
import { applyErrors } from "./errors.ts";
import { type LivePlan, livePlan } from "./live-plan.ts";
import { planTopology } from "./plan-topology.ts";
import { modelTexts, toolTexts } from "./planned-parts.ts";

/** A topology to compare with the one that runs: paths of files, or their texts, the one at the bottom first. */
export type TopologySource =
  | TopologyPaths
  | { readonly files: readonly [SourcePart, ...SourcePart[]] };

/** What a command line says of the transport of its files. */
export interface TransportReading {
  /** Goes before the file's `transport.type`. */
  readonly transport?: string | undefined;
  /** Goes where the file names none. */
  readonly transportDefault?: string | undefined;
}

/** What became of a topology that was applied. */
export interface AppliedTopology extends StopReport {
  /** What was done. */
  readonly plan: LivePlan;
}

/** What became of the latest `apply`. */
export type ApplyState =
  | { readonly status: "none" }
  | { readonly status: "applying"; readonly sinceMs: number }
  | { readonly status: "applied"; readonly atMs: number; readonly lateNames: readonly string[] }
  | { readonly status: "failed"; readonly atMs: number; readonly error: unknown };

/** A topology that runs, and what its models and tools were made from. */
export interface RunningTopology {
  readonly topology: Topology;
  /** Undefined where the program gave them, whatever the file says: then they stay. */
  readonly models: readonly NamedModel[] | undefined;
  readonly tools: readonly ToolSource[] | undefined;
}

/** The runtime, as one who puts another topology in place sees it. */
export interface ChangedHost {
  /** What it was started from. */
  readonly running: RunningTopology;
  /** What was read from the environment into the file that was started: its values, and those of later files, are masked. */
  readonly variables: ParsedTopology["variables"] | undefined;
  /** Names of variables whose values are masked: those that later files name are added. */
  readonly secretNames: Set<string>;
  /** Takes secrets out of the lines of a plan. */
  readonly redactText: (text: string) => string;
  readonly environment: { readonly [name: string]: string | undefined } | undefined;
  /** What the command line says of the transport: goes for later files, too. */
  readonly reading?: TransportReading | undefined;
  /** There where agents are on several processes. */
  readonly placed?: PlacedTopologies | undefined;
  /** Puts other trees in place at workers; undefined on a worker, and where there are none. */
  readonly trees: () => TreesElsewhere | undefined;
  /** Process groups that have a process at the moment. */
  readonly presentGroups: () => readonly string[];
  readonly nowMs: () => number;
  readonly tree: () => Parameters<typeof livePlan>[2];
  /** Loads the classes and describes the tree. */
  readonly describe: (topology: Topology) => Promise<SupervisorSpec>;
  readonly makeModels: (topology: Topology) => Promise<readonly NamedModel[]>;
  readonly makeTools: (topology: Topology) => readonly ToolSource[];
  readonly change: (description: RuntimeDescription) => Promise<StopReport>;
}

/** Compares topologies with the one that runs, and puts them in its place, one at a time. */
export class TopologyChanges {
  readonly #host: ChangedHost;
  #running: RunningTopology;
  #state: ApplyState = { status: "none" };

  /** @param host The runtime. */
  constructor(host: ChangedHost) {
    this.#host = host;
    this.#running = host.running;
  }

  /** What became of the latest `apply`. */
  get state(): ApplyState {
    return this.#state;
  }

  /**
   * Says what `apply` would do at this moment. Nothing is loaded, and nothing changes.
   *
   * @throws AGENTRT_TOPOLOGY_*, AGENTRT_COMPOSITION_KEY_NOT_SERVED.
   */
  plan(source: TopologySource): LivePlan {
    const { topology, variables } = this.#read(source);
    return this.#planOf(topology, variables);
  }

  /**
   * Puts a topology in place of the one that runs.
   *
   * @throws As `plan`; AGENTRT_APPLY_BUSY, AGENTRT_APPLY_NEEDS_RESTART; AGENTRT_COMPOSITION_* and AGENTRT_PLUGIN_* for
   *   what cannot be loaded; and as `Runtime.change`. In each case all is as it was before.
   */
  async apply(source: TopologySource): Promise<AppliedTopology> {
    const { topology, variables, files } = this.#read(source);
    if (this.#state.status === "applying")
      throw new applyErrors.BUSY({ runtime: topology.supervision.name });
    this.#learnSecrets(topology, variables);
    const plan = this.#planOf(topology, variables);
    const [first] = plan.refusals;
    if (first !== undefined)
      throw new applyErrors.NEEDS_RESTART({ first, refusalCount: plan.refusals.length });
    const { nowMs } = this.#host;
    this.#state = { status: "applying", sinceMs: nowMs() };
    try {
      const { lateNames } = plan.isChange
        ? await this.#putEverywhere(topology, plan, files)
        : { lateNames: [] };
      this.#state = { status: "applied", atMs: nowMs(), lateNames };
      return { plan, lateNames };
    } catch (error) {
      this.#state = { status: "failed", atMs: nowMs(), error };
      throw error;
    }
  }

  /**
   * Makes this worker's part of another topology.
   *
   * @throws As `plan`; AGENTRT_WORKER_READS_DIFFERENTLY when its variables make another topology of it.
   */
  async readPart({ hash, files: [first, ...others] }: TreeFiles): Promise<TreePart> {
    const { placed } = this.#host;
    if (placed === undefined || first === undefined) throw new TypeError("No topology was sent");
    const { topology: whole, variables } = this.#read({ files: [first, ...others] });
    const { topology, ...names } = placed.part(whole, hash);
    this.#learnSecrets(whole, variables);
    return { ...names, prepare: async () => await this.#prepare(topology, variables) };
  }

  /** From now on its values can be in the words of agents and errors. */
  #learnSecrets(topology: Topology, variables: ParsedTopology["variables"] | undefined): void {
    if (variables !== undefined) this.#host.variables?.absorb(variables);
    for (const name of secretVariables(topology)) this.#host.secretNames.add(name);
  }

  /** Puts it in place, up to its end. */
  async #prepare(
    topology: Topology,
    variables: ParsedTopology["variables"] | undefined,
  ): Promise<PreparedTree> {
    const started = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const plan = this.#planOf(topology, variables);
    const done = this.#put(topology, plan, async () => {
      started.resolve();
      await decided.promise;
    });
    await Promise.race([started.promise, done]);
    return {
      commit: async () => {
        decided.resolve();
        return (await done).lateNames;
      },
      abort: async () => {
        decided.reject(new applyErrors.BUSY({ runtime: topology.supervision.name }));
        await done.catch(() => undefined);
      },
    };
  }

  /** Workers first: what does not start there undoes all before anything changes here. */
  async #putEverywhere(
    topology: Topology,
    plan: LivePlan,
    files: TreeFiles["files"],
  ): Promise<StopReport> {
    const { placed, trees } = this.#host;
    const elsewhere = trees();
    if (placed === undefined || elsewhere === undefined) return await this.#put(topology, plan);
    const prepared = await elsewhere.prepare(placed.sent(topology, files));
    let late: readonly string[] | undefined;
    try {
      const { lateNames } = await this.#put(topology, plan, async () => {
        late = await prepared.commit();
      });
      return { lateNames: [...(late ?? []), ...lateNames] };
    } catch (error) {
      if (late === undefined) await prepared.abort();
      throw error;
    }
  }

  async #put(
    topology: Topology,
    plan: LivePlan,
    confirm?: () => Promise<void>,
  ): Promise<StopReport> {
    const { topology: before } = this.#running;
    const spec = await this.#host.describe(topology);
    const models = await this.#models(topology);
    const tools = this.#tools(topology);
    const described = describedChange(plan.nodes, topology.supervision, {
      spec,
      before: before.supervision,
    });
    const report = await this.#host.change({
      supervision: spec,
      ...described,
      models,
      tools,
      confirm,
    });
    this.#running = { topology, models, tools };
    return report;
  }

  /** Those that are described as before are the same objects: their connections and counts stay. */
  async #models(topology: Topology): Promise<readonly NamedModel[] | undefined> {
    const { topology: before, models } = this.#running;
    if (models === undefined) return undefined;
    const [old, next] = [modelTexts(before), modelTexts(topology)];
    const isSame = (name: string): boolean => old.get(name) === next.get(name);
    const { plugins } = topology;
    const others = plugins.models.filter(({ name, type }) => !isSame(name ?? type));
    const made =
      others.length === 0
        ? []
        : await this.#host.makeModels({ ...topology, plugins: { ...plugins, models: others } });
    return [...next.keys()].flatMap((name) => {
      const source = isSame(name) ? models : made;
      return source.find((model) => model.name === name) ?? [];
    });
  }

  #tools(topology: Topology): readonly ToolSource[] | undefined {
    const { topology: before, tools } = this.#running;
    if (tools === undefined) return undefined;
    const [old, next] = [toolTexts(before), toolTexts(topology)];
    const isSame = (name: string): boolean => old.get(name) === next.get(name);
    const toolServers = topology.toolServers.filter(({ name }) => !isSame(name));
    const made = toolServers.length === 0 ? [] : this.#host.makeTools({ ...topology, toolServers });
    return [...next.keys()].flatMap((name) => {
      const source = isSame(name) ? tools : made;
      return source.find((tool) => tool.name === name) ?? [];
    });
  }

  #planOf(topology: Topology, variables: ParsedTopology["variables"] | undefined): LivePlan {
    const plan = planTopology(this.#running.topology, topology);
    const before = this.#host.variables?.mask ?? unmasked;
    const after = variables?.mask ?? unmasked;
    const shown = (text: string): string => this.#host.redactText(after(before(text)));
    const nodes = plan.nodes.map((node) => ({ ...node, because: node.because.map(shown) }));
    const masked = { ...plan, nodes, refusals: plan.refusals.map(shown) };
    const present = this.#host.presentGroups();
    const awayGroups = masked.groups.filter((group) => !present.includes(group));
    return { ...livePlan(masked, topology.supervision, this.#host.tree()), awayGroups };
  }

  #read(source: TopologySource): {
    readonly topology: Topology;
    readonly variables: ParsedTopology["variables"] | undefined;
    readonly files: TreeFiles["files"];
  } {
    const { environment, reading, placed } = this.#host;
    const { variables, ...read } = parsed(source, { environment, ...reading });
    const topology = requireTopology(read);
    refuseUses(topology);
    placed?.check(topology);
    return { topology, variables, files: read.parts ?? [] };
  }
}

const unmasked = (text: string): string => text;

function parsed(
  source: TopologySource,
  given: TransportReading & Pick<ChangedHost, "environment">,
): ParsedTopology {
  const options = { kinds: nodeKinds, ...given };
  const isText = typeof source === "object" && "files" in source;
  return isText ? parseParts(source.files, options) : parseTopologyFile(source, options);
}
