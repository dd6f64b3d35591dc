import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { codetoolLauncher, runProgram } from "testkit";
import { isWindows } from "../../cli/test-support/answer.ts";
import { runCodetool } from "../../cli/test-support/codetool.ts";
import {
  contentsOf,
  type FrameworkHome,
  makeFrameworkHome,
} from "./test-support/framework-home.ts";

const skip = isWindows && "needs the folders of a POSIX home";
const hook = fileURLToPath(new URL("test-support/end-at-call.ts", import.meta.url));
const files = {
  ".cursor/mcp.json": '{\n  "mcpServers": {}\n}\n',
  ".codex/config.toml": "model = 1\n",
  ".gemini/x": "",
};

/** Everything outside of codetool's record, and no folder that is empty because of an edit. */
function configurations(home: FrameworkHome): object {
  return Object.fromEntries(
    Object.entries(contentsOf(home.folder.path)).filter(
      ([path]) => !path.startsWith("home/.codetool"),
    ),
  );
}

async function init(home: FrameworkHome, ...args: string[]): Promise<string> {
  const options = { workingDirectory: home.project, environment: home.environment };
  const { code, stdout } = await runCodetool(["init", ...args], options);
  assert.equal(code, 0, stdout);
  return stdout;
}

/** Runs init to the n-th change of the disk. @returns False once it gets to its end before that. */
async function isKilled(
  home: FrameworkHome,
  args: readonly string[],
  endAt: number,
): Promise<boolean> {
  const words = ["--import", hook, codetoolLauncher(), "init", ...args];
  const exit = await runProgram(process.execPath, words, {
    workingDirectory: home.project,
    environment: { ...home.environment, END_AT: String(endAt) },
  });
  if (exit.signal !== "SIGKILL") assert.equal(exit.code, 0, exit.stdout + exit.stderr);
  return exit.signal === "SIGKILL";
}

for (const args of [[], ["--remove"]])
  test(
    `${["init", ...args].join(" ")} that is killed at any change of the disk is made good by the next`,
    { skip },
    async () => {
      for (let endAt = 1; ; endAt += 1) {
        using home = makeFrameworkHome(files);
        // The launcher is not this "codetool" of the path.
        rmSync(home.program);
        const before = configurations(home);
        if (args.length > 0) await init(home);
        const wasKilled = await isKilled(home, args, endAt);
        if (args.length === 0) await init(home);
        await init(home, "--remove");
        assert.deepEqual(configurations(home), before, `killed at ${endAt}`);
        if (!wasKilled) {
          assert.ok(endAt > 10, `only ${endAt} changes`);
          const left = Object.keys(contentsOf(home.folder.path));
          assert.deepEqual(
            left.filter((path) => path.includes(".codetool")),
            [],
          );
          return;
        }
      }
    },
  );
