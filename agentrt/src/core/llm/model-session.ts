import type { Tracer, TracePoint } from "../messages/index.ts";
import type { Log } from "../ports/index.ts";
import type { CallKernel, CallScope, WorkScope } from "./call-scope.ts";
import type { BudgetsAbove, ModelBudget } from "./budgets/index.ts";
import { modelErrors } from "./errors.ts";
import type { ModelUsage, NamedModel } from "./model-provider.ts";
import type { Resilience } from "../resilience/index.ts";
import type { ModelTally } from "./model-tally.ts";
import type { ModelUses } from "./model-uses.ts";
import type { PartsInUse } from "./parts-in-use.ts";
import { longestWait, type RunningCall } from "./running-call.ts";

/** What one incarnation asks of models, as a plain value. */
export interface ModelSessionCounters {
  /** Answers of models since the incarnation began. */
  readonly sessionTurnCount: number;
  /** Since the incarnation's first call of a model; 0 before. */
  readonly sessionDurationMs: number;
}

/** The session of an incarnation that asked no model. */
export const noModelSession: ModelSessionCounters = { sessionTurnCount: 0, sessionDurationMs: 0 };

/** What a session needs of the kernel. */
export interface ModelKernel extends CallKernel {
  /** The model providers, the default one first. */
  readonly models?: readonly NamedModel[] | undefined;
  /** What is done about calls that fail; nothing more than the providers say without it. */
  readonly resilience?: Resilience | undefined;
  /** Where spans go; without it none are made. */
  readonly tracer?: Tracer | undefined;
  /** What calls of models count against: the nearest budget above them, which knows those above it. */
  readonly budget?: ModelBudget | undefined;
  /** Budgets of another process that calls count against, too; none without it. */
  readonly budgetsAbove?: BudgetsAbove | undefined;
  /** Sums of all agents by model; none are kept without it. */
  readonly modelUses?: ModelUses | undefined;
  /** Which providers have calls that run; none are counted without it. */
  readonly partsInUse?: PartsInUse | undefined;
}

/** What a session needs of the incarnation it belongs to. */
export interface ModelSessionOwner {
  readonly name: string;
  readonly log: Log;
  readonly isSealed: boolean;
  tracePoint(): TracePoint | undefined;
  /** Finds what ends the work that the running code asks for: see `WorkScope`. */
  scopeOf(own: AbortSignal | null | undefined): WorkScope;
}

/** Most calls of one incarnation that run at a time. */
const callCountMax = 1000;

/** The model calls of one incarnation: those that run, and how many there were. Made with the first one. */
export class ModelSession {
  readonly owner: ModelSessionOwner;
  readonly kernel: ModelKernel;
  readonly tally: ModelTally;
  /** Environment variables that hold this agent's own keys, by provider. */
  readonly credentials: { readonly [provider: string]: string } | undefined;
  turnCount = 0;
  #firstCallAtMs: number | undefined;
  readonly #running = new Map<CallScope, RunningCall>();

  constructor(init: {
    readonly owner: ModelSessionOwner;
    readonly kernel: ModelKernel;
    readonly tally: ModelTally;
    readonly credentials: { readonly [provider: string]: string } | undefined;
  }) {
    this.owner = init.owner;
    this.kernel = init.kernel;
    this.tally = init.tally;
    this.credentials = init.credentials;
  }

  /** @throws AGENTRT_MODEL_CALLS_EXHAUSTED when as many calls run as may. */
  refuseTooMany(): void {
    if (this.#running.size < callCountMax) return;
    throw new modelErrors.CALLS_EXHAUSTED({ agent: this.owner.name, callCountMax });
  }

  /** Notes a call that begins. @returns Whom it waits for, and since when: kept up to date by the call. */
  begin(scope: CallScope, provider: string): RunningCall {
    const nowMs = this.kernel.system.monotonicMs();
    const running: RunningCall = { name: provider, sinceMs: nowMs };
    this.#running.set(scope, running);
    this.kernel.partsInUse?.asking.add(this);
    this.#firstCallAtMs ??= nowMs;
    this.tally.calls += 1;
    return running;
  }

  /** @returns The call that is waited for longest. */
  longestWait(): ReturnType<typeof longestWait> {
    return longestWait(this.#running.values());
  }

  /** Counts what a call used. */
  count(usage: ModelUsage): void {
    this.tally.add(usage);
    this.kernel.modelUses?.add(usage);
  }

  /** Notes a call that is over. */
  finish(scope: CallScope): void {
    this.#running.delete(scope);
    if (this.#running.size === 0) this.kernel.partsInUse?.asking.delete(this);
  }

  /** Ends every call that runs; nobody finishes a stream that is not read to its end. */
  end(error: Error): void {
    for (const scope of this.#running.keys()) scope.end(error);
    this.kernel.partsInUse?.asking.delete(this);
  }

  /** @returns The counters as a plain value. */
  toValue(): ModelSessionCounters {
    const firstCallAtMs = this.#firstCallAtMs;
    if (firstCallAtMs === undefined) return noModelSession;
    return {
      sessionTurnCount: this.turnCount,
      sessionDurationMs: this.kernel.system.monotonicMs() - firstCallAtMs,
    };
  }
}
