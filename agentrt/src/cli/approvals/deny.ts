import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { decide, noteFlag } from "./decide.ts";
import { approvalArgument } from "./show.ts";

/** `agentrt approvals deny`. */
export const approvalsDenyCommand: CommandSpec = {
  words: ["approvals", "deny"],
  summary: "deny what an agent asked for: that one, once",
  arguments: [approvalArgument],
  flags: [noteFlag, ...controlFlags],
  examples: [
    ['agentrt approvals deny 0192f1c4 --note "too much"', "its agent goes on without it"],
    ["agentrt approvals deny 0192f1c4 --json", "the same, with the answer for a script"],
  ],
  run: async (input, io) => await decide("deny", input, io),
};
