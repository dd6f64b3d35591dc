/** Rows of a state file as text: what `agentrt state` reads, copies and clears. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import {
  migrateStates,
  openStates,
  readStateAddress,
  SqliteStateStore,
  type StateRow,
} from "../index.ts";

async function* rowsOf(rows: readonly StateRow[]): AsyncGenerator<StateRow> {
  yield* rows;
}

async function textsOf(store: SqliteStateStore): Promise<{ [agent: string]: string }> {
  const texts: { [agent: string]: string } = {};
  for await (const row of store.rows()) texts[row.agent] = row.text;
  return texts;
}

test("sqlite store waits for the disk at each write only when durability is strict", async (t) => {
  using folder = createTemporaryFolder();
  const exec = t.mock.method(DatabaseSync.prototype, "exec");
  for (const [durability, level] of [
    [undefined, "NORMAL"],
    ["normal", "NORMAL"],
    ["strict", "FULL"],
  ] as const) {
    exec.mock.resetCalls();
    await new SqliteStateStore({ path: join(folder.path, `${durability}.db`), durability }).close();
    const statements = exec.mock.calls.map((call) => call.arguments[0]);
    assert.deepEqual(
      statements.filter((statement) => statement.includes("synchronous")),
      [`PRAGMA synchronous = ${level}`],
    );
  }
});

test("a snapshot reads a closed file, one that is written, and one whose writer was killed, and makes no file", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const writer = new SqliteStateStore({ path });
  await writer.set("keeper", { count: 1 });
  const look = async (folderPath: string): Promise<{ [agent: string]: string }> => {
    const before = readdirSync(folderPath);
    const store = new SqliteStateStore({ path: join(folderPath, "state.db"), isSnapshot: true });
    const texts = await textsOf(store);
    await store.close();
    assert.deepEqual(readdirSync(folderPath), before);
    return texts;
  };
  assert.deepEqual(await look(folder.path), { keeper: '{"count":1}' });
  // What a killed writer leaves: the file, its -wal with the newest state, its -shm.
  using killed = createTemporaryFolder();
  cpSync(folder.path, killed.path, { recursive: true });
  assert.deepEqual(await look(killed.path), { keeper: '{"count":1}' });
  await writer.close();
  assert.deepEqual(await look(folder.path), { keeper: '{"count":1}' });
});

test("saveRows() keeps texts as they are, and saves all or nothing", async () => {
  using folder = createTemporaryFolder();
  const store = new SqliteStateStore({ path: join(folder.path, "state.db") });
  await store.set("kept", { count: 1 });
  const failing = (async function* () {
    yield { agent: "kept", text: "{}" };
    await Promise.resolve();
    throw new RangeError("the source broke");
  })();
  await assert.rejects(store.saveRows(failing), {
    code: "AGENTRT_STATE_WRITE_ALL_FAILED",
    message: /the source broke$/,
  });
  assert.deepEqual(await textsOf(store), { kept: '{"count":1}' });
  const text = '{ "b":1,  "a":[1e2] }';
  assert.equal(await store.saveRows(rowsOf([{ agent: "raw", text }])), 1);
  assert.deepEqual(await textsOf(store), { kept: '{"count":1}', raw: text });
  await store.deleteAll();
  assert.deepEqual(await textsOf(store), {});
  await store.close();
});

test("rows() survives what a foreign hand left in the table", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  await new SqliteStateStore({ path }).close();
  const database = new DatabaseSync(path);
  database.exec(
    "INSERT INTO agent_state(agent_name, state) VALUES('number', 9223372036854775807), ('bytes', x'7b7d')",
  );
  database.close();
  const store = new SqliteStateStore({ path, isSnapshot: true });
  assert.deepEqual(await textsOf(store), { number: "9223372036854775807", bytes: "{}" });
  await store.close();
});

test("a migration that is killed half way leaves the destination as it was", async () => {
  using folder = createTemporaryFolder();
  const [from, to] = [join(folder.path, "from.db"), join(folder.path, "to.db")];
  const source = new SqliteStateStore({ path: from });
  await source.saveRows(
    rowsOf(Array.from({ length: 50 }, (_, index) => ({ agent: `agent-${index}`, text: "{}" }))),
  );
  await source.close();
  const target = new SqliteStateStore({ path: to });
  await target.set("kept", { count: 1 });
  await target.close();
  const script = `
    import { migrateStates, SqliteStateStore } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
    const source = new SqliteStateStore({ path: ${JSON.stringify(from)}, isSnapshot: true });
    const target = new SqliteStateStore({ path: ${JSON.stringify(to)} });
    await migrateStates({ source, target, onCopied: (_, count) => count === 40 && process.kill(process.pid, "SIGKILL") });`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  assert.equal(spawnSync(process.execPath, args).signal, "SIGKILL");
  const after = new SqliteStateStore({ path: to });
  assert.deepEqual(await textsOf(after), { kept: '{"count":1}' });
  const again = new SqliteStateStore({ path: from, isSnapshot: true });
  assert.equal(await migrateStates({ source: again, target: after }), 50);
  assert.equal((await after.listAgents()).length, 51);
  await again.close();
  await after.close();
});

test("migrateStates() refuses to copy a store onto itself", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const target = new SqliteStateStore({ path });
  const source = new SqliteStateStore({ path, isSnapshot: true });
  await assert.rejects(migrateStates({ source, target }), { code: "AGENTRT_STATE_SAME_STORE" });
  await source.close();
  await target.close();
});

test("readStateAddress() takes the documented forms and repeats no text it refuses", () => {
  const argument = "<src>";
  for (const [text, wanted] of [
    ["sqlite:state", { kind: "sqlite", path: "state" }],
    ["sqlite:/var/lib/a b.db", { kind: "sqlite", path: "/var/lib/a b.db" }],
    ["old.db", { kind: "sqlite", path: "old.db" }],
    ["./x.sqlite", { kind: "sqlite", path: "./x.sqlite" }],
    ["x.SQLITE3", { kind: "sqlite", path: "x.SQLITE3" }],
    ["postgres://h/d", { kind: "postgres", url: "postgres://h/d" }],
    ["postgresql://u:p@h/d", { kind: "postgres", url: "postgresql://u:p@h/d" }],
  ] as const)
    assert.deepEqual(readStateAddress(text, { argument }), wanted);
  for (const text of [
    "",
    "sqlite:",
    "state",
    ".db",
    "mysql://me:hidden-4711@h/d.db",
    "state.txt",
  ]) {
    assert.throws(
      () => readStateAddress(text, { argument }),
      (error: Error & { code?: unknown }) =>
        error.code === "AGENTRT_STATE_DSN_INVALID" && !error.message.includes("4711"),
    );
  }
  assert.deepEqual(readStateAddress("state", { argument, isPathAllowed: true }), {
    kind: "sqlite",
    path: "state",
  });
});

test("openStates() finds nothing where there is no file, and makes none", () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "none.db");
  assert.equal(openStates({ kind: "sqlite", path }, { access: "look" }), undefined);
  assert.deepEqual(readdirSync(folder.path), []);
});
