import type { CommandDefinition, CommandResult } from "../command.ts";
import { renderPlainDiff } from "./plain.ts";

/** `codetool diff [file]`: what changed, by function, and what that means. */
export const diffCommand: CommandDefinition = {
  name: "diff",
  summary: "show what changed since a commit, by function, and what it means",
  examples: [
    {
      commandLine: "codetool diff",
      remark: "everything that is not committed, untracked files too",
    },
    { commandLine: "codetool diff src --stat-only", remark: "how much changed below src" },
    {
      commandLine: "codetool diff --since main...HEAD",
      remark: "what a branch did since it left main",
    },
    {
      commandLine: "codetool diff --staged --functions",
      remark: "which functions a commit would change",
    },
  ],
  positionals: [
    {
      name: "file",
      aliases: ["path"],
      isRequired: false,
      summary: "a file or a folder (default everything)",
    },
  ],
  flags: [
    {
      name: "since",
      kind: "string",
      placeholder: "REF",
      summary: "a commit, branch or tag (default HEAD), or two: A..B, A...B since they parted",
    },
    { name: "staged", kind: "boolean", summary: "what is staged instead of the working tree" },
    { name: "stat_only", kind: "boolean", summary: "counts and a few names, no lines" },
    { name: "functions", kind: "boolean", summary: "the functions that changed, no lines" },
  ],
  isBatchable: true,
  run: async (input, context): Promise<CommandResult> => {
    const { runDiff } = await import("./run.ts");
    return await runDiff(input, context);
  },
  renderPlain: (data) => renderPlainDiff(data),
};
