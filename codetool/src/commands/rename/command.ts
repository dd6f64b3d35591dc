import { defineCommand } from "../define-command.ts";
import { renameInput } from "./input.ts";
import { renderPlainRename } from "./plain.ts";

/** `codetool rename <old> <new>`: renames a definition and what resolves to it. */
export const renameCommand = defineCommand({
  name: "rename",
  summary: "rename a definition or a member and all that resolves to it; a dry run without --apply",
  examples: [
    {
      commandLine: "codetool rename parseConfig readConfig",
      remark: "shows each file that would change, and lists what cannot be resolved and is left",
    },
    {
      commandLine: "codetool rename parse read --in-file src/config.ts --apply",
      remark: "of several definitions the one in this file; all files are written, or none",
    },
    {
      commandLine: "codetool rename Reader.parse read",
      remark:
        "a member: with all types that share it, where the type before the dot is written down",
    },
  ],
  ...renameInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).renameAnswer,
  isWriting: true,
  run: async (input, context) => {
    const { runRename } = await import("./run.ts");
    return await runRename(input, context);
  },
  renderPlain: renderPlainRename,
});
