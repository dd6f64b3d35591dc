import { Alarm } from "./alarm.ts";
import type { AgentPort, SendTimer } from "./agent.ts";
import type { BroadcastReport, Origin, OutgoingPayload, SendOptions } from "./bus.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { TallyCounters } from "./counters.ts";
import { agentErrors, busErrors } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Kernel } from "./kernel.ts";
import { AgentLlm } from "./llm/agent-llm.ts";
import type { Llm } from "./llm/llm.ts";
import { ModelSession, type ModelSessionCounters, noModelSession } from "./llm/model-session.ts";
import type { Log } from "./log.ts";
import type { TracePoint } from "./message.ts";
import { timeoutMsMax } from "./tree-spec.ts";

/** What of an agent outlives its incarnations, as far as their access to the tree needs it. */
export interface AgentHome {
  readonly name: string;
  readonly kernel: Kernel;
  readonly tally: TallyCounters;
  readonly checkpoints: Checkpoints;
}

/** Most timers of one incarnation that wait. */
const timerCountMax = 10_000;

/**
 * What the code of one incarnation reaches of the tree: sending, calling, saving, timers. Once it is sealed, every
 * member refuses, so that what an agent left behind has no effect. `Incarnation` derives from it: one object an agent.
 */
export abstract class AgentAccess implements AgentPort, Origin {
  readonly name: string;
  protected readonly kernel: Kernel;
  readonly #home: AgentHome;
  /** Made when something is logged first: most agents never do. */
  #log: Log | undefined;
  /** Made with the first timer: most agents have none. */
  #timers: Set<Alarm> | undefined;
  /** Made when a model is first asked: most agents ask none. */
  #modelSession: ModelSession | undefined;
  #isSealed = false;

  constructor(home: AgentHome) {
    this.name = home.name;
    this.kernel = home.kernel;
    this.#home = home;
  }

  /** Lines that name the agent. */
  get log(): Log {
    return (this.#log ??= this.kernel.log.with({ agent: this.name }));
  }

  /** True when nothing the agent's code does has an effect any more. */
  get isSealed(): boolean {
    return this.#isSealed;
  }

  /** @returns Where the trace of the message at hand stands. */
  abstract tracePoint(): TracePoint | undefined;

  /** {@inheritDoc AgentPort.call} */
  call(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<JsonObject> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.#home.tally.messagesSent += 1;
    return this.kernel.bus.call(this, to, payload, options);
  }

  /** {@inheritDoc AgentPort.send} */
  send(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.#home.tally.messagesSent += 1;
    return this.kernel.bus.send(this, to, payload, options);
  }

  /** {@inheritDoc AgentPort.cast} */
  cast(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.#home.tally.messagesSent += 1;
    return this.kernel.bus.cast(this, to, payload, options);
  }

  /** {@inheritDoc AgentPort.broadcast} */
  async broadcast(
    pattern: string,
    payload: OutgoingPayload,
    options?: SendOptions,
  ): Promise<BroadcastReport> {
    if (this.#isSealed) throw this.overError();
    const report = await this.kernel.bus.broadcast(this, pattern, payload, options);
    this.#home.tally.messagesSent += report.receiverCount;
    return report;
  }

  /** {@inheritDoc AgentPort.sendCapable} */
  async sendCapable(tag: string, payload: OutgoingPayload, options?: SendOptions): Promise<string> {
    if (this.#isSealed) throw this.overError();
    this.#home.tally.messagesSent += 1;
    return await this.kernel.bus.sendCapable(this, tag, payload, options);
  }

  /** {@inheritDoc AgentPort.mailboxDepthOf} */
  mailboxDepthOf(name: string): number | undefined {
    return this.kernel.registry.get(name)?.address?.mailboxDepth;
  }

  /** {@inheritDoc AgentPort.checkpoint} */
  async checkpoint(state: JsonObject): Promise<void> {
    if (this.#isSealed) throw this.overError();
    await this.#home.checkpoints.write(this.kernel.bus.isolate(state));
  }

  /** {@inheritDoc AgentPort.llm} */
  llm(name?: string): Llm {
    this.#modelSession ??= new ModelSession({
      owner: this,
      kernel: this.kernel,
      tally: this.#home.tally.models,
    });
    return new AgentLlm(this.#modelSession, name);
  }

  /** @returns What this incarnation asked of models. */
  modelSession(): ModelSessionCounters {
    return this.#modelSession?.toValue() ?? noModelSession;
  }

  /** {@inheritDoc AgentPort.sendAfter} */
  sendAfter(delayMs: number, payload: OutgoingPayload): SendTimer {
    if (this.#isSealed) throw this.overError();
    const timers = (this.#timers ??= new Set());
    if (timers.size >= timerCountMax) {
      throw new agentErrors.TIMERS_EXHAUSTED({ agent: this.name, timerCountMax });
    }
    if (typeof delayMs !== "number" || !(delayMs >= 0 && delayMs <= timeoutMsMax)) {
      const wanted = `a number from 0 to ${timeoutMsMax}`;
      throw new busErrors.OPTION_INVALID({ option: "delayMs", found: String(delayMs), wanted });
    }
    const { bus, wheel, system } = this.kernel;
    const kept = bus.isolate(payload);
    // A timer belongs to no message, whichever is at hand when it is due.
    const origin = { name: this.name, tracePoint: () => undefined };
    const alarm = new Alarm(() => {
      timers.delete(alarm);
      if (this.isOver) return;
      this.#home.tally.messagesSent += 1;
      bus
        .send(origin, this.name, kept, { type: "genserver.info" })
        .catch((error: unknown) => this.log.warn("sendAfter could not deliver", { error }));
    });
    timers.add(alarm);
    wheel.arm(alarm, system.monotonicMs() + delayMs);
    return {
      cancel: () => {
        timers.delete(alarm);
        wheel.disarm(alarm);
      },
    };
  }

  /** True when no further message is handled. */
  protected abstract get isOver(): boolean;

  /** Takes the access away for good, gives up its timers and ends its calls of models. */
  protected seal(): void {
    this.#isSealed = true;
    this.#modelSession?.end(this.overError());
    if (this.#timers === undefined) return;
    for (const alarm of this.#timers) this.kernel.wheel.disarm(alarm);
    this.#timers.clear();
  }

  /** @returns The error of whoever still wants something of this incarnation. */
  protected overError(): Error {
    return new agentErrors.STOPPED({ agent: this.name });
  }
}
