import {
  agentErrors,
  type AgentSpec,
  type AgentStatus,
  type ChildExit,
  type DriverElsewhere,
  Downs,
  type JsonObject,
  type Kernel,
  type LookedApprovals,
  type Message,
  messageInternals,
  type ModelBudget,
  type NodePart,
  reasonOf,
  type Registration,
  restartRequested,
  type StopOptions,
  type SupervisorNode,
  type SupervisorSpec,
  type TimerHandle,
  type TreeNode,
} from "../../core/index.ts";
import type { Exchange } from "../../links/index.ts";
import { workerErrors } from "../errors.ts";
import { controlTypes } from "../protocol.ts";
import type { Caretaker } from "./caretaker.ts";
import { SpreadAddress } from "./spread-address.ts";
import { type HostedPart, partTopic } from "./spread-protocol.ts";
import type { SpreadWorker } from "./spread-worker.ts";

/** How long a start or a stop of a node at a worker may take, milliseconds. */
const commandTimeoutMs = 60_000;

/** The group of workers that a node is on. */
export interface SpreadHome {
  /** Name of the process group. */
  readonly process: string;
  readonly exchange: Exchange;
  /** Has charge of what no worker has. */
  readonly caretaker: Caretaker;
  /** Those that are there, in the order in which they came. */
  readonly workers: Iterable<SpreadWorker>;
  /** @returns How many single agents a worker has, or is about to have. */
  agentCountOf(worker: SpreadWorker): number;
}

/** What such a node is described with. */
export type SpreadSpec = AgentSpec | SupervisorSpec;

/** A node whose parts are on several workers, as its supervisor sees it. */
export abstract class SpreadNode implements DriverElsewhere, Registration {
  /** {@inheritDoc ChildDriver.kind} What it is registered as is an agent. */
  readonly kind = "agent";
  readonly name: string;
  readonly address: SpreadAddress;
  readonly downs: Downs;
  protected readonly kernel: Kernel;
  protected readonly home: SpreadHome;
  /** Stops that are under way. */
  readonly #stops = new Map<SpreadWorker, Promise<readonly string[]>>();
  #onExit: ((exit: ChildExit) => void) | undefined;
  #status: AgentStatus = "INITIALIZING";
  #startCount = 0;
  #startedAtMs = 0;
  #isRetired = false;
  #timer: { readonly handle: TimerHandle; readonly dueMs: number } | undefined;

  constructor(kernel: Kernel, spec: SpreadSpec, home: SpreadHome) {
    this.kernel = kernel;
    this.home = home;
    this.name = spec.name;
    this.downs = new Downs(spec.name);
    const accepting = (): boolean => !this.#isRetired;
    const away = (): boolean => !this.#hasUsable;
    const depth = (): number => this.mailboxDepth;
    const most = (): number => this.mailboxLengthMax;
    this.address = new SpreadAddress({
      send: (message, deadlineMs) => this.#send(message, deadlineMs),
      lineOf: (message) => this.lineOf(message),
      get isAccepting() {
        return accepting();
      },
      get isAway() {
        return away();
      },
      get mailboxDepth() {
        return depth();
      },
      get mailboxLengthMax() {
        return most();
      },
    });
  }

  /** True when it takes no more messages, until the next start. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Name of its process group. */
  get process(): string {
    return this.home.process;
  }

  /** What model calls of its parts count against in the supervisor's process; undefined for nothing. */
  get budget(): ModelBudget | undefined {
    return this.kernel.budget;
  }

  abstract get capabilities(): readonly string[];
  abstract get capabilityMetadata(): JsonObject;
  abstract get schemas(): Registration["schemas"];
  protected abstract get mailboxLengthMax(): number;
  protected abstract get mailboxDepth(): number;

  /** {@inheritDoc Address.lineOf} */
  protected lineOf(_message: Pick<Message, "recipient" | "payload">): string | undefined {
    return undefined;
  }

  /** A worker is there that was not. */
  abstract join(worker: SpreadWorker, part: HostedPart | undefined): void;
  /** A worker says what it has. */
  hear(_worker: SpreadWorker, _part: HostedPart | undefined): void {
    // A pool has the members that it is told to have.
  }
  /** A worker stops: it gives up what it has. */
  abstract leave(worker: SpreadWorker): void;
  /** What a worker had that has ended there, or is silent, is free from a monotonic time on. */
  abstract free(worker: SpreadWorker, atMs: number): void;
  /** True for a name of what is at one worker: of a member, of a key, or of the agent itself. */
  has(agent: string): boolean {
    return agent.startsWith(`${this.name}/`);
  }

  /** @returns What the approvals of a key, of a member, or of the agent itself, are kept by. */
  abstract placeOf(agent: string): string;

  /** @returns The approvals that no process has charge of at the moment. @throws What the store throws. */
  abstract unattended(): Promise<LookedApprovals>;

  /** Grows with each part that comes to a worker or goes from one. */
  abstract get changeCount(): number;

