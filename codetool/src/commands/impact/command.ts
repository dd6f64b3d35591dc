import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool impact <file>`: who depends on a file, or on a symbol of it. */
export const impactCommand: CommandDefinition = {
  name: "impact",
  summary: "list the files that depend on a file or on a symbol of it, and how sure that is",
  examples: [
    { commandLine: "codetool impact src/server.ts", remark: "all that reach it, nearest first" },
    {
      commandLine: "codetool impact src/server.ts --symbol listen --hops 1",
      remark: "the files that use one symbol themselves; Class/method names a member",
    },
    {
      commandLine: "codetool impact src/server.ts --no-tests --budget 1000",
      remark: "the nearest that fit 1000 tokens, tests left out",
    },
  ],
  positionals: [
    { name: "file", aliases: ["path"], isRequired: true, summary: "the file that would change" },
  ],
  flags: [
    {
      name: "symbol",
      kind: "string",
      placeholder: "NAME",
      summary: "only those who use this symbol, and who depends on them; Class/method for a member",
    },
    {
      name: "hops",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      summary: "at most N imports away (default all that can be reached)",
    },
    { name: "no_tests", kind: "boolean", summary: "leave tests out of the list" },
  ],
  isBatchable: true,
  run: async (input, context) => {
    const { runImpact } = await import("./run.ts");
    return await runImpact(input, context);
  },
  renderPlain,
};

interface PlainDependent {
  readonly file: string;
  readonly hops: number;
  readonly symbols_used: readonly string[];
  readonly confidence: string;
}

/** One file a line: hops, how sure it is, its path, and what it uses. */
function renderPlain(data: CommandResult["data"]): string {
  const dependents = data["dependents"] as readonly PlainDependent[];
  const { direct, transitive, test_files } = data["stats"] as {
    readonly [name: string]: number;
  };
  const lines = dependents.map(({ file, hops, symbols_used, confidence }) => {
    const used = symbols_used.length === 0 ? "" : `  (${symbols_used.join(", ")})`;
    return `${hops} ${confidence.padEnd("resolved".length)} ${file}${used}\n`;
  });
  return `${lines.join("")}${direct} direct, ${transitive} transitive, ${test_files} of them tests\n`;
}
