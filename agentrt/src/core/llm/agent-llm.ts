import { TableError, didYouMean } from "../values/index.ts";
import { agentErrors } from "../errors.ts";
import type { OpenSpan } from "../messages/index.ts";
import { type BudgetsAbove, Spending } from "./budgets/index.ts";
import { finishReasons, startModelSpan, usageAttributes } from "./model-span.ts";
import {
  fallbackOrder,
  fallbacksOf,
  type GuardedTarget,
  type ModelPolicy,
  withRetries,
  circuitErrors,
  retryDefaults,
} from "../resilience/index.ts";
import { askInTurn } from "./ask-in-turn.ts";
import { CallScope } from "./call-scope.ts";
import { completeReply } from "./complete-reply.ts";
import { checkRequest } from "./check-request.ts";
import { modelErrors } from "./errors.ts";
import type { Llm, LlmOptions } from "./llm.ts";
import type {
  ModelChunk,
  ModelProvider,
  ModelReply,
  ModelRequest,
  ModelUsage,
  NamedModel,
} from "./model-provider.ts";
import type { ModelSession } from "./model-session.ts";
import { outcomeOfFailure } from "./model-failure.ts";
import type { RunningCall } from "./running-call.ts";
import { retryAfterMsMax, retryDelayMs } from "./retry.ts";

const defaultTimeoutMs = 300_000;

/** One call while it runs. */
interface Call {
  readonly name: string;
  readonly provider: ModelProvider;
  /** All providers that were asked: they are in use until the call ends. */
  readonly asked: ModelProvider[];
  /** Whom it waits for. */
  readonly running: RunningCall;
  readonly request: ModelRequest;
  readonly scope: CallScope;
  readonly span: OpenSpan | undefined;
  /** What the latest attempt costs; undefined without a budget. */
  spending: Spending | undefined;
  /** What is done when it fails; undefined for what the provider itself says. */
  readonly guard: GuardedTarget<ModelPolicy> | undefined;
}

/** `this.llm` of one incarnation: finds the provider, retries, keeps deadlines, counts. */
export class AgentLlm implements Llm {
  readonly #session: ModelSession;
  /** The provider's name; undefined for the first one. */
  readonly #name: string | undefined;

  constructor(session: ModelSession, name: string | undefined) {
    this.#session = session;
    this.#name = name;
  }

  /** {@inheritDoc Llm.chat} */
  async chat(options: LlmOptions): Promise<ModelReply> {
    const call = this.#begin(options);
    let at = call;
    try {
      const { turn, result: reply } = await this.#inTurn(call, (asked) =>
        asked.scope.wait(askOnce(asked), this.#late(asked, "no answer")),
      );
      at = turn;
      await this.#finish(at, reply);
      return reply;
    } catch (error) {
      this.#fail(at, error);
      throw error;
    } finally {
      this.#close(call);
    }
  }

