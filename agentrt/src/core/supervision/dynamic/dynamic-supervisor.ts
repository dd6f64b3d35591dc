import { AgentCell, isFreeRestart } from "../../incarnations/index.ts";
import {
  type AgentSpec,
  type ChildExit,
  type StopOptions,
  type Kernel,
  type SpawnedDriver,
  type SupervisorNode,
  child,
  type SupervisorSpec,
  type DynamicPolicy,
} from "../../tree/index.ts";
import { agentErrors, supervisionErrors } from "../../errors.ts";
import { Alarm } from "../../ports/index.ts";
import { reasonOf } from "../../values/index.ts";
import { planRestart } from "../plan-restart.ts";
import { RestartWindow } from "../restart-window.ts";
import { reportExhausted, reportRestart } from "../report.ts";
import { SupervisorEngine } from "../supervisor-engine.ts";
import { type Job, type JobWaiter, type Slot } from "../supervisor-job.ts";
import type { AgentClass, ChildStopReport, SpawnReport, SpawnRequest } from "../../agents/index.ts";
import { DynamicSlot } from "./dynamic-slot.ts";
import { spawnErrors } from "./errors.ts";
import type { LastWrites } from "./last-writes.ts";
import { PendingSpawn } from "./pending-spawn.ts";
import { type ClassLoader, examine, type ExaminationInit } from "./spawn-examination.ts";
import { SpawnLedger, type SpawnNames } from "./spawn-ledger.ts";
import { childOptions } from "./child-options.ts";

/** Most spawns that wait at one supervisor. */
const openCountMax = 100_000;
/** How long the end of a child waits for the store to forget its state. */
const forgetTimeoutMs = 5_000;

/** What a dynamic supervisor is made from, in addition to its description. */
export interface DynamicSupervisorInit {
  readonly isRoot: boolean;
  readonly policy: DynamicPolicy;
  readonly loadClass: ClassLoader | undefined;
  /** What children that are gone still write: shared by all dynamic supervisors of a tree. */
  readonly writes: LastWrites;
  /** Finds the kernel of a child: where it has a budget, its model calls count against that, too. */
  readonly kernelOf: (spec: AgentSpec, below: Kernel) => Kernel;
  /** Forgets what was spent of the budget of a child, if it had one. */
  readonly forgetBudget: (spec: AgentSpec) => Promise<void> | undefined;
  /** Called with each child when it is admitted and registered. */
  readonly onAdded: (driver: SpawnedDriver) => void;
  /** Called with each child when it is gone for good and its name is free. */
  readonly onRemoved: (driver: SpawnedDriver) => void;
}

/** A spawn whose class is being loaded, or about which the hook has not decided. */
interface Examined {
  readonly leader: PendingSpawn;
  /** Those with the same name and token. */
  readonly followers: PendingSpawn[];
}

/** How a child ended. */
interface Termination {
  readonly reason: string;
  readonly phase: string;
  readonly error?: unknown;
}

/**
 * A supervisor whose children come and go while it runs. They are independent: each starts, restarts and stops by
 * itself, has its own budget of crashes, and one that is out of budget is gone for good; nothing is escalated.
 */
