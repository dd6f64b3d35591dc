import { batchDescription } from "../batch/index.ts";
import { commandTable, type CommandDescription } from "../commands/index.ts";
import { completionsDescription } from "./completions-description.ts";
import { mcpDescription } from "./mcp-description.ts";
import { serveDescription } from "./serve-description.ts";

/** All commands of the command line, in the order of `--help`: those of the table, and those that only a command line has. */
export function commandDescriptions(): readonly CommandDescription[] {
  return [
    ...commandTable,
    batchDescription,
    mcpDescription,
    serveDescription,
    completionsDescription,
  ];
}
