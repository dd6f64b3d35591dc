import type { InputDefinition, InputOf } from "../command.ts";

/** The frameworks that `init` knows, as `--agent` names them. */
export const frameworkIds = [
  "claude-code",
  "codex",
  "cursor",
  "gemini-cli",
  "copilot",
  "windsurf",
  "zed",
] as const;

/** What `init` takes. */
export const initInput = {
  positionals: [],
  flags: [
    {
      name: "agent",
      kind: "string",
      choices: [...frameworkIds, "all"],
      placeholder: "FRAMEWORK",
      summary: "configure this one, installed or not (default: those that are installed)",
    },
    {
      name: "scope",
      kind: "string",
      choices: ["user", "project"],
      placeholder: "SCOPE",
      summary: "for all projects of this user, or in the working directory (default user)",
    },
    {
      name: "agents_md",
      kind: "boolean",
      summary:
        "append how to use codetool to AGENTS.md here; to CLAUDE.md or GEMINI.md where the framework reads that",
    },
    {
      name: "links",
      kind: "string",
      placeholder: "DIR",
      summary: "make hard links codetool-search, codetool-read, … to this program in a folder",
    },
    {
      name: "serve",
      kind: "boolean",
      summary:
        "let the first question in a tree with an index start the service of `codetool serve`, for this user",
    },
    {
      name: "dry_run",
      kind: "boolean",
      summary: "write nothing, and show the diff of what would be written",
    },
    {
      name: "remove",
      kind: "boolean",
      summary: "take out what init added, and nothing else",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `init`, checked. */
export type InitInput = InputOf<typeof initInput>;
/** A framework that `init` knows. */
export type FrameworkId = (typeof frameworkIds)[number];
/** Whom a configuration is for. */
export type Scope = "user" | "project";
