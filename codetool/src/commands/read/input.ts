import type { InputDefinition, InputOf } from "../command.ts";

/** What `read` takes. */
export const readInput = {
  positionals: [
    {
      name: "file",
      isPath: true,
      aliases: ["path"],
      isRequired: true,
      summary: "the file to read, also with its lines: file:7, file:7-12",
    },
  ],
  flags: [
    {
      name: "lines",
      kind: "string",
      placeholder: "N|N-M",
      summary: "one line or a range, counted from 1, both ends included",
    },
    {
      name: "symbol",
      kind: "string",
      placeholder: "NAME",
      summary: "the lines of a function, type or member; Class/method for one of several",
    },
    { name: "number", kind: "boolean", short: "n", summary: "the number of each line before it" },
    {
      name: "mode",
      kind: "string",
      placeholder: "MODE",
      choices: ["aggressive", "diff", "entropy"],
      summary:
        "aggressive: no comments, at most one blank line in a row; diff: only lines changed since HEAD, as +L<n>: and -L<n>: (the whole text if git does not have the file); entropy: of lines that differ only in digits, the first three",
    },
    {
      name: "snap",
      kind: "string",
      placeholder: "KIND",
      choices: ["function", "fn", "class", "block"],
      summary: "with --lines: widen them to the whole function, class or block around them",
    },
    {
      name: "outline",
      kind: "boolean",
      summary: "only the symbols; with --lines, --symbol and --skeleton both",
    },
    {
      name: "skeleton",
      kind: "boolean",
      summary: "signatures and first lines of documentation; bodies become an ellipsis",
    },
    { name: "hash", kind: "boolean", summary: "only the hash and the other metadata" },
    { name: "meta", kind: "boolean", summary: "the same as --hash" },
    {
      name: "if_changed",
      kind: "string",
      placeholder: "HASH",
      summary: "answer with a stub when the file still has this hash",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `read`, checked. */
export type ReadInput = InputOf<typeof readInput>;