  /** @returns The label of the worker that has a member or a key; undefined where none has. */
  abstract labelOf(name: string): string | undefined;
  protected abstract route(message: Message): void;
  /** Gives its parts to workers, as far as it is wanted. */
  protected abstract spread(): void;
  /** It is stopped wherever it is; what waits here goes on to wait. */
  protected abstract forget(): void;
  /** Ends what waits here: senders get the error. */
  protected abstract refuse(error: Error): void;
  protected abstract partOf(worker: SpreadWorker): number;
  /** How much of it a picture says that a worker has. */
  protected shownPartOf(worker: SpreadWorker): number {
    return this.partOf(worker);
  }

  get status(): AgentStatus {
    if (this.#status === "RUNNING" && !this.#hasUsable) return "INITIALIZING";
    return this.#status;
  }

  get isEnding(): boolean {
    return false;
  }

  get isSuspended(): boolean {
    return false;
  }

  /** True from a start to the end of that incarnation. */
  get isWanted(): boolean {
    return this.#onExit !== undefined;
  }

  /** Workers that can have parts of it. */
  protected get usable(): SpreadWorker[] {
    return [...this.home.workers].filter((worker) => this.isUsable(worker));
  }

  /** True for one that can have a part of it. */
  protected isUsable({ isThere, isLeaving, down }: SpreadWorker): boolean {
    return isThere && !isLeaving && !down.has(this.name);
  }

  /** Looked at for each message: the first worker mostly answers it, however many there are. */
  get #hasUsable(): boolean {
    for (const worker of this.home.workers) if (this.isUsable(worker)) return true;
    return false;
  }

