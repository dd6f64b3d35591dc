/** `agentrt run` on state stores that fail: what the user sees, what the process does, and what is there afterwards. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  repetitions,
  runProgram,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import { SqliteStateStore } from "../state/index.ts";

const binary = agentrtLauncher();
const keyVariable = "AGENTRT_TEST_RUN_KEY";

const agents = `
import { Agent, type Message } from "agentrt";

export class Keeper extends Agent {
  override async handle(message: Message) {
    const size = Number(message.payload["size"] ?? 0);
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    this.state["padding"] = "x".repeat(size);
    try {
      await this.checkpoint();
      return { saved: this.state["count"] };
    } catch (error) {
      return { code: (error as { code?: unknown }).code ?? String(error) };
    }
  }
}
`;

function topology(state: string, port?: number): string {
  const gateway = `
    - name: gateway
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, routes: [{ method: POST, path: /keep, agent: keeper }] }`;
  return `plugins:
  state: ${state}
supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: keeper, type: agents.Keeper }${port === undefined ? "" : gateway}
`;
}

const sqlite = "{ type: sqlite, config: { db_path: state.db } }";

async function runOnce(folder: TemporaryFolder, environment: { [name: string]: string } = {}) {
  const exit = await runProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment,
  });
  assert.ok(!/\n\s+at /.test(exit.stdout + exit.stderr), exit.stderr);
  return exit;
}

function start(folder: TemporaryFolder, environment: { [name: string]: string } = {}): Program {
  return startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment,
  });
}

async function keep(port: number, body: object): Promise<{ [key: string]: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}/keep`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { [key: string]: unknown };
}

test("of two runs that start on one state file at the same moment exactly one serves, each time, and a killed one hinders none", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(sqlite) });
  for (let round = 0; round < repetitions(6); round += 1) {
    const programs = [start(folder), start(folder)];
    const outcomes = await Promise.all(
      programs.map(async (program) => (await program.waitFor(/started|AGENTRT_STATE_\w+/))[0]),
    );
    assert.deepEqual(outcomes.toSorted(), ["AGENTRT_STATE_LOCKED", "started"], `round ${round}`);
    const winner = programs[outcomes.indexOf("started")];
    const loser = await programs[1 - outcomes.indexOf("started")]?.exited();
    assert.equal(loser?.code, 1);
    assert.match(loser?.stderr ?? "", /^agentrt: [^\n]*state\.db[^\n]*\[AGENTRT_STATE_LOCKED\]\n$/);
    // Killed, not stopped: the next round starts on what it left.
    winner?.kill("SIGKILL");
    await winner?.exited();
  }
});

for (const durability of ["normal", "strict"]) {
  test(
    `a run whose state file may grow no more (${durability}) tells its agents so, lives, and saves again with room`,
    { skip: process.platform === "linux" ? false : "prlimit is Linux's" },
    async () => {
      const port = await freePort();
      const state = `{ type: sqlite, config: { db_path: state.db, durability: ${durability} } }`;
      using folder = createTemporaryFolder({
        "agents.ts": agents,
        "topology.yaml": topology(state, port),
      });
      const shell = 'trap "" XFSZ; ulimit -S -f 256; exec "$@"';
      const words = ["-c", shell, "sh", process.execPath, binary, "run"];
      await using program = startProgram("sh", words, { workingDirectory: folder.path });
      await program.waitFor(/started/);
      assert.deepEqual(await keep(port, {}), { saved: 1 });
      for (const _ of [1, 2, 3])
        assert.deepEqual(await keep(port, { size: 600_000 }), {
          code: "AGENTRT_STATE_UNAVAILABLE",
        });
      const reader = new SqliteStateStore({
        path: join(folder.path, "state.db"),
        isReadOnly: true,
      });
      assert.equal((await reader.get("keeper"))?.["count"], 1);
      await reader.close();
      const raised = spawnSync("prlimit", [
        "--pid",
        String(program.process.pid),
        "--fsize=unlimited",
      ]);
      assert.equal(raised.status, 0, String(raised.stderr));
      assert.deepEqual(await keep(port, { size: 600_000 }), { saved: 5 });
      program.kill("SIGTERM");
      assert.equal((await program.exited()).code, 0);
      const store = new SqliteStateStore({ path: join(folder.path, "state.db") });
      assert.equal((await store.get("keeper"))?.["count"], 5);
      await store.close();
    },
  );
}

test("run on what is no state file ends in one line with its path, exit code 1, and leaves it as it was", async () => {
  for (const [name, make] of [
    ["a folder", (path: string) => mkdirSync(path)],
    [
      "a database of another program",
      (path: string) => {
        const database = new DatabaseSync(path);
        database.exec("CREATE TABLE agent_state(id INTEGER, other TEXT)");
        database.close();
      },
    ],
    [
      "a database without our table",
      (path: string) => {
        const database = new DatabaseSync(path);
        database.exec("CREATE TABLE invoices(id INTEGER)");
        database.close();
      },
    ],
    [
      "a database of a newer version",
      (path: string) => {
        const database = new DatabaseSync(path);
        database.exec("CREATE TABLE agent_state(agent_name TEXT PRIMARY KEY, state TEXT NOT NULL)");
        database.exec("PRAGMA user_version = 9");
        database.close();
      },
    ],
  ] as const) {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(sqlite),
    });
    const path = join(folder.path, "state.db");
    make(path);
    const before = name === "a folder" ? undefined : readFileSync(path);
    const exit = await runOnce(folder);
    assert.equal(exit.code, 1, name);
    assert.match(
      exit.stderr,
      /^agentrt: [^\n]*state\.db"[^\n]*\[AGENTRT_STATE_OPEN_FAILED\]\n$/,
      name,
    );
    if (before !== undefined) assert.deepEqual(readFileSync(path), before, name);
  }
});

test("run with a wrong key or a missing one starts nothing, shows no key, and leaves the states", async () => {
  const port = await freePort();
  const state = `{ type: encrypted, config: { key_env: ${keyVariable}, store: ${sqlite} } }`;
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(state, port),
  });
  const [key, other] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  const path = join(folder.path, "state.db");
  {
    await using program = start(folder, { [keyVariable]: key });
    await program.waitFor(/started/);
    assert.deepEqual(await keep(port, {}), { saved: 1 });
    program.kill("SIGTERM");
    assert.equal((await program.exited()).code, 0);
  }
  const saved = await stateText(path);
  for (const [environment, wanted] of [
    [{ [keyVariable]: other }, /Cannot decrypt the state of "keeper" with key 0/],
    [{ [keyVariable]: "short" }, /AGENTRT_TEST_RUN_KEY: .*AGENTRT_STATE_KEY_INVALID/],
    [{}, /AGENTRT_TEST_RUN_KEY: it is not set.*AGENTRT_STATE_KEY_INVALID/],
  ] as const) {
    const exit = await runOnce(folder, environment);
    assert.equal(exit.code, 1, exit.stderr);
    assert.match(exit.stderr, wanted);
    for (const hidden of [key, other, saved.slice(20, 60)])
      assert.ok(!(exit.stdout + exit.stderr).includes(hidden));
    assert.equal(await stateText(path), saved);
  }
  await using again = start(folder, { [keyVariable]: key });
  await again.waitFor(/started/);
  assert.deepEqual(await keep(port, {}), { saved: 2 });
});

async function stateText(path: string): Promise<string> {
  const store = new SqliteStateStore({ path });
  const text = JSON.stringify(await store.get("keeper"));
  await store.close();
  return text;
}

test("run with a store that nothing knows names the nearest", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology("{ type: sqlitee }"),
  });
  const exit = await runOnce(folder);
  assert.notEqual(exit.code, 0);
  assert.match(exit.stderr, /"sqlitee"[^\n]*did you mean "sqlite"/);
});