  /** {@inheritDoc Llm.stream} */
  async *stream(options: LlmOptions): AsyncGenerator<ModelChunk, void, undefined> {
    const call = this.#begin(options);
    let at = call;
    let chunks: AsyncIterator<ModelChunk> | undefined;
    try {
      // Until the first part is there nothing was given away, so the request may be made again.
      const { turn, result } = await this.#inTurn(call, async (asked) => {
        letGo(chunks);
        chunks = chunksOf(asked)[Symbol.asyncIterator]();
        const late = this.#late(asked, "no part of the answer");
        const first = await asked.scope.wait(chunks.next(), late);
        if (first.done === true) throw cutError(asked, "its end is missing");
        return first;
      });
      at = turn;
      let next: IteratorResult<ModelChunk> = result;
      const late = this.#late(turn, "no further part of the answer");
      const { running } = call;
      for (;;) {
        running.sinceMs = null;
        if (next.done === true || chunks === undefined) throw cutError(turn, "its end is missing");
        turn.spending?.answering();
        const chunk = completeChunk(next.value, turn);
        if (chunk.type === "end") await this.#finish(turn, chunk.reply);
        yield chunk;
        if (chunk.type === "end") return;
        running.sinceMs = this.#session.kernel.system.monotonicMs();
        next = await turn.scope.wait(chunks.next(), late);
      }
    } catch (error) {
      this.#fail(at, error);
      throw error;
    } finally {
      // Of a reader that left early nobody knows what it cost.
      at.spending?.fail(undefined, undefined);
      this.#close(call);
      letGo(chunks);
    }
  }

  #begin(options: LlmOptions): Call {
    const { owner, kernel } = this.#session;
    if (owner.isSealed) throw new agentErrors.STOPPED({ agent: owner.name });
    checkRequest(owner.name, options);
    const { name, provider } = this.#find(this.#name);
    const model = options.model ?? provider.defaultModel;
    if (model === undefined) throw new modelErrors.NO_MODEL({ provider: name });
    const asked = { provider: name, model };
    if (options.signal?.aborted === true) throw new modelErrors.CANCELLED(asked);
    const work = owner.scopeOf(options.signal);
    this.#session.refuseTooMany();
    const { messages, tools = [], maxTokens, temperature, timeoutMs = 0 } = options;
    const keyVariable = this.#session.credentials?.[name];
    const request = { model, messages, tools, maxTokens, temperature, keyVariable };
    const span = startModelSpan(kernel.tracer, owner, { ...request, provider: name });
    const scope = new CallScope({
      kernel,
      work,
      timeoutMs: options.timeoutMs,
      cancelledError: () => new modelErrors.CANCELLED(asked),
      timeoutError: () => new modelErrors.TIMEOUT({ ...asked, waited: "no answer", timeoutMs }),
    });
    const running = this.#session.begin(scope, name);
    const sent = { ...request, signal: scope.signal, traceparent: span?.traceparent };
    const guard = kernel.resilience?.models.get(name);
    kernel.partsInUse?.begin(provider);
    const call = { name, provider, scope, span, guard, request: sent, spending: undefined };
    return { ...call, running, asked: [provider] };
  }

  #find(name: string | undefined): NamedModel {
    const models = this.#session.kernel.models ?? [];
    const agent = this.#session.owner.name;
    const found = name === undefined ? models[0] : models.find((each) => each.name === name);
    if (found !== undefined) return found;
    if (name === undefined || models.length === 0) throw new modelErrors.NOT_CONFIGURED({ agent });
    const names = models.map((each) => each.name);
    const hint = didYouMean(name, names) || `; there are ${names.join(", ")}`;
    throw new modelErrors.UNKNOWN_NAME({ agent, name, hint });
  }

  /** Asks the provider, and those that its policy names in its place. */
  async #inTurn<Result>(
    call: Call,
    attempt: (turn: Call) => Promise<Result>,
  ): Promise<{ readonly turn: Call; readonly result: Result }> {
    const { kernel, owner, tally } = this.#session;
    const fallbacks = (name: string): readonly string[] =>
      fallbacksOf(kernel.resilience?.models.get(name)?.policy ?? {});
    const order = call.guard === undefined ? [] : fallbackOrder(call.name, fallbacks);
    if (order.length <= 1) {
      return { turn: call, result: await this.#retrying(call, () => attempt(call)) };
    }
    const answer = await askInTurn(call, {
      order,
      begin: (name) => this.#turnOf(call, name),
      ask: (turn) => this.#retrying(turn, () => attempt(turn)),
      onFallback: (error, next) => {
        const fields = { provider: call.name, fallback: next, error };
        // That a circuit is open was said when it opened.
        if (error instanceof circuitErrors.OPEN) owner.log.debug("model call falls back", fields);
        else owner.log.warn("model call falls back", fields);
      },
    });
    const { name } = answer.turn;
    call.span?.set({ "agentrt.llm.provider": name, "gen_ai.provider.name": name });
    if (name !== call.name) {
      tally.fallbacks += 1;
      call.span?.set({ "agentrt.llm.fallback_from": call.name });
    }
    return answer;
  }

  /** The part of a call in which one of several providers is asked: its end is not that of the call. */
  #turnOf(call: Call, name: string): Call {
    const { kernel, credentials } = this.#session;
    const isFirst = name === call.name;
    const { provider } = isFirst ? call : this.#find(name);
    if (!isFirst) {
      kernel.partsInUse?.begin(provider);
      call.asked.push(provider);
    }
    call.running.name = name;
    const model = isFirst ? call.request.model : provider.defaultModel;
    if (model === undefined) throw new modelErrors.NO_MODEL({ provider: name });
    const whole = call.scope;
    const endOfCall = (): Error => whole.signal.reason as Error;
    const scope = new CallScope({
      kernel,
      work: {
        signal: whole.signal,
        deadlineMs: kernel.system.monotonicMs() + whole.remainingMs,
      },
      timeoutMs: undefined,
      cancelledError: endOfCall,
      timeoutError: endOfCall,
    });
    const { signal } = scope;
    const keyVariable = credentials?.[name];
    const request = { ...call.request, model, keyVariable, signal };
    const guard = kernel.resilience?.models.get(name);
    return { ...call, name, provider, scope, request, guard, spending: undefined };
  }

  /** Makes attempts until one succeeds or fails for good. */
  async #retrying<Result>(call: Call, attempt: () => Promise<Result>): Promise<Result> {
    const { system, budget } = this.#session.kernel;
    const isBudgeted = budget !== undefined || this.#budgetsAbove !== undefined;
    const { breaker, policy } = call.guard ?? {};
    const { retryCountMax, retryBaseMs } = call.provider;
    const retry = policy?.retry ?? { retryCountMax, backoffBaseMs: retryBaseMs };
    const { backoffMaxMs = retryDefaults.backoffMaxMs } = retry;
    // With a fallback there is something better to do than to wait a minute.
    const waitMsMax = policy?.fallback === undefined ? retryAfterMsMax : backoffMaxMs;
    // Without a budget it goes out at once.
    const reserved = isBudgeted ? () => this.#reserve(call).then(attempt) : attempt;
    return await withRetries(reserved, {
      breaker,
      outcomeOf: (error) => outcomeOfFailure(error, call.scope.remainingMs),
      delayMsAfter: ({ error, attemptCount }) => {
        call.spending?.fail(error, usageIn(error));
        return retryDelayMs(error, {
          attemptCount,
          policy: retry,
          waitMsMax,
          remainingMs: call.scope.remainingMs,
          random: () => system.random(),
        });
      },
      pause: async (delayMs, { error, attemptCount }) => {
        const fields = { provider: call.name, attempt: attemptCount, delayMs, error };
        this.#session.owner.log.warn("model call is tried again", fields);
        await call.scope.pause(delayMs);
      },
    });
  }

  /** Budgets of another process; undefined where its calls count against none. */
  get #budgetsAbove(): BudgetsAbove | undefined {
    const { owner, kernel } = this.#session;
    return kernel.budgetsAbove?.countFor(owner.name) === true ? kernel.budgetsAbove : undefined;
  }

  /** Waits until what the next attempt may cost is reserved in every budget that it counts against. */
  async #reserve(call: Call): Promise<void> {
    const { owner, kernel } = this.#session;
    const { budget } = kernel;
    call.spending = new Spending({
      agent: owner.name,
      log: owner.log,
      budget,
      above: this.#budgetsAbove,
      model: call,
      request: call.request,
    });
    await call.scope.wait(call.spending.begin(), this.#late(call, "no place in its budget"));
    // It may have ended in the moment in which the wait was over.
    call.scope.signal.throwIfAborted();
  }

  #late(call: Call, waited: string): { timeoutMs: number; error: () => Error } {
    const timeoutMs = call.guard?.policy.timeoutMs ?? call.provider.timeoutMs ?? defaultTimeoutMs;
    const details = { provider: call.name, model: call.request.model, waited, timeoutMs };
    return { timeoutMs, error: () => new modelErrors.TIMEOUT(details) };
  }

  async #finish(call: Call, usage: ModelReply): Promise<void> {
    const { kernel } = this.#session;
    kernel.partsInUse?.answered(call.provider, kernel.system.monotonicMs());
    this.#session.turnCount += 1;
    this.#count(call, usage);
    call.span?.set({ "gen_ai.response.finish_reasons": [finishReasons[usage.stopReason]] });
    call.span?.end();
    await call.spending?.settle(usage);
  }

  #fail(call: Call, error: unknown): void {
    this.#session.tally.errors += 1;
    const usage = usageIn(error);
    if (usage !== undefined) this.#count(call, usage);
    call.span?.end(error);
    call.spending?.fail(error, usage);
  }

  #count(call: Call, usage: ModelUsage): void {
    this.#session.count(usage);
    call.span?.set(usageAttributes(usage));
  }

  #close(call: Call): void {
    this.#session.finish(call.scope);
    for (const provider of call.asked) this.#session.kernel.partsInUse?.end(provider);
    call.scope.close();
    call.span?.end();
  }
}

