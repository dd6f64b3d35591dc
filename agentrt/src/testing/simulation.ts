import {
  createTextLog,
  type ChunkStream,
  type JsonObject,
  type Log,
  type OutgoingPayload,
  type SendOptions,
  type StateStore,
  type StreamOptions,
  type SupervisorSpec,
  type Tracer,
} from "../core/index.ts";
import {
  Runtime,
  type RuntimeOptions,
  type ShutdownOptions,
  type StopReport,
} from "../runtime/index.ts";
import { DelayedTransport, type MessageDelays } from "./delayed-transport.ts";
import { EventLog, type EventSource } from "./event-log.ts";
import { type FaultKind, FaultPlan, type FaultRates } from "./fault-plan.ts";
import type { Invariant } from "./invariants/index.ts";
import {
  disturbModels,
  disturbTools,
  madeModels,
  madeTools,
  type MakeModels,
  type MakeTools,
  type ModelWatch,
  watchModels,
} from "./models/index.ts";
import type { OutsideWatch } from "./outside-watch.ts";
import { SeededRandom } from "./seeded-random.ts";
import { SimulatedStateStore } from "./simulated-state-store.ts";
import { TreeRecord } from "./tree-record.ts";
import { watchAgent } from "./watched-agent.ts";
import { watchRuntime } from "./watched-runtime.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What a simulation runs. */
export interface SimulationOptions {
  readonly supervision: SupervisorSpec;
  /** Default 1. */
  readonly seed?: number | undefined;
  /** Default in memory. */
  readonly state?: StateStore | undefined;
  /** What agents ask by `this.llm`: providers, or a function that makes them for this run; default none. */
  readonly models?: MakeModels | undefined;
  /** Where agents get `this.tools` from: sources, or a function that makes them for this run; default nowhere. */
  readonly tools?: MakeTools | undefined;
  /** What is done about calls that fail; default nothing. */
  readonly resilience?: RuntimeOptions["resilience"];
  /** Where spans go; default nowhere. */
  readonly tracer?: Tracer | undefined;
  /** Loads classes that agents spawn by name; default none can. */
  readonly loadClass?: RuntimeOptions["loadClass"];
  /** How a stop goes; default without a grace. */
  readonly shutdown?: ShutdownOptions | undefined;
  /** How long messages take; default no time at all. */
  readonly delays?: MessageDelays | undefined;
  /** How often what goes wrong; default nothing does. */
  readonly faults?: Partial<FaultRates> | "seeded" | undefined;
  /** The only kinds of faults that happen, of those that `faults` lets happen; default all. */
  readonly onlyFaults?: readonly FaultKind[] | undefined;
  /**
   * What must hold whenever nothing is left to do but wait for timers: `kernelInvariants()`, and your own. Default
   * nothing is looked at.
   */
  readonly invariants?: readonly Invariant[] | undefined;
  /** Sees when the code of an agent waits for the real world; default nobody looks. */
  readonly outside?: OutsideWatch | undefined;
  /** Writes down each message and each hook, for `record.trace`; default false. */
  readonly isTraced?: boolean | undefined;
  /** Keeps what happens and what is logged, for `events` and `logLines`; default true. */
  readonly isKept?: boolean | undefined;
}

const nothing = (): void => undefined;

/** A tree of which nobody reads what happens. */
const silence: EventSource = { onEvent: () => nothing };

/** Where nobody reads what is logged. */
const deafLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => deafLog,
  isEnabled: () => false,
};

type Sleep = (delayMs: number) => Promise<void>;

/** Virtual time that `until` lets pass before it gives up: a day. */
const untilTimeoutMs = 86_400_000;

/**
 * A runtime on a virtual clock, its events written down and its log kept instead of printed.
 *
 * @example
 * await using simulation = new Simulation({ supervision: supervisor("root", { children: [child(Greeter, "greeter")] }) });
 * await simulation.start();
 * assert.deepEqual(await simulation.call("greeter", { name: "Ada" }), { greeting: "Hello, Ada!" });
 */
