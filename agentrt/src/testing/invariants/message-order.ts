import type { Invariant } from "../invariant.ts";

/**
 * Messages of one sender to one receiver are handled in the order in which they were sent, over restarts too; those to a
 * pool in any order, but once.
 */
export function messageOrder(): Invariant {
  const latest = new Map<string, number>();
  return {
    name: "message-order",
    onFact: (fact, view) => {
      if (fact.type !== "handling" || fact.sent === undefined) return;
      const { way, position, life, outcome, message } = fact.sent;
      const isOrdered = view.plan.supervisorOf(message.recipient)?.spec.pool === undefined;
      const before = latest.get(way) ?? 0;
      if (isOrdered && position < before) {
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
