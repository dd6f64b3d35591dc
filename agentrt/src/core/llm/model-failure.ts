import { TableError } from "../values/index.ts";
import type { CallOutcome } from "../resilience/index.ts";
import { circuitErrors } from "../resilience/index.ts";
import { modelErrors } from "./errors.ts";

const outages = [
  modelErrors.RATE_LIMITED,
  modelErrors.OVERLOADED,
  modelErrors.SERVER_FAILED,
  modelErrors.UNREACHABLE,
  modelErrors.TIMEOUT,
  modelErrors.STREAM_CUT,
  modelErrors.REPLY_INVALID,
] as const;
const answers = [modelErrors.REFUSED, modelErrors.TOOL_INPUT_INVALID] as const;
/** What makes a fallback no help, though the request may be right. */
const unfit = [modelErrors.REFUSED, modelErrors.KEY_MISSING, modelErrors.NO_MODEL] as const;

/** Says whether the provider is to blame, and not the request. Any error but those of our tables is the provider's fault. */
function isOutage(error: unknown): boolean {
  return !(error instanceof TableError) || outages.some((each) => error instanceof each);
}

/**
 * Says what an error of an attempt tells of the provider.
 *
 * @param error What the attempt failed with.
 * @param remainingMs Until the deadline of the whole call. A call that its deadline has ended waited for the provider.
 */
export function outcomeOfFailure(error: unknown, remainingMs: number): CallOutcome {
  if (isOutage(error)) return "failure";
  if (error instanceof modelErrors.CANCELLED && remainingMs <= 0) return "failure";
  return answers.some((each) => error instanceof each) ? "success" : "neutral";
}

/**
 * Says whether another provider is asked after an error.
 *
 * @param error What asking has failed with.
 * @param isFallback Whether a fallback was asked already: one that refuses the request, or cannot be asked, is passed over.
 */
export function isForFallback(error: unknown, isFallback: boolean): boolean {
  if (isOutage(error) || error instanceof circuitErrors.OPEN) return true;
  return isFallback && unfit.some((each) => error instanceof each);
}
