import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool read`: one file, whole or in part, with its hash and outline. */
export const readCommand: CommandDefinition = {
  name: "read",
  summary: "read a file, or lines, outline or skeleton of it, with a content hash",
  examples: [
    {
      commandLine: "codetool read src/server.ts --lines 40-80",
      remark: "lines 40 to 80, both included, and the symbols they belong to",
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
      remark: "as many lines from the first as fit 800 tokens",
    },
    {
      commandLine: "codetool read src/server.ts --mode diff",
      remark: "the lines that are not as in the last commit",
    },
  ],
  positionals: [{ name: "file", aliases: ["path"], isRequired: true, summary: "the file to read" }],
  flags: [
    {
      name: "lines",
      kind: "string",
      placeholder: "N|N-M",
      summary: "one line or a range, counted from 1, both ends included",
    },
    {
      name: "mode",
      kind: "string",
      placeholder: "MODE",
      choices: ["aggressive", "diff", "entropy"],
      summary:
        "aggressive: no comments, no runs of blank lines; diff: lines that are not as in HEAD, as +L<n>: and -L<n>:, all where git has no HEAD of it; entropy: of lines alike but for digits the first three",
    },
    {
      name: "snap",
      kind: "string",
      placeholder: "KIND",
      choices: ["function", "fn", "class", "block"],
      summary: "with --lines: all of what the lines stand in",
    },
    { name: "outline", kind: "boolean", summary: "the symbols alone; with --skeleton both" },
    {
      name: "skeleton",
      kind: "boolean",
      summary: "signatures and first lines of documentation; bodies become an ellipsis",
    },
    { name: "hash", kind: "boolean", summary: "the hash and the other metadata alone" },
    { name: "meta", kind: "boolean", summary: "the same as --hash" },
    {
      name: "if_changed",
      kind: "string",
      placeholder: "HASH",
      summary: "answer with a stub when the file still has this hash",
    },
  ],
  isBatchable: true,
  run: async (input, context) => {
    const { readFilePayload } = await import("./run.ts");
    return await readFilePayload(input, context);
  },
  renderPlain,
};

interface PlainReadData {
  readonly cached?: boolean;
  readonly meta: { readonly [name: string]: unknown };
  readonly content?: { readonly text: string } | null;
  readonly outline?:
    | readonly {
        readonly kind: string;
        readonly name: string;
        readonly lines: { readonly start: number; readonly end: number };
        readonly signature: string;
      }[]
    | null;
}

/** The text itself, like cat; else the outline, one symbol a line; else the metadata, one value a line. */
function renderPlain(data: CommandResult["data"]): string {
  const payload = data as unknown as PlainReadData;
  if (payload.cached === true) return `unchanged ${String(payload.meta["hash"])}\n`;
  if (payload.content !== null && payload.content !== undefined) return payload.content.text;
  if (payload.outline !== null && payload.outline !== undefined)
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
