import { defineCommand } from "../define-command.ts";
import { drawBench } from "./draw-bench.ts";
import { benchInput } from "./input.ts";

/** `codetool bench [path]`: this tool and the Unix way, side by side. */
export const benchCommand = defineCommand({
  name: "bench",
  summary: "codetool and grep, cat, find and git side by side on a tree: tokens and time",
  examples: [
    { commandLine: "codetool bench --plain", remark: "questions about names that the tree has" },
    { commandLine: "codetool bench ../other-project", remark: "of another tree" },
  ],
  ...benchInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).benchAnswer,
  isUncounted: true,
  run: async (input, context) => {
    const { runBench } = await import("./run.ts");
    return await runBench(input, context);
  },
  renderPlain: drawBench,
});
