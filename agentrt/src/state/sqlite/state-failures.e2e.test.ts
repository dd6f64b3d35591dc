/** State files on a disk that is full, damaged, unreadable, or wanted by two processes at once. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  overAgentrt,
  repetitions,
  runProgram,
  startProgram,
} from "testkit";
import { SqliteStateStore } from "../index.ts";

const fixtures = createTemporaryFolder({
  "fill-disk.ts": overAgentrt(
    readFileSync(new URL("fixtures/fill-disk.ts", import.meta.url), "utf8"),
  ),
});
after(() => fixtures[Symbol.dispose]());
const fillDisk = join(fixtures.path, "fill-disk.ts");
const binary = agentrtLauncher();

interface Filled {
  readonly failedCount: number;
  readonly codes: readonly string[];
  readonly wrong: readonly string[];
}

interface Ended {
  readonly failedWithRoom: number;
  readonly acknowledged: { readonly [agent: string]: number };
}

/** A disk of its own: a tmpfs of 512 KiB. `false` where this process may mount none. */
function mountSmallDisk(folder: string): boolean {
  return (
    process.platform === "linux" &&
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", folder]).status === 0
  );
}

/** Runs the fixture to the end of the room, makes room, and looks at what is there after all. */
async function fillAndFree(options: {
  readonly words: readonly [string, ...string[]];
  readonly path: string;
  readonly makeRoom: (processId: number) => void;
}): Promise<void> {
  const [command, ...rest] = options.words;
  await using program = startProgram(command, rest);
  const [, line = ""] = await program.waitFor(/^(\{"failedCount".*\})$/m);
  const filled = JSON.parse(line) as Filled;
  assert.deepEqual(filled.codes, ["AGENTRT_STATE_UNAVAILABLE"]);
  assert.ok(filled.failedCount >= 30);
  assert.deepEqual(filled.wrong, [], "what was acknowledged is read back on the full disk");
  options.makeRoom(program.process.pid as number);
  program.kill("SIGUSR2");
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  const ended = JSON.parse(exit.stdout.trim().split("\n").at(-1) ?? "") as Ended;
  assert.equal(ended.failedWithRoom, 0, "with room again the same store writes again");
  const store = new SqliteStateStore({ path: options.path });
  for (const [agent, count] of Object.entries(ended.acknowledged))
    assert.equal((await store.get(agent))?.["count"], count);
  await store.close();
}

for (const durability of ["normal", "strict"] as const) {
  test(`on a full disk (${durability}) checkpoints fail typed, and none that was acknowledged is lost`, async (context) => {
    using folder = createTemporaryFolder();
    if (!mountSmallDisk(folder.path)) {
      // What a limit on file sizes shows is tested everywhere, below.
      context.skip("this user may not mount a tmpfs");
      return;
    }
    try {
      writeFileSync(join(folder.path, "ballast"), Buffer.alloc(150 * 1024));
      const path = join(folder.path, "state.db");
      await fillAndFree({
        words: [process.execPath, fillDisk, path, durability],
        path,
        makeRoom: () => rmSync(join(folder.path, "ballast")),
      });
    } finally {
      spawnSync("umount", [folder.path]);
    }
  });

  test(
    `at a limit on the size of files (${durability}) checkpoints fail typed, and none that was acknowledged is lost`,
    { skip: process.platform === "linux" ? false : "prlimit is Linux's" },
    async () => {
      using folder = createTemporaryFolder();
      const path = join(folder.path, "state.db");
      const shell = 'trap "" XFSZ; ulimit -S -f 256; exec "$@"';
      await fillAndFree({
        words: ["sh", "-c", shell, "sh", process.execPath, fillDisk, path, durability],
        path,
        makeRoom: (id) => {
          const raised = spawnSync("prlimit", ["--pid", String(id), "--fsize=unlimited"]);
          assert.equal(raised.status, 0, String(raised.stderr));
        },
      });
    },
  );
}

/** A store of fifty agents, closed. */
async function makeStore(path: string): Promise<void> {
  const store = new SqliteStateStore({ path });
  for (let agent = 0; agent < 50; agent += 1)
    await store.set(`agent-${agent}`, { agent, padding: "x".repeat(2000) });
  await store.close();
}

