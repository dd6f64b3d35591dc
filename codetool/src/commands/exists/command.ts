import { defineCommand } from "../define-command.ts";
import { existsInput } from "./input.ts";

/** `codetool exists <pattern>`: whether a text or path exists anywhere. */
export const existsCommand = defineCommand({
  name: "exists",
  summary: "tell quickly whether a text or a path exists at all",
  examples: [
    { commandLine: "codetool exists parseConfig", remark: "uses the index if there is one" },
    {
      commandLine: "codetool exists --exact 'TODO(ada)' src",
      remark: "a certain answer, however much there is to read",
    },
    { commandLine: "codetool exists src/server.ts", remark: "a path is there or not" },
  ],
  ...existsInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).existsAnswer,
  run: async (input, context) => {
    const { runExists } = await import("./run.ts");
    return await runExists(input, context);
  },
  unixEquivalent: async (input) => {
    const { existsEquivalent } = await import("../fallback/index.ts");
    return existsEquivalent(input);
  },
  renderPlain: ({ exists }) => (exists ? "yes\n" : "no\n"),
});
