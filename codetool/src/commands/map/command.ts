import { defineCommand } from "../define-command.ts";
import { mapInput } from "./input.ts";
import type { MapPayload } from "./payload.ts";

/** `codetool map [path]`: what one should know of a tree before anything else. */
export const mapCommand = defineCommand({
  name: "map",
  summary: "map a tree: its most used symbols by file, best first, within a budget",
  examples: [
    {
      commandLine: "codetool map --plain",
      remark: "signatures by file, ready for a context (default 1000 tokens)",
    },
    { commandLine: "codetool map src --budget 3000", remark: "more of one folder" },
    {
      commandLine: "codetool map --focus src/server.ts --focus src/router.ts",
      remark: "what matters for work on these files",
    },
  ],
  ...mapInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).mapAnswer,
  run: async (input, context) => {
    const { runMap } = await import("./run.ts");
    return await runMap(input, context);
  },
  renderPlain,
});

/** Files, each with a line for each symbol: its line, and its declaration. */
function renderPlain({ files }: MapPayload): string {
  const parts = files.map(
    ({ path, symbols }) => `${path}:\n${symbols.map((symbol) => `  ${symbol}\n`).join("")}`,
  );
  return parts.length === 0 ? "no symbols\n" : parts.join("\n");
}
