import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { parsePayload } from "../parse-payload.ts";
import { decide, noteFlag } from "./decide.ts";
import { approvalArgument } from "./show.ts";

/** `agentrt approvals approve`. */
export const approvalsApproveCommand: CommandSpec = {
  words: ["approvals", "approve"],
  summary: "approve what an agent asked for: that one, once",
  arguments: [approvalArgument],
  flags: [
    noteFlag,
    {
      name: "payload",
      value: "json",
      summary: "approve this in place of the payload; it has to fit the schema of the approval",
    },
    ...controlFlags,
  ],
  examples: [
    ['agentrt approvals approve 0192f1c4 --note "as agreed"', "lets its agent go on"],
    [`agentrt approvals approve 0192f1c4 --payload '{"amount":100}'`, "approves something else"],
  ],
  run: async (input, io) => {
    const text = input.text("payload");
    const payload = text === undefined ? undefined : parsePayload(text, "approvals approve");
    return await decide("approve", input, io, payload);
  },
};
