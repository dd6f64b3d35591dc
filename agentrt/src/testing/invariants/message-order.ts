import type { Invariant } from "../invariant.ts";

/** Messages of one sender to one receiver are handled in the order in which they were sent, over restarts too. */
export function messageOrder(): Invariant {
  const latest = new Map<string, number>();
  return {
    name: "message-order",
    onFact: (fact) => {
      if (fact.type !== "handling" || fact.sent === undefined) return;
      const { way, position, life, outcome } = fact.sent;
      const before = latest.get(way) ?? 0;
      if (position < before) {
        return `"${fact.life.name}" handles message ${position} of ${way} after message ${before}`;
      }
      latest.set(way, position);
      if (outcome === "handled") {
        return `"${fact.life.name}" handles message ${position} of ${way} again after it was done`;
      }
      if (life !== undefined && life !== fact.life) {
        return `message ${position} of ${way} is handled by two incarnations of "${fact.life.name}"`;
      }
      return undefined;
    },
  };
}
