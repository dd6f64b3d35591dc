import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool index`: builds or updates the index of a project. */
export const indexCommand: CommandDefinition = {
  name: "index",
  summary: "build the index of a project, or bring it up to date",
  examples: [
    { commandLine: "codetool index", remark: "of the git work tree around, else of this folder" },
    { commandLine: "codetool index --stats", remark: "what it holds" },
    { commandLine: "codetool index --rebuild", remark: "from nothing" },
    { commandLine: "codetool index --watch", remark: "again whenever files change, until Ctrl-C" },
  ],
  positionals: [
    { name: "path", isRequired: false, summary: "a folder of the project (default .)" },
  ],
  flags: [
    { name: "rebuild", kind: "boolean", summary: "take nothing over from the index that is there" },
    {
      name: "watch",
      kind: "boolean",
      summary: "go on: an answer for each generation as files change, until it is ended",
    },
    { name: "stats", kind: "boolean", summary: "only say what the index holds" },
  ],
  isBatchable: false,
  stream: {
    isAsked: (input) => input["watch"] === true,
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
};

function renderPlain(data: CommandResult["data"]): string {
  const languages = Object.entries(data["languages"] as { readonly [name: string]: number });
  const shown = languages.map(([name, count]) => `${name} ${count}`).join(", ");
  if (data["index_exists"] === true)
    return [
      `${String(data["path"])}: generation ${String(data["generation"])} of ${String(data["timestamp"])}`,
      `${String(data["files"])} files, ${String(data["chunks"])} chunks, ${String(data["symbols"])} symbols, ${String(data["terms"])} terms`,
      `${String(data["size_bytes"])} bytes in ${String(data["segments"])} segments`,
      shown,
    ].join("\n");
  return [
    `${String(data["path"])}: generation ${String(data["generation"])}, ${String(data["files_indexed"])} files, ${String(data["chunks"])} chunks, ${String(data["duration_ms"])} ms`,
    `${String(data["files_changed"])} changed, ${String(data["files_removed"])} removed, ${String(data["files_unchanged"])} unchanged`,
    shown,
  ].join("\n");
}
