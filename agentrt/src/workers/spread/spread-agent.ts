import {
  type AgentNode,
  type AgentSpec,
  type AgentStatus,
  copyOfMetadata,
  type JsonObject,
  type Kernel,
  noModelSession,
  type Registration,
  restartRequested,
  type StopOptions,
} from "../../core/index.ts";
import { placeOf } from "./partitions.ts";
import type { HostedPart } from "./spread-protocol.ts";
import type { SpreadHome, SpreadSpec } from "./spread-node.ts";
import { type Partition, SpreadParts } from "./spread-parts.ts";
import type { SpreadWorker } from "./spread-worker.ts";

/**
 * How long a supervisor that has just come waits for workers to say what they run, milliseconds: one that is there says so at
 * once, and so keeps the agents that it has.
 */
const settleMs = 2000;

/**
 * An agent of a process group that several workers may join: it is at one of them. It stays there until that worker goes, then
 * it is started at the one that has the fewest, from what it has saved.
 */
export class SpreadAgent extends SpreadParts {
  #spec: AgentSpec;
  /** Where it is, or is to be. */
  #chosen: SpreadWorker | undefined;

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME. */
  constructor(kernel: Kernel, spec: AgentSpec, home: SpreadHome) {
    super(kernel, { spec, count: 1 }, home);
    this.#spec = spec;
    this.#part.freeAtMs = kernel.system.monotonicMs() + settleMs;
    kernel.registry.register(this);
  }

  get capabilities(): readonly string[] {
    return this.#spec.capabilities;
  }

  get capabilityMetadata(): JsonObject {
    return this.#spec.capabilityMetadata;
  }

  get schemas(): Registration["schemas"] {
    return this.#spec.schemas;
  }

  protected override get mailboxLengthMax(): number {
    return this.#spec.limits.mailboxLengthMax;
  }

  override get status(): AgentStatus {
    const status = super.status;
    if (status !== "RUNNING") return status;
    if (!this.#part.isOpen) return "INITIALIZING";
    return this.isSuspended ? "SUSPENDED" : status;
  }

  override get isSuspended(): boolean {
    return this.#part.owner?.agents[this.name]?.status === "SUSPENDED";
  }

  /** True for one that is to be at that worker, or is there. */
  isAt(worker: SpreadWorker): boolean {
    return this.#chosen === worker;
  }

  protected override describeBy(spec: SpreadSpec): void {
    if (spec.kind === "agent") this.#spec = spec;
  }

  override has(agent: string): boolean {
    return agent === this.name;
  }

  override placeOf(): string {
    return placeOf(this.name, 0);
  }

  override labelOf(): string | undefined {
    return this.#part.owner?.label;
  }

  protected override numberOf(): number {
    return 0;
  }

  /** It stays where it is; else it goes where it was, and when that is gone, to the worker with the fewest of its kind. */
  protected override place(workers: readonly SpreadWorker[]): readonly string[] {
    const { owner } = this.#part;
    const kept = [owner, this.#chosen].find((each) => each !== undefined && workers.includes(each));
    this.#chosen = kept ?? this.#leastOf(workers);
    return this.#chosen === undefined ? [] : [this.#chosen.processId];
  }

  #leastOf(workers: readonly SpreadWorker[]): SpreadWorker | undefined {
    let [found, least] = [workers[0], Number.POSITIVE_INFINITY];
    for (const worker of workers) {
      const count = this.home.agentCountOf(worker);
      if (count < least) [found, least] = [worker, count];
    }
    return found;
  }

  /** A supervisor that has just come lets it stay where it runs. */
  override join(worker: SpreadWorker, part: HostedPart | undefined): void {
    if (this.#part.owner === undefined && part?.partitions.includes(0) === true)
      this.#chosen = worker;
    super.join(worker, part);
  }

  /** It ended there by itself. */
  override exit(worker: SpreadWorker, error: Error): void {
    if (this.#part.owner !== worker) return;
    this.setFree(this.#part, 0);
    this.crash(error);
  }

  /** A new object of it, where it is: what waits there is handled by that. */
  override requestRestart(request: Parameters<SpreadParts["requestRestart"]>[0]): void {
    const part = this.#part;
    if (part.owner === undefined) throw this.away();
    Object.assign(part, { isOpen: false, isAgain: part.isTaking, isTaking: true });
    this.renewBeginning();
    this.crash(restartRequested(this.name, request));
  }

  protected override async stopAll({
    deadlineMs,
    isFinal,
  }: StopOptions): Promise<readonly string[]> {
    const { owner } = this.#part;
    this.forget();
    if (isFinal) this.refuse(this.stopped());
    if (owner === undefined) return [];
    const late = await this.stopAt(owner, this.leftMs(deadlineMs));
    this.ended(owner, late);
    return late;
  }

  get #part(): Partition {
    return this.partitions[0] as Partition;
  }

  describe(): AgentNode {
    return {
      kind: "agent",
      name: this.name,
      status: this.status,
      restartCount: this.restartCount,
      capabilities: [...this.capabilities],
      capabilityMetadata: copyOfMetadata(this.capabilityMetadata),
      processName: this.labelOf() ?? this.home.process,
      isElsewhere: true,
      uptimeMs: this.uptimeMs,
      suspension: null,
      concurrency: this.#spec.limits.concurrency,
      busyCount: 0,
      mailboxDepth: this.mailboxDepth,
      waitingSenderCount: 0,
      ...noModelSession,
    };
  }
}
