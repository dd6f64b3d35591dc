import { defineCommand } from "../define-command.ts";
import { diffInput } from "./input.ts";
import { renderPlainDiff } from "./plain.ts";

/** `codetool diff [file]`: what changed, by function, and what that means. */
export const diffCommand = defineCommand({
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
  ...diffInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).diffAnswer,
  run: async (input, context) => {
    const { runDiff } = await import("./run.ts");
    return await runDiff(input, context);
  },
  unixEquivalent: async (input) => {
    const { diffEquivalent } = await import("../fallback/index.ts");
    return diffEquivalent(input);
  },
  renderPlain: renderPlainDiff,
});
