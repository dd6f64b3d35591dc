import {
  agentErrors,
  retryPauseMs,
  busErrors,
  type BurstLog,
  type CallOutcome,
  type ChunkStream,
  type GuardedTarget,
  type JsonObject,
  type Origin,
  type OutgoingPayload,
  retryDefaults,
  type RetryPolicy,
  type SendOptions,
  streamErrors,
  type StreamConsumer,
  type StreamOptions,
  type StreamRequest,
  supervisionStatusType,
  type System,
  withRetries,
} from "../core/index.ts";
import { defaultTimeoutMs, MessageBus, type MessageBusInit } from "./message-bus.ts";
import { pauseForRetry, type RetryPause } from "./pause-for-retry.ts";
import { RetriedStream } from "./retried-stream.ts";

/** What a bus with policies is made from. */
export interface ResilientBusInit extends MessageBusInit {
  /** By name of the agent. */
  readonly agents: ReadonlyMap<string, GuardedTarget>;
  /** Where retries are reported. */
  readonly log: BurstLog;
}

const noOptions: SendOptions = {};

/** What another attempt may mend, of a stream before its first chunk. */
const retried = [
  agentErrors.CRASHED,
  agentErrors.FAILED,
  busErrors.TIMEOUT,
  busErrors.EXPIRED,
  busErrors.MAILBOX_FULL,
  streamErrors.FIRST_CHUNK_TIMEOUT,
] as const;
/** What an agent fails with when it is not well; all else is about the message. */
const faults = [...retried, agentErrors.STOPPED] as const;

/**
 * A bus that knows policies of agents: it makes calls again, and streams without a first chunk, ends attempts that take
 * too long, and refuses calls and streams while the circuit of their agent is open. Runtimes without such policies have the plain one.
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

  override stream(request: StreamRequest): ChunkStream {
    const { origin, to } = request;
    const options: StreamOptions = request.options ?? noOptions;
    const target = typeof to === "string" ? this.#targetOf(to) : undefined;
    const { retry, timeoutMs: attemptMs = Number.POSITIVE_INFINITY } = target?.policy ?? {};
    const { firstChunkTimeoutMs = options.timeoutMs ?? defaultTimeoutMs } = options;
    const isTime = typeof firstChunkTimeoutMs === "number" && firstChunkTimeoutMs >= 1;
    const isPlain = retry === undefined && attemptMs >= firstChunkTimeoutMs;
    if (typeof to !== "string" || !isTime || isPlain) return super.stream(request);
    const endMs = this.#system.monotonicMs() + firstChunkTimeoutMs;
    const deadlineMs = Math.min(endMs, origin.deadlineMs ?? Number.POSITIVE_INFINITY);
    const payload = retry === undefined ? request.payload : this.isolate(request.payload);
    const remainingMs = (): number => deadlineMs - this.#system.monotonicMs();
    const open = (): ChunkStream => {
      const limitMs = Math.max(1, Math.min(remainingMs(), attemptMs));
      const once = { ...options, firstChunkTimeoutMs: limitMs };
      return super.stream({ origin, to, payload, options: once });
    };
    if (retry === undefined) return open();
    let attemptCount = 0;
    return new RetriedStream({
      open,
      delayMsAfter: (error) => {
        attemptCount += 1;
        return this.#retryPauseMs(error, { retry, attemptCount, remainingMs: remainingMs() });
      },
      pause: async (delayMs, { error, left }) => {
        const { signal: own } = options;
        const signal = own === undefined || own === null ? left : AbortSignal.any([own, left]);
        await this.#pause(delayMs, { origin, to, signal, error, attemptCount });
      },
    });
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
    const remainingMs = (): number => deadlineMs - this.#system.monotonicMs();
    const attempt = (): Promise<JsonObject> => {
      const limitMs = Math.min(remainingMs(), policy.timeoutMs ?? Number.POSITIVE_INFINITY);
      return super.call(origin, name, payload, { ...options, timeoutMs: Math.max(1, limitMs) });
    };
    return await withRetries(attempt, {
      breaker,
      outcomeOf: (error) => outcomeOf(error, remainingMs() <= 0),
      delayMsAfter: ({ error, attemptCount }) =>
        this.#retryPauseMs(error, { retry, attemptCount, remainingMs: remainingMs() }),
      pause: async (delayMs, failed) => {
        const { signal } = options;
        await this.#pause(delayMs, { origin, to: name, signal, ...failed });
      },
    });
  }

  /** How long to wait after an attempt that failed; undefined when it is the last one. */
  #retryPauseMs(
    error: unknown,
    tried: {
      readonly retry: RetryPolicy | undefined;
      readonly attemptCount: number;
      readonly remainingMs: number;
    },
  ): number | undefined {
    const { retry, attemptCount, remainingMs } = tried;
    if (retry === undefined || this.#isClosed) return undefined;
    const { retryCountMax = retryDefaults.retryCountMax } = retry;
    const isCurable = retried.some((each) => error instanceof each);
    if (!isCurable || attemptCount > retryCountMax) return undefined;
    const delayMs = retryPauseMs(retry, { attemptCount, random: () => this.#system.random() });
    return delayMs >= remainingMs ? undefined : delayMs;
  }

  async #pause(
    delayMs: number,
    attempt: Pick<RetryPause, "origin" | "to" | "signal" | "error"> & {
      readonly attemptCount: number;
    },
  ): Promise<void> {
    const { to, error, attemptCount } = attempt;
    const fields = { agent: to, attempt: attemptCount, delayMs, error };
    this.#log.warn({ kind: `retry ${to}` }, "call is made again", fields);
    await pauseForRetry(delayMs, { ...attempt, system: this.#system, ends: this.#pauseEnds });
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
