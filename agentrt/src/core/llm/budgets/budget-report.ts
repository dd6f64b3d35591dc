import type { BudgetPeriod } from "./budget-options.ts";

/** A budget and what was spent of it: a picture of one moment. */
export interface BudgetReport {
  /** The agent or supervisor, or the key (`ticket/4711`), that may spend it. */
  readonly name: string;
  readonly per: BudgetPeriod;
  /** Null where no limit is set. */
  readonly limitUsd: number | null;
  /** Null where no limit is set. */
  readonly limitTokens: number | null;
  /** With what the unsettled calls had reserved. */
  readonly spentUsd: number;
  readonly spentTokens: number;
  /** Held back for calls that run. */
  readonly reservedUsd: number;
  readonly reservedTokens: number;
  /** Calls whose cost is known. */
  readonly callCount: number;
  /** Calls of which nobody knows what they cost: they were cut off, or the process ended. */
  readonly unsettledCallCount: number;
  /** What these had reserved; it is part of what is spent. */
  readonly unsettledUsd: number;
  readonly unsettledTokens: number;
  /** Beginning of the hour, milliseconds since the Unix epoch; null without one. */
  readonly periodStartMs: number | null;
  /** When it begins again, milliseconds since the Unix epoch; null when only a reset helps. */
  readonly freesAtMs: number | null;
}
