import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, type TemporaryFolder } from "testkit";
import { command } from "../../../cli/test-support/codetool.ts";

/** Configurations as the frameworks' documentation shows them, with comments where the framework takes some. */
export const realConfigurations = {
  ".claude.json": `{
  "numStartups": 42,
  "projects": { "/home/ada/app": { "allowedTools": [], "mcpServers": {} } },
  "mcpServers": {
    "airtable": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "airtable-mcp-server"],
      "env": { "AIRTABLE_API_KEY": "YOUR_KEY" }
    }
  },
  "oauthAccount": {"emailAddress":"ada@example.com"}
}
`,
  ".claude/CLAUDE.md": "# Mine\n\n- Use tabs\n",
  ".codex/config.toml": `# Codex
model = "gpt-5"          # the default
approval_policy = "on-request"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

[projects."/home/ada/app"]
trust_level = "trusted"`,
  ".codex/AGENTS.md": "Be brief.",
  ".cursor/mcp.json": `{\r\n\t"mcpServers": {\r\n\t\t"server-name": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "mcp-server"],\r\n\t\t\t"env": { "API_KEY": "value" }\r\n\t\t}\r\n\t}\r\n}\r\n`,
  ".gemini/settings.json": `{
  "general": { "vimMode": true },
  "ui": {
    "theme": "GitHub"
  },
  "context": { "fileName": ["CONTEXT.md", "GEMINI.md"] }
}`,
  ".gemini/GEMINI.md": "## Gemini Added Memories\n- likes cats\n",
  ".config/Code/User/mcp.json": `{
  "inputs": [
    { "type": "promptString", "id": "key", "description": "API Key", "password": true },
  ],
  // Servers of all workspaces
  "servers": {
    /* hosted */
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" },
  },
}
`,
  ".codeium/windsurf/mcp_config.json": `{"mcpServers":{"github":{"command":"docker","args":["run","-i","--rm"]}}}`,
  ".config/zed/settings.json": `// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "theme": {
    "mode": "system",
    "light": "One Light",
    "dark": "One Dark",
  },
  "context_servers": {
    // mine
    "local-mcp-server": {
      "command": "some-command",
      "args": ["arg-1", "arg-2"],
      "env": {},
    },
  },
  "vim_mode": true, // at last
}
`,
};

/** A home with the configuration of every framework, a project, and a `codetool` on the path. */
export interface FrameworkHome extends Disposable {
  /** Absolute: the home. */
  readonly path: string;
  /** Absolute: a folder that is a project. */
  readonly project: string;
  /** The environment that codetool is run with. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** The name of codetool on the path, absolute. */
  readonly program: string;
  readonly folder: TemporaryFolder;
}

/** Makes a home with files; default: those of every framework. */
export function makeFrameworkHome(
  files: { readonly [path: string]: string } = realConfigurations,
): FrameworkHome {
  const folder = createTemporaryFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`home/${path}`, text])),
  );
  // What codetool keeps for itself is not among the files that a test compares.
  const state = createTemporaryFolder();
  const [path, project, bin] = ["home", "project", "bin"].map((name) => join(folder.path, name));
  for (const each of [path, project, bin]) mkdirSync(each as string, { recursive: true });
  const program = join(bin as string, "codetool");
  symlinkSync(command, program);
  return {
    path: path as string,
    project: project as string,
    program,
    folder,
    environment: {
      HOME: path,
      USERPROFILE: path,
      PATH: bin,
      XDG_CONFIG_HOME: undefined,
      CLAUDE_CONFIG_DIR: undefined,
      CODEX_HOME: undefined,
      APPDATA: undefined,
      CODETOOL_CACHE_DIR: join(state.path, "cache"),
      CODETOOL_STATS_FILE: join(state.path, "stats.jsonl"),
    },
    [Symbol.dispose]: () => {
      folder[Symbol.dispose]();
      state[Symbol.dispose]();
    },
  };
}

/** Everything in a folder: of a file its mode and content, of a link its target, of a folder its mode. */
export function contentsOf(folder: string): { readonly [path: string]: string } {
  const contents: { [path: string]: string } = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const absolute = join(folder, path);
    const stat = lstatSync(absolute);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) contents[path] = `-> ${readlinkSync(absolute)}`;
    else if (stat.isDirectory()) contents[`${path}/`] = mode;
    else contents[path] = `${mode} ${readFileSync(absolute, "latin1")}`;
  }
  return contents;
}