export class Simulation implements AsyncDisposable {
  /** What this run was made from: the same seed gives the same run. */
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly runtime: Runtime;
  /** What happened in the tree, one line an event, times from 0. */
  readonly events: EventLog;
  /** What runtime and agents logged, `warn` and above. */
  readonly logLines: string[] = [];
  /** What was seen of messages and agents; what the invariants look at. */
  readonly record: TreeRecord;
  /** What goes wrong in this run. */
  readonly faults: FaultPlan;
  #isToldBroken = false;

  constructor(options: SimulationOptions) {
    this.seed = options.seed ?? 1;
    this.clock = new VirtualClock({ seed: this.seed });
    const { supervision, invariants = [], isTraced = false, delays, faults = {} } = options;
    const { isKept = true } = options;
    this.faults = new FaultPlan(
      this.seed,
      faults === "seeded" ? undefined : faults,
      options.onlyFaults,
    );
    const { clock } = this;
    const graceMs = options.shutdown?.graceMs ?? 0;
    const { counts } = this.faults;
    const savingFailureCount = (): number =>
      (counts.get("storeFails") ?? 0) + (counts.get("passivateThrows") ?? 0);
    const given = { supervision, invariants, isTraced, graceMs };
    const repeatedNames = new Set(
      Object.entries(options.resilience?.agents ?? {}).flatMap(([name, { retry, timeoutMs }]) =>
        retry === undefined && timeoutMs === undefined ? [] : [name],
      ),
    );
    this.record = new TreeRecord({ clock, ...given, savingFailureCount, repeatedNames });
    const isWatched = invariants.length > 0 || isTraced || options.faults !== undefined;
    const sleep = (delayMs: number): Promise<void> => this.sleep(delayMs);
    const transport =
      isWatched || delays !== undefined
        ? new DelayedTransport({
            clock: this.clock,
            random: new SeededRandom(this.seed, 4),
            delays: delays ?? { instantShare: 1, usualMs: 0, slowShare: 0 },
            watch: this.record,
          })
        : undefined;
    const watch = { record: this.record, faults: this.faults, sleep, outside: options.outside };
    this.runtime = new Runtime({
      supervision,
      shutdown: options.shutdown ?? {},
      transport,
      loadClass: options.loadClass,
      onCreated: isWatched ? (agent) => watchAgent(agent, watch) : undefined,
      system: this.clock,
      scheduler: this.clock.scheduler,
      ...this.#asked(options, { sleep, isWatched }),
      resilience: options.resilience,
      tracer: options.tracer,
      state: options.state ?? new SimulatedStateStore(this.faults, sleep),
      log: isKept
        ? createTextLog({
            write: (line) => void this.logLines.push(line.trimEnd()),
            level: "warn",
          })
        : deafLog,
    });
    this.events = new EventLog(isKept ? this.runtime : silence, this.clock.nowMs());
    this.record.attach(this.runtime, () => transport?.inTransitCount ?? 0);
    if (isWatched) watchRuntime(this.runtime, this.record);
  }

