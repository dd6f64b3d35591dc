import type { CommandDescription } from "../commands/index.ts";

/** The row of `mcp` for `--help` and argument parsing; it answers many requests and so is not a command of the table. */
export const mcpDescription = {
  name: "mcp",
  summary:
    "serve the commands as tools of the Model Context Protocol, over standard input and output or over HTTP",
  examples: [
    { commandLine: "codetool mcp", remark: "what a client's configuration starts, in the project" },
    {
      commandLine: "claude mcp add codetool -- codetool mcp",
      remark: "a client that takes a command line",
    },
    {
      commandLine: "codetool mcp --http --port 7411",
      remark: "over HTTP on this machine, for clients that have the token it says",
    },
  ],
  positionals: [],
  flags: [
    { name: "http", kind: "boolean", summary: "listen on 127.0.0.1, at /mcp" },
    {
      name: "port",
      kind: "integer",
      placeholder: "N",
      minimum: 0,
      maximum: 65_535,
      summary: "with --http: the port (default: any that is free)",
    },
    {
      name: "allow_run",
      kind: "boolean",
      summary: "with --http: offer `run`, which starts programs",
    },
  ],
} as const satisfies CommandDescription;
