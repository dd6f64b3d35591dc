import type { Kernel } from "../core/index.ts";
import { type Exchange, RemoteAddress, unknownFacts } from "../links/index.ts";
import type {
  AgentElsewhere,
  PreparedTree,
  TreeFiles,
  TreePart,
  TreeTaker,
} from "../runtime/index.ts";
import { workerErrors } from "./errors.ts";

/** Earlier trees that a worker remembers. */
const knownCountMax = 20;

/** What it is made from. */
export interface TreeHostInit {
  readonly kernel: Pick<Kernel, "registry">;
  readonly exchange: Exchange;
  readonly process: string;
  /** Of the tree that it begins with. */
  readonly hash: string;
  readonly others: readonly AgentElsewhere[];
  /** Agents of this process below supervisors that have a budget. */
  readonly budgetedNames: ReadonlySet<string>;
  readonly nameAgents: (names: ReadonlySet<string>) => void;
}

interface Pending {
  readonly hash: string;
  readonly part: TreePart;
  readonly step: PreparedTree;
}

/** Which tree a worker has its part of; the supervisor puts others in its place. */
export class TreeHost {
  readonly #init: TreeHostInit;
  readonly #known: string[] = [];
  #hash: string;
  #others: ReadonlyMap<string, AgentElsewhere>;
  #taker: TreeTaker | undefined;
  #pending: Pending | undefined;
  #budgeted: ReadonlySet<string>;
  /** Children that were spawned here, below a budget. */
  readonly #budgetedGuests = new Set<string>();

  constructor(init: TreeHostInit) {
    this.#init = init;
    this.#budgeted = init.budgetedNames;
    this.#hash = init.hash;
    this.#others = byName(init.others);
  }

  /** Tells the tree from others. */
  get hash(): string {
    return this.#hash;
  }

  /** Those that it had before. */
  get knownHashes(): readonly string[] {
    return this.#known;
  }

  /** True for an agent of this process, a member or a key below a supervisor that has a budget, in this tree or the one that is put in place. */
  isBudgeted(agent: string): boolean {
    const cut = agent.indexOf("/");
    const names = cut < 0 ? [agent] : [agent, agent.slice(0, cut)];
    const sets = [this.#budgeted, this.#budgetedGuests, this.#pending?.part.budgetedNames];
    return names.some((name) => sets.some((set) => set?.has(name) === true));
  }

  /** Takes note whether a child that is spawned here is below a budget. */
  noteBudget(guest: string, isBudgeted: boolean): void {
    if (isBudgeted) this.#budgetedGuests.add(guest);
    else this.#budgetedGuests.delete(guest);
  }

  /** Makes parts of trees by this. */
  takeBy(taker: TreeTaker): void {
    this.#taker = taker;
  }

  /** What is sent to an agent of another process goes to the topic of its name. */
  open(): void {
    for (const other of this.#others.values()) this.#register(other);
  }

  /**
   * Puts the part of another tree in place, up to its end. One that waited for its end is taken back before.
   *
   * @throws What is wrong with it; then all is as it was before.
   */
  async prepare(tree: TreeFiles): Promise<void> {
    await this.abort();
    const taker = this.#taker;
    if (taker === undefined) throw new workerErrors.NO_TREE({ process: this.#init.process });
    const part = await taker.read(tree);
    const back = this.#meet(byName(part.others));
    try {
      const step = await part.prepare();
      this.#pending = { hash: tree.hash, part, step };
    } catch (error) {
      back();
      throw error;
    }
  }

  /** @returns The names of the agents that did not stop in time. @throws AGENTRT_WORKER_NO_TREE. */
  async commit(): Promise<readonly string[]> {
    const pending = this.#pending;
    if (pending === undefined) throw new workerErrors.NO_TREE({ process: this.#init.process });
    this.#pending = undefined;
    const { hash, part, step } = pending;
    const late = await step.commit();
    this.#known.push(this.#hash);
    this.#known.splice(0, this.#known.length - knownCountMax);
    this.#hash = hash;
    this.#init.nameAgents(part.agentNames);
    this.#others = byName(part.others);
    this.#budgeted = part.budgetedNames;
    const { registry } = this.#init.kernel;
    // What was here is elsewhere now.
    for (const other of this.#others.values())
      if (registry.get(other.name)?.name !== other.name) this.#register(other);
    return late;
  }

  /** Takes back what waits for its end. */
  async abort(): Promise<void> {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    await pending.step.abort();
    this.#meet(this.#others, byName(pending.part.others));
  }

  /** Lets the names of other processes be those of another tree, without those that are still here. @returns Undoes it. */
  #meet(next: ReadonlyMap<string, AgentElsewhere>, before = this.#others): () => void {
    const { registry } = this.#init.kernel;
    const isSame = (name: string): boolean =>
      JSON.stringify(before.get(name)) === JSON.stringify(next.get(name));
    for (const name of before.keys())
      if (!isSame(name) && registry.get(name)?.address instanceof RemoteAddress)
        registry.deregister(name);
    for (const [name, other] of next)
      if (!isSame(name) && registry.get(name)?.name !== name) this.#register(other);
    return () => void this.#meet(before, next);
  }

  #register({ name, takesKeys, isEvalAgent = false }: AgentElsewhere): void {
    const { kernel, exchange } = this.#init;
    kernel.registry.register({
      name,
      kind: "agent",
      capabilities: [],
      capabilityMetadata: {},
      takesKeys,
      isEvalAgent,
      address: new RemoteAddress(unknownFacts(), (message, deadlineMs) =>
        exchange.send(message, { topic: name }, deadlineMs),
      ),
    });
  }
}

function byName(others: readonly AgentElsewhere[]): ReadonlyMap<string, AgentElsewhere> {
  return new Map(others.map((other) => [other.name, other]));
}
