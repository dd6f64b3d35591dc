import type { Invariant } from "../invariant.ts";

/** A suspended agent begins no message but those with a priority above 0. */
export function suspendedWait(): Invariant {
  return {
    name: "suspended-wait",
    onFact: (fact, view) => {
      if (fact.type !== "handling" || fact.sent === undefined) return undefined;
      const { name } = fact.life;
      if (fact.sent.message.priority > 0 || !view.isSuspended(name)) return undefined;
      return `"${name}" handles a message while it is suspended`;
    },
  };
}