/** A provider that never lets go must not hold up the reader. */
function letGo(chunks: AsyncIterator<ModelChunk> | undefined): void {
  chunks?.return?.().then(undefined, () => undefined);
}

/** A provider that cannot stream answers in one piece. */
async function* wholeAnswer(reply: ModelReply): AsyncGenerator<ModelChunk, void, undefined> {
  if (reply.content !== "") yield { type: "text", text: reply.content };
  for (const toolCall of reply.toolCalls ?? []) yield { type: "toolCall", toolCall };
  yield { type: "end", reply };
}

async function* chunksOf(call: Call): AsyncGenerator<ModelChunk, void, undefined> {
  yield* call.provider.stream?.(call.request) ?? wholeAnswer(await askOnce(call));
}

/** A provider of the user's own may answer anything. */
async function askOnce({ name, provider, request }: Call): Promise<ModelReply> {
  return completeReply(await provider.chat(request), { provider: name, model: request.model });
}

function completeChunk(chunk: ModelChunk, { name, request }: Call): ModelChunk {
  if (chunk.type !== "end") return chunk;
  const asked = { provider: name, model: request.model };
  return { type: "end", reply: completeReply(chunk.reply, asked) };
}

function cutError({ name, request }: Call, reason: string): Error {
  return new modelErrors.STREAM_CUT({ provider: name, model: request.model, reason });
}

/** Tokens of a call that failed after its answer had come. */
function usageIn(error: unknown): ModelUsage | undefined {
  if (!(error instanceof TableError)) return undefined;
  return (error.details as { readonly usage?: ModelUsage | undefined }).usage;
}
