import { defineCommand } from "../define-command.ts";
import { statsInput } from "./input.ts";

/** `codetool stats`: what the calls so far have saved. */
export const statsCommand = defineCommand({
  name: "stats",
  summary: "tokens that the calls so far have saved against the Unix way",
  examples: [
    { commandLine: "codetool stats --plain", remark: "the last hour, the last day, all time" },
    { commandLine: "codetool stats --verbose", remark: "of each command, compared" },
    { commandLine: "codetool stats --reset", remark: "begin again" },
  ],
  ...statsInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).statsAnswer,
  // With `--reset`.
  isWriting: true,
  isUncounted: true,
  run: async (input, context) => {
    const { runStats } = await import("./run.ts");
    return await runStats(input, context);
  },
  // `runStats` gives the text, because it may have colours.
  renderPlain: () => "",
});
