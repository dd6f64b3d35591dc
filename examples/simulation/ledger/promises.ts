import type { Invariant, Workload } from "agentrt/testing";
import { balanceOf } from "./agents.ts";

/** What this tree promises beyond what every tree does: no coin is made, and at most those on their way are missing. */
export function promises(): Invariant[] {
  return [
    {
      name: "no-coin-is-made",
      onQuiet: ({ stateOf }) => {
        const alice = stateOf("alice");
        const bob = stateOf("bob");
        if (alice === undefined || bob === undefined) return undefined;
        const sum = balanceOf(alice) + balanceOf(bob);
        return sum > 0 ? `the accounts hold ${sum} coins more than they began with` : undefined;
      },
    },
  ];
}

/** Transfers and looks at the accounts, side by side. */
export const transfers: Workload = async ({ call, sleep, random }) => {
  for (let count = 0; count < 30; count += 1) {
    const to = random() < 0.7 ? "bank" : random() < 0.5 ? "alice" : "bob";
    call(to, {}).catch(() => undefined);
    await sleep(random() * 2000);
  }
};
