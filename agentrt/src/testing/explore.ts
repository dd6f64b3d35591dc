import type { RuntimeEvent, SupervisorSpec } from "../core/index.ts";
import type { RuntimeOptions } from "../runtime/index.ts";
import { keyErrors, placeOfError, reasonOf } from "../core/index.ts";
import { decideApprovals } from "./approvers.ts";
import { isConsequence, isInjected } from "./crash-cause.ts";
import type { Sent } from "./fact.ts";
import type { FaultKind } from "./fault-plan.ts";
import { kernelInvariants, supervisorNodeOf, type Invariant } from "./invariants/index.ts";
import type { MakeModels, MakeTools } from "./models/index.ts";
import { OutsideWatch, type OutsideUse } from "./outside-watch.ts";
import { SeededRandom } from "./seeded-random.ts";
import { Simulation } from "./simulation.ts";
import type { Violation } from "./tree-record.ts";
import { VirtualClock, watchSettled } from "./virtual-clock.ts";
import {
  defaultWorkload,
  runWorkload,
  workloadContext,
  type Workload,
  type WorkloadContext,
} from "./workload.ts";

/** The name under which a crash of an agent's own code is reported as a violation. */
export const ownCrashName = "no-crash-of-own-code";

/** One run of a tree under faults. */
export interface ExploreOptions {
  readonly supervision: SupervisorSpec;
  readonly seed: number;
  /** Loads classes that agents spawn by name; default none can. */
  readonly loadClass?: RuntimeOptions["loadClass"];
  /** What agents ask by `this.llm`: a function that makes them for each run, or providers that keep nothing; default none. */
  readonly models?: MakeModels | undefined;
  /** Where agents get `this.tools` from, in the same way; default nowhere. */
  readonly tools?: MakeTools | undefined;
  /** What is done about calls that fail; default nothing. */
  readonly resilience?: RuntimeOptions["resilience"];
  /** Virtual time during which the workload goes on; default 30_000. */
  readonly durationMs?: number | undefined;
  /** Most timers that fire during that time; default 5000. */
  readonly stepCountMax?: number | undefined;
  /** What is asked of the tree; default `{}` to every agent, as calls, casts and bursts. */
  readonly workload?: Workload | undefined;
  /** The user's own; made again for each run. They are asked together with those of `kernelInvariants`. */
  readonly invariants?: (() => readonly Invariant[]) | undefined;
  /** Most messages that the default workload sends; default as many as the seed decides. */
  readonly messageCountMax?: number | undefined;
  /** The only kinds of faults that happen, of those that the seed chooses; default all. */
  readonly onlyFaults?: readonly FaultKind[] | undefined;
  /** Only delays and reordering, no faults; default false. */
  readonly isCalm?: boolean | undefined;
  /** Writes down each message and each hook; default false. */
  readonly isTraced?: boolean | undefined;
  /** Notes where errors were thrown, for `ownCrash` and the violation that it is; default true. It takes time for each error. */
  readonly hasPlaces?: boolean | undefined;
}

/** Numbers of one run, or of many. */
export interface RunCounts {
  messages: number;
  /** Crashes that the simulation made. */
  injectedCrashes: number;
  /** Crashes of the agents' own code, those that only hand on what a fault has done to another agent included. */
  ownCrashes: number;
  restarts: number;
  /** Restart budgets that were used up. */
  exhausted: number;
  faults: number;
  steps: number;
  virtualMs: number;
}

/** What came of one run. */
export interface RunReport {
  readonly seed: number;
  /**
   * The first invariant that was broken, else the first crash of an agent's own code that no fault explains
   * (`no-crash-of-own-code`); undefined when there was neither.
   */
  readonly violation: Violation | undefined;
  readonly counts: RunCounts;
  /** What went wrong because the simulation made it so. */
  readonly faultKinds: readonly FaultKind[];
  /** The first thing of the real world that an agent waited for: then the run was given up, and says nothing. */
  readonly outsideUse: OutsideUse | undefined;
  /** The reason of the first crash of an agent's own code. */
  readonly ownCrash: string | undefined;
  /** Why the tree did not start, when that was not a fault of the simulation. */
  readonly startFailure: string | undefined;
  readonly trace: readonly string[];
}

