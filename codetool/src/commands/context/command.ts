import { defineCommand } from "../define-command.ts";
import { contextInput } from "./input.ts";
import type { ContextEdge } from "./edges.ts";
import type { ContextPayload } from "./payload.ts";

/** `codetool context <directory>`: what one should know of a module before working in it. */
export const contextCommand = defineCommand({
  name: "context",
  summary: "pack a folder or a file: documentation, entrypoints, skeletons and who imports what",
  examples: [
    {
      commandLine: "codetool context src/auth --budget 1500",
      remark: "the best of a module; default 4000 tokens",
    },
    { commandLine: "codetool context src/auth/token.ts", remark: "a file and its neighbours" },
    {
      commandLine: "codetool context . --depth 2 --no-edges",
      remark: "two levels of the project, without imports",
    },
  ],
  ...contextInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).contextAnswer,
  run: async (input, context) => {
    const { runContext } = await import("./run.ts");
    return await runContext(input, context);
  },
  renderPlain,
});

/** The parts one after the other, each under a line that says what it is. */
function renderPlain(data: ContextPayload): string {
  const { stats, doc, entrypoints, files, edges } = data;
  const languages = Object.entries(stats.languages).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `${data.target}: ${stats.files} files, ${stats.lines} lines, ${stats.symbols} symbols (${languages.join(", ")})`,
  ];
  if (doc !== undefined)
    lines.push("", `${doc.source}:`, doc.text, ...(doc.truncated ? ["…"] : []));
  if (entrypoints.length > 0) {
    lines.push("", "used most:");
    for (const { file, line, signature, ref_count } of entrypoints)
      lines.push(`  ${String(ref_count).padStart(4)}  ${file}:${line}  ${signature}`);
  }
  const edgeLine = ({ file, symbols }: ContextEdge): string => `  ${file}: ${symbols.join(", ")}`;
  if (edges !== undefined && edges.imports_in.length > 0)
    lines.push("", "imported by:", ...edges.imports_in.map(edgeLine));
  if (edges !== undefined && edges.imports_out.length > 0)
    lines.push("", "imports:", ...edges.imports_out.map(edgeLine));
  for (const { path, lines: count, skeleton } of files) {
    lines.push("", `${path} (${count} lines)`);
    for (const line of skeleton) lines.push(`  ${line}`);
  }
  if (data.truncated) lines.push("", "more did not fit");
  return `${lines.join("\n")}\n`;
}
