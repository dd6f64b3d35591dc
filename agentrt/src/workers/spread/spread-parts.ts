import { type Kernel, type LookedApprovals, type Message, reasonOf } from "../../core/index.ts";
import { HeldKeys } from "./held-keys.ts";
import {
  caredFailure,
  type HostedPart,
  lastSaveMs,
  leaseMs,
  partitionsOf,
  spreadTypes,
} from "./spread-protocol.ts";
import { SpreadNode, type SpreadHome, type SpreadSpec } from "./spread-node.ts";
import type { SpreadWorker } from "./spread-worker.ts";

/** How long a worker may take to answer, milliseconds; to take partitions it needs the store. */
const [releaseTimeoutMs, takeTimeoutMs] = [10_000, 60_000];
/** The wait before a worker that did not do it is asked again, milliseconds. */
const retryMs = 1000;
/** The same before a worker that stops is asked again for what was at work. */
const leavingRetryMs = 100;
/** How often a partition is asked for that its owner has not released: it answers within a second. Then it stays there. */
const releaseTryCountMax = 30;

/** Where one partition is. */
export interface Partition {
  /** Who has it, gets it, or gives it up. */
  owner: SpreadWorker | undefined;
  /** True when its messages are sent there; they wait here while it is on its way. */
  isOpen: boolean;
  /** True when it is not known whether its owner has taken it. */
  isTaking: boolean;
  /** True when it is to be taken once more, whatever its owner answers. */
  isAgain: boolean;
  /** Who had it before, when it is not known yet when that one has ended. */
  leftBy: SpreadWorker | undefined;
  /** Monotonic time from which nobody has it, without an owner. */
  freeAtMs: number;
  releaseTryCount: number;
  /** True when its owner could not release it: it stays until a worker comes or goes. */
  isStuck: boolean;
  /** True when this process has charge of its approvals, or is about to: no worker has it. */
  isCared: boolean;
  /** True when it has. */
  isAttended: boolean;
}

/**
 * A node whose partitions are at workers, each at one. What comes for a partition that is on its way waits here, so that the
 * order of its messages is kept.
 */
export abstract class SpreadParts extends SpreadNode {
  readonly #held: HeldKeys;
  protected readonly partitions: readonly Partition[];
  /** Partitions that a worker says it has, and another one has. */
  readonly #surplus = new Map<SpreadWorker, number[]>();
  /** Monotonic time from which no worker has what none has said to have. */
  readonly #ownersKnownMs: number;
  /** Another one for each new object of what is one agent: a worker that is asked again begins none. */
  #beginning = "";
  #changeCount = 0;
  #isAtWork = false;
  #isDue = false;
  /** Partitions that were given to another worker than before, since the start. */
  movedCount = 0;

