import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { safeJson } from "../safe-json.ts";
import { approvalText } from "./approval-text.ts";
import { controlQuestions } from "./control-questions.ts";
import { findApproval } from "./find-approval.ts";

/** The argument of the commands about one approval. */
export const approvalArgument = {
  name: "id",
  summary: "id of an approval, or its beginning where no other one begins so",
} as const;

/** `agentrt approvals show`. */
export const approvalsShowCommand: CommandSpec = {
  words: ["approvals", "show"],
  summary: "show an approval: its payload, what may be made of it, and who decided",
  arguments: [approvalArgument],
  flags: controlFlags,
  examples: [
    ["agentrt approvals show 0192f1c4-7d3e-7a21-9f00-4be1a7c0d1e2", "shows one with its payload"],
    ["agentrt approvals show 0192f1c4 --json", "the same for a script, by the beginning of its id"],
  ],
  run: async (input, io) => {
    const ask = await controlQuestions(input, io);
    const approval = await findApproval(ask, input.argument("id"), "show");
    io.print(
      input.isSet("json") ? `${safeJson(approval, { indent: 2 })}\n` : approvalText(approval),
    );
    return 0;
  },
};
