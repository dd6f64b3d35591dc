import { defineCommand } from "../define-command.ts";
import { editInput } from "./input.ts";
import { renderPlainEdit } from "./plain.ts";

/** `codetool edit`: replaces text in files, or lines at a symbol; only shows the result unless `--apply` is given. */
export const editCommand = defineCommand({
  name: "edit",
  summary: "replace text in files, literally, by pattern or by symbol; a dry run without --apply",
  examples: [
    {
      commandLine: `codetool edit src/server.ts --find "retries: 3" --replace "retries: 5"`,
      remark: "shows the first occurrence replaced, and writes nothing",
    },
    {
      commandLine: `codetool edit src/server.ts --find oldName --replace newName --all --apply`,
      remark: "replaces all and writes the file, unless the result is not valid syntax any more",
    },
    {
      commandLine: `codetool edit src/server.ts --in-function Server/start --find 80 --replace 8080`,
      remark: "looks only in this method",
    },
    {
      commandLine: `codetool edit a.py b.py --regex --find "get_(\\w+)\\(" --replace "fetch_$1(" --all`,
      remark: "a pattern with a group, in several files: all of them are written, or none",
    },
    {
      commandLine: `codetool edit --structural 'connect($HOST)' --replace 'connect($HOST, 5)' src -g '!*.test.ts'`,
      remark: "a call with an argument more, in all files of a folder that have one",
    },
    {
      commandLine: `codetool edit src/server.ts --replace-body Server/stop --text "this.#socket.close();"`,
      remark:
        "a new body for a method, indented as the old one; --text - reads it from standard input",
    },
  ],
  ...editInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).editAnswer,
  isWriting: true,
  run: async (input, context) => {
    const { runEdit } = await import("./run.ts");
    return await runEdit(input, context);
  },
  renderPlain: renderPlainEdit,
});
