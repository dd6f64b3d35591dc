import { defineCommand } from "../define-command.ts";
import { readInput } from "./input.ts";
import type { ReadPayload } from "./payload.ts";

/** `codetool read`: one file, whole or in part, with its hash and outline. */
export const readCommand = defineCommand({
  name: "read",
  summary: "read a file, or lines, outline or skeleton of it, with a content hash",
  examples: [
    {
      commandLine: "codetool read src/server.ts --lines 40-80",
      remark: "lines 40 to 80, both included; src/server.ts:40-80 is the same",
    },
    {
      commandLine: "codetool read src/server.ts --symbol Server/listen --number",
      remark: "a method whole, with the numbers of its lines",
    },
    {
      commandLine: "codetool read src/server.ts --lines 60 --snap function",
      remark: "the whole function that line 60 is in",
    },
    {
      commandLine: "codetool read src/server.ts --skeleton",
      remark: "signatures and first lines of documentation, about a tenth of the tokens",
    },
    {
      commandLine: "codetool read src/server.ts --if-changed 99aa06d3014798d86001c324468d497f",
      remark: "a stub when the file still has this hash (`meta.hash` of an earlier read)",
    },
    {
      commandLine: "codetool read src/server.ts --budget 800",
      remark: "as many first lines as fit 800 tokens",
    },
    {
      commandLine: "codetool read src/server.ts --mode diff",
      remark: "the lines that changed since the last commit",
    },
  ],
  ...readInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).readAnswer,
  run: async (input, context) => {
    const { runRead } = await import("./run.ts");
    return await runRead(input, context);
  },
  unixEquivalent: async (input) => {
    const { readEquivalent } = await import("../fallback/index.ts");
    return readEquivalent(input);
  },
  renderPlain,
});

/** The text itself, like cat; else the outline, one symbol a line; else the metadata, one value a line. */
function renderPlain(payload: ReadPayload): string {
  if ("cached" in payload) return `unchanged ${payload.meta.hash}\n`;
  if (payload.content !== null) return payload.content.text;
  if (payload.outline !== null)
    return payload.outline
      .map(({ lines, kind, name, signature }) => {
        const range = `${lines.start}-${lines.end}`;
        return `${range}\t${kind} ${name}\t${signature}\n`;
      })
      .join("");
  return Object.entries(payload.meta)
    .map(([name, value]) => `${name}: ${String(value)}\n`)
    .join("");
}
