import type { CommandDescription } from "../commands/index.ts";

/** The row of `mcp` for `--help` and argument parsing; it speaks over standard streams and so is not a command of the table. */
export const mcpDescription: CommandDescription = {
  name: "mcp",
  summary:
    "serve the commands as tools of the Model Context Protocol, over standard input and output",
  examples: [
    { commandLine: "codetool mcp", remark: "what a client's configuration starts, in the project" },
    {
      commandLine: "claude mcp add codetool -- codetool mcp",
      remark: "a client that takes a command line",
    },
  ],
  positionals: [],
  flags: [],
};
