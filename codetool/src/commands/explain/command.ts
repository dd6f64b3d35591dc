import { defineCommand } from "../define-command.ts";
import { explainInput } from "./input.ts";
import { renderPlainExplanation } from "./plain.ts";

/** `codetool explain <symbol>`: what it is, who uses it, what it uses, its tests and its latest commits. */
export const explainCommand = defineCommand({
  name: "explain",
  summary: "explain a symbol: definition, documentation, callers, callees, tests, latest commits",
  examples: [
    {
      commandLine: "codetool explain parseConfig",
      remark: "of several definitions the one that most depends on; the others are listed",
    },
    {
      commandLine: "codetool explain Server.listen --no-code --plain",
      remark: "a member, without its text, for people",
    },
    {
      commandLine: "codetool explain src/server.ts:listen --budget 800",
      remark: "the one in a file, the most telling that fits 800 tokens (default 2000)",
    },
  ],
  ...explainInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).explainAnswer,
  run: async (input, context) => {
    const { runExplain } = await import("./run.ts");
    return await runExplain(input, context);
  },
  renderPlain: renderPlainExplanation,
});
