import type { InputDefinition, InputOf } from "../command.ts";

/** What `run` takes. */
export const runProgramInput = {
  positionals: [
    {
      name: "command",
      isRequired: true,
      isVariadic: true,
      takesRest: true,
      isOneAllowed: true,
      summary: "the program and its arguments, run as they are, without a shell",
    },
  ],
  flags: [
    { name: "raw", kind: "boolean", summary: "the output as printed, not parsed" },
    {
      name: "exit_code",
      kind: "boolean",
      summary: "exit as the command did, 124 when its time was over (default 0: the answer tells)",
    },
    { name: "full", kind: "boolean", summary: "the whole output, in addition to the summary" },
    {
      name: "auto_json",
      kind: "boolean",
      summary: "add the tool's own flag for JSON output, if it has one",
    },
    {
      name: "timeout",
      kind: "integer",
      placeholder: "SECONDS",
      minimum: 1,
      maximum: 86_400,
      summary: "end it and all it started after this long (default 300)",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `run`, checked. */
export type RunProgramInput = InputOf<typeof runProgramInput>;
