import type { InputDefinition, InputOf } from "../command.ts";

/** What `impact` takes. */
export const impactInput = {
  positionals: [
    {
      name: "file",
      isPath: true,
      aliases: ["path"],
      isRequired: true,
      summary: "the file that would change",
    },
  ],
  flags: [
    {
      name: "symbol",
      kind: "string",
      placeholder: "NAME",
      summary: "only files that use this symbol, and their dependents; Class/method for a member",
    },
    {
      name: "hops",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      summary: "at most N imports away (default all that can be reached)",
    },
    {
      name: "by_name",
      kind: "boolean",
      summary:
        "with --symbol: also files that are known only by names of their package, not by the symbol",
    },
    { name: "no_tests", kind: "boolean", summary: "leave tests out of the list" },
  ],
} as const satisfies InputDefinition;

/** The input of `impact`, checked. */
export type ImpactInput = InputOf<typeof impactInput>;
