import { printable } from "../../core/index.ts";
import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { safeJson } from "../safe-json.ts";
import { approvalsTable } from "./approval-text.ts";
import { controlQuestions } from "./control-questions.ts";
import { listApprovals } from "./find-approval.ts";

/** `agentrt approvals list`. */
export const approvalsListCommand: CommandSpec = {
  words: ["approvals", "list"],
  summary: "list what agents of a running topology asked people to approve",
  flags: [
    {
      name: "status",
      value: "name",
      summary: "which of them",
      default: "pending",
      choices: ["pending", "approved", "denied", "expired", "all"],
    },
    { name: "agent", value: "name", summary: "only those of an agent, or of all keys of one" },
    ...controlFlags,
  ],
  examples: [
    ["agentrt approvals list", "lists what waits in the topology of ./topology.yaml"],
    ["agentrt approvals list --agent ticket --status all --json", "prints all of one for a script"],
  ],
  run: async (input, io) => {
    const ask = await controlQuestions(input, io);
    const [status = "pending", agent] = [input.text("status"), input.text("agent")];
    const filters = [
      ...(status === "all" ? [] : [`&status=${status}`]),
      ...(agent === undefined ? [] : [`&agent=${encodeURIComponent(agent.toWellFormed())}`]),
    ];
    const { approvals, unreadGroups } = await listApprovals(ask, filters.join(""));
    const isWhole = unreadGroups.length === 0;
    const unread = isWhole ? {} : { groups_unread: unreadGroups };
    if (input.isSet("json")) io.print(`${safeJson({ approvals, ...unread }, { indent: 2 })}\n`);
    else if (approvals.length > 0) io.print(approvalsTable(approvals));
    else if (isWhole)
      io.tell(status === "pending" ? "nothing waits for an approval" : "there are none");
    if (isWhole) return 0;
    const groups = printable(unreadGroups.join(", "));
    io.tell(`some are missing: the states of process group ${groups} cannot be read`);
    return 1;
  },
};
