import { join } from "node:path";
import {
  type Addition,
  jsonEntry,
  markedBlock,
  tomlTable,
  wholeFile,
} from "../../configs/index.ts";
import type { FrameworkId } from "./input.ts";
import type { UserPlaces } from "./places.ts";
import { usageText } from "./usage-text.ts";

/** How a framework starts the MCP server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A file, and what is added to it. */
export interface FileAddition {
  /** Absolute. */
  readonly path: string;
  readonly addition: Addition;
  /** The mode of a file that is made: private where the framework keeps secrets in it. */
  readonly mode: number;
}

/** An agent framework: how it is known, and what is added where. */
export interface Framework {
  readonly id: FrameworkId;
  /** As its makers write it. */
  readonly title: string;
  /** The names of its program. */
  readonly programs: readonly string[];
  /** What is there where it is installed; absolute. */
  readonly traces: (user: UserPlaces) => readonly string[];
  /** What is added for all projects of a user. */
  readonly ofUser: (user: UserPlaces, server: ServerCommand) => readonly FileAddition[];
  /** What is added in a project's folder. */
  readonly ofProject: (folder: string, server: ServerCommand) => readonly FileAddition[];
  /** The file in a project that it reads instructions from. */
  readonly instructions: "AGENTS.md" | "CLAUDE.md" | "GEMINI.md";
}

const shared = 0o644;
const secret = 0o600;

/**
 * Claude Code. Servers of a user are in `~/.claude.json`, those of a project in `.mcp.json`; rules are Markdown files.
 *
 * Source: https://code.claude.com/docs/en/mcp and https://code.claude.com/docs/en/memory
 */
const claudeCode: Framework = {
  id: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  traces: ({ claude, claudeJson }) => [claude, claudeJson],
  ofUser: ({ claude, claudeJson }, server) => [
    servers(claudeJson, { server, isTyped: true, mode: secret }),
    rules(join(claude, "rules", "codetool.md")),
  ],
  ofProject: (folder, server) => [
    servers(join(folder, ".mcp.json"), { server, isTyped: true }),
    rules(join(folder, ".claude", "rules", "codetool.md")),
  ],
  instructions: "CLAUDE.md",
};

/**
 * Codex. Servers are tables of `config.toml`, in its home or, in a trusted project, in `.codex/`; instructions are in `AGENTS.md`.
 *
 * Source: https://developers.openai.com/codex/mcp
 */
const codex: Framework = {
  id: "codex",
  title: "Codex",
  programs: ["codex"],
  traces: ({ codex: folder }) => [folder],
  ofUser: ({ codex: folder }, server) => [
    codexTable(join(folder, "config.toml"), server, secret),
    block(join(folder, "AGENTS.md")),
  ],
  ofProject: (folder, server) => [codexTable(join(folder, ".codex", "config.toml"), server)],
  instructions: "AGENTS.md",
};

/**
 * Cursor. Servers are in `mcp.json`; rules of a project are `.mdc` files, those of a user are in the program's settings.
 *
 * Source: https://cursor.com/docs/mcp and https://cursor.com/docs/context/rules
 */
const cursor: Framework = {
  id: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  traces: ({ home }) => [join(home, ".cursor")],
  ofUser: ({ home }, server) => [servers(join(home, ".cursor", "mcp.json"), { server })],
  ofProject: (folder, server) => [
    servers(join(folder, ".cursor", "mcp.json"), { server }),
    rules(join(folder, ".cursor", "rules", "codetool.mdc"), {
      description: "Explore and change code with codetool",
      alwaysApply: true,
    }),
  ],
  instructions: "AGENTS.md",
};

/**
 * Gemini CLI. Servers are in `settings.json`, instructions in `GEMINI.md`.
 *
 * Source: https://geminicli.com/docs/tools/mcp-server/ and https://geminicli.com/docs/cli/configuration
 */
const geminiCli: Framework = {
  id: "gemini-cli",
  title: "Gemini CLI",
  programs: ["gemini"],
  traces: ({ home }) => [join(home, ".gemini")],
  ofUser: ({ home }, server) => [
    servers(join(home, ".gemini", "settings.json"), { server, mode: secret }),
    block(join(home, ".gemini", "GEMINI.md")),
  ],
  ofProject: (folder, server) => [servers(join(folder, ".gemini", "settings.json"), { server })],
  instructions: "GEMINI.md",
};

