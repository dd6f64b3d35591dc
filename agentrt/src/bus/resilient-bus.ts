import {
  agentErrors,
  backoffDelayMs,
  busErrors,
  type BurstLog,
  type CallOutcome,
  type GuardedTarget,
  type JsonObject,
  type Origin,
  type OutgoingPayload,
  retryDefaults,
  type SendOptions,
  streamErrors,
  type StreamConsumer,
  supervisionStatusType,
  type System,
  throughCircuit,
} from "../core/index.ts";
import { defaultTimeoutMs, MessageBus, type MessageBusInit } from "./message-bus.ts";
import { pauseForRetry } from "./pause-for-retry.ts";

/** What a bus with policies is made from. */
export interface ResilientBusInit extends MessageBusInit {
  /** By name of the agent. */
  readonly agents: ReadonlyMap<string, GuardedTarget>;
  /** Where retries are reported. */
  readonly log: BurstLog;
}

const noOptions: SendOptions = {};

/** What an agent fails with when it is not well; all else is about the message. */
const faults = [
  agentErrors.CRASHED,
  agentErrors.FAILED,
  agentErrors.STOPPED,
  busErrors.TIMEOUT,
  busErrors.EXPIRED,
  busErrors.MAILBOX_FULL,
  streamErrors.FIRST_CHUNK_TIMEOUT,
] as const;
/** Those that another attempt may mend. */
const retried = [
  agentErrors.CRASHED,
  agentErrors.FAILED,
  busErrors.TIMEOUT,
  busErrors.EXPIRED,
  busErrors.MAILBOX_FULL,
] as const;

/**
 * A bus that knows policies of agents: it makes calls again, ends attempts that take too long, and refuses calls and
 * streams while the circuit of their agent is open. Runtimes without such policies have the plain one.
 */
class ResilientBus extends MessageBus {
  readonly #agents: ReadonlyMap<string, GuardedTarget>;
  readonly #system: System;
  readonly #log: BurstLog;
  readonly #pauseEnds = new Set<() => void>();
  #isClosed = false;

  constructor(init: ResilientBusInit) {
    super(init);
    this.#agents = init.agents;
    this.#system = init.system;
    this.#log = init.log;
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first
  override call(
    origin: Origin,
    name: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<JsonObject> {
    const target = options.type === supervisionStatusType ? undefined : this.#targetOf(name);
    const { timeoutMs = defaultTimeoutMs } = options;
    // A time-out that is none is refused where it always is.
    const isTime = typeof timeoutMs === "number" && timeoutMs >= 1;
    if (target === undefined || !isTime) return super.call(origin, name, payload, options);
    const endMs = this.#system.monotonicMs() + timeoutMs;
    const deadlineMs = Math.min(endMs, origin.deadlineMs ?? Number.POSITIVE_INFINITY);
    return this.#callGuarded(target, { origin, name, payload, options, deadlineMs });
  }

  override endRetries(): void {
    this.#isClosed = true;
    for (const end of this.#pauseEnds) end();
  }

  protected override admit(name: string, consumer: StreamConsumer): void {
    const permit = this.#targetOf(name)?.breaker?.acquire();
    if (permit === undefined) return;
    consumer.onVerdict = (error) =>
      permit.settle(error === undefined ? "success" : outcomeOf(error, false));
  }

  async #callGuarded({ policy, breaker }: GuardedTarget, call: GuardedCall): Promise<JsonObject> {
    const { origin, name, options, deadlineMs } = call;
    const { retry } = policy;
    // What the caller does to its object between two attempts is not for the second one.
    const payload = retry === undefined ? call.payload : this.isolate(call.payload);
    const { retryCountMax = retryDefaults.retryCountMax } = retry ?? { retryCountMax: 0 };
    const remainingMs = (): number => deadlineMs - this.#system.monotonicMs();
    for (let attemptCount = 1; ; attemptCount += 1) {
      const limitMs = Math.min(remainingMs(), policy.timeoutMs ?? Number.POSITIVE_INFINITY);
      const once = { ...options, timeoutMs: Math.max(1, limitMs) };
      try {
        return await throughCircuit(
          breaker,
          () => super.call(origin, name, payload, once),
          (error) => outcomeOf(error, remainingMs() <= 0),
        );
      } catch (error) {
        const isAgain = retry !== undefined && retried.some((each) => error instanceof each);
        if (!isAgain || attemptCount > retryCountMax || this.#isClosed) throw error;
        const random = (): number => this.#system.random();
        const delayMs = backoffDelayMs(retry, { attemptCount, random });
        if (delayMs >= remainingMs()) throw error;
        const fields = { agent: name, attempt: attemptCount, delayMs, error };
        this.#log.warn({ kind: `retry ${name}` }, "call is made again", fields);
        const { signal } = options;
        const ends = this.#pauseEnds;
        const pause = { origin, to: name, signal, system: this.#system, error, ends };
        await pauseForRetry(delayMs, pause);
      }
    }
  }

  /** The policy of an agent, or of the keyed agent that a name with a key is for. */
  #targetOf(name: string): GuardedTarget | undefined {
    const found = this.#agents.get(name);
    if (found !== undefined) return found;
    for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
      const holder = this.#agents.get(name.slice(0, at));
      if (holder !== undefined) return holder;
    }
    return undefined;
  }
}

interface GuardedCall {
  readonly origin: Origin;
  readonly name: string;
  readonly payload: OutgoingPayload;
  readonly options: SendOptions;
  /** Monotonic time at which all attempts end. */
  readonly deadlineMs: number;
}

function outcomeOf(error: unknown, isLate: boolean): CallOutcome {
  if (faults.some((each) => error instanceof each)) return "failure";
  // A call that its caller's deadline has ended waited for the agent.
  return error instanceof busErrors.CANCELLED && isLate ? "failure" : "neutral";
}

/**
 * Makes the bus of a runtime.
 *
 * @param init What it is made from.
 * @returns One that knows policies, where there are any.
 */
export function makeBus(init: ResilientBusInit): MessageBus {
  return init.agents.size === 0 ? new MessageBus(init) : new ResilientBus(init);
}
