import {
  AgentCell,
  BudgetLedgers,
  ModelBudget,
  DynamicSupervisor,
  KeyedSupervisor,
  KeyHandle,
  LastWrites,
  Pool,
  Supervisor,
  supervisionErrors,
  supervisionStatus,
  TallyCounters,
  type AgentCounters,
  type Budget,
  type ChildDriver,
  type ChildSpec,
  type ClassLoader,
  type Kernel,
  type Message,
  type SupervisorEngine,
  type SupervisorSpec,
} from "../core/index.ts";

/** What is asked of an agent by its name. */
type ActorAction = "look into" | "restart" | "send to" | "stop" | "suspend" | "resume" | "drain";

/** The drivers of a tree, by name: those of the described nodes and those of spawned children. */
export class TreeIndex {
  readonly root: SupervisorEngine;
  /** In declaration order. */
  readonly dynamicSupervisors: DynamicSupervisor[] = [];
  /** Keyed agents, by name. */
  readonly keyed = new Map<
    string,
    { readonly supervisor: KeyedSupervisor; readonly tally: TallyCounters }
  >();
  /** What was spent of the budgets of the tree. */
  readonly budgets: BudgetLedgers;
  readonly #kernel: Kernel;
  readonly #loadClass: ClassLoader | undefined;
  readonly #cells = new Map<string, AgentCell>();
  readonly #pools = new Map<string, Pool>();
  readonly #parents = new Map<string, SupervisorEngine>();
  readonly #writes = new LastWrites();
  #goneMessageCount = 0;
  #goneCostUsd = 0;

  /**
   * Builds the drivers and registers their names; nothing runs yet.
   *
   * @param kernel What all actors share.
   * @param spec The root.
   * @param loadClass Loads classes that are spawned by name; undefined where that is not possible.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when two nodes share a name.
   */
  constructor(kernel: Kernel, spec: SupervisorSpec, loadClass: ClassLoader | undefined) {
    this.#kernel = kernel;
    this.#loadClass = loadClass;
    this.budgets = new BudgetLedgers(kernel);
    this.root = this.#buildSupervisor(spec, { kernel, isRoot: true });
  }

  /** The agents, in the order in which they were built. */
  get cells(): ReadonlyMap<string, AgentCell> {
    return this.#cells;
  }

  /** The pools of the tree. */
  get pools(): Pool[] {
    return [...this.#pools.values()];
  }

  /** @returns The agents and the keys that are there. */
  *allCells(): Iterable<AgentCell> {
    yield* this.#cells.values();
    for (const { supervisor } of this.keyed.values()) yield* supervisor.cells();
  }

  /** The counters of agents that are gone and whose names are free again. */
  get gone(): Pick<AgentCounters, "messagesHandled" | "costUsd"> {
    return { messagesHandled: this.#goneMessageCount, costUsd: this.#goneCostUsd };
  }

  #keyedOf(name: string): KeyedSupervisor | undefined {
    const holder = this.#kernel.registry.get(name)?.name ?? "";
    return this.keyed.get(holder)?.supervisor;
  }

  /**
   * Finds what can be suspended, restarted and stopped by its name.
   *
   * @param name Of it.
   * @param action What is asked of it, as a verb, for the error.
   * @returns An agent, a pool, a keyed agent, or a key of one, whether it has an object or not.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_SUPERVISION_NOT_AN_AGENT for any other supervisor.
   */
  actorOf(name: string, action: ActorAction): AgentCell | Pool | KeyedSupervisor | KeyHandle {
    const found = this.#cells.get(name) ?? this.#pools.get(name);
    if (found !== undefined) return found;
    const keyed = this.#keyedOf(name);
    if (keyed !== undefined) {
      return keyed.name === name ? keyed : new KeyHandle(keyed, name.slice(keyed.name.length + 1));
    }
    if (this.#kernel.registry.get(name) === undefined) {
      throw new supervisionErrors.UNKNOWN_NAME({ name });
    }
    throw new supervisionErrors.NOT_AN_AGENT({ name, action });
  }

  /** @returns The agent of a name, or of a key that has an object; undefined for all else. */
  findAgent(name: string): AgentCell | undefined {
    const cell = this.#cells.get(name);
    if (cell !== undefined) return cell;
    const keyed = this.#keyedOf(name);
    return keyed?.name === name ? undefined : keyed?.cellOf(name.slice(keyed.name.length + 1));
  }

  /**
   * Lists what waits for an agent, a pool or a key, in the order in which it will be served.
   *
   * @throws As `actorOf`; AGENTRT_SUPERVISION_NOT_AN_AGENT for a whole keyed agent: each key has its own mailbox.
   */
  waitingMessages(name: string): Message[] {
    const action = "look into";
    const actor = this.actorOf(name, action);
    if (actor instanceof KeyedSupervisor)
      throw new supervisionErrors.NOT_AN_AGENT({ name, action });
    return actor.waitingMessages();
  }

  /**
   * Finds the supervisor of an agent or of a supervisor.
   *
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, for the root too.
   */
  parentOf(name: string): SupervisorEngine {
    const parent = this.#parents.get(name) ?? this.#keyedOf(name);
    if (parent === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    return parent;
  }

  /** @returns The supervisor of an agent or of a supervisor; undefined for the root and for what is not there. */
  findParent(name: string): SupervisorEngine | undefined {
    return this.#parents.get(name);
  }

  /**
   * Finds the dynamic supervisor for the children of an agent.
   *
   * @param name Name of the agent; any other name stands for the program that runs the tree.
   * @returns An ancestor, nearest first; else the first one below an ancestor, nearest first; undefined when the tree
   *   has none.
   */
  nearestDynamic(name: string): DynamicSupervisor | undefined {
    const ancestors: SupervisorEngine[] = [];
    for (let at = this.#parents.get(name); at !== undefined; at = this.#parents.get(at.name)) {
      if (at instanceof DynamicSupervisor) return at;
      ancestors.push(at);
    }
    for (const ancestor of ancestors) {
      const found = this.dynamicSupervisors.find((each) => this.#isBelow(each, ancestor));
      if (found !== undefined) return found;
    }
    return this.dynamicSupervisors[0];
  }

  #isBelow(node: SupervisorEngine, ancestor: SupervisorEngine): boolean {
    for (let at = this.#parents.get(node.name); at !== undefined; at = this.#parents.get(at.name)) {
      if (at === ancestor) return true;
    }
    return false;
  }

  #buildSupervisor(spec: SupervisorSpec, above: BuildPlace): SupervisorEngine {
    const place = { ...above, kernel: this.#kernelBelow(spec, above.kernel) };
    if (spec.keyed !== undefined) return this.#buildKeyed(spec, spec.keyed, place);
    if (spec.pool !== undefined) return this.#buildPool(spec, spec.pool, place);
    const isDynamic = spec.dynamic !== undefined;
    this.#kernel.registry.register({
      name: spec.name,
      kind: "supervisor",
      capabilities: ["_agency.supervisor", ...(isDynamic ? ["_agency.dynamic_supervisor"] : [])],
      capabilityMetadata: {},
      address: undefined,
      get downs() {
        return built.downs;
      },
      supervisionStatus: () => supervisionStatus(built.describe()),
    });
    const built =
      spec.dynamic === undefined
        ? this.#buildStatic(spec, place)
        : this.#buildDynamic(spec, spec.dynamic, place);
    return built;
  }

