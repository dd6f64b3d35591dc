import {
  type AgentNode,
  copyOfMetadata,
  type JsonObject,
  type JsonValue,
  type Kernel,
  type LookedApprovals,
  type Message,
  noModelSession,
  type PoolPolicy,
  reasonOf,
  type Registration,
  type SupervisorNode,
  type SupervisorSpec,
} from "../../core/index.ts";
import { HeldMessages } from "../held-messages.ts";
import {
  caredFailure,
  type HostedPart,
  lastSaveMs,
  leaseMs,
  partTopic,
  spreadTypes,
} from "./spread-protocol.ts";
import { placeOf } from "./partitions.ts";
import { SpreadNode, type SpreadHome, type SpreadSpec } from "./spread-node.ts";
import type { SpreadWorker } from "./spread-worker.ts";

/** How long a worker may take to start and stop members, milliseconds. */
const placeTimeoutMs = 60_000;
/** The wait before it is asked again, milliseconds. */
const retryMs = 1000;

/** Workers that are compared for one message: with more of them it costs no more. */
const choiceCountMax = 8;

/** A worker that takes messages. */
interface Choice {
  readonly worker: SpreadWorker;
  readonly topic: string;
  readonly memberCount: number;
  /** The fewest that are there. */
  readonly memberCountMin: number;
}

/**
 * A pool whose members are spread over workers: as many on each as possible, and each at one. A message goes to the worker
 * with the fewest open calls for each of its members, of the next eight in turn; there the member that is free longest
 * takes it. Where the pool becomes larger and smaller, each worker's part does so by itself, within its share of the fewest and
 * the most; a worker with a free member goes before one that would have to wait for more.
 */
