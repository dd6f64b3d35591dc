import { defineCommand } from "../define-command.ts";
import { indexInput } from "./input.ts";
import type { IndexPayload } from "./payload.ts";

/** `codetool index`: builds or updates the index of a project. */
export const indexCommand = defineCommand({
  name: "index",
  summary: "build the index of a project, or bring it up to date",
  examples: [
    {
      commandLine: "codetool index",
      remark: "the git work tree around this folder, else this folder",
    },
    { commandLine: "codetool index --stats", remark: "what the index holds" },
    { commandLine: "codetool index --rebuild", remark: "build it from scratch" },
    {
      commandLine: "codetool index --watch",
      remark: "update it whenever files change, until Ctrl-C",
    },
  ],
  ...indexInput,
  isBatchable: false,
  answerSchema: async () => (await import("./answer-schema.ts")).indexAnswer,
  stream: {
    isAsked: (input) => input.watch === true,
    run: async (input, context, options) => {
      const { watchIndex } = await import("./watch-index.ts");
      await watchIndex(input, context, options);
    },
  },
  run: async (input, context) => {
    const { runIndex } = await import("./run.ts");
    return await runIndex(input, context);
  },
  renderPlain,
});

function renderPlain(payload: IndexPayload): string {
  const { path, generation, chunks } = payload;
  const languages = Object.entries(payload.languages);
  const shown = languages.map(([name, count]) => `${name} ${count}`).join(", ");
  if ("index_exists" in payload)
    return [
      `${path}: generation ${generation} of ${payload.timestamp}`,
      `${payload.files} files, ${chunks} chunks, ${payload.symbols} symbols, ${payload.terms} terms`,
      `${payload.size_bytes} bytes in ${payload.segments} segments`,
      shown,
    ].join("\n");
  return [
    `${path}: generation ${generation}, ${payload.files_indexed} files, ${chunks} chunks, ${payload.duration_ms} ms`,
    `${payload.files_changed} changed, ${payload.files_removed} removed, ${payload.files_unchanged} unchanged`,
    shown,
  ].join("\n");
}
