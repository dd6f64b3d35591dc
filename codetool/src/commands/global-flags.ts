import type { FlagDefinition } from "./command.ts";

/** The budget: the one global flag that commands see, on the command line and in `batch` alike. */
export const budgetFlag: FlagDefinition = {
  name: "budget",
  kind: "integer",
  placeholder: "N",
  minimum: 1,
  summary: "most tokens of the answer's data, counted exactly with o200k_base (default unlimited)",
};

/** Flags that every command line takes. */
export const globalFlags: readonly FlagDefinition[] = [
  { name: "json", kind: "boolean", summary: "print one JSON envelope (default)" },
  { name: "plain", kind: "boolean", summary: "print text for people instead" },
  budgetFlag,
  {
    name: "quiet",
    kind: "boolean",
    short: "q",
    summary: "print no log and no warnings to standard error",
  },
  {
    name: "no_fallback",
    kind: "boolean",
    summary: "on an internal failure, fail instead of answering with grep, cat, find or git",
  },
  {
    name: "no_serve",
    kind: "boolean",
    summary: "answer in this process, also where `codetool serve` runs",
  },
  { name: "help", kind: "boolean", short: "h", summary: "show examples, arguments and flags" },
  { name: "version", kind: "boolean", short: "V", summary: "show the version" },
];