export class DynamicSupervisor extends SupervisorEngine {
  readonly #init: DynamicSupervisorInit;
  readonly #ledger: SpawnLedger;
  #examination: ExaminationInit;
  #policy: DynamicPolicy;
  readonly #children = new Map<string, DynamicSlot>();
  readonly #examined = new Map<string, Examined>();
  /** What is being forgotten of children that were ended. */
  readonly #forgetting = new Map<string, Promise<void>>();
  #openCount = 0;
  /** True when the whole tree stops: then spawners are not notified when their children end. */
  #isFinal = false;
  readonly #onClosed = (): void => {
    this.#openCount -= 1;
  };

  constructor(kernel: Kernel, spec: SupervisorSpec, init: DynamicSupervisorInit) {
    super(kernel, spec, { isRoot: init.isRoot, isConcurrent: true });
    this.#init = init;
    this.#policy = init.policy;
    this.#ledger = new SpawnLedger(init.policy);
    this.#examination = { kernel, policy: init.policy, loadClass: init.loadClass };
  }

  /**
   * Describes it again, running or not: what it does with the next spawn and the next crash follows from that.
   *
   * @param spec Of the same name, a dynamic one too.
   * @param kernel What the actors at its place share; its children have that from their next spawn on.
   * @param policy The policy in it.
   */
  describeAnew(spec: SupervisorSpec, kernel: Kernel, policy: DynamicPolicy): void {
    this.setDescription(spec, kernel);
    this.#policy = policy;
    this.#ledger.limits = policy;
    this.#examination = { ...this.#examination, policy };
    for (const { window } of this.#children.values()) window?.setLimits(spec.limits);
  }

  /**
   * Spawns a child.
   *
   * @param spawner Verified: the name of the agent whose code asks.
   * @param request What it asks for; its configuration is a copy already.
   * @returns The child, once it runs; without `wait`, once it is admitted.
   * @throws AGENTRT_SPAWN_*: why it was refused, or did not start.
   */
  spawn(spawner: string, request: SpawnRequest): Promise<SpawnReport> {
    if (this.#openCount >= openCountMax) {
      const details = { child: request.name, supervisor: this.name, openCountMax };
      return Promise.reject(new spawnErrors.TOO_MANY_REQUESTS(details));
    }
    if (this.lane.job !== undefined) {
      const details = { child: request.name, supervisor: this.name, status: this.status };
      return Promise.reject(new spawnErrors.SUPERVISOR_NOT_RUNNING(details));
    }
    const { wheel, system } = this.kernel;
    const nowMs = system.monotonicMs();
    const pending = new PendingSpawn({ wheel, nowMs, supervisor: this.name, spawner, request });
    if (!pending.isOpen) return pending.promise;
    this.#openCount += 1;
    pending.onClosed = this.#onClosed;
    this.post({ kind: "request", serve: () => this.#serveSpawn(pending) });
    return pending.promise;
  }

  /**
   * Ends a child for good; its name is free then.
   *
   * @param name Name of a child.
   * @param how Hard or soft, the deadline, and the reason that its spawner gets.
   * @returns The child's name when it did not stop in time; empty when it did, or when the child is gone already.
   */
  endChild(
    name: string,
    how: { readonly stopOptions: StopOptions; readonly reason: string },
  ): Promise<ChildStopReport> {
    if (this.lane.job !== undefined) {
      // All are being stopped already. Whoever asks may be one of them, and that is not to wait for its siblings.
      const stopped = this.#children.get(name)?.driver.stop(how.stopOptions);
      return (stopped ?? Promise.resolve([])).then((lateNames) => ({ lateNames }));
    }
    const ended = this.request<ChildStopReport>((answer) => {
      const onDone: JobWaiter = (lateNames) =>
        answer({ lateNames: lateNames.filter((late) => late === name) });
      this.#end(name, how, onDone);
    });
    return ended.then(async (report) => {
      await this.#forgetting.get(name);
      return report;
    });
  }

  override isStoppingChild(name: string): boolean {
    return this.#children.get(name)?.job?.kind === "stopChild";
  }

  /**
   * Starts a child that was halted. Any other one that has ended is gone: there is nothing to revive.
   *
   * @throws AGENTRT_AGENT_STOPPED for one that is being ended.
   */
  override async reviveChild(name: string): Promise<void> {
    if (this.isStoppingChild(name)) throw new agentErrors.STOPPED({ agent: name });
    await this.request<void>((answer) => {
      const slot = this.#children.get(name);
      if (slot?.phase === "held") this.#lift(slot, answer);
      else answer();
    });
  }

  #lift(slot: DynamicSlot, onTried: () => void = () => undefined): void {
    slot.phase = "down";
    this.begin({ kind: "restart", lane: slot, starts: [slot], waiters: [onTried] });
  }

  /** A halted child stays, so that somebody can resume it. */
  #keepHalted(slot: DynamicSlot): void {
    const { driver } = slot;
    driver.retire();
    driver.settleDown(false);
    slot.phase = "held";
    if (driver.hasLift) this.#lift(slot);
  }

  override describe(): SupervisorNode {
    const { restart, childCountMax, spawnCountMax } = this.#policy;
    const { childCountMaxPerSpawner, spawnCountMaxPerSpawner } = this.#policy;
    const described = super.describe();
    return {
      ...described,
      processName: this.#placedIn ?? described.processName,
      dynamic: {
        restart,
        childCountMax,
        spawnCountMax,
        childCountMaxPerSpawner,
        spawnCountMaxPerSpawner,
        liveCount: this.#children.size,
        spawnCount: this.#ledger.spawnCount,
      },
    };
  }

  // Spawns.

  #serveSpawn(pending: PendingSpawn): void {
    if (!pending.isOpen) return;
    try {
      if (!this.#joins(pending)) this.#admit(pending);
    } catch (error) {
      pending.reject(error);
    }
  }

  /** Lets a repeated spawn share the child of the first one. */
  #joins(pending: PendingSpawn): boolean {
    const { name, options } = pending.request;
    const names = this.#namesOf(pending);
    if (this.status !== "RUNNING") {
      throw new spawnErrors.SUPERVISOR_NOT_RUNNING({ ...names, status: this.status });
    }
    const slot = this.#children.get(name);
    const examined = this.#examined.get(name);
    const token = slot === undefined ? examined?.leader.request.options?.token : slot.token;
    if (slot === undefined && examined === undefined) return false;
    if (token === undefined || token !== options?.token) throw new spawnErrors.NAME_TAKEN(names);
    if (slot === undefined) examined?.followers.push(pending);
    else if (slot.hasRun || !pending.isPatient) {
      pending.resolve({ isReady: slot.hasRun, isExisting: true });
    } else slot.pendings.push(pending);
    return true;
  }

  #admit(pending: PendingSpawn): void {
    const names = this.#namesOf(pending);
    const { name } = pending.request;
    if (this.kernel.registry.get(name) !== undefined) throw new spawnErrors.NAME_REGISTERED(names);
    this.#ledger.take(names);
    let examined: AgentClass | Promise<AgentClass>;
    try {
      examined = examine(this.#examination, pending.request, names);
    } catch (error) {
      this.#ledger.refund(pending.spawner);
      throw error;
    }
    if (examined instanceof Promise) this.#awaitExamination(pending, examined);
    else this.#register({ leader: pending, followers: [] }, examined);
  }

  /** Holds the place and the name while the class is loaded and the hook decides. */
  #awaitExamination(leader: PendingSpawn, examination: Promise<AgentClass>): void {
    const { name } = leader.request;
    const examined: Examined = { leader, followers: [] };
    this.#examined.set(name, examined);
    const { onClosed } = leader;
    const later = (serve: () => void): void => this.post({ kind: "request", serve });
    leader.onClosed = () => {
      onClosed?.();
      later(() => this.#refuse(examined, undefined));
    };
    examination.then(
      (agentClass) => later(() => this.#examinationDone(examined, agentClass)),
      (error: unknown) => later(() => this.#refuse(examined, error)),
    );
  }

  #examinationDone(examined: Examined, agentClass: AgentClass): void {
    const { leader } = examined;
    const { name } = leader.request;
    if (this.#examined.get(name) !== examined) return;
    if (!leader.isOpen) {
      this.#refuse(examined, undefined);
      return;
    }
    if (this.status !== "RUNNING") {
      const details = { ...this.#namesOf(leader), status: this.status };
      this.#refuse(examined, new spawnErrors.SUPERVISOR_NOT_RUNNING(details));
      return;
    }
    this.#examined.delete(name);
    try {
      this.#register(examined, agentClass);
    } catch (error) {
      for (const pending of [leader, ...examined.followers]) pending.reject(error);
    }
  }

  /** Ends an examination without a child. */
  #refuse(examined: Examined, error: unknown): void {
    const { leader, followers } = examined;
    const { name } = leader.request;
    if (this.#examined.get(name) !== examined) return;
    this.#examined.delete(name);
    this.#ledger.refund(leader.spawner);
    if (error === undefined) {
      // Nobody waits for the first of them any more: the next one begins again.
      for (const pending of followers) this.#serveSpawn(pending);
      return;
    }
    for (const pending of [leader, ...followers]) pending.reject(error);
  }

  /** The last check is the registry's own: then the child counts, is in the tree, and starts. */
  #register({ leader, followers }: Examined, agentClass: AgentClass): void {
    const { kernel } = this;
    const { spawner, request } = leader;
    const { name, options } = request;
    let driver: SpawnedDriver;
    try {
      driver = this.#driverOf(child(agentClass, name, childOptions(leader.request)), request);
    } catch (error) {
      this.#ledger.refund(spawner);
      throw error instanceof supervisionErrors.DUPLICATE_NAME
        ? new spawnErrors.NAME_REGISTERED(this.#namesOf(leader))
        : error;
    }
    const spawnerHome = kernel.registry.get(spawner);
    const { token, keepState: isStateKept = false } = options ?? {};
    const slot = new DynamicSlot({ driver, spawner, spawnerHome, token, isStateKept });
    this.#children.set(name, slot);
    this.#init.onAdded(driver);
    kernel.emit({
      type: "dynamic.spawned",
      supervisor: this.name,
      child: name,
      spawner,
      agentClass: agentClass.name,
      budget: driver.spec.budget,
      atMs: kernel.system.nowMs(),
    });
    this.#await(slot, leader, false);
    for (const pending of followers) this.#await(slot, pending, true);
    this.#startChild(slot, "spawn");
  }

  /** The process group that its children run in; undefined for this process. */
  get #placedIn(): string | undefined {
    const { placement } = this.kernel;
    return placement?.spawnedOf === undefined ? undefined : this.#policy.processName;
  }

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME, AGENTRT_SPAWN_CLASS_NOT_LOADED. */
  #driverOf(spec: AgentSpec, request: SpawnRequest): SpawnedDriver {
    const process = this.#placedIn;
    const supervisor = this.name;
    const { placement } = this.kernel;
    if (process !== undefined && placement?.spawnedOf !== undefined)
      return placement.spawnedOf({ spec, process, supervisor, request }, this.kernel);
    const earlierWrites = this.#init.writes.get(spec.name);
    return new AgentCell(this.#init.kernelOf(spec, this.kernel), spec, { earlierWrites });
  }

  #await(slot: DynamicSlot, pending: PendingSpawn, isExisting: boolean): void {
    pending.waitsFor = "its start";
    if (pending.isPatient) slot.pendings.push(pending);
    else pending.resolve({ isReady: false, isExisting });
  }

  #startChild(slot: DynamicSlot, kind: "spawn" | "restart"): void {
    this.begin({
      kind,
      lane: slot,
      starts: [slot],
    });
  }

  protected override onChildStarted(slot: Slot): void {
    if (!(slot instanceof DynamicSlot)) return;
    slot.storeFaultCount = 0;
    if (slot.hasRun) return;
    slot.hasRun = true;
    const { pendings } = slot;
    slot.pendings = [];
    pendings.forEach((pending, index) => pending.resolve({ isReady: true, isExisting: index > 0 }));
  }

  // Ends.

  #end(
    name: string,
    how: { readonly stopOptions: StopOptions; readonly reason: string },
    onDone: JobWaiter,
  ): void {
    const slot = this.#children.get(name);
    if (slot === undefined) return onDone([]);
    const { job } = slot;
    if (job?.kind === "stopChild") {
      // It is being ended: from now on in the harder and the earlier of the two ways.
      job.addWaiter(onDone);
      void slot.driver.stop(how.stopOptions);
      return;
    }
    // A start that is under way, or a restart that waits, is given up.
    slot.epoch += 1;
    this.begin({
      kind: "stopChild",
      lane: slot,
      stops: [slot],
      stopOptions: how.stopOptions,
      waiters: [onDone],
      onDone: () => this.#remove(slot, { reason: how.reason, phase: phaseOf(slot) }),
    });
  }

  protected override onChildExit(slot: Slot, exit: ChildExit): void {
    if (!(slot instanceof DynamicSlot)) return;
    const { restart } = this.#policy;
    if (slot.driver.isHalted && exit.kind === "normal") return this.#keepHalted(slot);
    if (exit.kind === "normal") {
      if (restart !== "permanent") {
        this.#remove(slot, { reason: "clean_exit", phase: "running" });
        return;
      }
      this.#restart(slot, new supervisionErrors.CHILD_ENDED({ child: slot.driver.name }));
      return;
    }
    if (restart === "temporary" && !isFreeRestart(exit.error)) this.#removeFailed(slot, exit.error);
    else this.#restart(slot, exit.error);
  }

  protected override onStartFailed(slot: Slot, job: Job, error: unknown): void {
    if (!(slot instanceof DynamicSlot)) return;
    if (!slot.hasRun) this.#removeFailed(slot, error);
    else this.#restart(slot, error);
    if (slot.job === job) this.advance(job);
  }

  /** Restarts a child, or ends what its budget no longer covers. */
  #restart(slot: DynamicSlot, error: unknown): void {
    const { kernel, spec } = this;
    const window = (slot.window ??= new RestartWindow(spec.limits));
    const delayMs = planRestart(kernel, spec, { slot, error, window });
    if (delayMs === undefined) {
      reportExhausted(kernel, spec, { child: slot.driver.name, error, outcome: "removed" });
      this.#remove(slot, { reason: "restarts_exhausted", phase: phaseOf(slot), error });
      return;
    }
    slot.driver.settleDown(true);
    const { epoch } = slot;
    const due = (): void =>
      this.post({ kind: "restartDue", serve: () => this.#restartDue(slot, epoch) });
    // A start that fails for ever leaves its turn to everybody else.
    if (delayMs === 0) kernel.system.yieldTurn(due);
    else kernel.wheel.arm(new Alarm(due), kernel.system.monotonicMs() + delayMs);
  }

  #restartDue(slot: DynamicSlot, epoch: number): void {
    const { kernel, spec } = this;
    const { name } = slot.driver;
    if (this.#children.get(name) !== slot || slot.epoch !== epoch) return;
    const crashesInWindow = slot.window?.count(kernel.system.monotonicMs()) ?? 0;
    reportRestart(kernel, spec, { child: slot.driver, crashesInWindow, children: [name] });
    this.#startChild(slot, "restart");
  }

  #removeFailed(slot: DynamicSlot, error: unknown): void {
    const phase = phaseOf(slot);
    this.#remove(slot, { reason: `${phase}: ${reasonOf(error)}`, phase, error });
  }

  /** Removes a child from the tree: it answers queued requests, frees the name and notifies the spawner. */
  #remove(slot: DynamicSlot, { reason, phase, error }: Termination): void {
    const { kernel } = this;
    const { driver, spawner } = slot;
    const { name } = driver;
    if (this.#children.get(name) !== slot) return;
    this.#children.delete(name);
    slot.epoch += 1;
    slot.phase = "down";
    driver.retire();
    const forgotten = isForgotten(slot, reason) ? this.#forget(driver) : undefined;
    if (forgotten === undefined && reason !== "supervisor_stopped") driver.release();
    if (driver instanceof AgentCell) this.#init.writes.keep(driver);
    kernel.registry.deregister(name);
    driver.downs.close();
    this.#ledger.release(spawner);
    this.#init.onRemoved(driver);
    kernel.emit({
      type: "dynamic.terminated",
      supervisor: this.name,
      child: name,
      spawner,
      reason,
      atMs: kernel.system.nowMs(),
    });
    const waiting = slot.pendings.filter((pending) => pending.isOpen);
    slot.pendings = [];
    for (const pending of waiting) {
      const said = error === undefined ? reason : reasonOf(error);
      const details = { child: name, supervisor: this.name, phase, reason: said };
      pending.reject(new spawnErrors.START_FAILED(details, { cause: error }));
    }
    // A spawner that still waited has its answer by now. Any other one is notified that the child is gone.
    if (waiting.length > 0 || this.#isFinal) return;
    if (forgotten === undefined) this.#notify(slot, reason);
    else void forgotten.then(() => this.#notify(slot, reason));
  }

  #notify({ driver: { name }, spawner, spawnerHome }: DynamicSlot, reason: string): void {
    if (this.kernel.registry.get(spawner) === spawnerHome) spawnerHome?.childGone?.(name, reason);
  }

  /** Forgets what a child has saved. Who waits for its end, and its spawner, hear of the end after that. */
  #forget(driver: SpawnedDriver): Promise<void> | undefined {
    const { kernel } = this;
    const { name, spec } = driver;
    const works = [driver.forget(), this.#init.forgetBudget(spec)].filter(
      (work) => work !== undefined,
    );
    if (works.length === 0) return undefined;
    const forgetting = new Promise<void>((resolve) => {
      const fail = (error: unknown): void =>
        kernel.log.error("a state could not be forgotten", { agent: name, error });
      const alarm = new Alarm(resolve);
      kernel.wheel.arm(alarm, kernel.system.monotonicMs() + forgetTimeoutMs);
      void Promise.all(works)
        .catch(fail)
        .finally(() => {
          kernel.wheel.disarm(alarm);
          resolve();
        });
    }).finally(() => {
      if (this.#forgetting.get(name) === forgetting) this.#forgetting.delete(name);
    });
    this.#forgetting.set(name, forgetting);
    return forgetting;
  }

  // The engine's questions.

  protected override get slots(): readonly Slot[] {
    return [...this.#children.values()];
  }

  protected override crashesInWindow(): number {
    const nowMs = this.kernel.system.monotonicMs();
    let count = 0;
    for (const { window } of this.#children.values()) count += window?.count(nowMs) ?? 0;
    return count;
  }

  protected override onBoot(): void {}

  protected override onTearDown(): void {
    for (const examined of this.#examined.values()) {
      const details = { ...this.#namesOf(examined.leader), status: this.status };
      this.#refuse(examined, new spawnErrors.SUPERVISOR_NOT_RUNNING(details));
    }
  }

  protected override childStopOptions(options: StopOptions): StopOptions {
    this.#isFinal = options.isFinal;
    // None of them comes back: as in OTP, a dynamic supervisor that is restarted begins empty.
    return { ...options, isFinal: true };
  }

  protected override onTornDown(): void {
    for (const slot of this.#children.values()) {
      this.#remove(slot, { reason: "supervisor_stopped", phase: phaseOf(slot) });
    }
  }

  #namesOf(pending: PendingSpawn): SpawnNames {
    return { child: pending.request.name, supervisor: this.name, spawner: pending.spawner };
  }
}

/** Only what was ended, or has ended by itself, is not to come back: what failed may be spawned again. */
function isForgotten({ isStateKept }: DynamicSlot, reason: string): boolean {
  return !isStateKept && (reason === "despawned" || reason === "clean_exit");
}

function phaseOf(slot: DynamicSlot): string {
  return slot.phase === "up" || slot.hasRun ? "running" : slot.driver.startPhase;
}
