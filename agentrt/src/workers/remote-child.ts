import {
  agentErrors,
  type AgentNode,
  type AgentSpec,
  type AgentStatus,
  type Address,
  type ChildExit,
  type DriverElsewhere,
  Downs,
  isReservedType,
  type JsonObject,
  type Kernel,
  type Message,
  messageInternals,
  type ModelBudget,
  noModelSession,
  reasonOf,
  type Registration,
  restartRequested,
  type StopOptions,
  type SupervisorSpec,
} from "../core/index.ts";
import { RemoteAddress, unknownFacts } from "../links/index.ts";
import { workerErrors } from "./errors.ts";
import { HeldMessages } from "./held-messages.ts";
import type { HostedAgent } from "./protocol.ts";

/** What a child in another process needs of its worker. */
export interface RemoteHost {
  /** Name of the process group. */
  readonly process: string;
  /** The worker's own id; undefined while none is there. */
  readonly processId: string | undefined;
  /** True for one that stops: it finishes what it has, and takes nothing more. */
  readonly isLeaving: boolean;
  /** Sends a message to an agent of it; a promise for one that the broker keeps. */
  send(message: Message, deadlineMs?: number): Promise<void> | undefined;
  /** True for a message that the broker keeps, also while no worker is there. */
  keeps(message: Message): boolean;
  /** Starts an agent there, a new object if one runs. */
  startAgent(name: string): Promise<void>;
  /** Stops an agent there. */
  stopAgent(name: string, options: StopOptions): Promise<readonly string[]>;
  /** Tells an agent there that a child that it has spawned is gone. */
  tellGone(agent: string, child: string, reason: string): void;
}

/**
 * An agent in another process, as its supervisor sees it. While no worker is there it counts as starting, and what is sent to
 * it is refused with a typed error; as soon as one is there, it is started.
 */