  /** {@inheritDoc ChildDriver.start} */
  async start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#onExit = onExit;
    this.#isRetired = false;
    this.#startCount += 1;
    this.downs.begin();
    this.#status = "RUNNING";
    this.#startedAtMs = this.kernel.system.monotonicMs();
    await Promise.all([...this.home.workers].map(async (worker) => await this.begin(worker)));
    this.spread();
  }

  /** Lets it run at a worker where it does not. */
  protected async begin(worker: SpreadWorker): Promise<void> {
    if (!worker.down.has(this.name) || worker.isLeaving || !this.isWanted) return;
    const onExit = this.#onExit;
    try {
      if (!worker.isChanging(this.name))
        await worker.ask(controlTypes.start, { name: this.name }, commandTimeoutMs);
      worker.down.delete(this.name);
      if (this.#onExit === onExit) this.spread();
    } catch (error) {
      // One that is gone has not failed to start it.
      const isThere = [...this.home.workers].includes(worker);
      if (this.#onExit === onExit && isThere) this.crash(error as Error);
    }
  }

  /** It has ended at a worker by itself. */
  exit(worker: SpreadWorker, error: Error): void {
    worker.down.add(this.name);
    this.free(worker, this.kernel.system.monotonicMs());
    // One that stops gives up what it has, and others may have that already.
    if (!worker.isLeaving) this.crash(error);
  }

  /** This incarnation has ended: its supervisor decides. */
  protected crash(error: Error): void {
    const onExit = this.#onExit;
    if (onExit === undefined) return;
    this.#onExit = undefined;
    this.#status = "CRASHED";
    this.downs.end(reasonOf(error));
    onExit({ kind: "crashed", error });
  }

  /** {@inheritDoc DriverElsewhere.requestRestart} */
  requestRestart(request: Parameters<DriverElsewhere["requestRestart"]>[0]): void {
    if (this.usable.length === 0) throw this.away();
    const error = restartRequested(this.name, request);
    void this.stopAll({ deadlineMs: Number.POSITIVE_INFINITY, isFinal: false }).then(() =>
      this.crash(error),
    );
  }

  /** {@inheritDoc ChildDriver.stop} */
  async stop(options: StopOptions): Promise<readonly string[]> {
    this.#onExit = undefined;
    this.#status = "STOPPED";
    this.downs.end("stopped");
    return await this.stopAll(options);
  }

  /** Stops it wherever it runs. @returns The names of the agents that did not stop in time. */
  protected async stopAll({ deadlineMs, isFinal }: StopOptions): Promise<readonly string[]> {
    const timeoutMs = this.leftMs(deadlineMs);
    this.forget();
    if (isFinal) this.refuse(this.stopped());
    const stops = [...this.home.workers].map(async (worker) => {
      const late = await this.#stopOnceAt(worker, timeoutMs);
      this.ended(worker, late);
      return late;
    });
    return [...new Set((await Promise.all(stops)).flat())];
  }

  /** What an earlier stop has not ended yet runs on until then: it is waited for, too, as long as there is time. */
  async #stopOnceAt(worker: SpreadWorker, timeoutMs: number): Promise<readonly string[]> {
    const underWay = this.#stops.get(worker);
    const isDown = worker.down.has(this.name);
    worker.down.add(this.name);
    if (isDown) return underWay === undefined ? [] : await this.#within(underWay, timeoutMs);
    const stop = this.stopAt(worker, timeoutMs).finally(() => {
      if (this.#stops.get(worker) === stop) this.#stops.delete(worker);
    });
    this.#stops.set(worker, stop);
    return await stop;
  }

  async #within(stop: Promise<readonly string[]>, timeoutMs: number): Promise<readonly string[]> {
    const { system } = this.kernel;
    const { promise: late, resolve } = Promise.withResolvers<readonly string[]>();
    const timer = system.setTimer(timeoutMs, () => resolve([this.name]));
    return await Promise.race([stop, late]).finally(() => system.clearTimer(timer));
  }

  /** It has stopped at a worker; what is late may run on. */
  protected ended(_worker: SpreadWorker, _late: readonly string[]): void {
    // The members of a pool are of no worker any more.
  }

  /** How long a worker may take for a stop that has a deadline, milliseconds. */
  protected leftMs(deadlineMs: number): number {
    const leftMs = deadlineMs - this.kernel.system.monotonicMs();
    return Math.max(1, Math.min(leftMs, commandTimeoutMs));
  }

  /** Stops its part at a worker. @returns The names of the agents that did not stop in time. */
  protected async stopAt(worker: SpreadWorker, timeoutMs: number): Promise<readonly string[]> {
    if (worker.isChanging(this.name)) return [];
    try {
      const { late } = await worker.ask(controlTypes.stop, { name: this.name }, timeoutMs);
      return Array.isArray(late) ? late.map(String) : [];
    } catch (error) {
      if (worker.hasStopped) return [];
      const fields = { agent: this.name, process: worker.label, error };
      this.kernel.log.warn("a node of a worker could not be stopped", fields);
      return [this.name];
    }
  }

  /** {@inheritDoc DriverElsewhere.describeAnew} */
  describeAnew(spec: SpreadSpec): void {
    this.kernel.registry.renew(this, () => this.describeBy(spec));
    this.#startCount += 1;
    this.#startedAtMs = this.kernel.system.monotonicMs();
    this.spread();
  }

  /** Its description is another one, of the same kind. */
  protected abstract describeBy(spec: SpreadSpec): void;

  /** {@inheritDoc ChildDriver.kill} */
  kill(error: Error): void {
    this.crash(error);
  }

  settleDown(willRestart: boolean): void {
    this.downs.settle(willRestart);
  }

  release(): void {
    // A suspension is of one worker's part.
  }

  retire(): void {
    if (this.#status !== "CRASHED") this.#status = "STOPPED";
    this.#isRetired = true;
    this.refuse(this.stopped());
  }

  abstract describe(): TreeNode;

  /** New incarnations after the first one. */
  protected get restartCount(): number {
    return Math.max(0, this.#startCount - 1);
  }

  /** Since the start of this incarnation, milliseconds; 0 when none runs. */
  protected get uptimeMs(): number {
    return this.status === "RUNNING" ? this.kernel.system.monotonicMs() - this.#startedAtMs : 0;
  }

  /** What a picture of a pool or a keyed agent begins with. */
  protected describeNode({ limits }: SupervisorSpec): SupervisorNode {
    const parts: NodePart[] = [...this.home.workers].map((worker) => ({
      process: worker.label,
      count: this.shownPartOf(worker),
    }));
    return {
      ...limits,
      kind: "supervisor",
      name: this.name,
      status: this.status,
      restartCount: this.restartCount,
      crashesInWindow: 0,
      processName: this.home.process,
      uptimeMs: this.uptimeMs,
      children: [],
      parts,
    };
  }

  /** Looks again who should have which parts after a time, unless it does so earlier. */
  protected wakeIn(delayMs: number): void {
    const { system } = this.kernel;
    const dueMs = system.monotonicMs() + delayMs;
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.clearTimer();
    const handle = system.setTimer(delayMs, () => {
      this.#timer = undefined;
      this.spread();
    });
    this.#timer = { handle, dueMs };
  }

  protected clearTimer(): void {
    if (this.#timer !== undefined) this.kernel.system.clearTimer(this.#timer.handle);
    this.#timer = undefined;
  }

  /** Sends a message to the part of a worker. */
  protected sendTo(worker: SpreadWorker, message: Message): void {
    const { processId } = worker;
    const topic = partTopic(processId, this.name);
    void this.home.exchange.send(message, { topic, process: processId });
  }

  protected away(): Error {
    return new workerErrors.AWAY({ agent: this.name, process: this.home.process });
  }

  /** What a broker keeps goes there, and comes from there to the process that leads: then it waits for workers. */
  #send(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    if (this.#isRetired) throw this.stopped();
    const { exchange } = this.home;
    const isGivenOut = messageInternals.receiptOf(message) !== undefined;
    if (!isGivenOut && exchange.keeps(message, { topic: this.name }))
      return exchange.send(message, { topic: this.name }, deadlineMs);
    if (!isGivenOut && !this.#hasUsable) throw this.away();
    this.route(message);
    return undefined;
  }

  protected stopped(): Error {
    return new agentErrors.STOPPED({ agent: this.name });
  }
}
