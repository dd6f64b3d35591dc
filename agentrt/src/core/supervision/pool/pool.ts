import { type AgentCell, type RestartRequest, restartRequested } from "../../incarnations/index.ts";
import { supervisionErrors } from "../../errors.ts";
import type { Message, Registration } from "../../messages/index.ts";
import { Alarm } from "../../ports/index.ts";
import type { DrainRequest, SuspensionRequest } from "../../suspension/index.ts";
import type {
  ChildExit,
  Kernel,
  PoolPolicy,
  StopOptions,
  SupervisorNode,
  SupervisorSpec,
} from "../../tree/index.ts";
import { copyOfMetadata } from "../../tree/index.ts";
import { GroupSuspension } from "../group-suspension/index.ts";
import { supervisionStatus } from "../status.ts";
import { Supervisor } from "../supervisor.ts";
import { isUp, type Job, type Slot } from "../supervisor-job.ts";
import { ComingMembers } from "./coming-members.ts";
import { PoolMember } from "./pool-member.ts";
import { PoolQueue, type PoolQueueOwner } from "./pool-queue.ts";

/** How many members are looked up in the store at once. */
const lookCountMax = 16;

/** What a pool is made from, in addition to its description. */
export interface PoolInit {
  readonly isRoot: boolean;
  readonly policy: PoolPolicy;
  /** True where the other members are in other processes: then it begins with none each time, until `place`. Default false. */
  readonly isPart?: boolean;
  /** Called with each member before it starts for the first time. */
  readonly onAdded: (member: AgentCell) => void;
  /** Called with each member that is gone for good. */
  readonly onRemoved: (member: AgentCell) => void;
}

/**
 * The supervisor of a pool's members: it starts them side by side, restarts them one for one, and lets them become
 * more when messages wait too long, and fewer when they have nothing to do. There is a slot for each member that it may
 * have; a member that is not there rests: it is stopped, is in no picture of the tree, and is not restarted.
 */
export class Pool extends Supervisor implements PoolQueueOwner<PoolMember> {
  readonly queue: PoolQueue<PoolMember>;
  #members: PoolMember[];
  readonly #init: PoolInit;
  #policy: PoolPolicy;
  readonly #registration: Registration;
  readonly #suspension: GroupSuspension;
  /** Those that are there: they run, restart, or are about to. */
  readonly #there = new Set<Slot>();
  readonly #resting = new Set<Slot>();
  readonly #coming = new ComingMembers();
  /** Those that may be here, by their names; undefined for all. */
  #placed: ReadonlySet<string> | undefined;
  /** The fewest that are here, where others are elsewhere. */
  #placedCountMin = 0;
  /** Members that have been there. */
  readonly #added = new Set<PoolMember>();
  readonly #growAlarm = new Alarm(() => this.#growIfDue());
  readonly #shrinkAlarm = new Alarm(() => this.#shrinkIfDue());
  #isGrowArmed = false;
  #isShrinkArmed = false;

