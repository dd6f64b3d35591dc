import assert from "node:assert/strict";
import { chmodSync, linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, runProgram } from "testkit";
import { command, firstArgs } from "../../cli/test-support/codetool.ts";
import { isWindows } from "../../cli/test-support/answer.ts";
import { type Machine, userPlaces } from "./places.ts";
import { serverCommand } from "./server-command.ts";
import { makeFrameworkHome } from "./test-support/framework-home.ts";

const skip = isWindows && "needs the folders of a POSIX home";

interface Servers {
  readonly mcpServers: {
    readonly codetool: { readonly command: string; readonly args: readonly string[] };
  };
}

test(
  "what init writes for a user starts the server, wherever the program was started from",
  { skip },
  async () => {
    using home = makeFrameworkHome({});
    // Not this program.
    for (const path of ["", "/usr/bin"]) {
      const environment = { ...home.environment, PATH: path };
      const made = await runProgram(command, [...firstArgs, "init", "--agent", "cursor"], {
        workingDirectory: home.project,
        environment,
      });
      assert.equal(made.code, 0, made.stdout + made.stderr);
      const text = readFileSync(join(home.path, ".cursor/mcp.json"), "utf8");
      const { codetool } = (JSON.parse(text) as Servers).mcpServers;
      assert.match(codetool.command, /^\//);
      const request = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "t", version: "1" },
        },
      };
      const served = await runProgram(codetool.command, codetool.args, {
        workingDirectory: home.project,
        environment,
        input: `${JSON.stringify(request)}\n`,
      });
      assert.match(served.stdout, /"serverInfo":\{"name":"codetool"/, served.stderr);
    }
  },
);

function programOf(...words: string[]) {
  return { words, commandNames: ["search", "init"] };
}

function machineOf(folder: string, changes: Partial<Machine> = {}): Machine {
  const environment = { PATH: join(folder, "bin") };
  return { platform: "linux", environment, home: folder, workingDirectory: folder, ...changes };
}

test(
  "the server of a user is this program by the name that outlives an update, of a project by its name",
  { skip },
  () => {
    using folder = createTemporaryFolder({
      "opt/codetool-1.0": "",
      "bin/x": "",
      "other/codetool": "",
      "links/x": "",
    });
    const real = join(folder.path, "opt/codetool-1.0");
    for (const path of [real, join(folder.path, "other/codetool")]) chmodSync(path, 0o755);
    const machine = machineOf(folder.path);
    const mcp = ["mcp"];
    assert.deepEqual(serverCommand("user", machine, programOf(real)), { command: real, args: mcp });
    const node = ["/usr/bin/node", real];
    assert.deepEqual(serverCommand("user", machine, programOf(...node)), {
      command: node[0],
      args: [real, "mcp"],
    });
    assert.match(
      serverCommand("project", machine, programOf(real)).warning ?? "",
      /not on the PATH/,
    );
    const name = join(folder.path, "bin/codetool");
    symlinkSync(real, name);
    for (const words of [[real], node])
      assert.deepEqual(serverCommand("user", machine, programOf(...words)), {
        command: name,
        args: mcp,
      });
    assert.deepEqual(serverCommand("project", machine, programOf(real)), {
      command: "codetool",
      args: mcp,
    });
    // Another codetool on the path is not this one.
    const elsewhere = machineOf(folder.path, { environment: { PATH: join(folder.path, "other") } });
    assert.deepEqual(serverCommand("user", elsewhere, programOf(real)), {
      command: real,
      args: mcp,
    });
    // Started by the link of one command, which takes no other.
    const link = join(folder.path, "links/codetool-init");
    linkSync(real, link);
    assert.deepEqual(serverCommand("user", machine, programOf(link)), { command: name, args: mcp });
    assert.match(
      serverCommand("user", elsewhere, programOf(link)).warning ?? "",
      /only a link for one command/,
    );
    linkSync(real, join(folder.path, "links/codetool"));
    const sibling = { command: join(folder.path, "links/codetool"), args: mcp };
    assert.deepEqual(serverCommand("user", elsewhere, programOf(link)), sibling);
  },
);

test(
  "the places of a user are those of the platform, and move with the frameworks' variables",
  { skip },
  () => {
    const at = (platform: NodeJS.Platform, environment = {}) =>
      userPlaces("/h", machineOf("/h", { platform, environment }));
    assert.deepEqual(at("linux"), {
      home: "/h",
      claude: "/h/.claude",
      claudeJson: "/h/.claude.json",
      codex: "/h/.codex",
      vsCode: "/h/.config/Code/User",
      zed: "/h/.config/zed",
    });
    assert.equal(at("darwin").vsCode, "/h/Library/Application Support/Code/User");
    assert.equal(at("darwin", { XDG_CONFIG_HOME: "/x" }).zed, "/h/.config/zed");
    assert.deepEqual(
      [at("win32").vsCode, at("win32", { APPDATA: "/r" }).zed],
      ["/h/AppData/Roaming/Code/User", "/r/Zed"],
    );
    const moved = at("linux", { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/d", XDG_CONFIG_HOME: "/x" });
    assert.deepEqual(moved, {
      home: "/h",
      claude: "/c",
      claudeJson: "/c/.claude.json",
      codex: "/d",
      vsCode: "/x/Code/User",
      zed: "/x/zed",
    });
  },
);
