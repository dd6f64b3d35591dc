import type { Invariant } from "../invariant.ts";

/** A suspended agent begins no message but those with a priority above 0. */
export function suspendedWait(): Invariant {
  return {
    name: "suspended-wait",
    onFact: (fact, view) => {
      if (fact.type !== "handling" || fact.sent === undefined) return undefined;
      const { name } = fact.life;
      if (fact.sent.message.priority > 0) return undefined;
      const pool = view.plan.poolOf(name)?.name;
      // The members of a suspended pool hear nothing of it, and take nothing more of what was sent to the pool.
      if (pool === fact.sent.agent && view.isSuspended(pool)) {
        return `"${name}" handles a message of "${pool}" while that is suspended`;
      }
      if (!view.isSuspended(name)) return undefined;
      return `"${name}" handles a message while it is suspended`;
    },
  };
}
