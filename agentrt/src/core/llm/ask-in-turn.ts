import { circuitErrors } from "../resilience/index.ts";
import { reasonOf, TableError } from "../values/index.ts";
import type { CallScope } from "./call-scope.ts";
import { modelErrors } from "./errors.ts";
import { isForFallback } from "./model-failure.ts";

/** A provider that is asked, and the part of the call that asking it takes. */
export interface Turn {
  readonly name: string;
  readonly request: { readonly model: string };
  readonly scope: CallScope;
}

/** How providers are asked one after the other. */
export interface TurnPlan<Call extends Turn, Result> {
  /** The names, that of the one that the call is for in front. */
  readonly order: readonly string[];
  /** Begins the turn of a provider. Throws where it cannot be asked at all. */
  readonly begin: (name: string) => Call;
  /** Asks, with all the retries of that provider. */
  readonly ask: (turn: Call) => Promise<Result>;
  /** Called before the next one is asked. */
  readonly onFallback: (error: unknown, next: string) => void;
}

/**
 * Asks one provider after the other until one answers.
 *
 * @param call The whole call.
 * @param plan Who is asked, and how.
 * @returns The answer, and the turn in which it came; its scope is open still.
 * @throws What ended the call; what a provider says of the request; AGENTRT_CIRCUIT_OPEN when none was asked at all;
 *   AGENTRT_MODEL_FALLBACKS_FAILED.
 */
export async function askInTurn<Call extends Turn, Result>(
  call: Call,
  plan: TurnPlan<Call, Result>,
): Promise<{ readonly turn: Call; readonly result: Result }> {
  const failures: { readonly provider: string; readonly error: unknown }[] = [];
  for (const [index, provider] of plan.order.entries()) {
    let turn: Call | undefined;
    try {
      turn = plan.begin(provider);
      return { turn, result: await plan.ask(turn) };
    } catch (error) {
      turn?.scope.close();
      if (call.scope.signal.aborted || !isForFallback(error, index > 0)) throw error;
      failures.push({ provider, error });
      const next = plan.order[index + 1];
      if (next !== undefined) plan.onFallback(error, next);
    }
  }
  const cause = failures[0]?.error;
  if (failures.every(({ error }) => error instanceof circuitErrors.OPEN)) throw cause;
  const details = {
    provider: call.name,
    model: call.request.model,
    failures: failures.map(({ provider, error }) => ({
      provider,
      code: error instanceof TableError ? error.code : null,
      reason: reasonOf(error),
    })),
  };
  throw new modelErrors.FALLBACKS_FAILED(details, { cause });
}