  constructor(kernel: Kernel, spec: SupervisorSpec, init: PoolInit) {
    const { policy } = init;
    const queue = new PoolQueue<PoolMember>(kernel, spec.name, policy.mailboxLengthMax);
    const members = Array.from(
      { length: policy.memberCountMax },
      (_, index) => new PoolMember(kernel, policy.specOf(index + 1), queue),
    );
    super(kernel, spec, { drivers: members, isRoot: init.isRoot, isConcurrent: true });
    this.#init = init;
    this.#policy = policy;
    this.#placed = init.isPart === true ? new Set() : undefined;
    this.queue = queue;
    this.#members = members;
    this.#suspension = new GroupSuspension(kernel, {
      name: spec.name,
      whenRested: () => new Promise((onRest) => queue.whenRested(onRest)),
      onDrained: () => queue.refuseWaiting(),
      onReleased: () => queue.handOut(),
    });
    queue.owner = this;
    this.#registration = this.#makeRegistration();
    kernel.registry.register(this.#registration);
    this.#assignRest();
  }

  #makeRegistration(): Registration {
    const policy = (): PoolPolicy => this.#policy;
    return {
      name: this.name,
      kind: "agent",
      get capabilities() {
        return policy().capabilities;
      },
      get capabilityMetadata() {
        return policy().capabilityMetadata;
      },
      get schemas() {
        return policy().schemas;
      },
      address: this.queue,
      downs: this.downs,
      supervisionStatus: () => supervisionStatus(this.describe()),
    };
  }

  /** Those that it has, there or not. */
  get members(): readonly PoolMember[] {
    return this.#members;
  }

  /**
   * Describes it again, while it is down. Its queue stays; members beyond the most that it may have are gone.
   *
   * @param spec Of the same name, a pool too.
   * @param kernel What the actors at its place share.
   * @param policy The policy in the description.
   */
  describeAnew(spec: SupervisorSpec, kernel: Kernel, policy: PoolPolicy): void {
    kernel.registry.renew(this.#registration, () => {
      this.setDescription(spec, kernel);
      this.#policy = policy;
    });
    this.queue.mailboxLengthMax = policy.mailboxLengthMax;
    const kept = this.#members.slice(0, policy.memberCountMax);
    const gone = this.#members.slice(policy.memberCountMax);
    for (const [index, member] of kept.entries())
      member.describeAnew(policy.specOf(index + 1), kernel);
    const slots = this.slots.slice(0, policy.memberCountMax);
    for (const slot of this.slots.slice(policy.memberCountMax)) {
      this.#there.delete(slot);
      this.#resting.delete(slot);
    }
    for (const member of gone) {
      member.retire();
      kernel.registry.deregister(member.name);
      member.downs.close();
      this.#added.delete(member);
      this.#init.onRemoved(member);
    }
    for (let index = kept.length; index < policy.memberCountMax; index += 1) {
      const member = new PoolMember(kernel, policy.specOf(index + 1), this.queue);
      kept.push(member);
      slots.push(this.makeSlot(member, index));
    }
    this.#members = kept;
    this.setSlots(slots);
  }

  // What its queue asks.

  get concurrency(): number {
    return Math.max(1, this.#there.size + this.#resting.size);
  }

  override get isSuspended(): boolean {
    return this.#suspension.marker !== undefined;
  }

  /** {@inheritDoc PoolQueueOwner.awaitsResume} */
  get awaitsResume(): boolean {
    if (this.isSuspended) return true;
    // One that rests may come, and take what waits for too long.
    return this.#there.size > 0 && this.#resting.size === 0 && this.#servingCount === 0;
  }

  get isHeld(): boolean {
    return this.#suspension.isHolding;
  }

  /** {@inheritDoc Address.isRefusing} */
  get isRefusing(): boolean {
    return this.#suspension.isRefusing;
  }

  /** {@inheritDoc Drainable.beginDrain} */
  beginDrain(asked: DrainRequest): Promise<void> {
    return this.#suspension.beginDrain(asked);
  }

  /** {@inheritDoc Drainable.isWorking} */
  get isWorking(): boolean {
    const isAtWork = this.members.some((each) => each.busyCount > 0 || each.deferredCount > 0);
    return isAtWork || (this.queue.mailboxDepth > 0 && !this.awaitsResume);
  }

  /** {@inheritDoc PoolQueueOwner.onWaiting} */
  onWaiting(): void {
    this.#armGrow();
  }

  /** {@inheritDoc PoolQueueOwner.onFree} */
  onFree(): void {
    if (this.#isShrinkArmed || this.#there.size <= this.#memberCountMin) return;
    // The one that is free now does not wait for messages before the end of this turn.
    this.#armShrink(this.queue.freeLongest?.sinceMs ?? this.kernel.system.monotonicMs());
  }

  // The driver.

  override start(onExit: (exit: ChildExit) => void): Promise<void> {
    // What it had when it ended, others may have by now.
    if (this.#init.isPart === true) this.#placed = new Set();
    this.queue.open();
    this.#suspension.restore().catch((error: unknown) => this.kill(error as Error));
    return super.start(onExit);
  }

  override stop(options: StopOptions): Promise<readonly string[]> {
    if (options.isFinal) this.queue.retire();
    return super.stop(options);
  }

  override retire(): void {
    this.queue.retire();
    this.#suspension.drop(() => this.stoppedError());
    super.retire();
  }

  override release(): void {
    this.#suspension.release();
    super.release();
  }

  override describe(): SupervisorNode {
    const policy = this.#policy;
    const { memberCountMin, memberCountMax, scaleAfterMs, idleMs } = policy;
    const described = super.describe();
    const there = described.children.filter((_, index) => {
      const slot = this.slots[index];
      if (slot === undefined || !this.#mayBeHere(slot)) return false;
      return !(this.#resting.has(slot) && slot.phase === "held");
    });
    return {
      ...described,
      status: this.#suspension.shownStatus(described.status),
      children: there,
      pool: {
        memberCountMin,
        memberCountMax,
        scaleAfterMs,
        idleMs,
        capabilities: [...policy.capabilities],
        capabilityMetadata: copyOfMetadata(policy.capabilityMetadata),
        suspension: this.#suspension.describe(),
        busyCount: this.members.filter((member) => member.busyCount > 0).length,
        mailboxDepth: this.queue.mailboxDepth,
        waitingSenderCount: this.queue.waitingSenderCount,
      },
    };
  }

  // What somebody asks of the pool, or of a member.

  /** True unless it was stopped or given up. */
  get isRunning(): boolean {
    return !this.isDown;
  }

  /** @returns The messages that wait for a member, as `Mailbox.peek`. */
  waitingMessages(): Message[] {
    return this.queue.waitingMessages();
  }

  /** Takes one message out of the mailbox that its members share, as `AgentCell.removeWaiting`. */
  removeWaiting(id: string, initiatedBy: string): boolean {
    return this.queue.removeWaiting(id, initiatedBy);
  }

  /** {@inheritDoc AgentHome.askSuspension} */
  askSuspension(request: SuspensionRequest): void {
    if (this.queue.isAccepting) this.#suspension.ask(request);
    else request.onGone(this.stoppedError());
  }

  /**
   * Makes the pool end as crashed at the message boundaries of its members, so that its supervisor restarts it.
   *
   * @param request Who asked, and whether it is charged.
   */
  requestRestart(request: RestartRequest): void {
    // One that starts begins anew anyway.
    if (this.status !== "RUNNING") return;
    this.kill(restartRequested(this.name, request));
  }

  override async stopChild(name: string): Promise<readonly string[]> {
    const slot = this.#slotNamed(name);
    const lateNames = await super.stopChild(name);
    if (slot !== undefined) this.#isGone(slot);
    return lateNames;
  }

  override reviveChild(name: string): Promise<void> {
    const slot = this.#slotNamed(name);
    if (slot !== undefined) this.#there.add(slot);
    if (!this.isDown) this.queue.open();
    return super.reviveChild(name);
  }

  // The engine's questions.

  /**
   * Says which members are in this process: the others stop, and of those that are not there yet as many start as must be there.
   *
   * @param names Of members.
   * @param memberCountMin The fewest of them that are there.
   * @returns Settles when it is so.
   */
  async place(names: ReadonlySet<string>, memberCountMin: number): Promise<void> {
    const before = this.#placed;
    this.#placed = names;
    this.#placedCountMin = memberCountMin;
    if (names.size > 0 && !this.isDown) this.queue.open();
    const stops = this.slots.flatMap((slot) => {
      const { name } = slot.driver;
      if (names.has(name)) {
        if (before?.has(name) === false) this.#resting.add(slot);
        return [];
      }
      const wasThere = before?.has(name) !== false;
      return wasThere && !this.#resting.delete(slot) ? [this.stopChild(name)] : [];
    });
    const missingCount = Math.max(0, memberCountMin - this.#servingCount);
    const resting = this.slots.filter((slot) => this.#resting.has(slot));
    // One that waits for an approval is there, so that it gets the decision.
    const waiting = resting.filter(({ driver }) => this.#asksApproval(driver.name));
    const others = resting.filter((slot) => !waiting.includes(slot)).slice(0, missingCount);
    const starts = [...waiting, ...others];
    for (const slot of starts) this.#resting.delete(slot);
    await Promise.all([
      ...stops,
      ...starts.map(async (slot) => {
        this.#note(slot);
        await this.reviveChild(slot.driver.name);
      }),
    ]);
    this.onFree();
    if (this.queue.mailboxDepth > 0) this.#armGrow();
  }

  /**
   * Other processes may have had members that were here: those of them that wait for somebody, here or as it was saved meanwhile,
   * and not as before, stop, and what was saved is found when they start. Where nothing was saved meanwhile, what they wait for
   * here is saved.
   *
   * @param names Of members.
   * @throws What the store throws.
   */
  async reread(names: ReadonlySet<string>): Promise<void> {
    const asked = this.members.filter(({ name }) => names.has(name));
    const isDown = ({ name }: PoolMember): boolean =>
      this.slots.some((slot) => slot.driver.name === name && !isUp(slot));
    // What could not be saved of those that left is over.
    for (const member of asked)
      if (this.#placed?.has(member.name) === false && isDown(member)) member.reread();
    const waiting = new Set<string>();
    const look = async (member: PoolMember): Promise<void> => {
      if (!(await member.reconcile())) waiting.add(member.name);
    };
    await inGroups(asked, look);
    const placed = [...(this.#placed ?? [])];
    if (placed.some((name) => waiting.has(name)))
      await this.place(new Set(placed.filter((name) => !waiting.has(name))), this.#placedCountMin);
    const other = asked.filter((member) => waiting.has(member.name) && isDown(member));
    for (const member of other) member.reread();
    // Those of which nothing is saved start though the store is away by then.
    await inGroups(other, async (member) => void (await member.reconcile()));
  }

  #slotOf(name: string): Slot | undefined {
    return this.slots.find(({ driver }) => driver.name === name);
  }

  #asksApproval(name: string): boolean {
    return this.kernel.approvals.openOf(name).length > 0;
  }

  /** The fewest that are here. */
  get #memberCountMin(): number {
    return this.#placed === undefined ? this.#policy.memberCountMin : this.#placedCountMin;
  }

  #mayBeHere({ driver }: Slot): boolean {
    return this.#placed?.has(driver.name) !== false;
  }

  protected override onBoot(): void {
    super.onBoot();
    this.#assignRest();
    this.#coming.clear();
    const nowMs = this.kernel.system.monotonicMs();
    for (const slot of this.#there) this.#coming.add(slot, nowMs);
  }

  protected override onChildStarted(slot: Slot): void {
    super.onChildStarted(slot);
    this.#coming.noteStart(slot, this.kernel.system.monotonicMs());
    this.#comesNoMore(slot);
    const member = this.members[slot.index];
    if (member !== undefined) this.queue.join(member);
  }

  protected override onChildExit(slot: Slot, exit: ChildExit): void {
    super.onChildExit(slot, exit);
    this.#isGoneIfRetired(slot);
  }

  protected override onStartFailed(slot: Slot, job: Job, error: unknown): void {
    super.onStartFailed(slot, job, error);
    this.#isGoneIfRetired(slot);
    this.#comesNoMore(slot);
  }

  // More and fewer members.

  /**
   * Says which members are there when the pool starts: the first ones, without those that somebody has stopped. Those
   * that are suspended are there, too, so that somebody can resume them.
   */
  #assignRest(): void {
    this.#there.clear();
    let servingCount = 0;
    for (const slot of this.slots) {
      if (!this.#mayBeHere(slot)) slot.phase = "held";
      if (slot.phase === "held" && !this.#resting.has(slot)) continue;
      const { name, isSuspended: isPaused } = slot.driver;
      // One that waits for an approval is there, so that it gets the decision.
      const isSuspended =
        isPaused || this.#asksApproval(name) || this.members[slot.index]?.isHalted === true;
      if (isSuspended || servingCount < this.#memberCountMin) {
        if (!isSuspended) servingCount += 1;
        this.#there.add(slot);
        this.#resting.delete(slot);
        slot.phase = "down";
        this.#note(slot);
      } else {
        this.#resting.add(slot);
        slot.phase = "held";
        slot.driver.retire();
      }
    }
  }

  #note(slot: Slot): void {
    const member = this.members[slot.index];
    if (member === undefined || this.#added.has(member)) return;
    this.#added.add(member);
    this.#init.onAdded(member);
  }

  /** Members that are there and not suspended. */
  get #servingCount(): number {
    return [...this.#there].filter(({ driver }) => !driver.isSuspended).length;
  }

  /** Waits for the next message that brings a member: one that is on its way is there for one of those before. */
  #armGrow(): void {
    if (this.#isGrowArmed || this.#resting.size === 0 || this.isHeld || this.isDown) return;
    const { scaleAfterMs } = this.#policy;
    const { count, untilMs } = this.#coming.counting(
      this.kernel.system.monotonicMs(),
      scaleAfterMs,
    );
    if (this.queue.mailboxDepth < count || this.queue.mailboxDepth === 0) return;
    const sinceMs = this.queue.waitingSinceMs(count + 1);
    const lateAtMs = (index: number): number =>
      (sinceMs[index] ?? Number.POSITIVE_INFINITY) + scaleAfterMs;
    const nextMs = lateAtMs(count);
    // When one that is starting counts no more, a message before is without a member.
    const dueMs = Math.min(nextMs, Math.max(untilMs, lateAtMs(count - 1)));
    // Then no message that comes later is due earlier.
    this.#isGrowArmed = nextMs === dueMs && dueMs < Number.POSITIVE_INFINITY;
    this.kernel.wheel.disarm(this.#growAlarm);
    if (dueMs < Number.POSITIVE_INFINITY) this.kernel.wheel.arm(this.#growAlarm, dueMs);
  }

  #growIfDue(): void {
    this.#isGrowArmed = false;
    this.queue.dropUnwanted();
    if (this.isHeld || this.isDown) return;
    const { scaleAfterMs } = this.#policy;
    const nowMs = this.kernel.system.monotonicMs();
    const { count } = this.#coming.counting(nowMs, scaleAfterMs);
    const waiting = this.queue.waitingSinceMs(count + this.#resting.size);
    const lateCount = waiting.filter((atMs) => atMs <= nowMs - scaleAfterMs).length;
    const addedCount = Math.max(0, lateCount - count);
    for (const slot of this.slots.filter((each) => this.#resting.has(each)).slice(0, addedCount)) {
      this.#grow(slot);
    }
    this.#armGrow();
  }

  /** The messages that it counted for may bring another one: it may have failed, or take others first. */
  #comesNoMore(slot: Slot): void {
    if (!this.#coming.delete(slot)) return;
    this.kernel.wheel.disarm(this.#growAlarm);
    this.#isGrowArmed = false;
    this.#armGrow();
  }

  #grow(slot: Slot): void {
    this.#resting.delete(slot);
    this.#there.add(slot);
    this.#coming.add(slot, this.kernel.system.monotonicMs());
    this.#note(slot);
    this.kernel.log.info("pool grows", { supervisor: this.name, child: slot.driver.name });
    this.#ask(slot, (onDone) =>
      this.afterStop(slot, () => {
        // The pool may have started again meanwhile, with or without this member.
        if (this.isDown || isUp(slot) || this.#resting.has(slot)) {
          this.#comesNoMore(slot);
          return onDone();
        }
        slot.phase = "down";
        this.begin({ kind: "spawn", lane: slot.lane, starts: [slot], waiters: [onDone] });
      }),
    );
  }

  #armShrink(freeSinceMs: number): void {
    if (this.#servingCount <= this.#memberCountMin) return;
    this.#isShrinkArmed = true;
    this.kernel.wheel.arm(this.#shrinkAlarm, freeSinceMs + this.#policy.idleMs);
  }

  #shrinkIfDue(): void {
    const { idleMs } = this.#policy;
    const dueMs = this.kernel.system.monotonicMs() - idleMs;
    let longest = this.isDown ? undefined : this.queue.freeLongest;
    while (longest !== undefined && longest.sinceMs <= dueMs) {
      if (this.#servingCount <= this.#memberCountMin) break;
      this.#shrink(longest.member);
      longest = this.queue.freeLongest;
    }
    this.#isShrinkArmed = false;
    if (longest !== undefined) this.#armShrink(longest.sinceMs);
  }

  #shrink(member: PoolMember): void {
    const slot = this.slots[this.members.indexOf(member)];
    if (slot === undefined) return;
    this.queue.leave(member);
    this.#there.delete(slot);
    this.#resting.add(slot);
    this.kernel.log.info("pool shrinks", { supervisor: this.name, child: member.name });
    super.stopChild(member.name).catch((error: unknown) => {
      this.kernel.log.error("a member could not be stopped", { child: member.name, error });
    });
  }

  #ask(slot: Slot, serve: (onDone: () => void) => void): void {
    this.request<void>(serve, slot).catch((error: unknown) => {
      this.kernel.log.error("a member could not be started", { supervisor: this.name, error });
    });
  }

  /** A pool whose members were all stopped, or ended by themselves, takes no messages. */
  #isGone(slot: Slot): void {
    this.#there.delete(slot);
    if (this.#there.size + this.#resting.size === 0) this.queue.retire();
    this.#comesNoMore(slot);
  }

  /** A member that ended by itself, or was given up, takes no messages. */
  #isGoneIfRetired(slot: Slot): void {
    if (this.members[slot.index]?.isAccepting === false) this.#isGone(slot);
  }

  /** @throws AGENTRT_SUPERVISION_UNKNOWN_NAME for a member that rests. */
  #slotNamed(name: string): Slot | undefined {
    const slot = this.#slotOf(name);
    if (slot === undefined || !this.#resting.has(slot)) return slot;
    throw new supervisionErrors.UNKNOWN_NAME({ name });
  }
}

async function inGroups<Each>(
  all: readonly Each[],
  work: (each: Each) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < all.length; at += lookCountMax)
    await Promise.all(all.slice(at, at + lookCountMax).map(work));
}