/**
 * Copilot in VS Code. Servers are in `mcp.json` of the profile or of `.vscode/`; instructions are Markdown files with a pattern.
 *
 * Source: https://code.visualstudio.com/docs/agents/reference/mcp-configuration and
 * https://code.visualstudio.com/docs/agents/reference/custom-instructions-reference
 */
const copilot: Framework = {
  id: "copilot",
  title: "Copilot (VS Code)",
  programs: ["code"],
  traces: ({ vsCode, home }) => [vsCode, join(home, ".copilot")],
  ofUser: ({ vsCode, home }, server) => [
    servers(join(vsCode, "mcp.json"), { server, container: "servers", isTyped: true }),
    rules(join(home, ".copilot", "instructions", "codetool.instructions.md"), { applyTo: "**" }),
  ],
  ofProject: (folder, server) => [
    servers(join(folder, ".vscode", "mcp.json"), { server, container: "servers", isTyped: true }),
    rules(join(folder, ".github", "instructions", "codetool.instructions.md"), { applyTo: "**" }),
  ],
  instructions: "AGENTS.md",
};

/**
 * Windsurf. Servers are in one file of the user, projects have none; rules of the user are one file, those of a project a folder.
 *
 * Source: https://docs.windsurf.com/windsurf/cascade/mcp and https://docs.windsurf.com/windsurf/cascade/memories
 */
const windsurf: Framework = {
  id: "windsurf",
  title: "Windsurf",
  programs: ["windsurf"],
  traces: ({ home }) => [join(home, ".codeium", "windsurf")],
  ofUser: ({ home }, server) => [
    servers(join(home, ".codeium", "windsurf", "mcp_config.json"), { server, mode: secret }),
    block(join(home, ".codeium", "windsurf", "memories", "global_rules.md")),
  ],
  ofProject: (folder) => [
    rules(join(folder, ".windsurf", "rules", "codetool.md"), { trigger: "always_on" }),
  ],
  instructions: "AGENTS.md",
};

/**
 * Zed. Servers are in `settings.json`, which has comments; instructions are in `AGENTS.md`.
 *
 * Source: https://zed.dev/docs/ai/mcp and https://zed.dev/docs/ai/instructions
 */
const zed: Framework = {
  id: "zed",
  title: "Zed",
  programs: ["zed", "zeditor"],
  traces: ({ zed: folder }) => [folder],
  ofUser: ({ zed: folder }, server) => [
    servers(join(folder, "settings.json"), { server, container: "context_servers" }),
    block(join(folder, "AGENTS.md")),
  ],
  ofProject: (folder, server) => [
    servers(join(folder, ".zed", "settings.json"), { server, container: "context_servers" }),
  ],
  instructions: "AGENTS.md",
};

/** The frameworks, in the order of their names. */
export const frameworks: readonly Framework[] = [
  claudeCode,
  codex,
  cursor,
  geminiCli,
  copilot,
  windsurf,
  zed,
];

/** A Markdown file with a marked block that says how to use codetool. */
export function block(path: string): FileAddition {
  return { path, addition: markedBlock(usageText), mode: shared };
}

/** The file of a user that lets questions start the service. */
export function serviceStartFile(path: string): FileAddition {
  return { path, addition: wholeFile("auto\n"), mode: shared };
}

function servers(
  path: string,
  entry: {
    readonly server: ServerCommand;
    /** Default `"mcpServers"`. */
    readonly container?: string;
    /** Whether the entry says that the server speaks over standard streams. */
    readonly isTyped?: boolean;
    readonly mode?: number;
  },
): FileAddition {
  const { server, container = "mcpServers", isTyped = false, mode = shared } = entry;
  const value = { ...(isTyped ? { type: "stdio" } : {}), ...server };
  return { path, addition: jsonEntry({ container, name: "codetool", value }), mode };
}

function codexTable(path: string, { command, args }: ServerCommand, mode = shared): FileAddition {
  const addition = tomlTable({ path: ["mcp_servers", "codetool"], value: { command, args } });
  return { path, addition, mode };
}

/** A file of rules that is all codetool's, with the head that the framework wants. */
function rules(
  path: string,
  head: { readonly [key: string]: string | boolean } = {},
): FileAddition {
  // A word or several are as they are; what else YAML might read otherwise is in quotes.
  const written = (value: string | boolean): string =>
    /^[\w ]+$/.test(String(value)) ? String(value) : JSON.stringify(value);
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${written(value)}\n`);
  const front = lines.length === 0 ? "" : `---\n${lines.join("")}---\n\n`;
  return { path, addition: wholeFile(front + usageText), mode: shared };
}