const defaultDurationMs = 30_000;
const defaultStepCountMax = 5000;
/** Longer than any wait inside of a tree, unless its time-out says otherwise. */
const stuckAfterMs = 60_000;
/** Virtual time of the work that a stop with a grace begins in, and timers of it at most. */
const lastWorkMs = 2000;
const stepCountLast = 200;
/** Longer than any handler takes that a fault has made slow. */
const graceMsLong = 120_000;

/**
 * Runs a tree once, from start to stop, as a seed decides: delays, interleaving, faults and workload.
 *
 * @param options The tree and what to do with it.
 * @returns What came of it.
 */
export async function explore(options: ExploreOptions): Promise<RunReport> {
  const { seed, durationMs = defaultDurationMs } = options;
  const outside = new OutsideWatch();
  const delaysRandom = new SeededRandom(seed, 6);
  // Half of the runs stop with a grace, and then with work at hand.
  const graceMs = new SeededRandom(seed, 9).next() < 0.5 ? 0 : graceMsLong;
  const { world } = new VirtualClock({ seed });
  const invariants = world.run(() => options.invariants?.() ?? []);
  const simulation = new Simulation({
    supervision: options.supervision,
    seed,
    shutdown: { graceMs },
    loadClass: options.loadClass,
    models: options.models,
    tools: options.tools,
    resilience: options.resilience,
    delays: {
      instantShare: delaysRandom.next(),
      usualMs: delaysRandom.next() * 20,
      slowShare: delaysRandom.next() * 0.1,
    },
    faults: options.isCalm === true ? {} : "seeded",
    onlyFaults: options.onlyFaults,
    invariants: [...kernelInvariants(), ...invariants],
    outside,
    isTraced: options.isTraced,
    isKept: false,
  });
  const run = new Run(simulation, outside, options);
  outside.open();
  const { stackTraceLimit } = Error;
  if (options.hasPlaces === false) Error.stackTraceLimit = 0;
  try {
    const stepCountMax = options.stepCountMax ?? defaultStepCountMax;
    await simulation.clock.world.run(() => run.go(durationMs, stepCountMax));
  } finally {
    outside.close();
    if (options.hasPlaces === false) Error.stackTraceLimit = stackTraceLimit;
  }
  return run.report();
}

class Run {
  readonly #simulation: Simulation;
  readonly #outside: OutsideWatch;
  readonly #options: ExploreOptions;
  readonly #counts: RunCounts = emptyCounts();
  /** What the default workload may still send. */
  readonly #left: { messageCount: number };
  #violation: Violation | undefined;
  #ownCrash: string | undefined;
  #ownViolation: Violation | undefined;
  #startFailure: string | undefined;
  #stuck: OutsideUse | undefined;

