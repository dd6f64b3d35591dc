import type { InputDefinition, InputOf } from "../command.ts";

/** What `edit` takes. */
export const editInput = {
  positionals: [
    {
      name: "file",
      isPath: true,
      aliases: ["path", "files"],
      isRequired: true,
      isVariadic: true,
      isOneAllowed: true,
      summary: "files, folders and globs to edit: all files are written, or none",
    },
  ],
  flags: [
    {
      name: "find",
      kind: "strings",
      placeholder: "TEXT",
      summary: "the text to replace; may span lines; may repeat, each with its own --replace",
    },
    { name: "replace", kind: "strings", placeholder: "TEXT", summary: "the new text" },
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
      name: "structural",
      kind: "string",
      placeholder: "PATTERN",
      summary:
        "replaces all code that matches; $NAME is a node, $$$ARGS any number, also in --replace",
    },
    {
      name: "glob",
      kind: "strings",
      short: "g",
      placeholder: "GLOB",
      summary: "of folders only files that match, as find --pattern takes it; !GLOB leaves out",
    },
    {
      name: "type",
      kind: "strings",
      short: "t",
      aliases: ["lang", "language"],
      placeholder: "LANGUAGE",
      summary: "of folders only files in a language: its name or an extension (python, ts)",
    },
    {
      name: "replace_body",
      kind: "string",
      placeholder: "SYMBOL",
      summary: "replaces the body of a symbol by --text, or all of it if --text defines the symbol",
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
    {
      name: "apply",
      kind: "boolean",
      summary: "writes the files (default: only shows the result)",
    },
    {
      name: "syntax_check",
      kind: "boolean",
      isOnByDefault: true,
      summary: "refuses an edit that adds a syntax error",
    },
    {
      name: "expect_hash",
      kind: "string",
      placeholder: "HASH",
      summary: "edits only a file that still has this hash (`meta.hash` of a read)",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `edit`, checked. */
export type EditInput = InputOf<typeof editInput>;