test("a file that was cut, or holds garbage in the middle, gives typed errors, and the states that it does not concern", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  await makeStore(path);
  const whole = readFileSync(path);
  let failureCount = 0;
  const check = async (damage: () => void): Promise<void> => {
    writeFileSync(path, whole);
    damage();
    let store: SqliteStateStore;
    try {
      store = new SqliteStateStore({ path });
    } catch (error) {
      failureCount += 1;
      assert.equal((error as { code?: unknown }).code, "AGENTRT_STATE_OPEN_FAILED");
      return;
    }
    for (let agent = 0; agent < 50; agent += 1) {
      const state = await store.get(`agent-${agent}`).catch((error: unknown) => {
        failureCount += 1;
        const { code } = error as { code?: unknown };
        assert.ok(
          code === "AGENTRT_STATE_READ_FAILED" || code === "AGENTRT_STATE_CORRUPT",
          String(error),
        );
        return undefined;
      });
      if (state !== undefined) assert.equal(state["agent"], agent);
    }
    await store.close();
  };
  for (const share of [0.001, 0.1, 0.5, 0.9])
    await check(() => truncateSync(path, Math.floor(whole.length * share)));
  for (let position = 100; position < whole.length; position += 4096)
    await check(() => {
      const file = openSync(path, "r+");
      writeSync(file, Buffer.alloc(512, 0xa5), 0, 512, position);
      closeSync(file);
    });
  assert.ok(failureCount >= 5, `${failureCount} failures`);
});

test("run on a damaged state file ends in one line with exit code 1, and leaves the file as it was", async () => {
  using folder = createTemporaryFolder({
    "topology.yaml":
      "plugins: { state: { type: sqlite, config: { db_path: state.db } } }\nsupervision:\n  name: root\n  children:\n    - agent: { name: a, type: agents.A }\n",
    "agents.ts":
      'import { Agent } from "agentrt";\nexport class A extends Agent {\n  override async handle() {\n    return {};\n  }\n}\n',
  });
  const path = join(folder.path, "state.db");
  await makeStore(path);
  truncateSync(path, 3000);
  const before = readFileSync(path);
  const exit = await runProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  assert.equal(exit.code, 1, exit.stdout);
  assert.match(exit.stderr, /^agentrt: .*state\.db.*\[AGENTRT_STATE_[A-Z_]+\]\n$/);
  assert.deepEqual(readFileSync(path), before);
});

test(
  "a file or folder that may not be read or written is refused with its path and the reason",
  { skip: process.getuid?.() === 0 ? false : "only root may become another user" },
  async () => {
    using folder = createTemporaryFolder();
    const path = join(folder.path, "state.db");
    await makeStore(path);
    chmodSync(folder.path, 0o755);
    const script = overAgentrt(`
      import { SqliteStateStore } from "agentrt/state";
      for (const path of process.argv.slice(1)) {
        try {
          new SqliteStateStore({ path });
          console.log("opened");
        } catch (error) {
          console.log(error.code + " " + error.message);
        }
      }`);
    mkdirSync(join(folder.path, "closed"));
    chmodSync(join(folder.path, "closed"), 0o700);
    const exit = await runProgram(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        script,
        path,
        join(folder.path, "new.db"),
        join(folder.path, "closed/x.db"),
      ],
      { userId: 65_534, groupId: 65_534, workingDirectory: "/" },
    );
    const lines = exit.stdout.trim().split("\n");
    assert.equal(lines.length, 3, exit.stderr);
    for (const line of lines)
      assert.match(line, /^AGENTRT_STATE_OPEN_FAILED Cannot open state file "\/.*\.db": \S/);
    assert.match(lines[0] ?? "", /may not/);
    assert.deepEqual(readFileSync(path).subarray(0, 15).toString(), "SQLite format 3");
  },
);

test("of several processes that open a state file at the same moment one writes it, and a killed one hinders none", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const script = overAgentrt(`
    import { SqliteStateStore } from "agentrt/state";
    setInterval(() => undefined, 1000);
    process.once("SIGUSR2", () => {
      try {
        const store = new SqliteStateStore({ path: process.argv[1] });
        console.log("open");
        store.set("writer", { id: process.pid }).then(() => console.log("saved"));
      } catch (error) {
        console.log(error.code);
        process.exit(0);
      }
    });
    console.log("ready");`);
  for (let round = 0; round < repetitions(3); round += 1) {
    const programs = Array.from({ length: 3 }, () =>
      startProgram(process.execPath, ["--input-type=module", "--eval", script, path]),
    );
    await Promise.all(programs.map(async (program) => await program.waitFor(/ready/)));
    for (const program of programs) program.kill("SIGUSR2");
    const outcomes = await Promise.all(
      programs.map(async (program) => (await program.waitFor(/saved|AGENTRT_STATE_\w+/))[0]),
    );
    assert.deepEqual(outcomes.toSorted(), [
      "AGENTRT_STATE_LOCKED",
      "AGENTRT_STATE_LOCKED",
      "saved",
    ]);
    const winner = programs[outcomes.indexOf("saved")];
    // Killed, not closed: the next round finds what it left.
    winner?.kill("SIGKILL");
    for (const program of programs) await program.exited();
    const store = new SqliteStateStore({ path });
    assert.equal((await store.get("writer"))?.["id"], winner?.process.pid);
    await store.close();
  }
});

