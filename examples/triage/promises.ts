/** What a ticket promises, and work that could break it, for `agentrt sim`. */
import type { Workload } from "agentrt/testing";

/** Three tickets get messages. What a ticket has told to be kept, no crash may take back. */
export const tickets: Workload = async ({ stream, sleep, random }) => {
  const told = new Map<string, number>();
  for (let asked = 0; asked < 15; asked += 1) {
    const ticket = `ticket-${Math.floor(random() * 3)}`;
    for await (const { turns } of stream("ticket", { ticket, text: "Where is it?" })) {
      if (typeof turns !== "number") continue;
      const before = told.get(ticket) ?? 0;
      if (turns <= before) throw new Error(`${ticket} has ${turns} turns after ${before}`);
      told.set(ticket, turns);
    }
    await sleep(random() * 1000);
  }
};
