import type { JsonObject, PricedCall, ReservationEnd } from "../../core/index.ts";
import { objectOf, textOf } from "../protocol.ts";

/** The types of control messages about budgets. */
export const budgetTypes = {
  /** Worker: an agent of it is about to ask a model. Answered when what that may cost is held back. */
  hold: "_agency.budget_hold",
  /** Worker: what became of that. */
  end: "_agency.budget_end",
} as const;

/** Writes what is to be held back. */
export function callPayload(call: PricedCall): JsonObject {
  const { agent, provider, model, isPriced, usd, tokens } = call;
  return { agent, provider, model, is_priced: isPriced, usd, tokens };
}

/** Reads it. @throws TypeError for amounts that are none. */
export function readCall(payload: JsonObject): PricedCall {
  const { agent, provider, model, is_priced: isPriced } = payload;
  return {
    agent: textOf(agent),
    provider: textOf(provider),
    model: textOf(model),
    isPriced: isPriced === true,
    ...amountOf(payload),
  };
}

/** Writes how it ends. */
export function endPayload(how: ReservationEnd): JsonObject {
  return how.kind === "settle" ? { kind: "settle", used: { ...how.used } } : { kind: how.kind };
}

/** Reads it: what cannot be read counts as spent. */
export function readEnd({ kind, used }: JsonObject): ReservationEnd {
  if (kind === "release") return { kind };
  if (kind !== "settle") return { kind: "forfeit" };
  return { kind, used: amountOf(objectOf(used)) };
}

function amountOf({ usd, tokens }: JsonObject): { readonly usd: number; readonly tokens: number } {
  const isAmount = (value: unknown): value is number =>
    typeof value === "number" && value >= 0 && Number.isFinite(value);
  if (isAmount(usd) && isAmount(tokens)) return { usd, tokens };
  throw new TypeError("What a call of a model costs is not a number");
}