export class RemoteChild implements DriverElsewhere, Registration {
  readonly kind = "agent";
  readonly name: string;
  readonly address: Address;
  readonly downs: Downs;
  #spec: AgentSpec;
  readonly #host: RemoteHost;
  readonly #facts = unknownFacts();
  readonly #held: HeldMessages;
  #kernel: Kernel;
  #onExit: ((exit: ChildExit) => void) | undefined;
  #status: AgentStatus = "INITIALIZING";
  #startCount = 0;
  #startedAtMs = 0;
  /** What it does there though it is not wanted yet: a worker that comes starts its agents, whatever backoff has not ended. */
  #found: HostedAgent | undefined;
  /** True when it takes no more messages, until the next start. */
  #isRetired = false;

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME. */
  constructor(kernel: Kernel, spec: AgentSpec, host: RemoteHost) {
    this.name = spec.name;
    this.#spec = spec;
    this.#host = host;
    this.#kernel = kernel;
    this.downs = new Downs(spec.name);
    this.#held = new HeldMessages(spec.limits.mailboxLengthMax, (message, reason) =>
      kernel.bus.drop(message, reason),
    );
    this.address = new RemoteAddress(
      this.#facts,
      (message, deadlineMs) => this.#send(message, deadlineMs),
      () => this.#host.processId === undefined || this.#host.isLeaving,
    );
    kernel.registry.register(this);
  }

  get capabilities(): readonly string[] {
    return this.#spec.capabilities;
  }

  get capabilityMetadata(): JsonObject {
    return this.#spec.capabilityMetadata;
  }

  get isEvalAgent(): boolean {
    return this.#spec.isEvalAgent === true;
  }

  /** What its model calls count against in this process; undefined for nothing. */
  get budget(): ModelBudget | undefined {
    return this.#kernel.budget;
  }

  get status(): AgentStatus {
    return this.#status;
  }

  get isEnding(): boolean {
    return false;
  }

  get isSuspended(): boolean {
    return this.#facts.isSuspended;
  }

  /** True from a start to the end of that incarnation: it is wanted that it runs. */
  get isWanted(): boolean {
    return this.#onExit !== undefined;
  }

  /** {@inheritDoc ChildDriver.start} */
  async start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#onExit = onExit;
    this.#isRetired = false;
    this.#startCount += 1;
    this.downs.begin();
    this.#status = "INITIALIZING";
    const found = this.#found;
    this.#found = undefined;
    if (found !== undefined) {
      this.adopt();
      this.hear(found);
    } else if (this.#host.processId !== undefined) await this.begin();
  }

  /** Its worker is there: lets it start there, unless it runs already. */
  async begin(): Promise<void> {
    const onExit = this.#onExit;
    if (onExit === undefined) return;
    try {
      await this.#host.startAgent(this.name);
    } catch (error) {
      const isCurrent = this.#onExit === onExit;
      // It is there, and nothing but a resume starts it.
      if (isCurrent && error instanceof agentErrors.HALTED) this.adopt();
      else if (isCurrent) this.crash(error as Error);
      return;
    }
    if (this.#onExit === onExit) this.adopt();
  }

  /** Its worker has come, and runs it: the next start finds it there. */
  find(agent: HostedAgent): void {
    if (isServing(agent)) this.#found = agent;
  }

  /** It runs there. */
  adopt(): void {
    this.#status = "RUNNING";
    this.#startedAtMs = this.#kernel.system.monotonicMs();
    this.#held.release((message) => void this.#host.send(message));
  }

  /** It has ended there by itself, or with its worker. */
  crash(error: Error): void {
    this.#found = undefined;
    const onExit = this.#onExit;
    if (onExit === undefined) return;
    this.#onExit = undefined;
    this.#status = "CRASHED";
    this.downs.end(reasonOf(error));
    onExit({ kind: "crashed", error });
  }

  /** It has ended there by itself, without a fault. */
  finish(): void {
    this.#found = undefined;
    const onExit = this.#onExit;
    if (onExit === undefined) return;
    this.#onExit = undefined;
    this.#status = "STOPPED";
    this.downs.end("stopped");
    onExit({ kind: "normal" });
  }

  /** {@inheritDoc Registration.childGone} */
  childGone(child: string, reason: string): void {
    this.#host.tellGone(this.name, child, reason);
  }

  /** {@inheritDoc DriverElsewhere.requestRestart} */
  requestRestart(request: Parameters<DriverElsewhere["requestRestart"]>[0]): void {
    const { process, processId } = this.#host;
    if (processId === undefined) throw new workerErrors.AWAY({ agent: this.name, process });
    this.crash(restartRequested(this.name, request));
  }

  /** Its worker is gone. */
  lose(error: Error): void {
    this.#held.refuse(error);
    this.crash(error);
  }

  /** Takes what its worker says of it. */
  hear(agent: HostedAgent): void {
    const { status, mailboxDepth, isRefusing } = agent;
    if (this.#found !== undefined) this.#found = isServing(agent) ? agent : undefined;
    this.#facts.mailboxDepth = mailboxDepth;
    this.#facts.isRefusing = isRefusing;
    this.#facts.isSuspended = status === "SUSPENDED";
    if (this.#onExit !== undefined && isServing(agent)) this.#status = status;
  }

  /** {@inheritDoc ChildDriver.stop} */
  async stop(options: StopOptions): Promise<readonly string[]> {
    this.#found = undefined;
    this.#onExit = undefined;
    this.#status = "STOPPED";
    if (options.isFinal) this.#refuseHeld();
    this.downs.end("stopped");
    if (this.#host.processId === undefined) return [];
    return await this.#host.stopAgent(this.name, options);
  }

  /** {@inheritDoc DriverElsewhere.describeAnew} */
  describeAnew(spec: AgentSpec | SupervisorSpec, kernel: Kernel): void {
    if (spec.kind !== "agent") return;
    this.#kernel = kernel;
    this.#kernel.registry.renew(this, () => (this.#spec = spec));
    this.#startCount += 1;
    this.#startedAtMs = this.#kernel.system.monotonicMs();
  }

  /** Name of its process group. */
  get process(): string {
    return this.#host.process;
  }

  /** {@inheritDoc ChildDriver.kill} */
  kill(error: Error): void {
    this.crash(error);
  }

  settleDown(willRestart: boolean): void {
    this.downs.settle(willRestart);
  }

  release(): void {
    this.#facts.isSuspended = false;
  }

  retire(): void {
    if (this.#status !== "CRASHED") this.#status = "STOPPED";
    this.#isRetired = true;
    this.#refuseHeld();
  }

  describe(): AgentNode {
    const { processId, process } = this.#host;
    const isUp = this.#status === "RUNNING" || this.#status === "SUSPENDED";
    return {
      kind: "agent",
      name: this.name,
      status: this.#status,
      restartCount: Math.max(0, this.#startCount - 1),
      capabilities: this.capabilities,
      capabilityMetadata: this.capabilityMetadata,
      processName: process,
      isElsewhere: true,
      uptimeMs:
        isUp && processId !== undefined ? this.#kernel.system.monotonicMs() - this.#startedAtMs : 0,
      suspension: null,
      concurrency: this.#spec.limits.concurrency,
      busyCount: 0,
      mailboxDepth: this.#facts.mailboxDepth + this.#held.length,
      waitingSenderCount: 0,
      ...noModelSession,
    };
  }

  #send(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    const { process, processId, isLeaving } = this.#host;
    if (this.#isRetired) throw this.#stopped();
    if (this.#host.keeps(message)) return this.#host.send(message, deadlineMs);
    if (processId === undefined || (isLeaving && !mayBeWaitedFor(message)))
      throw new workerErrors.AWAY({ agent: this.name, process });
    if (this.#status === "RUNNING" || this.#status === "SUSPENDED")
      return this.#host.send(message, deadlineMs);
    this.#held.add(message);
    return undefined;
  }

  #refuseHeld(): void {
    if (this.#held.length > 0) this.#held.refuse(this.#stopped());
  }

  #stopped(): Error {
    return new agentErrors.STOPPED({ agent: this.name });
  }
}

/** @returns Whether a worker that stops may need it for what it has at hand: the worker knows that. */
function mayBeWaitedFor(message: Message): boolean {
  if (isReservedType(message.type)) return true;
  const isCall = messageInternals.replyOf(message) !== undefined;
  return isCall && messageInternals.sentFrom(message) !== undefined;
}

/** @returns Whether an agent takes messages, as its worker says. */
export function isServing({ status }: HostedAgent): boolean {
  return status === "RUNNING" || status === "SUSPENDED";
}
