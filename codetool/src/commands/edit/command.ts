import type { CommandDefinition } from "../command.ts";
import { renderPlainEdit } from "./plain.ts";

/** `codetool edit`: replaces text in files, or lines at a symbol; shows what it would do, and does it with `--apply`. */
export const editCommand: CommandDefinition = {
  name: "edit",
  summary: "replace text in files, literally, by pattern or by symbol; a dry run without --apply",
  examples: [
    {
      commandLine: `codetool edit src/server.ts --find "retries: 3" --replace "retries: 5"`,
      remark: "shows the first occurrence replaced, and writes nothing",
    },
    {
      commandLine: `codetool edit src/server.ts --find oldName --replace newName --all --apply`,
      remark: "replaces all and writes the file, unless the result is no syntax any more",
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
      commandLine: `codetool edit src/server.ts --replace-body Server/stop --text "this.#socket.close();"`,
      remark:
        "a new body for a method, indented as the old one; --text - reads it from standard input",
    },
  ],
  positionals: [
    {
      name: "file",
      aliases: ["path", "files"],
      isRequired: true,
      isVariadic: true,
      isOneAllowed: true,
      summary: "the file to edit, or several: all of them are written, or none",
    },
  ],
  flags: [
    {
      name: "find",
      kind: "strings",
      placeholder: "TEXT",
      summary: "what is replaced; may span lines, and be given again with a --replace of its own",
    },
    { name: "replace", kind: "strings", placeholder: "TEXT", summary: "what it becomes" },
    {
      name: "regex",
      kind: "boolean",
      summary: "--find is a pattern; $1, ${name} and $$ stand for groups and a dollar",
    },
    { name: "all", kind: "boolean", summary: "every occurrence (default the first)" },
    {
      name: "in_function",
      kind: "string",
      placeholder: "NAME",
      summary: "only in this function or method: name, Class/name, or name:LINE",
    },
    {
      name: "in_class",
      kind: "string",
      placeholder: "NAME",
      summary: "only in this class or other type",
    },
    {
      name: "replace_body",
      kind: "string",
      placeholder: "SYMBOL",
      summary: "replaces the body of a symbol by --text; text that defines the symbol, all of it",
    },
    {
      name: "insert_before",
      kind: "string",
      placeholder: "SYMBOL",
      summary: "puts --text before a symbol and its comment",
    },
    {
      name: "insert_after",
      kind: "string",
      placeholder: "SYMBOL",
      summary: "puts --text after a symbol",
    },
    {
      name: "text",
      kind: "string",
      placeholder: "TEXT|-",
      summary: "the new lines at a symbol; - reads standard input",
    },
    { name: "apply", kind: "boolean", summary: "writes the files (default shows what would be)" },
    {
      name: "syntax_check",
      kind: "boolean",
      isOnByDefault: true,
      summary: "refuses an edit that adds an error of syntax",
    },
    {
      name: "expect_hash",
      kind: "string",
      placeholder: "HASH",
      summary: "edits only a file that still has this hash (`meta.hash` of a read)",
    },
  ],
  isBatchable: true,
  isWriting: true,
  run: async (input, context) => {
    const { runEdit } = await import("./run.ts");
    return await runEdit(input, context);
  },
  renderPlain: renderPlainEdit,
};
