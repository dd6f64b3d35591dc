import type { Log } from "../ports/index.ts";
import { CallScope, type CallKernel } from "../llm/index.ts";
import {
  retryPauseMs,
  type CallOutcome,
  type GuardedTarget,
  retryDefaults,
  withRetries,
} from "../resilience/index.ts";
import { TableError, type JsonObject } from "../values/index.ts";
import { toolErrors } from "./errors.ts";
import type { KnownTool } from "./tool-set.ts";
import type { SourceResult } from "./tool-source.ts";

/** One use of a tool. */
export interface ToolUse {
  readonly input: JsonObject;
  /** The whole use, all attempts included. */
  readonly scope: CallScope;
  /** Upper bound on the whole use, for errors. */
  readonly timeoutMs: number;
  /** Place of the use in its trace; undefined where no spans are made. */
  readonly traceparent: string | undefined;
  /** What is done when its server fails; undefined for nothing. */
  readonly guard: GuardedTarget | undefined;
  readonly kernel: CallKernel;
  /** Where retries are reported. */
  readonly log: Log;
}

/**
 * Uses a tool, again where the policy of its server says so and the server could not be asked.
 *
 * @param known The tool.
 * @param use What it gets, how long it may take, and what is done when its server fails.
 * @returns What it answered; a failure that the tool tells of is an answer.
 * @throws What the source throws; AGENTRT_CIRCUIT_OPEN, AGENTRT_TOOL_TIMEOUT; what ended the use.
 */
export async function useTool(known: KnownTool, use: ToolUse): Promise<SourceResult> {
  const { scope, guard, kernel, log } = use;
  const retry = guard?.policy.retry;
  const { retryCountMax = retryDefaults.retryCountMax } = retry ?? { retryCountMax: 0 };
  const outcomeOf = (error: unknown): CallOutcome => outcomeOfFailure(error, scope.remainingMs);
  return await withRetries(() => attempt(known, use), {
    breaker: guard?.breaker,
    outcomeOf,
    delayMsAfter: ({ error, attemptCount }) => {
      const isOver = scope.signal.aborted || attemptCount > retryCountMax;
      if (isOver || retry === undefined || !isServerFault(error)) return undefined;
      const random = (): number => kernel.system.random();
      const delayMs = retryPauseMs(retry, { attemptCount, random });
      return delayMs >= scope.remainingMs ? undefined : delayMs;
    },
    pause: async (delayMs, { error, attemptCount }) => {
      const fields = { tool: known.name, attempt: attemptCount, delayMs, error };
      log.warn("tool is used again", fields);
      await scope.pause(delayMs);
    },
  });
}

async function attempt({ source, tool, name }: KnownTool, use: ToolUse): Promise<SourceResult> {
  const { input, scope, guard, kernel, traceparent } = use;
  const { timeoutMs } = guard?.policy ?? {};
  const late = (limitMs: number) => ({
    timeoutMs: limitMs,
    error: () => new toolErrors.TIMEOUT({ tool: name, timeoutMs: limitMs }),
  });
  if (timeoutMs === undefined) {
    const work = source.call(tool.name, input, { signal: scope.signal, traceparent });
    return await scope.wait(work, late(use.timeoutMs));
  }
  const endOfUse = (): Error => scope.signal.reason as Error;
  const part = new CallScope({
    kernel,
    work: { signal: scope.signal, deadlineMs: Number.POSITIVE_INFINITY },
    timeoutMs: undefined,
    cancelledError: endOfUse,
    timeoutError: endOfUse,
  });
  try {
    const work = source.call(tool.name, input, { signal: part.signal, traceparent });
    return await part.wait(work, late(timeoutMs));
  } finally {
    part.close();
  }
}

/** Errors of sources of the user's own are faults of the source. */
function isServerFault(error: unknown): boolean {
  return (
    !(error instanceof TableError) ||
    error instanceof toolErrors.UNAVAILABLE ||
    error instanceof toolErrors.TIMEOUT
  );
}

function outcomeOfFailure(error: unknown, remainingMs: number): CallOutcome {
  if (isServerFault(error)) return "failure";
  // A use that its deadline has ended waited for the server.
  return error instanceof toolErrors.CANCELLED && remainingMs <= 0 ? "failure" : "neutral";
}