  constructor(simulation: Simulation, outside: OutsideWatch, options: ExploreOptions) {
    this.#simulation = simulation;
    this.#outside = outside;
    this.#options = options;
    this.#left = { messageCount: options.messageCountMax ?? Number.POSITIVE_INFINITY };
    simulation.runtime.onEvent((event) => this.#count(event));
    decideApprovals(simulation, new SeededRandom(options.seed, 11));
  }

  async go(durationMs: number, stepCountMax: number): Promise<void> {
    const { runtime, record, faults } = this.#simulation;
    let isUp = true;
    const started = runtime.start().catch((error: unknown) => {
      isUp = false;
      if (!isInjected(error)) this.#startFailure = reasonOf(error);
    });
    await this.#stepUntil(started, stepCountMax);
    if (isUp && !this.#isBroken) {
      const context = workloadContext(this.#simulation, new SeededRandom(this.#options.seed, 7));
      const workload = this.#options.workload ?? defaultWorkload(durationMs, this.#left);
      const asked = runWorkload(workload, context);
      const requests = this.#options.isCalm === true ? undefined : this.#makeRequests(durationMs);
      void requests?.catch(() => undefined);
      await this.#stepThrough(durationMs, stepCountMax);
      faults.end();
      const failure = await this.#stepUntil(asked, stepCountMax);
      if (failure !== undefined) this.#break("workload", reasonOf(failure));
      await this.#settleCalls(stepCountMax);
      await this.#findStuck(stepCountMax);
      const isOwn = this.#options.workload !== undefined;
      if (record.graceMs > 0 && !isOwn && !this.#isBroken) await this.#askOnceMore(context);
    }
    faults.end();
    // Whatever is broken: what a runtime holds of the process is given back.
    const stopped = runtime.stop();
    await this.#stepUntil(stopped, stepCountMax);
    await this.#simulation.clock.settle(stopped);
    if (!this.#isBroken) record.end();
    this.#simulation.events.close();
  }

  /** What the stop finds at hand. */
  async #askOnceMore(context: WorkloadContext): Promise<void> {
    const last = runWorkload(defaultWorkload(lastWorkMs, this.#left), context);
    last.catch(() => undefined);
    await this.#stepThrough(this.#simulation.clock.monotonicMs() + lastWorkMs / 2, stepCountLast);
  }

  report(): RunReport {
    const { record, faults, clock } = this.#simulation;
    const faultCount = [...faults.counts.values()].reduce((sum, count) => sum + count, 0);
    const counts = {
      ...this.#counts,
      messages: record.sentCount,
      faults: faultCount,
      virtualMs: Math.round(clock.monotonicMs()),
    };
    const outsideUse = this.#outside.found ?? this.#stuck;
    // What a run shows that cannot be repeated is worth nothing.
    const broken = this.#violation ?? record.violation ?? this.#ownViolation;
    const violation = outsideUse === undefined ? broken : undefined;
    const { seed } = this.#options;
    return {
      seed,
      violation,
      outsideUse,
      counts,
      faultKinds: [...faults.counts.keys()],
      ownCrash: this.#ownCrash,
      startFailure: this.#startFailure,
      trace: record.trace,
    };
  }

  /** At the end, an agent that is in the middle of a message for long waits for what the tree does not give. */
  async #findStuck(stepCountMax: number): Promise<void> {
    const { clock } = this.#simulation;
    const handled = new Set(this.#stuckWork());
    const untilMs = clock.monotonicMs() + stuckAfterMs;
    for (let count = 0; handled.size > 0 && count < stepCountMax && !this.#isBroken; count += 1) {
      if (!(await this.#step(untilMs))) break;
      const stuck = new Set(this.#stuckWork());
      for (const sent of handled) if (!stuck.has(sent)) handled.delete(sent);
    }
    const [stuck] = this.#stuckWork().filter((sent) => handled.has(sent));
    if (stuck === undefined || this.#isBroken) return;
    const { message, life } = stuck;
    const what = `a promise that nothing in the tree settles, for a message of type "${message.type}"`;
    this.#stuck = { agent: life?.name ?? stuck.agent, what, where: "handle" };
  }

  /** Messages in the middle of their handlers, whose agents wait for nothing that the tree would give. */
  #stuckWork(): Sent[] {
    const { record } = this.#simulation;
    return [...record.lives.values()].flatMap((life) => {
      const isAlive = life.crashedAtMs === undefined && !record.isOver(life);
      if (!isAlive || life.openCount > 0 || life.hasHandleTimeout) return [];
      return [...life.handling].filter(({ pendingHook }) => pendingHook === "handle");
    });
  }

  get #isBroken(): boolean {
    if (this.#outside.found !== undefined) return true;
    return this.#violation !== undefined || this.#simulation.record.violation !== undefined;
  }

  async #stepThrough(untilMs: number, stepCountMax: number): Promise<void> {
    for (let count = 0; count < stepCountMax && !this.#isBroken; count += 1) {
      if (!(await this.#step(untilMs))) return;
    }
  }

  /** Lets time pass until something is settled, or it is clear that it never will be. */
  async #stepUntil<Result>(
    pending: Promise<Result>,
    stepCountMax: number,
  ): Promise<Result | undefined> {
    const isSettled = watchSettled(pending);
    await this.#simulation.clock.runUntilIdle();
    this.#simulation.record.quiet();
    for (let count = 0; !isSettled() && count < stepCountMax && !this.#isBroken; count += 1) {
      if (!(await this.#step(Number.POSITIVE_INFINITY))) break;
    }
    if (isSettled()) return await pending;
    return undefined;
  }

  async #settleCalls(stepCountMax: number): Promise<void> {
    const { record } = this.#simulation;
    const isOpen = (): boolean => [...record.openCalls].some((call) => call.caller === undefined);
    for (let count = 0; isOpen() && count < stepCountMax && !this.#isBroken; count += 1) {
      if (!(await this.#step(Number.POSITIVE_INFINITY))) return;
    }
  }

  async #step(untilMs: number): Promise<boolean> {
    this.#counts.steps += 1;
    return await this.#simulation.step(untilMs);
  }

  /** Asks for restarts and stops from outside, at times that the seed decides. */
  async #makeRequests(durationMs: number): Promise<void> {
    const { faults, runtime, record } = this.#simulation;
    const random = new SeededRandom(this.#options.seed, 8);
    for (let count = 0; count < 20 && runtime.status === "started"; count += 1) {
      await this.#simulation.sleep((random.next() * durationMs) / 10);
      const keys = record.plan.keyed.flatMap((keyed) => runtime.keys(keyed.name));
      const { receiverNames } = record.plan;
      const names = [...receiverNames, ...keys.map((key) => key.name), ...this.#members()];
      const name = names[random.below(names.length)];
      if (name === undefined) continue;
      if (!faults.happens("requests") || runtime.status !== "started") continue;
      const draw = random.next();
      const pauseMs = random.next() * 5000;
      if (draw < 0.5) await this.#restart(name);
      else if (draw < 0.7) await this.#stopForAWhile(name, pauseMs);
      // One that does not run cannot be suspended; that says nothing about the tree.
      else await this.#suspendForAWhile(name, pauseMs).catch(() => undefined);
    }
  }

  async #stopForAWhile(name: string, pauseMs: number): Promise<void> {
    const { runtime } = this.#simulation;
    const isMember = this.#simulation.record.plan.poolOf(name) !== undefined;
    await runtime.stopAgent(name).catch((error: unknown) => {
      // A key whose state the store refuses stays, and a member may have gone meanwhile.
      if (!isMember && !(error instanceof keyErrors.NOT_SAVED)) throw error;
    });
    await this.#simulation.sleep(pauseMs);
    // A key that was stopped starts with its next message.
    const { plan } = this.#simulation.record;
    const isPlanned = plan.node(name) !== undefined || plan.poolOf(name) !== undefined;
    if (runtime.status === "started" && isPlanned) await this.#restart(name);
  }

  async #restart(name: string): Promise<void> {
    const { runtime, record } = this.#simulation;
    const restarting = runtime.restart(name, { initiatedBy: "simulation" });
    // A member that rests is not there for anybody.
    const isMember = record.plan.poolOf(name) !== undefined;
    await (isMember ? restarting.catch(() => undefined) : restarting);
  }

  /** The members of pools that are there. */
  #members(): string[] {
    const { record } = this.#simulation;
    return record.plan.pools.flatMap(({ name }) => {
      const members = supervisorNodeOf(record, name)?.children ?? [];
      return members.map((member) => member.name);
    });
  }

  async #suspendForAWhile(name: string, pauseMs: number): Promise<void> {
    const { runtime } = this.#simulation;
    const reason = "the simulation wants to see it";
    await runtime.suspend(name, { reason, initiatedBy: "simulation" });
    await this.#simulation.sleep(pauseMs);
    if (runtime.status === "started") await runtime.resume(name, { approver: "simulation" });
  }

  #count(event: RuntimeEvent): void {
    if (event.type === "supervisor.restart") this.#counts.restarts += 1;
    if (event.type === "supervisor.exhausted") this.#counts.exhausted += 1;
    if (event.type !== "agent.crashed") return;
    if (isInjected(event.error)) {
      this.#counts.injectedCrashes += 1;
      return;
    }
    this.#counts.ownCrashes += 1;
    const place = event.error instanceof Error ? placeOfError(event.error) : undefined;
    const at = place === undefined ? "" : ` (at ${place})`;
    const reason = `"${event.name}": ${reasonOf(event.error)}${at}`;
    this.#ownCrash ??= reason;
    if (isConsequence(event.error)) return;
    const atMs = this.#simulation.clock.monotonicMs();
    this.#ownViolation ??= { invariant: ownCrashName, reason, atMs };
  }

  #break(invariant: string, reason: string): void {
    const atMs = this.#simulation.clock.monotonicMs();
    this.#violation ??= { invariant, reason, atMs };
  }
}

/** @returns Counts of nothing. */
export function emptyCounts(): RunCounts {
  return {
    messages: 0,
    injectedCrashes: 0,
    ownCrashes: 0,
    restarts: 0,
    exhausted: 0,
    faults: 0,
    steps: 0,
    virtualMs: 0,
  };
}
