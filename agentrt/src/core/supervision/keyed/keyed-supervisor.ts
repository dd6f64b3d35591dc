import {
  type AgentCell,
  refuseIfDrained,
  type RestartRequest,
  restartRequested,
  type TallyCounters,
} from "../../incarnations/index.ts";
import type { Address, Message, Registration } from "../../messages/index.ts";
import type { DrainRequest, SuspensionRequest } from "../../suspension/index.ts";
import type {
  AgentNode,
  ChildExit,
  KeyedPolicy,
  Kernel,
  StopOptions,
  SupervisorNode,
  SupervisorSpec,
  TreeNode,
} from "../../tree/index.ts";
import type { LastWrites } from "../dynamic/index.ts";
import { GroupSuspension } from "../group-suspension/index.ts";
import { supervisionStatus } from "../status.ts";
import { SupervisorEngine } from "../supervisor-engine.ts";
import type { Job, Slot } from "../supervisor-job.ts";
import { keyErrors } from "./errors.ts";
import { KeyAgent, type KeyGroup } from "./key-agent.ts";
import { KeyCrashes } from "./key-crashes.ts";
import { KeyDowns } from "./key-downs.ts";
import { firstKeys, keyFilter, type KeyPage } from "./key-page.ts";
import { checkKey, keyOfMessage } from "./key-of-message.ts";
import { KeyPassivation } from "./key-passivation.ts";
import { KeyPlaces } from "./key-places.ts";
import type { KeyedHome } from "./keyed-home.ts";
import { KeysAtWork } from "./keys-at-work.ts";
import { KeyedSlot, type KeyedSlotOwner } from "./keyed-slot.ts";

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
  #policy: KeyedPolicy;
  readonly #registration: Registration;
  readonly #slots = new Map<string, KeyedSlot>();
  readonly #group: KeyGroup;
  readonly #suspension: GroupSuspension;
  readonly #atWork = new KeysAtWork();
  readonly #keyDowns: KeyDowns;
  readonly #places: KeyPlaces;
  readonly #passivation: KeyPassivation;
  readonly #crashes: KeyCrashes;
  #isClosed = false;

  constructor(kernel: Kernel, spec: SupervisorSpec, init: KeyedSupervisorInit) {
    super(kernel, spec, { isRoot: init.isRoot, isConcurrent: true });
    this.#init = init;
    this.#policy = init.policy;
    this.#suspension = this.#makeSuspension();
    const isThere = (key: string): boolean => this.#slots.has(key);
    this.#keyDowns = new KeyDowns({ name: spec.name, downs: this.downs, isThere });
    this.#group = this.#makeGroup();
    const home = this.#makeHome();
    this.#passivation = new KeyPassivation(home, () => this.#places);
    this.#places = new KeyPlaces(home, (slot) => this.#passivation.passivate(slot));
    this.#crashes = new KeyCrashes(home, this.#places);
    this.#registration = this.#makeRegistration();
    kernel.registry.register(this.#registration);
  }

  #makeRegistration(): Registration {
    const policy = (): KeyedPolicy => this.#policy;
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
      address: this,
      takesKeys: true,
      downs: this.downs,
      downsOf: (recipient) => this.#keyDowns.of(this.#keyOf({ recipient, payload: {} })),
      supervisionStatus: () => supervisionStatus(this.describe()),
    };
  }

  /**
   * Describes it again, while it is down. Keys for which messages wait keep them.
   *
   * @param spec Of the same name, a keyed agent too.
   * @param kernel What the actors at its place share.
   * @param policy The policy in the description.
   */
  describeAnew(spec: SupervisorSpec, kernel: Kernel, policy: KeyedPolicy): void {
    kernel.registry.renew(this.#registration, () => {
      this.setDescription(spec, kernel);
      this.#policy = policy;
    });
    for (const { key, driver } of this.#slots.values())
      driver.describeAnew(policy.specOf(key), kernel);
  }

  #makeSuspension(): GroupSuspension {
    return new GroupSuspension(this.kernel, {
      name: this.name,
      whenRested: () => this.#atWork.whenRested(this.#slots.values()),
      onDrained: () => {
        for (const { driver } of this.#slots.values()) driver.refuseWaiting();
      },
      onReleased: () => {
        for (const { driver } of this.#slots.values()) driver.onReleased();
        this.#places.release();
      },
    });
  }

  #makeGroup(): KeyGroup {
    const suspension = this.#suspension;
    return {
      waitingCount: 0,
      get isSuspended() {
        return suspension.marker !== undefined;
      },
      get isHolding() {
        return suspension.isHolding;
      },
      downsOf: (key) => this.#keyDowns.of(key),
      onKeyFree: (key) => {
        const slot = this.#slots.get(key);
        if (slot !== undefined) this.#places.seek(slot);
      },
    };
  }

  #makeHome(): KeyedHome {
    const isRunning = (): boolean => this.status === "RUNNING";
    const described = (): Pick<KeyedHome, "kernel" | "spec" | "policy"> => {
      const { kernel, spec } = this;
      return { kernel, spec, policy: this.#policy };
    };
    return {
      get kernel() {
        return described().kernel;
      },
      get spec() {
        return described().spec;
      },
      get policy() {
        return described().policy;
      },
      get isRunning() {
        return isRunning();
      },
      has: (slot) => this.#slots.get(slot.key) === slot,
      later: (serve) => this.post({ kind: "request", serve }),
      begin: (job) => this.begin(job),
      forget: (slot) => this.#forget(slot),
      fail: (error) => this.fail(error),
    };
  }

  // What others see of it.

  get isAccepting(): boolean {
    return !this.#isClosed;
  }

  get mailboxLengthMax(): number {
    return this.#policy.waitingCountMax;
  }

  get mailboxDepth(): number {
    return this.#group.waitingCount;
  }

  override get isSuspended(): boolean {
    return this.#suspension.marker !== undefined;
  }

  override describe(): SupervisorNode {
    const { keyField, idleMs, residentCountMax, failedCountMax } = this.#policy;
    const described = super.describe();
    return {
      ...described,
      status: this.#suspension.shownStatus(described.status),
      keyed: {
        keyField: keyField ?? null,
        idleMs,
        residentCountMax,
        failedCountMax,
        residentCount: this.#places.residentCount,
        waitingCount: this.#places.waitingCount,
        failedCount: this.#crashes.failedCount,
        suspension: this.#suspension.describe(),
        mailboxDepth: this.mailboxDepth,
      },
    };
  }

  /** Its keys are listed in pages. */
  protected override describeChildren(): TreeNode[] {
    return [];
  }

  /**
   * Lists keys that are there, in the order of their names.
   *
   * @param page Which.
   */
  describeKeys(page: KeyPage & { readonly limit: number }): AgentNode[] {
    const isListed = keyFilter(page);
    const keys: string[] = [];
    for (const [key, { driver }] of this.#slots)
      if (isListed(key, () => driver.status)) keys.push(key);
    return firstKeys(keys, page.limit).flatMap(
      (key) => this.#slots.get(key)?.driver.describe() ?? [],
    );
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

  /** {@inheritDoc Address.lineOf} */
  lineOf(message: Pick<Message, "recipient" | "payload">): string {
    return this.#keyOf(message);
  }

  // Messages.

  accept(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    refuseIfDrained(this, message, this.kernel.bus);
    let slot: KeyedSlot;
    try {
      if (this.#isClosed) throw this.stoppedError();
      slot = this.#slotOf(this.#keyOf(message));
    } catch (error) {
      this.kernel.bus.drop(message, "refused");
      throw error;
    }
    slot.activeAtMs = this.kernel.system.monotonicMs();
    this.#places.touch(slot);
    const room = slot.driver.accept(message, deadlineMs);
    this.#places.seek(slot);
    return room;
  }

  control(message: Message): boolean {
    return this.#slots.get(this.#keyOf(message))?.driver.control(message) === true;
  }

  /** Member of a payload that has the key; undefined where it is in the address. */
  get keyField(): string | undefined {
    return this.#policy.keyField;
  }

  #keyOf(message: Pick<Message, "recipient" | "payload">): string {
    return keyOfMessage(this, message);
  }

  // Keys that come and go.

  #slotOf(key: string): KeyedSlot {
    const slot = this.#slots.get(key);
    if (slot !== undefined) {
      if (slot.failure === undefined) return slot;
      this.#crashes.refuseIfFailed(slot);
      this.#forget(slot);
    }
    if (this.#places.isFull()) {
      const { residentCountMax, waitingCountMax } = this.#policy;
      throw new keyErrors.EXHAUSTED({ agent: this.name, residentCountMax, waitingCountMax });
    }
    return this.#open(key);
  }

  #open(key: string): KeyedSlot {
    const { writes, tally } = this.#init;
    const policy = this.#policy;
    const spec = policy.specOf(key);
    const earlierWrites = writes.get(spec.name);
    const agent = { key, spec, group: this.#group };
    const driver = new KeyAgent(this.kernel, agent, { earlierWrites, tally });
    const slot = new KeyedSlot(driver, this);
    driver.onIdle = () => {
      this.#atWork.onRest(slot);
      this.#passivation.onIdle(slot);
    };
    driver.beforeStop = (agent) => this.#passivation.beforeStop(slot, agent);
    this.#crashes.onOpened(slot);
    this.#slots.set(key, slot);
    return slot;
  }

  /** Takes a key out of the tree: nothing of it stays but what it saved, and its crashes while they count. */
  #forget(slot: KeyedSlot): void {
    if (this.#slots.get(slot.key) !== slot) return;
    this.#slots.delete(slot.key);
    this.#places.leave(slot);
    this.#atWork.onRest(slot);
    this.#passivation.answer(slot, []);
    slot.epoch += 1;
    slot.phase = "down";
    slot.driver.retire();
    this.#init.writes.keep(slot.driver);
    this.#crashes.onForgotten(slot);
    if (this.status === "RUNNING") this.#keyDowns.onForgotten(slot.key);
  }

  /** {@inheritDoc KeyedSlotOwner.onIdleDue} */
  onIdleDue(slot: KeyedSlot): void {
    if (this.#slots.get(slot.key) !== slot) return;
    if (slot.failure === undefined) this.#passivation.onIdleDue(slot);
    else this.#crashes.onCoolDownDue(slot);
  }

  /**
   * Passivates a key after its message at hand, idle or not. What waits for it starts it again.
   *
   * @returns The name of its agent when it did not stop in time; empty when it did, and when it is not there.
   * @throws AGENTRT_KEY_NOT_SAVED when its state could not be saved: then it stays.
   */
  async endKey(key: string): Promise<readonly string[]> {
    const end = await this.request<readonly string[] | Error>((answer) => {
      const slot = this.#slots.get(key);
      if (slot === undefined) answer([]);
      else this.#passivation.stop(slot, { onDown: answer, onKept: answer });
    });
    if (end instanceof Error) throw end;
    return end;
  }

  /** Takes a request about the suspension of a key, which starts for it where it is not there. */
  askKeySuspension(key: string, request: SuspensionRequest): void {
    let slot: KeyedSlot;
    try {
      if (this.#isClosed) throw this.stoppedError();
      slot = this.#slotOf(checkKey(this.name, key));
    } catch (error) {
      request.onGone(error as Error);
      return;
    }
    slot.activeAtMs = this.kernel.system.monotonicMs();
    this.#places.touch(slot);
    slot.driver.askSuspension(request);
    this.#places.seek(slot);
  }

  // What somebody asks of the whole.

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
    for (const { driver } of this.#slots.values()) if (driver.isWorking) return true;
    return false;
  }

  /** True unless it was stopped or given up. */
  get isRunning(): boolean {
    return !this.isDown;
  }

  /** {@inheritDoc AgentHome.askSuspension} */
  askSuspension(request: SuspensionRequest): void {
    if (this.#isClosed) request.onGone(this.stoppedError());
    else this.#suspension.ask(request);
  }

  /**
   * Makes the whole end as crashed at the message boundaries of its keys, so that its supervisor restarts it.
   *
   * @param request Who asked, and whether it is charged.
   */
  requestRestart(request: RestartRequest): void {
    // One that starts begins with nothing anyway.
    if (this.status !== "RUNNING") return;
    this.kill(restartRequested(this.name, request));
  }

  // The engine's questions.

  override start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#isClosed = false;
    this.#keyDowns.begin();
    this.#suspension.restore().catch((error: unknown) => this.kill(error as Error));
    return super.start(onExit);
  }

  override settleDown(willRestart: boolean): void {
    this.#keyDowns.settle(willRestart);
    super.settleDown(willRestart);
  }

  override release(): void {
    this.#suspension.release();
    super.release();
  }

  override retire(): void {
    this.#isClosed = true;
    this.#suspension.drop(() => this.stoppedError());
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

  protected override onChildStarted(slot: Slot): void {
    if (!(slot instanceof KeyedSlot)) return;
    slot.storeFaultCount = 0;
    this.#passivation.onStarted(slot);
  }

  protected override onChildExit(slot: Slot, exit: ChildExit): void {
    if (!(slot instanceof KeyedSlot)) return;
    slot.isPassivating = false;
    slot.driver.takeLeave();
    this.#atWork.onRest(slot);
    if (exit.kind === "crashed") this.#crashed(slot, exit.error);
    else {
      slot.driver.settleDown(false);
      this.#forget(slot);
      this.#places.admit();
    }
  }

  #crashed(slot: KeyedSlot, error: unknown): void {
    this.#crashes.crashed(slot, error);
    // One that is left alone is down for those who want it to stop.
    if (slot.failure !== undefined) this.#passivation.answer(slot, []);
  }

  protected override onStartFailed(slot: Slot, job: Job, error: unknown): void {
    if (!(slot instanceof KeyedSlot)) return;
    this.#crashed(slot, error);
    if (slot.job === job) this.advance(job);
  }

  protected override onBoot(): void {
    this.#crashes.onBoot();
    for (const slot of this.#slots.values()) {
      slot.window = undefined;
      slot.phase = "down";
      if (slot.driver.hasWork) this.#places.seek(slot);
      else this.#forget(slot);
    }
    this.#places.admitLater();
  }

  protected override onTearDown(): void {
    this.#places.close();
  }

  protected override onTornDown(): void {
    this.#places.clear();
    for (const slot of this.#slots.values()) {
      this.#passivation.answer(slot, []);
      this.#atWork.onRest(slot);
    }
    this.#crashes.clearFailed();
    if (!this.#isClosed) return;
    for (const slot of this.#slots.values()) this.#forget(slot);
  }
}
