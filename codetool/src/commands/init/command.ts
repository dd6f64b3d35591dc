import { defineCommand } from "../define-command.ts";
import { initInput } from "./input.ts";
import type { InitPayload } from "./payload.ts";

/** `codetool init`: makes the agent frameworks that are installed use codetool. */
export const initCommand = defineCommand({
  name: "init",
  summary: "configure agent frameworks to use codetool, or take that out again",
  examples: [
    {
      commandLine: "codetool init --dry-run --plain",
      remark: "what would be written for the frameworks that are installed",
    },
    { commandLine: "codetool init", remark: "write it: MCP server and rules, for all projects" },
    {
      commandLine: "codetool init --agent cursor --scope project",
      remark: "one framework, in files of this project",
    },
    { commandLine: "codetool init --agents-md", remark: "a block in AGENTS.md of this folder" },
    { commandLine: "codetool init --links ~/.local/bin", remark: "codetool-search and the others" },
    { commandLine: "codetool init --serve", remark: "later questions take milliseconds" },
    { commandLine: "codetool init --remove", remark: "every file as it was before" },
  ],
  ...initInput,
  isBatchable: false,
  isWriting: true,
  run: async (input, context) => {
    const { runInit } = await import("./run.ts");
    return await runInit(input, context);
  },
  renderPlain,
});

/** One line a file, under the name of its framework; with `--dry-run` the diffs. */
function renderPlain({ frameworks, links, dry_run: isDryRun }: InitPayload): string {
  const lines: string[] = [];
  for (const { framework, files, error } of frameworks) {
    lines.push(error === undefined ? framework : `${framework}: not touched: ${error}`);
    for (const { path, action, backup } of files) {
      const kept = backup === undefined ? "" : ` (before: ${backup})`;
      lines.push(
        `  ${isDryRun && action !== "unchanged" ? "would be " : ""}${action} ${path}${kept}`,
      );
    }
  }
  for (const { path, action, kind } of links ?? [])
    lines.push(
      `${action} ${path}${action === "removed" ? "" : ` (${kind === "copy" ? "a copy" : `${kind} link`})`}`,
    );
  const diffs = frameworks.flatMap(({ files }) => files.map(({ diff }) => diff ?? ""));
  const text = lines.length === 0 ? "nothing to do\n" : `${lines.join("\n")}\n`;
  return text + diffs.join("");
}
