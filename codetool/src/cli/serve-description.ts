import type { CommandDescription } from "../commands/index.ts";

/** The row of `serve` for `--help` and argument parsing; it answers other processes and so is not a command of the table. */
export const serveDescription = {
  name: "serve",
  summary: "keep the index of a tree open, and answer later command lines in milliseconds",
  examples: [
    { commandLine: "codetool serve --detach", remark: "in the background, for this tree" },
    { commandLine: "codetool serve --status", remark: "which services of yours run" },
    { commandLine: "codetool serve --stop", remark: "end the one of this tree" },
    {
      commandLine: "CODETOOL_SERVE=auto codetool search 'retry policy'",
      remark: "the first question in a tree with an index starts it",
    },
  ],
  positionals: [
    { name: "path", isRequired: false, summary: "a folder of the tree (default: this one)" },
  ],
  flags: [
    { name: "detach", kind: "boolean", summary: "go on in the background" },
    { name: "status", kind: "boolean", summary: "show the services of this user" },
    { name: "stop", kind: "boolean", summary: "end the service of this tree" },
    {
      name: "idle_minutes",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      maximum: 10_080,
      summary: "end after so long without a question (default 15)",
    },
  ],
} as const satisfies CommandDescription;
