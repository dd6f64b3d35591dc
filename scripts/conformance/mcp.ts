import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codetoolCommand, createTemporaryRepository, startProgram } from "testkit";
import {
  type CaseResult,
  runChecks,
} from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { npmTool, plain, pythonTools, runTool } from "./tools.ts";

const pythonVersion = "2.3.0";
const inspectorVersion = "2.12.0";
const script = fileURLToPath(new URL("mcp-client.py", import.meta.url));
const token = "a-token-of-the-judges-and-of-nothing-else";
const { command, args: firstArgs } = codetoolCommand();

/** A small project, with a change that is not committed. */
function createProject(): { readonly path: string } & Disposable {
  const repository = createTemporaryRepository({
    "src/retry.ts":
      "export function schedule(count: number): number {\n  return count + 1;\n}\n\nexport function twice(count: number): number {\n  return schedule(schedule(count));\n}\n",
    "README.md": "# Retries\n",
  });
  repository.write({ "README.md": "# Retries\n\nMore.\n" });
  return repository;
}

function createPythonJudge(): Judge {
  let programs = "";
  return {
    name: "mcp (Python)",
    subject:
      "codetool's MCP server, over standard streams and over HTTP, by the protocol's own client in Python",
    async prepare() {
      const found = await pythonTools([`mcp==${pythonVersion}`, "jsonschema"]);
      if (typeof found !== "string") return found;
      programs = found;
      return { version: pythonVersion };
    },
    async run() {
      using project = createProject();
      const words = [...firstArgs, "mcp", "--http", "--allow-run"];
      await using server = startProgram(command, words, {
        workingDirectory: project.path,
        environment: { CODETOOL_MCP_TOKEN: token },
        timeoutMs: 1_800_000,
      });
      const [, url = ""] = await server.waitFor(/listening at (\S+)/);
      const given = [script, project.path, url, token, command, ...firstArgs];
      const { stdout, stderr } = await runTool(join(programs, "python3"), given, {
        timeoutMs: 1_500_000,
      });
      try {
        return JSON.parse(stdout) as CaseResult[];
      } catch {
        return [{ section: "all", name: "a run", found: stderr.slice(-300) }];
      }
    },
  };
}

/** For each method that the inspector calls: its options, and what it has to say. */
const asked: readonly (readonly [method: string, options: readonly string[], expected: RegExp])[] =
  [
    ["tools/list", ["--strict"], /^\{\s+"tools": \[[\s\S]*"outputSchema"/],
    [
      "tools/call",
      ["--tool-name", "read", "--tool-arg", "file=src/retry.ts"],
      /"isError": false\s+\}\s*$/,
    ],
    ["resources/list", [], /"codetool:\/\/index"[\s\S]*retry\.ts/],
    ["resources/templates/list", [], /codetool:\/\/symbol/],
    ["resources/read", ["--uri", "codetool://symbol/twice"], /schedule/],
    ["prompts/list", [], /"explain_symbol"/],
    [
      "prompts/get",
      ["--prompt-name", "explain_symbol", "--prompt-args", "symbol=twice"],
      /`twice`/,
    ],
  ];

function createInspectorJudge(): Judge {
  let program = "";
  return {
    name: "mcp inspector",
    subject:
      "codetool's MCP server by the protocol's inspector, which looks at the schemas strictly",
    async prepare() {
      const found = await npmTool(
        "mcp-inspector",
        `@modelcontextprotocol/inspector@${inspectorVersion}`,
      );
      if (typeof found !== "string") return found;
      program = found;
      return { version: inspectorVersion };
    },
    async run() {
      using project = createProject();
      return await runChecks(
        asked.map(([method, options, expected]) => ({
          section: "standard streams",
          name: method,
          run: async () => {
            const args = [
              "--cli",
              ...(options[0] === "--strict" ? ["--strict"] : []),
              command,
              ...firstArgs,
              "mcp",
              "--method",
              method,
              ...options.filter((word) => word !== "--strict"),
            ];
            const { code, stdout, stderr } = await runTool(program, args, { folder: project.path });
            assert.equal(code, 0, plain(stderr));
            assert.match(plain(stdout), expected);
          },
        })),
      );
    },
  };
}

/** The protocol's own client in Python, and its inspector, on codetool's MCP server. */
export const mcpJudges: readonly Judge[] = [createPythonJudge(), createInspectorJudge()];