  /** The kernel of a node and of all below it: there model calls count against its budget, too. */
  #kernelBelow(
    {
      name,
      budget,
      isSpawned,
    }: {
      readonly name: string;
      readonly budget?: Budget | undefined;
      readonly isSpawned?: boolean;
    },
    kernel: Kernel,
  ): Kernel {
    if (budget === undefined) return kernel;
    const node = { name, budget, isSpawned };
    return { ...kernel, budget: new ModelBudget(this.budgets, node, kernel.budget) };
  }

  #buildStatic(spec: SupervisorSpec, { kernel, isRoot }: BuildPlace): Supervisor {
    const drivers = spec.children.map((childSpec) => this.#buildChild(childSpec, kernel));
    const built = new Supervisor(kernel, spec, { drivers, isRoot });
    for (const driver of drivers) this.#parents.set(driver.name, built);
    return built;
  }

  #buildKeyed(
    spec: SupervisorSpec,
    policy: NonNullable<SupervisorSpec["keyed"]>,
    { kernel, isRoot }: BuildPlace,
  ): KeyedSupervisor {
    const tally = new TallyCounters();
    const init = { isRoot, policy, tally, writes: this.#writes };
    const supervisor = new KeyedSupervisor(kernel, spec, init);
    this.keyed.set(spec.name, { supervisor, tally });
    return supervisor;
  }

  #buildPool(
    spec: SupervisorSpec,
    policy: NonNullable<SupervisorSpec["pool"]>,
    { kernel, isRoot }: BuildPlace,
  ): Pool {
    const onAdded = (cell: AgentCell): void => void this.#cells.set(cell.name, cell);
    const built = new Pool(kernel, spec, { isRoot, policy, onAdded });
    this.#pools.set(spec.name, built);
    for (const member of built.members) this.#parents.set(member.name, built);
    return built;
  }

  #buildDynamic(
    spec: SupervisorSpec,
    policy: NonNullable<SupervisorSpec["dynamic"]>,
    { kernel, isRoot }: BuildPlace,
  ): DynamicSupervisor {
    const built = new DynamicSupervisor(kernel, spec, {
      isRoot,
      policy,
      loadClass: this.#loadClass,
      writes: this.#writes,
      kernelOf: ({ name, budget }) => this.#kernelBelow({ name, budget, isSpawned: true }, kernel),
      forgetBudget: ({ name, budget }) =>
        budget === undefined ? undefined : this.budgets.forgetSpawned(name, budget),
      onAdded: (cell) => {
        this.#cells.set(cell.name, cell);
        this.#parents.set(cell.name, built);
      },
      onRemoved: (cell) => {
        this.#cells.delete(cell.name);
        this.#parents.delete(cell.name);
        this.#goneMessageCount += cell.tally.messagesHandled;
        this.#goneCostUsd += cell.tally.costUsd;
      },
    });
    this.dynamicSupervisors.push(built);
    return built;
  }

  #buildChild(spec: ChildSpec, kernel: Kernel): ChildDriver {
    if (spec.kind === "supervisor") return this.#buildSupervisor(spec, { kernel, isRoot: false });
    const cell = new AgentCell(this.#kernelBelow(spec, kernel), spec);
    this.#cells.set(spec.name, cell);
    return cell;
  }
}

/** Where in the tree a supervisor is built. */
interface BuildPlace {
  /** That of the node above it. */
  readonly kernel: Kernel;
  readonly isRoot: boolean;
}