test("who opens a state file while another process looks who holds it, gets it", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  await new SqliteStateStore({ path }).close();
  // Reads until the opening process has begun to write, and a moment longer.
  const reader = `
    import { DatabaseSync } from "node:sqlite";
    import { existsSync } from "node:fs";
    const database = new DatabaseSync(process.argv[1]);
    database.exec("BEGIN");
    database.prepare("SELECT * FROM holder").all();
    console.log("reads");
    setInterval(() => {
      if (!existsSync(process.argv[1] + "-journal")) return;
      database.close();
      process.exit();
    }, 20);`;
  await using program = startProgram(process.execPath, [
    "--input-type=module",
    "--eval",
    reader,
    `${path}.lock`,
  ]);
  await program.waitFor(/reads/);
  const store = new SqliteStateStore({ path });
  await store.set("writer", { id: 1 });
  await store.close();
});

/** Opens the state file that a line names, after it has closed the one before. */
const holderScript = overAgentrt(`
  import { createInterface } from "node:readline";
  import { SqliteStateStore } from "agentrt/state";
  let store;
  let turn = 0;
  for await (const path of createInterface({ input: process.stdin })) {
    await store?.close();
    store = new SqliteStateStore({ path });
    turn += 1;
    console.log("open " + turn);
  }`);

test("a state file has one writer, whatever name it is opened by, and also before it is there", async () => {
  const words = ["--input-type=module", "--eval", holderScript];
  await using holder = startProgram(process.execPath, words, { keepInput: true });
  let turn = 0;
  for (const isThere of [true, false]) {
    using folder = createTemporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    if (isThere) await new SqliteStateStore({ path: at("state.db") }).close();
    mkdirSync(at("real"));
    symlinkSync("state.db", at("link.db"));
    symlinkSync("link.db", at("second.db"));
    symlinkSync("real", at("folder"));
    symlinkSync("../state.db", at("real/up.db"));
    const names = ["link.db", "second.db", "folder/up.db", "./real/../state.db"];
    if (isThere) {
      linkSync(at("state.db"), at("hard.db"));
      names.push("hard.db");
    }
    for (const [first, second] of names.flatMap((name) => [
      [name, "state.db"] as const,
      ["state.db", name] as const,
    ])) {
      turn += 1;
      holder.process.stdin?.write(`${at(first)}\n`);
      await holder.waitFor(new RegExp(`^open ${turn}$`, "m"));
      assert.throws(() => new SqliteStateStore({ path: at(second) }), {
        code: "AGENTRT_STATE_LOCKED",
        message: new RegExp(`: process ${holder.process.pid} writes them already$`),
      });
    }
  }
});

test("a state file with a hard link in another folder is refused: who writes it there cannot be found", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  await makeStore(path);
  mkdirSync(join(folder.path, "other"));
  linkSync(path, join(folder.path, "other/state.db"));
  assert.throws(() => new SqliteStateStore({ path }), {
    code: "AGENTRT_STATE_OPEN_FAILED",
    message: /it has 2 names \(hard links\), and some of them are in other folders$/,
  });
  const reader = new SqliteStateStore({ path, isSnapshot: true });
  assert.equal((await reader.listAgents()).length, 50);
  await reader.close();
});

test("of several processes that open one new state file by different names at once one writes it", async () => {
  using folder = createTemporaryFolder();
  symlinkSync("state.db", join(folder.path, "link.db"));
  mkdirSync(join(folder.path, "other"));
  symlinkSync("../link.db", join(folder.path, "other/up.db"));
  const script = overAgentrt(`
    import { SqliteStateStore } from "agentrt/state";
    setInterval(() => undefined, 1000);
    process.once("SIGUSR2", () => {
      try {
        new SqliteStateStore({ path: process.argv[1] });
        console.log("open");
      } catch (error) {
        console.log(error.code);
      }
    });
    console.log("ready");`);
  const programs = ["state.db", "link.db", "other/up.db"].map((name) =>
    startProgram(process.execPath, [
      "--input-type=module",
      "--eval",
      script,
      join(folder.path, name),
    ]),
  );
  await Promise.all(programs.map(async (program) => await program.waitFor(/ready/)));
  for (const program of programs) program.kill("SIGUSR2");
  const outcomes = await Promise.all(
    programs.map(async (program) => (await program.waitFor(/open|AGENTRT_STATE_\w+/))[0]),
  );
  assert.deepEqual(outcomes.toSorted(), ["AGENTRT_STATE_LOCKED", "AGENTRT_STATE_LOCKED", "open"]);
  for (const program of programs) {
    program.kill("SIGKILL");
    await program.exited();
  }
});
