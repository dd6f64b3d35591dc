import type { Agent } from "../../agents/index.ts";
import { agentErrors } from "../../errors.ts";
import { AgentCell } from "../../incarnations/index.ts";
import type { TallyCounters } from "../../incarnations/index.ts";
import type { Address, Message } from "../../messages/index.ts";
import { messageInternals } from "../../messages/index.ts";
import { Alarm } from "../../ports/index.ts";
import type {
  AgentNode,
  ChildExit,
  KeyedPolicy,
  Kernel,
  StopOptions,
  SupervisorNode,
  SupervisorSpec,
} from "../../tree/index.ts";
import { reasonOf, RingBuffer } from "../../values/index.ts";
import type { LastWrites } from "../dynamic/index.ts";
import { reportCrash, reportExhausted, reportRestart, reportStoreFault } from "../report.ts";
import { backoffDelayMs, RestartWindow, storeDelayMs } from "../restart-window.ts";
import { supervisionStatus } from "../status.ts";
import { SupervisorEngine } from "../supervisor-engine.ts";
import type { Job, JobWaiter, Slot } from "../supervisor-job.ts";
import { keyErrors } from "./errors.ts";
import { keyOfMessage } from "./key-of-message.ts";
import { KeyedSlot, type KeyedSlotOwner } from "./keyed-slot.ts";
import { KeyWindows } from "./key-windows.ts";

/** How often keys that wait in line look for room, besides when a key comes to rest. */
const roomCheckMs = 100;
const softly: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

/** What a keyed supervisor is made from, in addition to its description. */
export interface KeyedSupervisorInit {
  readonly isRoot: boolean;
  readonly policy: KeyedPolicy;
  /** What agents that are gone still write: shared by the whole tree. */
  readonly writes: LastWrites;
  /** The counters of all its keys together. */
  readonly tally: TallyCounters;
}

/**
 * An agent with one object for each key. Messages go to the object of their key, which is started by its first message,
 * passivated when it is idle, and started again by the next one. At any moment a key has at most one object: starting,
 * passivating and restarting are states of the key, and its messages wait in its mailbox meanwhile.
 *
 *     message ─▶ slot of its key ─▶ mailbox ─▶ has a place? ── yes ─▶ start ─▶ handle … idle ─▶ onPassivate, save, stop
 *                                                    └─ no: waits in line until the least recently used key is idle
 *
 * Keys are independent: each has its own budget of crashes. One that has used it up refuses its messages for a time.
 */
export class KeyedSupervisor extends SupervisorEngine implements Address, KeyedSlotOwner {
  /** As many keys as there are work at once. */
  readonly concurrency = Number.POSITIVE_INFINITY;
  readonly #init: KeyedSupervisorInit;
  readonly #slots = new Map<string, KeyedSlot>();
  /** Those with a place, the least recently used first. */
  readonly #residents = new Map<string, KeyedSlot>();
  /** Those that wait in line. */
  readonly #line = new RingBuffer<KeyedSlot>();
  readonly #failed = new Set<KeyedSlot>();
  readonly #windows = new KeyWindows();
  /** Looks again for a key that can go, while others wait in line. */
  readonly #roomAlarm = new Alarm(() => {
    this.post({ kind: "request", serve: () => this.#admit() });
  });
  #isClosed = false;

  constructor(kernel: Kernel, spec: SupervisorSpec, init: KeyedSupervisorInit) {
    super(kernel, spec, { isRoot: init.isRoot, isConcurrent: true });
    this.#init = init;
    const { capabilities, capabilityMetadata } = init.policy;
    kernel.registry.register({
      name: spec.name,
      kind: "agent",
      capabilities,
      capabilityMetadata,
      address: this,
      takesKeys: true,
      downs: this.downs,
      supervisionStatus: () => supervisionStatus(this.describe()),
    });
  }

  // What others see of it.

  get isAccepting(): boolean {
    return !this.#isClosed;
  }

  get mailboxLengthMax(): number {
    return this.#init.policy.waitingCountMax;
  }

