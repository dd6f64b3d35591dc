/** The launchers in `bin/` under a Node that is too old for the programs, as on many machines. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agentrtLauncher,
  codetoolLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const repository = fileURLToPath(new URL("..", import.meta.url));
const agentrt = agentrtLauncher();
const codetool = codetoolLauncher();

/** A Node below 24.12 on PATH: what set-up itself was started with, where that is old. */
function findOldNode(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/local/bin", "/usr/bin"];
  return folders
    .map((folder) => join(folder, "node"))
    .find((path) => {
      const version = /^v(\d+)\.(\d+)/.exec(
        spawnSync(path, ["--version"], { encoding: "utf8" }).stdout ?? "",
      );
      if (version === null) return false;
      const [major, minor] = [Number(version[1]), Number(version[2])];
      return major < 24 || (major === 24 && minor < 12);
    });
}

const oldNode = findOldNode() ?? "";
const skip = oldNode === "" ? "no Node below 24.12 on this machine" : false;
const environment = { NODE_OPTIONS: "" };

test(
  "a launcher under an old Node runs the program under the platform package's Node, exit code passed on",
  { skip },
  async () => {
    const version = await runProgram(oldNode, [agentrt, "version"], { environment });
    assert.equal(version.code, 0, version.stderr);
    assert.match(version.stdout, /\d+\.\d+\.\d+/);
    const wrong = await runProgram(oldNode, [agentrt, "topologi"], { environment });
    assert.equal(wrong.code, 2, wrong.stderr);
    const missing = await runProgram(oldNode, [codetool, "read", "not-there.txt"], { environment });
    assert.equal(missing.code, 1);
    assert.match(missing.stdout, /file_not_found/);
  },
);

test("a launcher passes SIGTERM on, once, and the runtime stops cleanly", { skip }, async () => {
  using folder = createTemporaryFolder({
    "agents.ts": `import { Agent } from "agentrt";\nexport class Quiet extends Agent { override async handle() { return {}; } }\n`,
    "topology.yaml": `supervision: { name: root, children: [ { agent: { name: quiet, type: agents.Quiet } }, { name: gateway, type: http_gateway, config: { host: 127.0.0.1, port: ${await freePort()} } } ] }\n`,
  });
  await using program = startProgram(oldNode, [agentrt, "run"], {
    workingDirectory: folder.path,
    environment,
  });
  await program.waitFor(/started/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.deepEqual([exit.code, exit.signal], [0, null], exit.stderr);
});

test("a signal right after a launcher has started the program is passed on", { skip }, async () => {
  using folder = createTemporaryFolder({
    "signal.cjs": `const programs = require("child_process");
const { spawn } = programs;
programs.spawn = (...args) => {
  const child = spawn(...args);
  child.kill = (signal) => process.stderr.write("passed " + signal + "\\n");
  process.kill(process.pid, "SIGTERM");
  return child;
};
// The program itself has no part in this.
process.execArgv.length = 0;
`,
  });
  for (const launcher of [agentrt, codetool]) {
    const args = ["--require", join(folder.path, "signal.cjs"), launcher, "--version"];
    const exit = await runProgram(oldNode, args, { environment });
    assert.deepEqual([exit.code, exit.signal], [0, null]);
    assert.match(exit.stderr, /passed SIGTERM/);
  }
});

test(
  "a launcher under an old Node without the platform package says what to install, in one line",
  { skip },
  async () => {
    for (const name of ["agentrt", "codetool"]) {
      using folder = createTemporaryFolder();
      cpSync(join(repository, name, "bin"), join(folder.path, "bin"), { recursive: true });
      const exit = await runProgram(
        oldNode,
        [join(folder.path, "bin", `${name}.cjs`), "--version"],
        { environment },
      );
      assert.equal(exit.code, 1);
      assert.match(exit.stderr, /needs Node 24\.12 or later, and runs under \d+.*npm install/);
      assert.equal(exit.stderr.trim().split("\n").length, 1, exit.stderr);
    }
  },
);

test("a launcher holds nothing that an old parser refuses", () => {
  for (const path of [agentrt, codetool]) {
    const text = readFileSync(path, "utf8").replace(/\/\/.*$/gm, "");
    assert.doesNotMatch(text, /=>|\?\.|\?\?|`|\b(?:const|let|class|async|await|import)\b(?=[\s(])/);
  }
});

const blocking = `import { Agent } from "agentrt";
export class Blocker extends Agent {
  override onStart() {
    if (this.config["blocks"] === true) setTimeout(() => { console.log("blocks"); for (;;); }, 200);
  }
  override async handle() { return {}; }
}
`;

async function startBlocker(blocks: boolean) {
  const folder = createTemporaryFolder({
    "agents.ts": blocking,
    "topology.yaml": `supervision: { name: root, children: [ { agent: { name: blocker, type: agents.Blocker, config: { blocks: ${blocks} } } } ] }\n`,
  });
  const program = startProgram(oldNode, [agentrt, "run"], {
    workingDirectory: folder.path,
    environment,
  });
  const ready = await program.waitFor(blocks ? /blocks/ : /started/);
  return { folder, program, ready };
}

test(
  "a second SIGTERM ends a program whose event loop is blocked, with 143",
  { skip },
  async () => {
    const { folder, program } = await startBlocker(true);
    using _folder = folder;
    await using _program = program;
    program.kill("SIGTERM");
    // Two signals of one kind that nobody has taken yet are one.
    await program.waitFor(/event loop is blocked/);
    program.kill("SIGTERM");
    const exit = await program.exited();
    assert.deepEqual([exit.code, exit.signal], [143, null], exit.stderr);
  },
);

for (const blocks of [false, true])
  test(
    `kill -9 of the launcher leaves no process behind${blocks ? ", although its event loop is blocked" : ""}`,
    { skip },
    async () => {
      const { folder, program } = await startBlocker(blocks);
      using _folder = folder;
      await using _program = program;
      program.kill("SIGKILL");
      // Its output is closed when the last process that holds it has ended.
      const exit = await program.exited();
      assert.equal(exit.signal, "SIGKILL");
      if (!blocks) assert.match(exit.stderr, /SIGTERM: stopping\nstopped\n/);
    },
  );
