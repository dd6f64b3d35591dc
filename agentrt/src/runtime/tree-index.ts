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
  type AgentSpec,
  type Budget,
  type ChildDriver,
  type ChildSpec,
  type ClassLoader,
  type DriverElsewhere,
  type Kernel,
  type Message,
  type SupervisorEngine,
  type SupervisorSpec,
  type TreeNode,
} from "../core/index.ts";
import { kindOfSpec, placedNodes } from "./placed-nodes.ts";

/** What is asked of an agent by its name. */
type ActorAction =
  | "look into"
  | "take a message from"
  | "restart"
  | "send to"
  | "stop"
  | "suspend"
  | "resume"
  | "drain";

/** A node of a tree, and where in it it is. */
export interface PlacedNode {
  readonly node: TreeNode;
  /** Names of the supervisors above it, the root first. */
  readonly above: readonly string[];
}

/** The drivers of a tree, by name: those of the described nodes and those of spawned children. */
export class TreeIndex {
  readonly root: SupervisorEngine;
  /** What it is built from; another one after a change. */
  spec: SupervisorSpec;
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
  readonly #elsewhere = new Map<string, DriverElsewhere>();
  readonly #pools = new Map<string, Pool>();
  readonly #parents = new Map<string, SupervisorEngine>();
  /** The supervisors of declared children. */
  readonly #supervisors = new Map<string, Supervisor>();
  /** What the actors below each of them share, and by which budgets that came to be. */
  #places: ReadonlyMap<string, KernelPlace> = new Map();
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
    this.spec = spec;
    this.budgets = new BudgetLedgers(kernel);
    const places = this.placesOf(spec);
    this.#places = places;
    this.root = this.#buildSupervisor(spec, { kernel, isRoot: true, places });
  }

  /** The supervisor of declared children that has the name; undefined where there is none. */
  findSupervisor(name: string): Supervisor | undefined {
    return this.#supervisors.get(name);
  }

  /** The supervisor of any kind that has the name; undefined where there is none. */
  findEngine(name: string): SupervisorEngine | undefined {
    const declared = this.#supervisors.get(name) ?? this.#pools.get(name);
    const found = declared ?? this.keyed.get(name)?.supervisor;
    return found ?? this.dynamicSupervisors.find((each) => each.name === name);
  }

  /** What the actors below each supervisor share. */
  get places(): ReadonlyMap<string, KernelPlace> {
    return this.#places;
  }

  /**
   * Says what the actors below each supervisor of declared children share: of one whose budgets, and those above it, are
   * as they were, the very same.
   *
   * @param root A tree, the one that runs or another.
   */
  placesOf(root: SupervisorSpec): ReadonlyMap<string, KernelPlace> {
    const places = new Map<string, KernelPlace>();
    const visit = (spec: SupervisorSpec, above: KernelPlace): void => {
      if (kindOfSpec(spec) !== "supervisor") return;
      const { name, budget } = spec;
      const chain = budget === undefined ? above.chain : [...above.chain, { name, budget }];
      const known = this.#places.get(name);
      const isKnown = known !== undefined && JSON.stringify(known.chain) === JSON.stringify(chain);
      const place = isKnown ? known : { kernel: this.#kernelBelow(spec, above.kernel), chain };
      places.set(name, place);
      for (const each of spec.children) if (each.kind === "supervisor") visit(each, place);
    };
    visit(root, { kernel: this.#kernel, chain: [] });
    return places;
  }

  // What changes while the tree runs.

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME for a node whose name is taken. */
  refuseTaken(spec: ChildSpec): void {
    const { name } = spec;
    // Other processes have parts of it, too: its name leads to the one that sends messages on.
    if (this.#kernel.placement?.hostOf?.(spec, this.#kernel) !== undefined) return;
    if (this.#kernel.registry.get(name)?.name === name)
      throw new supervisionErrors.DUPLICATE_NAME({ name });
  }

  /**
   * Builds the driver of a node, registers its names and those of all below it; nothing runs yet.
   *
   * @param spec The node.
   * @param parent Name of the supervisor that it comes to be under.
   * @param places Of the tree that it is built for.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when a name is taken.
   */
  build(spec: ChildSpec, parent: string, places: ReadonlyMap<string, KernelPlace>): ChildDriver {
    const kernel = places.get(parent)?.kernel ?? this.#kernel;
    const built = this.#buildChild(spec, { kernel, places });
    this.adopt(spec.name, parent);
    return built;
  }

  /**
   * Describes a node again: one that is down, a dynamic supervisor, or one of another process.
   *
   * @param spec The node, of the same name and kind.
   * @param parent Name of the supervisor above it.
   * @param places Of the tree that it is described for.
   */
  describeAnew(spec: ChildSpec, parent: string, places: ReadonlyMap<string, KernelPlace>): void {
    const above = places.get(parent)?.kernel ?? this.#kernel;
    const below = this.#kernelBelow(spec, above);
    const kernel = below.placement?.hostOf?.(spec, below) ?? below;
    const { name } = spec;
    const elsewhere = this.#elsewhere.get(name);
    if (elsewhere !== undefined) elsewhere.describeAnew?.(spec, above);
    else if (spec.kind === "agent") this.#cells.get(name)?.describeAnew(spec, kernel);
    else if (spec.pool !== undefined) this.#pools.get(name)?.describeAnew(spec, kernel, spec.pool);
    else if (spec.keyed !== undefined)
      this.keyed.get(name)?.supervisor.describeAnew(spec, kernel, spec.keyed);
    else if (spec.dynamic !== undefined)
      this.dynamicSupervisors
        .find((each) => each.name === name)
        ?.describeAnew(spec, kernel, spec.dynamic);
    this.adopt(name, parent);
  }

  /** A node is under that supervisor of declared children now. */
  adopt(name: string, parent: string): void {
    const supervisor = this.#supervisors.get(parent);
    if (supervisor !== undefined) this.#parents.set(name, supervisor);
  }

  /**
   * Takes a node, and the members of a pool, out of the tree: their names are free.
   *
   * @returns Puts them back.
   */
  leave(name: string): () => void {
    const pool = this.#pools.get(name);
    const names = [name, ...(pool?.members.map((member) => member.name) ?? [])];
    const restored = names.map((each) => this.#leaveOne(each));
    return () => {
      for (const restore of restored) restore();
    };
  }

  #leaveOne(name: string): () => void {
    const { registry } = this.#kernel;
    const registration = registry.get(name);
    const maps: readonly Map<string, unknown>[] = [
      this.#cells,
      this.#elsewhere,
      this.#pools,
      this.#parents,
      this.#supervisors,
      this.keyed,
    ];
    const entries = maps.map((map) => ({ map, value: map.get(name) }));
    const dynamic = this.dynamicSupervisors.find((each) => each.name === name);
    for (const map of maps) map.delete(name);
    if (dynamic !== undefined)
      this.dynamicSupervisors.splice(this.dynamicSupervisors.indexOf(dynamic), 1);
    const host = this.#kernel.placement?.unhost?.(name);
    const isRegistered = host === undefined && registration?.name === name;
    if (isRegistered) registry.deregister(name);
    return () => {
      for (const { map, value } of entries) if (value !== undefined) map.set(name, value);
      if (dynamic !== undefined) this.dynamicSupervisors.push(dynamic);
      host?.();
      if (isRegistered) registry.register(registration);
    };
  }

  /** Takes a node that is down for good out of the tree; who watches it hears that it is gone. */
  forget(name: string): void {
    const { registry } = this.#kernel;
    const pool = this.#pools.get(name);
    const cells = [this.#cells.get(name), ...(pool?.members ?? [])];
    const tallies = [...cells.map((cell) => cell?.tally), this.keyed.get(name)?.tally];
    for (const tally of tallies) {
      this.#goneMessageCount += tally?.messagesHandled ?? 0;
      this.#goneCostUsd += tally?.costUsd ?? 0;
    }
    for (const cell of cells) if (cell !== undefined) this.#writes.keep(cell);
    const downs = [registry.get(name)?.downs, ...cells.map((cell) => cell?.downs)];
    this.leave(name);
    for (const each of new Set(downs)) each?.close();
  }

  /** The tree is that of another description now: names of it are in place, and so are its budgets. */
  settle(spec: SupervisorSpec, places: ReadonlyMap<string, KernelPlace>): void {
    this.spec = spec;
    this.#places = places;
    const nodes = placedNodes(spec);
    this.budgets.keepOnly(new Set(nodes.keys()));
    for (const [name, node] of nodes) {
      const { budget } = node.spec;
      if (budget?.per === "key") this.budgets.addKeyed(name, budget);
      else if (budget !== undefined) this.budgets.add(name, budget);
    }
  }

  /**
   * Builds the driver of a child that another process has run here, below the root; nothing runs yet.
   *
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when the name is taken.
   */
  addGuest(spec: AgentSpec): AgentCell {
    const { name, budget } = spec;
    const kernel = this.#kernelBelow({ name, budget, isSpawned: true }, this.#kernel);
    const cell = new AgentCell(kernel, spec, { earlierWrites: this.#writes.get(name) });
    this.#cells.set(name, cell);
    this.#parents.set(name, this.root);
    return cell;
  }

  /** Forgets what was spent of the budget of a child that was spawned, if it has one. */
  forgetBudgetOf({ name, budget }: AgentSpec): Promise<void> | undefined {
    return budget === undefined ? undefined : this.budgets.forgetSpawned(name, budget);
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
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_SUPERVISION_NOT_AN_AGENT for any other supervisor;
   *   AGENTRT_SUPERVISION_ELSEWHERE for what is on a worker.
   */
  actorOf(name: string, action: ActorAction): AgentCell | Pool | KeyedSupervisor | KeyHandle {
    const found = this.#cells.get(name) ?? this.#pools.get(name);
    if (found !== undefined) return found;
    const keyed = this.#keyedOf(name);
    if (keyed !== undefined) {
      return keyed.name === name ? keyed : new KeyHandle(keyed, name.slice(keyed.name.length + 1));
    }
    if (this.#elsewhere.has(name)) throw new supervisionErrors.ELSEWHERE({ name, action });
    if (this.#kernel.registry.get(name) === undefined) {
      throw new supervisionErrors.UNKNOWN_NAME({ name });
    }
    throw new supervisionErrors.NOT_AN_AGENT({ name, action });
  }

  /** @returns The driver of an agent of another process; undefined for all else. */
  findElsewhere(name: string): DriverElsewhere | undefined {
    return this.#elsewhere.get(name);
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
    return this.mailboxOwner(name, "look into").waitingMessages();
  }

  /**
   * Finds what has a mailbox: an agent, a pool or a key.
   *
   * @throws As `waitingMessages`.
   */
  mailboxOwner(name: string, action: ActorAction): AgentCell | Pool | KeyHandle {
    const actor = this.actorOf(name, action);
    if (actor instanceof KeyedSupervisor)
      throw new supervisionErrors.NOT_AN_AGENT({ name, action });
    return actor;
  }

  /** {@inheritDoc Runtime.recallCrashes} */
  recallCrashes(agesMs: { readonly [supervisor: string]: readonly number[] }): void {
    for (const [name, ages] of Object.entries(agesMs))
      this.findSupervisor(name)?.recallCrashes(ages);
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
   * Takes a picture of one node with all below it.
   *
   * @param name Of an agent, of this process or another one, or of a supervisor of any kind.
   * @returns With the names of those above it, the root first; undefined where the tree has no such node: a key is none.
   */
  findNode(name: string): PlacedNode | undefined {
    const agent: ChildDriver | undefined = this.#cells.get(name) ?? this.#elsewhere.get(name);
    const driver = agent ?? this.findEngine(name);
    if (driver === undefined) return this.#findMemberElsewhere(name);
    return { node: driver.describe(), above: this.#namesAbove(name) };
  }

  /** Only the pool knows the members that it has on workers. */
  #findMemberElsewhere(name: string): PlacedNode | undefined {
    const pool = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    const group = this.#elsewhere.get(pool)?.describe();
    if (group?.kind !== "supervisor") return undefined;
    const node = group.children.find((each) => each.name === name);
    return node === undefined ? undefined : { node, above: [...this.#namesAbove(pool), pool] };
  }

  #namesAbove(name: string): string[] {
    const above: string[] = [];
    for (let at = this.#parents.get(name); at !== undefined; at = this.#parents.get(at.name))
      above.unshift(at.name);
    return above;
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
    const known = above.places.get(spec.name)?.kernel;
    const below = known ?? this.#kernelBelow(spec, above.kernel);
    const hosted = below.placement?.hostOf?.(spec, below);
    const place = { ...above, kernel: hosted ?? below, isPart: hosted !== undefined };
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
      get childProcess() {
        return built.spec.dynamic?.processName;
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

  #buildStatic(spec: SupervisorSpec, { kernel, isRoot, places }: BuildPlace): Supervisor {
    const drivers = spec.children.map((each) => this.#buildChild(each, { kernel, places }));
    const built = new Supervisor(kernel, spec, { drivers, isRoot });
    for (const driver of drivers) this.#parents.set(driver.name, built);
    this.#supervisors.set(spec.name, built);
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
    { kernel, isRoot, isPart }: BuildPlace,
  ): Pool {
    const parents = this.#parents;
    const built = new Pool(kernel, spec, {
      isRoot,
      policy,
      isPart: isPart === true,
      onAdded: (cell) => {
        this.#cells.set(cell.name, cell);
        // The first ones come before there is a pool.
        const pool = this.#pools.get(spec.name);
        if (pool !== undefined) parents.set(cell.name, pool);
      },
      onRemoved: (cell) => {
        this.#cells.delete(cell.name);
        parents.delete(cell.name);
        this.#goneMessageCount += cell.tally.messagesHandled;
        this.#goneCostUsd += cell.tally.costUsd;
      },
    });
    this.#pools.set(spec.name, built);
    for (const member of built.members) parents.set(member.name, built);
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
      kernelOf: ({ name, budget }, below) =>
        this.#kernelBelow({ name, budget, isSpawned: true }, below),
      forgetBudget: (each) => this.forgetBudgetOf(each),
      onAdded: (driver) => {
        if (driver instanceof AgentCell) this.#cells.set(driver.name, driver);
        else if (isElsewhere(driver)) this.#elsewhere.set(driver.name, driver);
        this.#parents.set(driver.name, built);
      },
      onRemoved: (driver) => {
        this.#cells.delete(driver.name);
        this.#elsewhere.delete(driver.name);
        this.#parents.delete(driver.name);
        if (!(driver instanceof AgentCell)) return;
        this.#goneMessageCount += driver.tally.messagesHandled;
        this.#goneCostUsd += driver.tally.costUsd;
      },
    });
    this.dynamicSupervisors.push(built);
    return built;
  }

  #buildChild(
    spec: ChildSpec,
    { kernel, places }: Pick<BuildPlace, "kernel" | "places">,
  ): ChildDriver {
    if (spec.kind === "supervisor") {
      const spread = kernel.placement?.spreadOf?.(spec, kernel);
      if (spread === undefined)
        return this.#buildSupervisor(spec, { kernel, isRoot: false, places });
      this.#elsewhere.set(spec.name, spread);
      return spread;
    }
    const below = this.#kernelBelow(spec, kernel);
    // There it has its own budget; those above it are here.
    const elsewhere = kernel.placement?.driverOf(spec, kernel);
    if (elsewhere !== undefined) {
      this.#elsewhere.set(spec.name, elsewhere);
      return elsewhere;
    }
    const hosted = kernel.placement?.hostOf?.(spec, below);
    const cell = new AgentCell(hosted ?? below, spec, { isHeldFirst: hosted !== undefined });
    this.#cells.set(spec.name, cell);
    return cell;
  }
}

/** Where in the tree a supervisor is built. */
interface BuildPlace {
  /** That of the node above it. */
  readonly kernel: Kernel;
  readonly isRoot: boolean;
  /** {@inheritDoc Placement.hostOf} */
  readonly isPart?: boolean;
  readonly places: ReadonlyMap<string, KernelPlace>;
}

/** What the actors below a supervisor share, and the budgets that it follows from: of the root first. */
export interface KernelPlace {
  readonly kernel: Kernel;
  readonly chain: readonly { readonly name: string; readonly budget: Budget }[];
}

function isElsewhere(driver: ChildDriver): driver is DriverElsewhere {
  return "requestRestart" in driver && "isWanted" in driver;
}