  get mailboxDepth(): number {
    let depth = 0;
    for (const { driver } of this.#slots.values()) depth += driver.mailboxDepth;
    return depth;
  }

  override describe(): SupervisorNode {
    const { keyField, idleMs, residentCountMax, failedCountMax } = this.#init.policy;
    return {
      ...super.describe(),
      children: [],
      keyed: {
        keyField: keyField ?? null,
        idleMs,
        residentCountMax,
        failedCountMax,
        residentCount: this.#residents.size,
        waitingCount: this.#line.length,
        failedCount: this.#failed.size,
        mailboxDepth: this.mailboxDepth,
      },
    };
  }

  /**
   * Lists keys that are there, in the order of their names.
   *
   * @param page.after Only keys behind this one.
   * @param page.limit At most so many.
   */
  describeKeys(page: { readonly after?: string | undefined; readonly limit: number }): AgentNode[] {
    const { after = "", limit } = page;
    const keys = [...this.#slots.keys()].filter((key) => key > after);
    return keys
      .sort((one, other) => (one < other ? -1 : 1))
      .slice(0, limit)
      .flatMap((key) => this.#slots.get(key)?.driver.describe() ?? []);
  }

  /** @returns The agents of the keys that are there, with or without an object. */
  *cells(): Iterable<AgentCell> {
    for (const { driver } of this.#slots.values()) yield driver;
  }

  /** @returns The agent of a key that is there. */
  cellOf(key: string): AgentCell | undefined {
    return this.#slots.get(key)?.driver;
  }

  /** {@inheritDoc Address.targetOf} */
  targetOf(message: Pick<Message, "recipient" | "payload">): Address | undefined {
    return this.#slots.get(this.#keyOf(message))?.driver;
  }

  // Messages.

  accept(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    let slot: KeyedSlot;
    try {
      if (this.#isClosed) throw new agentErrors.STOPPED({ agent: this.name });
      slot = this.#slotOf(this.#keyOf(message));
    } catch (error) {
      this.kernel.bus.drop(message, "refused");
      throw error;
    }
    this.#touch(slot);
    const room = slot.driver.accept(message, deadlineMs);
    if (!slot.isResident && !slot.isWaiting) {
      slot.isWaiting = true;
      this.#line.push(slot);
      this.post({ kind: "request", serve: () => this.#admit() });
    }
    return room;
  }

  control(message: Message): boolean {
    return this.#slots.get(this.#keyOf(message))?.driver.control(message) === true;
  }

  #keyOf(message: Pick<Message, "recipient" | "payload">): string {
    const { keyField } = this.#init.policy;
    return keyOfMessage({ name: this.name, keyField }, message);
  }

  #slotOf(key: string): KeyedSlot {
    const { name } = this;
    const slot = this.#slots.get(key);
    const nowMs = this.kernel.system.monotonicMs();
    const { failure } = slot ?? {};
    if (slot !== undefined && failure !== undefined && failure.untilMs > nowMs) {
      const retryAfterMs = failure.untilMs - nowMs;
      throw new keyErrors.FAILED({ agent: name, key, reason: failure.reason, retryAfterMs });
    }
    if (slot !== undefined && failure === undefined) return slot;
    if (slot !== undefined) this.#forget(slot);
    const { residentCountMax, waitingCountMax } = this.#init.policy;
    const freeCount = Math.max(0, residentCountMax - this.#residents.size);
    if (this.#line.length >= waitingCountMax + freeCount) {
      throw new keyErrors.EXHAUSTED({ agent: name, residentCountMax, waitingCountMax });
    }
    return this.#open(key);
  }

  #open(key: string): KeyedSlot {
    const { policy, writes, tally } = this.#init;
    const spec = policy.specOf(key);
    const earlierWrites = writes.get(spec.name);
    const driver = new AgentCell(this.kernel, spec, { earlierWrites, tally, isListed: false });
    const slot = new KeyedSlot(key, driver, this);
    slot.window = this.#windows.get(key);
    driver.onIdle = () => this.#onIdle(slot);
    driver.beforeStop = (agent) => this.#beforeStop(slot, agent);
    this.#slots.set(key, slot);
    return slot;
  }

  #touch(slot: KeyedSlot): void {
    slot.activeAtMs = this.kernel.system.monotonicMs();
    slot.isSaved = false;
    if (!slot.isResident) return;
    this.#residents.delete(slot.key);
    this.#residents.set(slot.key, slot);
  }

  // Places.

  /** Gives places to those that wait in line, as long as there are some. */
  #admit(): void {
    if (this.status !== "RUNNING") return;
    const { residentCountMax } = this.#init.policy;
    for (;;) {
      const slot = this.#line.peek();
      if (slot === undefined) return;
      if (this.#residents.size >= residentCountMax) {
        this.#makeRoom();
        return;
      }
      this.#line.shift();
      slot.isWaiting = false;
      if (this.#slots.get(slot.key) !== slot) continue;
      slot.isResident = true;
      this.#residents.set(slot.key, slot);
      this.begin({ kind: "spawn", lane: slot, starts: [slot] });
    }
  }

  /** Asks as many idle keys to go as there are in line, the least recently used first. */
  #makeRoom(): void {
    const nowMs = this.kernel.system.monotonicMs();
    let wantedCount = this.#line.length;
    for (const slot of this.#residents.values()) {
      if (isIdle(slot) && nowMs >= slot.staysUntilMs) this.#passivate(slot);
      if (slot.isPassivating) wantedCount -= 1;
      if (wantedCount <= 0) break;
    }
    // A key may come to rest in a way that nobody hears of, and the store may refuse to save one that was asked to go.
    this.kernel.wheel.disarm(this.#roomAlarm);
    this.kernel.wheel.arm(this.#roomAlarm, nowMs + roomCheckMs);
  }

  #onIdle(slot: KeyedSlot): void {
    slot.activeAtMs = this.kernel.system.monotonicMs();
    if (slot.isPassivating && slot.driver.isSuspended) {
      this.post({ kind: "request", serve: () => this.#askAgain(slot) });
    } else if (this.#line.length > 0 && !slot.isPassivating) {
      this.post({ kind: "request", serve: () => this.#admit() });
    }
  }

  /** {@inheritDoc KeyedSlotOwner.onIdleDue} */
  onIdleDue(slot: KeyedSlot): void {
    if (this.#slots.get(slot.key) !== slot) return;
    const nowMs = this.kernel.system.monotonicMs();
    if (slot.failure !== undefined) {
      if (nowMs >= slot.failure.untilMs) this.#forget(slot);
      else this.#wakeAt(slot, slot.failure.untilMs);
      return;
    }
    if (!slot.isResident) return;
    const { idleMs } = this.#init.policy;
    const dueMs = slot.activeAtMs + idleMs;
    if (nowMs >= dueMs && isIdle(slot)) this.#passivate(slot);
    this.#wakeAt(slot, nowMs >= dueMs ? nowMs + idleMs : dueMs);
  }

  #wakeAt({ idleAlarm }: KeyedSlot, dueMs: number): void {
    this.kernel.wheel.disarm(idleAlarm);
    this.kernel.wheel.arm(idleAlarm, dueMs);
  }

  // Passivation.

  /** Asks a key to go: at its next message boundary it saves its state and ends, unless messages have come. */
  #passivate(slot: KeyedSlot): void {
    slot.isPassivating = true;
    const { driver } = slot;
    // A suspended one hears of nothing: it is saved at its end.
    if (driver.isSuspended) this.#end(slot);
    else driver.notify((agent) => this.#leave(slot, agent));
  }

  /** A key that was suspended before it heard that it is to go: it gets no notices now. */
  #askAgain(slot: KeyedSlot): void {
    if (this.#slots.get(slot.key) !== slot || slot.job !== undefined) return;
    if (!slot.isPassivating || !slot.driver.isSuspended) return;
    slot.isPassivating = false;
    if (isIdle(slot)) this.#passivate(slot);
    else this.#admit();
  }

  async #leave(slot: KeyedSlot, agent: Agent): Promise<void> {
    const { driver, epoch } = slot;
    const isWanted = (): boolean => driver.mailbox.hasMessages;
    // It took too long and was crashed for it, or was stopped: there may be another object of the key.
    const isGone = (): boolean => slot.epoch !== epoch || !driver.isRunning;
    let isSaved = false;
    if (!isWanted()) {
      await agent.onPassivate();
      if (isGone()) return;
      isSaved = await this.#save(slot, agent);
      if (isGone()) return;
    }
    if (isWanted() || !isSaved) {
      slot.isPassivating = false;
      // Not at once again: the store needs time.
      slot.staysUntilMs = this.kernel.system.monotonicMs() + roomCheckMs;
      return;
    }
    slot.isSaved = true;
    // Asked for in the same turn as the look at the mailbox: no message is handled in between.
    void driver.stop(softly);
    this.post({ kind: "request", serve: () => this.#end(slot) });
  }

  /** @returns False when the store refuses: then the key stays. */
  async #save({ driver }: KeyedSlot, agent: Agent): Promise<boolean> {
    try {
      if (Object.keys(agent.state).length > 0) await driver.checkpoints.write(agent.state);
      else await driver.checkpoints.discard();
      return true;
    } catch (error) {
      const otherwise = "it stays, and is tried again";
      this.kernel.log.warn("a state could not be saved", { agent: driver.name, otherwise, error });
      return false;
    }
  }

  /** Stops a key that runs and is in no other job, and calls back when it is down. */
  #end(slot: KeyedSlot, onEnded?: JobWaiter): void {
    if (slot.job !== undefined || slot.phase !== "up") return onEnded?.([]);
    this.begin({
      kind: "stopChild",
      lane: slot,
      stops: [slot],
      stopOptions: softly,
      ...(onEnded === undefined ? {} : { waiters: [onEnded] }),
      onDone: () => this.#passivated(slot),
    });
  }

  #passivated(slot: KeyedSlot): void {
    slot.isPassivating = false;
    if (slot.driver.mailbox.hasMessages) {
      // They came while it ended: it keeps its place.
      this.begin({ kind: "spawn", lane: slot, starts: [slot] });
      return;
    }
    this.#forget(slot);
    this.#admit();
  }

  /**
   * Passivates a key after its message at hand, idle or not. What waits for it starts it again.
   *
   * @returns The name of its agent when it did not stop in time; empty when it did, and when it is not there.
   */
  endKey(key: string): Promise<readonly string[]> {
    return this.request((answer) => {
      const slot = this.#slots.get(key);
      if (slot === undefined) answer([]);
      else this.#end(slot, answer);
    });
  }

  /** A stop of the whole saves what passivation would have saved. */
  async #beforeStop(slot: KeyedSlot, agent: Agent): Promise<void> {
    if (slot.isSaved) return;
    const { epoch } = slot;
    await agent.onPassivate();
    // It took too long, and was not waited for: there may be another object of the key.
    if (slot.epoch !== epoch || this.#slots.get(slot.key) !== slot) return;
    slot.isSaved = await this.#save(slot, agent);
  }

  /** Takes a key out of the tree: nothing of it stays but what it saved, and its crashes while they count. */
  #forget(slot: KeyedSlot): void {
    const { kernel } = this;
    if (this.#slots.get(slot.key) !== slot) return;
    this.#slots.delete(slot.key);
    this.#failed.delete(slot);
    this.#leavePlace(slot);
    slot.epoch += 1;
    slot.phase = "down";
    slot.driver.retire();
    this.#init.writes.keep(slot.driver);
    this.#windows.keep(slot.key, slot.window, kernel.system.monotonicMs());
  }

  #leavePlace(slot: KeyedSlot): void {
    slot.isResident = false;
    this.#residents.delete(slot.key);
    this.kernel.wheel.disarm(slot.idleAlarm);
  }

  // Crashes.

  protected override onChildStarted(slot: Slot): void {
    if (!(slot instanceof KeyedSlot)) return;
    slot.storeFaultCount = 0;
    slot.activeAtMs = this.kernel.system.monotonicMs();
    this.#wakeAt(slot, slot.activeAtMs + this.#init.policy.idleMs);
    // After a crash it may have nothing to do, and others wait for a place.
    this.#onIdle(slot);
  }

  protected override onChildExit(slot: Slot, exit: ChildExit): void {
    if (!(slot instanceof KeyedSlot)) return;
    slot.isPassivating = false;
    if (exit.kind === "crashed") this.#crashed(slot, exit.error);
    else {
      this.#forget(slot);
      this.#admit();
    }
  }

  protected override onStartFailed(slot: Slot, job: Job, error: unknown): void {
    if (!(slot instanceof KeyedSlot)) return;
    this.#crashed(slot, error);
    if (slot.job === job) this.advance(job);
  }

  #crashed(slot: KeyedSlot, error: unknown): void {
    const { kernel, spec } = this;
    const { limits } = spec;
    const child = slot.driver.name;
    const nowMs = kernel.system.monotonicMs();
    if (kernel.storeFaults.includes(error)) {
      slot.storeFaultCount += 1;
      const delayMs = storeDelayMs(limits, slot.storeFaultCount, kernel.system.random());
      const crashesInWindow = slot.window?.count(nowMs) ?? 0;
      reportStoreFault(kernel, spec, { child, error, crashesInWindow, delayMs });
      this.#restartLater(slot, delayMs);
      return;
    }
    slot.window ??= new RestartWindow(limits);
    const crashesInWindow = slot.window.record(nowMs);
    if (crashesInWindow > limits.restartCountMax) {
      this.#giveUp(slot, error);
      return;
    }
    const delayMs = backoffDelayMs(limits, crashesInWindow, kernel.system.random());
    reportCrash(kernel, spec, { child, error, crashesInWindow, delayMs });
    this.#restartLater(slot, delayMs);
  }

  #restartLater(slot: KeyedSlot, delayMs: number): void {
    const { wheel, system } = this.kernel;
    const { epoch } = slot;
    const due = (): void =>
      this.post({ kind: "request", serve: () => this.#restartDue(slot, epoch) });
    wheel.arm(new Alarm(due), system.monotonicMs() + delayMs);
  }

  #restartDue(slot: KeyedSlot, epoch: number): void {
    const { kernel, spec } = this;
    if (this.#slots.get(slot.key) !== slot || slot.epoch !== epoch || slot.job !== undefined)
      return;
    // It lost its place meanwhile, in a restart of the whole: it starts when it has one again.
    if (!slot.isResident) return;
    const crashesInWindow = slot.window?.count(kernel.system.monotonicMs()) ?? 0;
    const children = [slot.driver.name];
    reportRestart(kernel, spec, { child: slot.driver, crashesInWindow, children });
    this.begin({ kind: "restart", lane: slot, starts: [slot] });
  }

  /** Leaves a key alone for a time: its messages are refused. Too many such keys are a crash of the whole. */
  #giveUp(slot: KeyedSlot, error: unknown): void {
    const { kernel, spec } = this;
    const { coolDownMs, failedCountMax } = this.#init.policy;
    const nowMs = kernel.system.monotonicMs();
    const reason = reasonOf(error);
    for (const other of this.#failed) {
      if ((other.failure?.untilMs ?? 0) <= nowMs) this.#forget(other);
    }
    slot.failure = { reason, untilMs: nowMs + coolDownMs };
    this.#failed.add(slot);
    this.#leavePlace(slot);
    this.#wakeAt(slot, slot.failure.untilMs);
    const isTooMuch = this.#failed.size > failedCountMax;
    const outcome = isTooMuch ? "escalated" : "keptAway";
    const exhausted = reportExhausted(kernel, spec, { child: slot.driver.name, error, outcome });
    const refused = { agent: this.name, key: slot.key, reason, retryAfterMs: coolDownMs };
    for (const message of slot.driver.mailbox.drain(() => new keyErrors.FAILED(refused))) {
      messageInternals.replyOf(message)?.reject(new keyErrors.FAILED(refused));
      kernel.bus.drop(message, "stopped");
    }
    slot.window = undefined;
    if (isTooMuch) this.fail(exhausted);
    else this.#admit();
  }

  // The engine's questions.

  override start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#isClosed = false;
    return super.start(onExit);
  }

  override retire(): void {
    this.#isClosed = true;
    super.retire();
    for (const slot of this.#slots.values()) if (!slot.isResident) this.#forget(slot);
  }

  override stop(options: StopOptions): Promise<readonly string[]> {
    if (options.isFinal) this.#isClosed = true;
    return super.stop(options);
  }

  /** A key starts with its next message. */
  override async reviveChild(name: string): Promise<void> {
    const slot = this.#slots.get(name.slice(this.name.length + 1));
    if (slot?.failure !== undefined) this.#forget(slot);
  }

  protected override get slots(): readonly Slot[] {
    return [...this.#slots.values()];
  }

  /** Keys start with their messages, not with the supervisor. */
  protected override get bootSlots(): readonly Slot[] {
    return [];
  }

  protected override crashesInWindow(): number {
    const nowMs = this.kernel.system.monotonicMs();
    let count = 0;
    for (const { window } of this.#slots.values()) count += window?.count(nowMs) ?? 0;
    return count;
  }

  protected override onBoot(): void {
    for (const slot of this.#slots.values()) {
      slot.window = undefined;
      slot.phase = "down";
      if (!slot.driver.mailbox.hasMessages) this.#forget(slot);
      else if (!slot.isWaiting) {
        slot.isWaiting = true;
        this.#line.push(slot);
      }
    }
    this.post({ kind: "request", serve: () => this.#admit() });
  }

  protected override onTearDown(): void {
    this.kernel.wheel.disarm(this.#roomAlarm);
    for (const slot of this.#residents.values()) slot.isPassivating = false;
  }

  protected override onTornDown(): void {
    for (const slot of this.#residents.values()) this.#leavePlace(slot);
    for (const slot of this.#failed) this.#forget(slot);
    if (!this.#isClosed) return;
    for (const slot of this.#slots.values()) this.#forget(slot);
  }
}

function isIdle({ phase, job, driver, isPassivating }: KeyedSlot): boolean {
  if (phase !== "up" || job !== undefined || !driver.isAtRest) return false;
  // A suspended one is not told that it was asked to go.
  return !isPassivating || driver.isSuspended;
}
