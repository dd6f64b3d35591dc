import { defineCommand } from "../define-command.ts";
import { impactInput } from "./input.ts";
import type { ImpactPayload } from "./payload.ts";

/** `codetool impact <file>`: who depends on a file, or on a symbol of it. */
export const impactCommand = defineCommand({
  name: "impact",
  summary: "list the files that depend on a file or on a symbol of it, and how sure that is",
  examples: [
    {
      commandLine: "codetool impact src/server.ts",
      remark: "all files that depend on it, nearest first",
    },
    {
      commandLine: "codetool impact src/server.ts --symbol listen --hops 1",
      remark:
        "only files that use the symbol directly, with the lines; Class/method names a member",
    },
    {
      commandLine: "codetool impact src/server.ts --no-tests --budget 1000",
      remark: "the nearest that fit 1000 tokens, tests left out",
    },
  ],
  ...impactInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).impactAnswer,
  run: async (input, context) => {
    const { runImpact } = await import("./run.ts");
    return await runImpact(input, context);
  },
  renderPlain,
});

/** One file a line: hops, how sure it is, its path, and what it uses; below it the lines that do. */
function renderPlain({ dependents, stats }: ImpactPayload): string {
  const { direct, transitive, test_files } = stats;
  const lines = dependents.map(({ file, hops, symbols_used, confidence, uses = [], more_uses }) => {
    const used = symbols_used.length === 0 ? "" : `  (${symbols_used.join(", ")})`;
    const shown = uses.map(({ line, text }) => `    ${file}:${line}: ${text}\n`).join("");
    const more = more_uses === undefined ? "" : `    and ${more_uses} more\n`;
    return `${hops} ${confidence.padEnd("resolved".length)} ${file}${used}\n${shown}${more}`;
  });
  return `${lines.join("")}${direct} direct, ${transitive} transitive, ${test_files} of them tests\n`;
}
