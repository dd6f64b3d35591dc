import { agentErrors } from "../../core/index.ts";
import type { Invariant } from "../invariant.ts";
import { describe } from "./replies.ts";

/** A stop with a grace answers what was accepted before: within it no call fails because its agent has stopped. */
export function drainAnswers(): Invariant {
  return {
    name: "drain-answers",
    onFact: (fact, view) => {
      if (fact.type !== "refused" || view.stopAskedAtMs === undefined) return undefined;
      const { call, error } = fact;
      if (!(error instanceof agentErrors.STOPPED)) return undefined;
      const graceEndMs = view.stopAskedAtMs + view.graceMs;
      const { arrivedAtMs = Number.POSITIVE_INFINITY, agent = call.to } = call.sent ?? {};
      if (arrivedAtMs >= view.stopAskedAtMs || view.atMs >= graceEndMs) return undefined;
      const life = view.lives.get(agent);
      // One that has crashed or ended itself, and one that waits for somebody, are not waited for.
      const isDown = life?.crashedAtMs !== undefined || life?.hasStoppedItself === true;
      if (isDown || view.isSuspended(agent)) return undefined;
      for (const { kind, name } of view.openRequests) {
        if (kind === "stopAgent" && name === agent) return undefined;
      }
      return `${describe(call)} was accepted before the stop, and is not answered within its grace`;
    },
  };
}
