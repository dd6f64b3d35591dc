import type { CommandDefinition } from "../command.ts";

/** `codetool exists <pattern>`: whether a text stands anywhere. */
export const existsCommand: CommandDefinition = {
  name: "exists",
  summary: "tell whether a text or a path is there at all, in the time of a look",
  examples: [
    { commandLine: "codetool exists parseConfig", remark: "by the index where there is one" },
    {
      commandLine: "codetool exists --exact 'TODO(ada)' src",
      remark: "never a probable yes, whatever there is to read",
    },
    { commandLine: "codetool exists src/server.ts", remark: "a path is there or not" },
  ],
  positionals: [
    { name: "pattern", isRequired: true, summary: "the text, as it stands, or a path" },
    { name: "path", isRequired: false, summary: "the folder or file to look in (default .)" },
  ],
  flags: [
    { name: "exact", kind: "boolean", summary: "look up also what takes long to be sure of" },
  ],
  isBatchable: true,
  run: async (input, context) => {
    const { runExists } = await import("./run.ts");
    return await runExists(input, context);
  },
  renderPlain: (data) => (data["exists"] === true ? "yes\n" : "no\n"),
};