  /** The models and tools of this run. */
  #asked(
    options: SimulationOptions,
    { sleep, isWatched }: { readonly sleep: Sleep; readonly isWatched: boolean },
  ): Pick<RuntimeOptions, "models" | "tools"> {
    const random = new SeededRandom(this.seed, 12);
    const given = { seed: this.seed, random: () => random.next(), sleep };
    const made = this.clock.world.run(() => madeModels(options.models, given));
    const tools = this.clock.world.run(() => madeTools(options.tools, given));
    const disturbance = { faults: this.faults, sleep };
    const isDisturbed = options.faults !== undefined;
    const models = isDisturbed ? disturbModels(made, disturbance) : made;
    const { record } = this;
    const watch: ModelWatch = {
      agent: () => this.runtime.atWork()?.agent,
      modelAsked: (ask) => record.modelAsked(ask),
      modelAnswered: (ask, used) => record.modelAnswered(ask, used),
    };
    return {
      models: isWatched ? watchModels(models, watch) : models,
      tools: isDisturbed ? disturbTools(tools, disturbance) : tools,
    };
  }

  /**
   * Waits in virtual time.
   *
   * @param delayMs 0 or more.
   */
  async sleep(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => void this.clock.setTimer(delayMs, resolve));
  }

  /** Starts the tree, letting time pass as far as the start needs it. */
  async start(): Promise<void> {
    await this.until(this.clock.world.run(() => this.runtime.start()));
  }

  /** Stops the tree, letting time pass as far as the stop needs it. */
  async stop(options?: { readonly timeoutMs?: number }): Promise<StopReport> {
    const report = await this.until(this.runtime.stop(options));
    this.record.end();
    this.#refuseBroken();
    return report;
  }

  /**
   * Sends a request from outside the tree, letting time pass until it is answered or its time is over.
   *
   * @returns The reply payload.
   * @throws What `Runtime.call` throws.
   */
  async call(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<JsonObject> {
    return await this.until(this.runtime.call(to, payload, options));
  }

  /**
   * Sends a request from outside the tree and takes its reply chunk by chunk, letting time pass until each has come.
   *
   * @returns The chunks.
   * @throws What `Runtime.stream` throws.
   */
  stream(to: string, payload: OutgoingPayload, options?: StreamOptions): ChunkStream {
    const stream = this.runtime.stream(to, payload, options);
    const timed: ChunkStream = {
      next: () => this.until(stream.next()),
      return: () => stream.return(),
      [Symbol.asyncIterator]: () => timed,
      [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
    };
    return timed;
  }

  /**
   * Sends a message from outside the tree and serves mailboxes until nothing is left to do but wait for timers.
   *
   * @throws What `Runtime.cast` throws.
   */
  async cast(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void> {
    await this.until(this.runtime.cast(to, payload, options));
    await this.runUntilIdle();
  }

  /**
   * Crashes an agent between two messages, as a fault of its own would; its supervisor does what it always does.
   *
   * @param name Name of an agent that runs.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_SUPERVISION_NOT_AN_AGENT.
   */
  async crash(name: string): Promise<void> {
    await this.runtime.restart(name, { initiatedBy: "simulation", isCharged: true });
    await this.runUntilIdle();
  }

  /** Lets time pass; see `VirtualClock.advance`. */
  async advance(durationMs: number): Promise<void> {
    await this.clock.advance(durationMs);
    this.#look();
  }

  /** Serves mailboxes until nothing is left to do but wait for timers. */
  async runUntilIdle(): Promise<void> {
    await this.clock.runUntilIdle();
    this.#look();
  }

  /**
   * Lets time pass until the next timer has fired, serves all mailboxes, and asks the invariants.
   *
   * @param untilMs Monotonic virtual time after which a timer is left alone.
   * @returns False when no timer was due.
   */
  async step(untilMs: number): Promise<boolean> {
    const hasFired = await this.clock.fireNextTimer(untilMs);
    this.record.quiet();
    return hasFired;
  }

  /** Stops the tree at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.events.close();
  }

  /**
   * Lets time pass, timer by timer, until a promise is settled.
   *
   * @param pending What the tree will settle.
   * @returns Its result.
   * @throws What it rejects with; an Error when a day of virtual time went by first.
   */
  async until<Result>(pending: Promise<Result>): Promise<Result> {
    const deadlineMs = this.clock.monotonicMs() + untilTimeoutMs;
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    pending.then(settle, settle);
    await this.clock.runUntilIdle();
    for (;;) {
      this.#look();
      if (isSettled || this.clock.timerCount === 0) return await pending;
      if (this.clock.monotonicMs() > deadlineMs) {
        throw new Error("Cannot wait for the promise: a day of virtual time did not settle it");
      }
      await this.clock.fireNextTimer();
    }
  }

  #look(): void {
    this.record.quiet();
    this.#refuseBroken();
  }

  #refuseBroken(): void {
    const { violation } = this.record;
    if (violation === undefined || this.#isToldBroken) return;
    this.#isToldBroken = true;
    throw new Error(`invariant "${violation.invariant}" is broken: ${violation.reason}`);
  }
}
