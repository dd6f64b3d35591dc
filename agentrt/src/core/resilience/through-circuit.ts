import type { CallOutcome, CircuitBreaker } from "./circuit-breaker.ts";

/**
 * Does a piece of work if the circuit lets it through, and tells the circuit what came of it.
 *
 * @param breaker The circuit; undefined where there is none.
 * @param work What is done.
 * @param outcomeOf Says of an error whether the target is to blame.
 * @returns What the work gives.
 * @throws AGENTRT_CIRCUIT_OPEN, and then nothing was done; what the work throws.
 */
export async function throughCircuit<Result>(
  breaker: CircuitBreaker | undefined,
  work: () => PromiseLike<Result>,
  outcomeOf: (error: unknown) => CallOutcome,
): Promise<Result> {
  if (breaker === undefined) return await work();
  const permit = breaker.acquire();
  try {
    const result = await work();
    permit.settle("success");
    return result;
  } catch (error) {
    permit.settle(outcomeOf(error));
    throw error;
  }
}