  constructor(
    kernel: Kernel,
    { spec, count }: { readonly spec: SpreadSpec; readonly count: number },
    home: SpreadHome,
  ) {
    super(kernel, spec, home);
    this.partitions = Array.from({ length: count }, () => ({
      owner: undefined,
      isOpen: false,
      isTaking: false,
      isAgain: false,
      leftBy: undefined,
      freeAtMs: 0,
      releaseTryCount: 0,
      isStuck: false,
      isCared: false,
      isAttended: false,
    }));
    this.#ownersKnownMs = kernel.system.monotonicMs() + leaseMs + lastSaveMs;
    this.#held = new HeldKeys({
      lengthMax: () => this.mailboxLengthMax,
      drop: (message, reason) => kernel.bus.drop(message, reason),
    });
  }

  /** @returns The partition that a message is for. @throws For a key that is none. */
  protected abstract numberOf(message: Message): number;

  /** @returns The id of the worker that should have each partition; empty without workers. */
  protected abstract place(workers: readonly SpreadWorker[]): readonly string[];

  protected override get mailboxDepth(): number {
    return this.#held.length + this.sum("depth");
  }

  /** What it has taken and has no more, it has given up, though nobody here heard of it. */
  override hear(worker: SpreadWorker, part: HostedPart | undefined): void {
    const claimed = new Set(part?.partitions);
    const nowMs = this.kernel.system.monotonicMs();
    let isLess = false;
    for (const [number, partition] of this.partitions.entries()) {
      // One that comes back with keys handles them until its lease ends.
      if (partition.owner === undefined && claimed.has(number))
        partition.freeAtMs = Math.max(partition.freeAtMs, worker.leaseEndMs);
      if (partition.owner !== worker || !partition.isOpen || claimed.has(number)) continue;
      this.setFree(partition, nowMs);
      isLess = true;
    }
    if (isLess) this.spread();
  }

  override join(worker: SpreadWorker, part: HostedPart | undefined): void {
    this.hear(worker, part);
    const claimed = new Set(part?.partitions);
    const closing = new Set(part?.closing);
    const surplus: number[] = [];
    for (const [number, partition] of this.partitions.entries()) {
      partition.isStuck = false;
      if (!claimed.has(number) || partition.owner === worker) continue;
      // A supervisor that has just come finds what its workers have, and what they were giving up when the one before went.
      if (partition.owner !== undefined || partition.isCared) surplus.push(number);
      else if (closing.has(number)) partition.owner = worker;
      else {
        Object.assign(partition, { owner: worker, isOpen: true });
        this.#held.release(number, (message) => this.sendTo(worker, message));
      }
    }
    if (surplus.length > 0) this.#surplus.set(worker, surplus);
    void this.begin(worker);
    this.spread();
  }

  override leave(worker: SpreadWorker): void {
    this.#lose(worker);
    this.spread();
  }

  override free(worker: SpreadWorker, atMs: number): void {
    for (const partition of this.partitions)
      if (partition.owner === worker || partition.leftBy === worker) this.setFree(partition, atMs);
    this.#lose(worker);
    this.spread();
  }

  #lose(worker: SpreadWorker): void {
    this.#surplus.delete(worker);
    for (const partition of this.partitions) partition.isStuck = false;
    if (this.usable.length === 0) this.#held.refuseUnkept(this.away());
  }

  /** Nobody has it from a monotonic time on. */
  protected setFree(partition: Partition, freeAtMs: number, leftBy?: SpreadWorker): void {
    this.#changeCount += 1;
    const none = { owner: undefined, isOpen: false, isTaking: false, releaseTryCount: 0 };
    Object.assign(partition, { ...none, freeAtMs, leftBy });
  }

  protected override partOf(worker: SpreadWorker): number {
    return this.partitions.filter(({ owner, isOpen }) => isOpen && owner === worker).length;
  }

  protected override route(message: Message): void {
    const number = this.numberOf(message);
    const partition = this.partitions[number];
    if (partition?.isOpen === true && partition.owner !== undefined)
      this.sendTo(partition.owner, message);
    else this.#held.add(number, message);
  }

  /** What a worker has is free when it has ended there: what it saves last is under its fence. */
  protected override forget(): void {
    for (const partition of this.partitions)
      if (partition.owner !== undefined)
        this.setFree(partition, Number.POSITIVE_INFINITY, partition.owner);
    this.#surplus.clear();
    this.clearTimer();
  }

  protected override refuse(error: Error): void {
    this.#held.refuse(error);
  }

  /** Of what is late nobody knows whether it runs on: it begins nowhere else before that worker cannot let it. */
  protected override ended(worker: SpreadWorker, late: readonly string[]): void {
    for (const partition of this.partitions)
      if (partition.leftBy === worker && partition.freeAtMs === Number.POSITIVE_INFINITY)
        if (late.length === 0) this.setFree(partition, 0);
        else this.setFree(partition, worker.leaseEndMs, worker);
  }

  protected override spread(): void {
    this.#isDue = true;
    if (!this.#isAtWork) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    try {
      while (this.#isDue && this.isWanted) {
        this.#isDue = false;
        await this.#reconcile();
      }
    } finally {
      this.#isAtWork = false;
    }
  }

  /** Brings partitions to the workers that should have them: those that have them too many give up first. */
  async #reconcile(): Promise<void> {
    const workers = this.usable;
    const wanted = this.place(workers);
    const isToGo = (owner: SpreadWorker, number: number): boolean =>
      wanted.length === 0 ? owner.isLeaving : owner.processId !== wanted[number];
    const surplus = [...this.#surplus];
    this.#surplus.clear();
    const moving = this.#numbersBy(({ owner, isStuck }, number) =>
      owner !== undefined && !isStuck && isToGo(owner, number) ? owner : undefined,
    );
    await Promise.all([
      ...surplus.map(([worker, numbers]) => this.#release(worker, numbers, true)),
      ...[...moving].map(([worker, numbers]) => this.#release(worker, numbers, false)),
    ]);
    // It may have been stopped meanwhile.
    if (!this.isWanted) return;
    // Without workers nothing is taken before one comes.
    if (wanted.length === 0) return await this.#care();
    const nowMs = this.kernel.system.monotonicMs();
    // One that has gone meanwhile gets nothing: nobody would take that from it again.
    const byId = new Map(this.usable.map((worker) => [worker.processId, worker]));
    // What was to go to one that has gone stays where it is.
    const kept = this.#numbersBy(({ owner, isOpen, isTaking }, number) =>
      owner !== undefined && !isOpen && !isTaking && owner === byId.get(wanted[number] ?? "")
        ? owner
        : undefined,
    );
    const taken = this.#numbersBy(({ owner, isTaking, freeAtMs }, number) => {
      const worker = byId.get(wanted[number] ?? "");
      if (owner === undefined) return freeAtMs <= nowMs ? worker : undefined;
      return isTaking && owner === worker ? worker : undefined;
    });
    await Promise.all([
      ...[...taken].map(([worker, numbers]) => this.#take(worker, numbers)),
      ...[...kept].map(([worker, numbers]) => this.#keepAgain(worker, numbers)),
    ]);
    this.#wakeAtNextEnd();
  }

  /** Nobody can have them: this process has charge of what waits for somebody there. */
  async #care(): Promise<void> {
    const nowMs = this.kernel.system.monotonicMs();
    const free = [...this.partitions.entries()].filter(
      ([, partition]) => this.#caredFromMs(partition) <= nowMs,
    );
    for (const [, partition] of free) partition.isCared = true;
    try {
      if (free.length > 0)
        await this.home.caretaker.adopt({
          agent: this.name,
          kind: this.partitions.length > 1 ? "keyed" : "agent",
          partitions: free.map(([number]) => number),
        });
      this.#changeCount += 1;
      for (const [, partition] of free) partition.isAttended = true;
    } catch (error) {
      for (const [, partition] of free) partition.isCared = false;
      const { kernel, name: agent } = this;
      kernel.log.warn(caredFailure, {
        agent,
        reason: reasonOf(error),
      });
      this.wakeIn(retryMs);
      return;
    }
    const next = Math.min(...this.partitions.map((partition) => this.#caredFromMs(partition)));
    if (Number.isFinite(next)) this.wakeIn(Math.max(0, next - this.kernel.system.monotonicMs()));
  }

  #caredFromMs({ owner, isCared, freeAtMs }: Partition): number {
    if (owner !== undefined || isCared) return Number.POSITIVE_INFINITY;
    return Math.max(freeAtMs === 0 ? 0 : freeAtMs + lastSaveMs, this.#ownersKnownMs);
  }

  override async unattended(): Promise<LookedApprovals> {
    const numbers = [...this.partitions.entries()]
      .filter(
        ([, { owner, isOpen, isAttended }]) =>
          !isAttended && (!isOpen || owner?.isLeaving !== false),
      )
      .map(([number]) => number);
    return await this.home.caretaker.look(this.name, numbers);
  }

  override get changeCount(): number {
    return this.#changeCount;
  }

  /** Lets a worker have charge of it. */
  async #endCare(numbers: readonly number[]): Promise<void> {
    const cared = this.#of(numbers).filter(({ partition }) => partition.isCared);
    if (cared.length === 0) return;
    this.#changeCount += 1;
    for (const { partition } of cared) partition.isAttended = false;
    await this.home.caretaker.abandon(
      this.name,
      cared.map(({ number }) => number),
    );
    for (const { partition } of cared) partition.isCared = false;
  }

  #numbersBy(
    workerOf: (partition: Partition, number: number) => SpreadWorker | undefined,
  ): Map<SpreadWorker, number[]> {
    const found = new Map<SpreadWorker, number[]>();
    for (const [number, partition] of this.partitions.entries()) {
      const worker = workerOf(partition, number);
      if (worker === undefined) continue;
      const numbers = found.get(worker);
      if (numbers === undefined) found.set(worker, [number]);
      else numbers.push(number);
    }
    return found;
  }

  async #release(
    worker: SpreadWorker,
    numbers: readonly number[],
    isSurplus: boolean,
  ): Promise<void> {
    this.#changeCount += 1;
    const mine = isSurplus ? [] : this.#of(numbers);
    for (const { partition } of mine) partition.isOpen = false;
    const payload = { name: this.name, partitions: [...numbers] };
    try {
      const answer = await worker.ask(spreadTypes.release, payload, releaseTimeoutMs);
      const released = new Set(partitionsOf(answer["released"]));
      const late = new Set(partitionsOf(answer["late"]));
      for (const { number, partition } of mine) {
        if (partition.owner !== worker) continue;
        if (late.has(number)) this.setFree(partition, worker.leaseEndMs, worker);
        else if (released.has(number)) this.setFree(partition, 0);
        else await this.#retryRelease(worker, number, partition);
      }
    } catch (error) {
      if (!isSurplus) this.#later("partitions could not be moved", worker, error);
    }
  }

  async #retryRelease(worker: SpreadWorker, number: number, partition: Partition): Promise<void> {
    partition.releaseTryCount += 1;
    if (worker.isLeaving) {
      // One that has stopped already answers at once; then it says that it is gone.
      this.wakeIn(leavingRetryMs);
      return;
    }
    this.#isDue = true;
    if (partition.releaseTryCount < releaseTryCountMax) return;
    await this.#keep(worker, [number]);
    if (partition.owner !== worker) return;
    partition.isStuck = true;
    this.kernel.log.warn("keys stay where they are: they could not be handed over", {
      agent: this.name,
      process: worker.label,
      partition: number,
    });
  }

  async #keepAgain(worker: SpreadWorker, numbers: readonly number[]): Promise<void> {
    try {
      await this.#keep(worker, numbers);
    } catch (error) {
      this.#later("partitions could not be kept", worker, error);
    }
  }

  /** Its owner was asked to give them up, and has them on. */
  async #keep(worker: SpreadWorker, numbers: readonly number[]): Promise<void> {
    const payload = { name: this.name, partitions: [...numbers] };
    await worker.ask(spreadTypes.keep, payload, releaseTimeoutMs);
    for (const { number, partition } of this.#of(numbers)) {
      if (partition.owner !== worker) continue;
      Object.assign(partition, { isOpen: true, releaseTryCount: 0 });
      this.#held.release(number, (message) => this.sendTo(worker, message));
    }
  }

  /** What is taken next begins there, though it may be there already. */
  protected renewBeginning(): void {
    this.#beginning = this.kernel.system.nextId();
  }

  async #take(worker: SpreadWorker, numbers: readonly number[]): Promise<void> {
    const taken = this.#of(numbers);
    if (taken.some(({ partition }) => partition.owner === undefined)) this.renewBeginning();
    for (const { partition } of taken) {
      if (partition.owner === undefined) this.movedCount += 1;
      const taking = { isTaking: true, isAgain: false, leftBy: undefined };
      Object.assign(partition, { owner: worker, ...taking });
    }
    const payload = { name: this.name, partitions: [...numbers], beginning: this.#beginning };
    try {
      await this.#endCare(numbers);
      await worker.ask(spreadTypes.take, payload, takeTimeoutMs);
      this.#changeCount += 1;
      for (const { number, partition } of taken) {
        if (partition.owner !== worker || partition.isAgain) continue;
        Object.assign(partition, { isOpen: true, isTaking: false });
        this.#held.release(number, (message) => this.sendTo(worker, message));
      }
    } catch (error) {
      this.#later("partitions could not be taken", worker, error);
    }
  }

  #of(numbers: readonly number[]): { readonly number: number; readonly partition: Partition }[] {
    return numbers.flatMap((number) => {
      const partition = this.partitions[number];
      return partition === undefined ? [] : [{ number, partition }];
    });
  }

  #later(what: string, worker: SpreadWorker, error: unknown): void {
    if (!this.isWanted) return;
    if (worker.isLeaving && !worker.hasStopped) this.wakeIn(retryMs);
    if (!this.usable.includes(worker)) return;
    const { kernel, name: agent } = this;
    kernel.log.warn(what, { agent, process: worker.label, reason: reasonOf(error) });
    this.wakeIn(retryMs);
  }

  /** What a worker that is gone had is free when its lease is over. */
  #wakeAtNextEnd(): void {
    const nowMs = this.kernel.system.monotonicMs();
    const ends = this.partitions
      .filter(({ owner, freeAtMs }) => owner === undefined && Number.isFinite(freeAtMs))
      .map(({ freeAtMs }) => freeAtMs);
    if (ends.length > 0) this.wakeIn(Math.max(0, Math.min(...ends) - nowMs));
  }

  /** Adds up what the workers say. */
  protected sum(of: "depth" | "failed" | "resident" | "waiting"): number {
    return this.usable.reduce((sum, { parts }) => sum + (parts.get(this.name)?.counts[of] ?? 0), 0);
  }
}