export class SpreadPool extends SpreadNode {
  #spec: SupervisorSpec;
  #policy: PoolPolicy;
  readonly #held: HeldMessages;
  /** Numbers of the members of each worker, as they are meant to be. */
  readonly #members = new Map<SpreadWorker, ReadonlySet<number>>();
  /** The fewest members of each worker. */
  readonly #memberCountMins = new Map<SpreadWorker, number>();
  /** Workers that have the members that they are meant to have. */
  readonly #placed = new Set<SpreadWorker>();
  /** Those of them that could not read what their members wait for: they are asked again. */
  readonly #unread = new Set<SpreadWorker>();
  /** Workers that have heard what they are to have since they came. */
  readonly #known = new Set<SpreadWorker>();
  /** Numbers of the members whose approvals this process has charge of: no worker is there. */
  #attended: readonly number[] = [];
  /** Monotonic time from which it may have. */
  #caredFromMs: number;
  #changeCount = 0;
  /** Workers that messages go to; undefined when it must be looked at again. */
  #choices: readonly Choice[] | undefined;
  #turn = 0;
  #isAtWork = false;
  #isDue = false;

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME. */
  constructor(
    kernel: Kernel,
    { spec, policy }: { readonly spec: SupervisorSpec; readonly policy: PoolPolicy },
    home: SpreadHome,
  ) {
    super(kernel, spec, home);
    this.#spec = spec;
    this.#policy = policy;
    this.#held = new HeldMessages(
      () => this.mailboxLengthMax,
      (message, reason) => kernel.bus.drop(message, reason),
    );
    // A worker may have them that has not registered yet.
    this.#caredFromMs = kernel.system.monotonicMs() + leaseMs + lastSaveMs;
    kernel.registry.register(this);
  }

  get capabilities(): readonly string[] {
    return this.#policy.capabilities;
  }

  get capabilityMetadata(): JsonObject {
    return this.#policy.capabilityMetadata;
  }

  get schemas(): Registration["schemas"] {
    return this.#policy.schemas;
  }

  protected override get mailboxLengthMax(): number {
    return this.#policy.mailboxLengthMax;
  }

  protected override get mailboxDepth(): number {
    return this.#held.length + this.#sum("depth");
  }

  override join(worker: SpreadWorker, _part: HostedPart | undefined): void {
    // What it has from before is replaced by what it is told.
    this.#unplace(worker);
    this.#known.delete(worker);
    void this.begin(worker);
    this.spread();
  }

  override leave(worker: SpreadWorker): void {
    this.free(worker, this.kernel.system.monotonicMs() + leaseMs);
  }

  override free(worker: SpreadWorker, atMs: number): void {
    this.#caredFromMs = Math.max(this.#caredFromMs, atMs + lastSaveMs);
    this.#known.delete(worker);
    this.#members.delete(worker);
    this.#memberCountMins.delete(worker);
    this.#unplace(worker);
    if (this.usable.length === 0) this.#held.refuseUnkept(this.away());
    this.spread();
  }

  /** Each worker gets its share of what it is now. */
  protected override describeBy(spec: SpreadSpec): void {
    if (spec.kind === "agent" || spec.pool === undefined) return;
    this.#spec = spec;
    this.#policy = spec.pool;
    this.#placed.clear();
    this.#choices = undefined;
  }

  override labelOf(name: string): string | undefined {
    for (const [worker, members] of this.#members)
      for (const number of members) if (name === this.#nameOf(number)) return worker.label;
    return undefined;
  }

  override placeOf(agent: string): string {
    return placeOf(this.name, Number(agent.slice(this.name.length + 1)));
  }

  override async unattended(): Promise<LookedApprovals> {
    const attended = new Set(this.#attended);
    for (const worker of this.usable)
      if (this.#placed.has(worker) && !this.#unread.has(worker))
        for (const number of this.#members.get(worker) ?? []) attended.add(number);
    const numbers = this.#numbers.filter((number) => !attended.has(number));
    return await this.home.caretaker.look(this.name, numbers);
  }

  override get changeCount(): number {
    return this.#changeCount;
  }

  get #numbers(): number[] {
    return Array.from({ length: this.#policy.memberCountMax }, (_, index) => index + 1);
  }

  protected override partOf(worker: SpreadWorker): number {
    return this.#members.get(worker)?.size ?? 0;
  }

  protected override route(message: Message): void {
    const worker = this.#choose();
    if (worker === undefined) this.#held.add(message);
    else this.sendTo(worker, message);
  }

  /** The one with the least to do for each of its members, of some that are next in turn. */
  #choose(): SpreadWorker | undefined {
    this.#choices ??= this.#readChoices();
    const choices = this.#choices;
    this.#turn += 1;
    let best: SpreadWorker | undefined;
    let least = Number.POSITIVE_INFINITY;
    let seenCount = 0;
    for (let at = 0; at < choices.length && seenCount < choiceCountMax; at += 1) {
      const choice = choices[(at + this.#turn) % choices.length];
      if (choice === undefined || !this.isUsable(choice.worker)) continue;
      seenCount += 1;
      const load = this.#loadOf(choice);
      if (load < least) [best, least] = [choice.worker, load];
    }
    return best;
  }

  /** Open calls for each member; more than 1 where a message has to wait until there is another member. */
  #loadOf({ worker, topic, memberCount, memberCountMin }: Choice): number {
    const openCount = this.home.exchange.openCountOf(topic);
    if (memberCountMin === memberCount) return openCount / memberCount;
    const known = worker.parts.get(this.name)?.counts.resident ?? 0;
    const thereCount = Math.min(memberCount, Math.max(memberCountMin, known));
    if (openCount < thereCount) return openCount / thereCount;
    // Nobody is free there: the more can come, the sooner; where one is there, it may become free before.
    return 1 + openCount / memberCount + (thereCount === 0 ? 1 : 0);
  }

  #readChoices(): readonly Choice[] {
    return this.usable
      .filter((worker) => this.#placed.has(worker) && this.partOf(worker) > 0)
      .map((worker) => ({
        worker,
        topic: partTopic(worker.processId, this.name),
        memberCount: this.partOf(worker),
        memberCountMin: this.#memberCountMins.get(worker) ?? 0,
      }));
  }

  #unplace(worker: SpreadWorker): void {
    this.#changeCount += 1;
    this.#placed.delete(worker);
    this.#unread.delete(worker);
    this.#choices = undefined;
  }

  protected override forget(): void {
    this.#members.clear();
    this.#memberCountMins.clear();
    this.#placed.clear();
    this.#choices = undefined;
    this.clearTimer();
  }

  protected override refuse(error: Error): void {
    this.#held.refuse(error);
  }

  protected override spread(): void {
    this.#isDue = true;
    if (!this.#isAtWork) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    while (this.#isDue && this.isWanted) {
      this.#isDue = false;
      if (this.usable.length === 0) {
        await this.#care();
        continue;
      }
      await this.#endCare();
      const changed = this.#share();
      // Those that get fewer come first: no member is at two workers.
      const isLess = (worker: SpreadWorker): boolean => changed.get(worker) === true;
      const workers = [...changed.keys()];
      await Promise.all(workers.filter(isLess).map((each) => this.#place(each)));
      await Promise.all(workers.filter((each) => !isLess(each)).map((each) => this.#place(each)));
    }
    this.#isAtWork = false;
  }

  /** No worker is there: this process has charge of what its members wait for. */
  async #care(): Promise<void> {
    if (this.#attended.length > 0) return;
    const { kernel, name: agent } = this;
    const waitMs = this.#caredFromMs - kernel.system.monotonicMs();
    if (waitMs > 0) return this.wakeIn(waitMs);
    const partitions = this.#numbers;
    try {
      await this.home.caretaker.adopt({ agent, kind: "pool", partitions });
      this.#changeCount += 1;
      this.#attended = partitions;
    } catch (error) {
      const reason = reasonOf(error);
      kernel.log.warn(caredFailure, { agent, reason });
      this.wakeIn(retryMs);
    }
  }

  /** Workers have charge of it from now on. */
  async #endCare(): Promise<void> {
    const attended = this.#attended;
    if (attended.length === 0) return;
    this.#changeCount += 1;
    this.#attended = [];
    await this.home.caretaker.abandon(this.name, attended);
  }

  /** Decides who has which members. @returns The workers that must hear of it, true for those that lose some. */
  #share(): Map<SpreadWorker, boolean> {
    const workers = this.usable;
    const changed = new Map<SpreadWorker, boolean>();
    if (workers.length === 0) return changed;
    const { memberCountMax, memberCountMin } = this.#policy;
    const most = Math.ceil(memberCountMax / workers.length);
    const richCount = memberCountMax % workers.length;
    const shares = new Map<SpreadWorker, Set<number>>();
    const free = new Set(this.#numbers);
    // Those that have most keep the larger shares.
    const order = workers.toSorted((one, other) => this.partOf(other) - this.partOf(one));
    for (const [index, worker] of order.entries()) {
      const size = richCount === 0 || index < richCount ? most : most - 1;
      const had = [...(this.#members.get(worker) ?? [])];
      const kept = had.filter((number) => number <= memberCountMax).slice(0, size);
      shares.set(worker, new Set(kept));
      for (const number of kept) free.delete(number);
    }
    for (const [index, worker] of order.entries()) {
      const size = richCount === 0 || index < richCount ? most : most - 1;
      const share = shares.get(worker) ?? new Set();
      for (const number of free) {
        if (share.size >= size) break;
        share.add(number);
        free.delete(number);
      }
      const before = this.#members.get(worker);
      const isLess = [...(before ?? [])].some((number) => !share.has(number));
      const fewest = Math.min(share.size, shareOf(memberCountMin, index, workers.length));
      const isOther = this.#memberCountMins.get(worker) !== fewest || this.#unread.has(worker);
      if (isLess || isOther || before?.size !== share.size || !this.#placed.has(worker))
        changed.set(worker, isLess);
      this.#members.set(worker, share);
      this.#memberCountMins.set(worker, fewest);
    }
    this.#choices = undefined;
    return changed;
  }

  async #place(worker: SpreadWorker): Promise<void> {
    const members = this.#members.get(worker);
    if (members === undefined) return;
    const names = [...members].map((number) => this.#nameOf(number));
    try {
      const min = this.#memberCountMins.get(worker) ?? 0;
      const fresh = !this.#known.has(worker);
      const payload = { name: this.name, members: names, min, fresh };
      const { unread } = await worker.ask(spreadTypes.place, payload, placeTimeoutMs);
      if (this.#members.get(worker) !== members) return;
      this.#placed.add(worker);
      this.#noteUnread(worker, unread);
      this.#known.add(worker);
      this.#changeCount += 1;
      this.#choices = undefined;
      this.#held.release((message) => this.route(message));
    } catch (error) {
      if (!this.usable.includes(worker)) return;
      const { name: agent, kernel } = this;
      kernel.log.warn("members of a pool could not be placed", {
        agent,
        process: worker.label,
        error,
      });
      this.wakeIn(retryMs);
    }
  }

  #noteUnread(worker: SpreadWorker, reason: JsonValue | undefined): void {
    const { name: agent, kernel } = this;
    if (reason === undefined) {
      this.#unread.delete(worker);
      return;
    }
    if (!this.#unread.has(worker)) {
      const what =
        "what members of a pool wait for cannot be read; they answer, and it is tried again";
      kernel.log.warn(what, { agent, process: worker.label, reason });
    }
    this.#unread.add(worker);
    this.wakeIn(retryMs);
  }

  /** How many are there; of one whose size is fixed those that are meant to be. */
  protected override shownPartOf(worker: SpreadWorker): number {
    const { memberCountMin, memberCountMax } = this.#policy;
    if (memberCountMin === memberCountMax) return this.partOf(worker);
    return worker.parts.get(this.name)?.counts.resident ?? 0;
  }

  #nameOf(number: number): string {
    return `${this.name}/${number}`;
  }

  #sum(of: "busy" | "depth"): number {
    return this.usable.reduce((sum, { parts }) => sum + (parts.get(this.name)?.counts[of] ?? 0), 0);
  }

  describe(): SupervisorNode {
    const { memberCountMin, memberCountMax, scaleAfterMs, idleMs } = this.#policy;
    return {
      ...this.describeNode(this.#spec),
      children: [...this.#members].flatMap(([worker, members]) =>
        [...members].flatMap((number) => this.#describeMember(worker, number)),
      ),
      pool: {
        memberCountMin,
        memberCountMax,
        scaleAfterMs,
        idleMs,
        capabilities: [...this.capabilities],
        capabilityMetadata: copyOfMetadata(this.capabilityMetadata),
        suspension: null,
        busyCount: this.#sum("busy"),
        mailboxDepth: this.mailboxDepth,
        waitingSenderCount: 0,
      },
    };
  }

  #describeMember(worker: SpreadWorker, number: number): AgentNode[] {
    const name = this.#nameOf(number);
    const known = worker.agents[name];
    const { memberCountMin, memberCountMax } = this.#policy;
    // It is there when there is more to do.
    if (known === undefined && memberCountMin < memberCountMax) return [];
    const node: AgentNode = {
      kind: "agent",
      name,
      status: known?.status ?? "INITIALIZING",
      restartCount: 0,
      capabilities: [],
      capabilityMetadata: {},
      processName: worker.label,
      isElsewhere: true,
      uptimeMs: 0,
      suspension: null,
      concurrency: 1,
      busyCount: 0,
      mailboxDepth: known?.mailboxDepth ?? 0,
      waitingSenderCount: 0,
      ...noModelSession,
    };
    return [node];
  }
}

/** @returns How many of all the one at an index of several has. */
function shareOf(all: number, index: number, count: number): number {
  return Math.floor(all / count) + (index < all % count ? 1 : 0);
}
