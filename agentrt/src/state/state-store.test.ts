import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createTemporaryFolder, testStateStore } from "testkit";
import { VirtualClock } from "../testing/index.ts";
import { MemoryStateStore, SqliteStateStore } from "./index.ts";

testStateStore("memory store", async () => new MemoryStateStore());

for (const durability of ["normal", "strict"] as const) {
  testStateStore(`sqlite store, durability ${durability}`, async () => {
    const folder = createTemporaryFolder();
    const store = new SqliteStateStore({ path: join(folder.path, "state.db"), durability });
    const close = store.close.bind(store);
    store.close = async () => {
      await close();
      folder[Symbol.dispose]();
    };
    return store;
  });
}

test("sqlite store keeps its states over a close, in the documented table, for its owner alone", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const first = new SqliteStateStore({ path });
  await first.set("keeper", { count: 1 });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(`${path}-wal`).mode & 0o777, 0o600);
  await first.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT agent_name, state FROM agent_state").all();
  assert.deepEqual({ ...rows[0] }, { agent_name: "keeper", state: '{"count":1}' });
  database.close();
  const second = new SqliteStateStore({ path });
  assert.deepEqual(await second.get("keeper"), { count: 1 });
  await second.close();
});

test("sqlite store refuses a second writer, naming the first one's process", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const first = new SqliteStateStore({ path });
  assert.throws(() => new SqliteStateStore({ path }), {
    code: "AGENTRT_STATE_LOCKED",
    message: new RegExp(`process ${process.pid} `),
  });
  const reader = new SqliteStateStore({ path, isReadOnly: true });
  await first.set("keeper", { seen: true });
  assert.deepEqual(await reader.get("keeper"), { seen: true });
  await reader.close();
  await first.close();
  const next = new SqliteStateStore({ path });
  await next.close();
});

test("sqlite store keeps its file against other processes though this one tried to open it again", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const store = new SqliteStateStore({ path });
  await store.set("keeper", { n: 1 });
  assert.throws(() => new SqliteStateStore({ path }), { code: "AGENTRT_STATE_LOCKED" });
  await new SqliteStateStore({ path, isReadOnly: true }).close();
  const script = `
    import { SqliteStateStore } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    try {
      new SqliteStateStore({ path: ${JSON.stringify(path)} });
    } catch (error) {
      console.log(error.message);
    }`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  const other = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.match(other.stdout, new RegExp(`process ${process.pid} writes them already`));
  await store.close();
});

test("sqlite store tells a lock file that is none from one that somebody holds", () => {
  using folder = createTemporaryFolder({
    "state.db.lock": "somebody's notes, and no lock of ours",
  });
  const open = (): unknown => new SqliteStateStore({ path: join(folder.path, "state.db") });
  assert.throws(open, { code: "AGENTRT_STATE_OPEN_FAILED", message: /state\.db\.lock/ });
});

test("sqlite store takes over the file of a process that died without closing it", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const script = `
    import { SqliteStateStore } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    const store = new SqliteStateStore({ path: ${JSON.stringify(path)} });
    await store.set("keeper", { from: "the dead" });
    process.kill(process.pid, "SIGKILL");`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  assert.equal(spawnSync(process.execPath, args).signal, "SIGKILL");
  const store = new SqliteStateStore({ path });
  assert.deepEqual(await store.get("keeper"), { from: "the dead" });
  await store.close();
});

test("sqlite store refuses a file that is no database and leaves it as it was", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "notes.txt");
  writeFileSync(path, "this is no database, but it is somebody's work");
  assert.throws(() => new SqliteStateStore({ path }), { code: "AGENTRT_STATE_OPEN_FAILED" });
  assert.match(readFileSync(path, "utf8"), /somebody's work$/);
  assert.deepEqual(readdirSync(folder.path), ["notes.txt"]);
});

test("sqlite store names the agent whose saved state is broken", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const store = new SqliteStateStore({ path });
  const database = new DatabaseSync(path);
  database.exec(
    "INSERT INTO agent_state(agent_name, state) VALUES('broken', '[1,2'), ('list', '[]')",
  );
  database.close();
  for (const agent of ["broken", "list"]) {
    await assert.rejects(store.get(agent), {
      code: "AGENTRT_STATE_CORRUPT",
      message: new RegExp(`"${agent}"`),
    });
  }
  await store.close();
});

test("sqlite store refuses to write once its file was deleted or replaced", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const store = new SqliteStateStore({ path });
  await store.set("keeper", { count: 1 });
  rmSync(path);
  const lost = {
    code: "AGENTRT_STATE_FILE_GONE",
    isRetryable: false,
    message: /"keeper".*deleted or replaced/,
  };
  await assert.rejects(store.set("keeper", { count: 2 }), lost);
  writeFileSync(path, "");
  await assert.rejects(store.delete("keeper"), lost);
  await store.close();
});

for (const durability of ["normal", "strict"] as const) {
  test(`sqlite store (${durability}) waits for a file that a foreign program holds, gives up in time, and says so`, async () => {
    using folder = createTemporaryFolder();
    const path = join(folder.path, "state.db");
    const clock = new VirtualClock();
    const store = new SqliteStateStore({ path, durability, system: clock });
    await store.set("early", { saved: 1 });
    const foreign = new DatabaseSync(path);
    foreign.exec("BEGIN IMMEDIATE");
    const refused = assert.rejects(store.set("keeper", {}), {
      code: "AGENTRT_STATE_UNAVAILABLE",
      isRetryable: true,
      message: /state of "keeper".*another program holds it, for more than 10 s$/,
    });
    await clock.advance(6000);
    assert.deepEqual(store.outage(), { store: "state.db", reason: "another program holds it" });
    const patient = Promise.all([
      store.set("keeper", { saved: 1 }),
      store.set("other", { saved: 1 }),
      store.set("keeper", { saved: 2 }),
    ]);
    const reading = store.get("keeper");
    assert.deepEqual(await store.get("early"), { saved: 1 }, "who only reads is not held up");
    await clock.advance(5000);
    await refused;
    foreign.exec("ROLLBACK");
    foreign.close();
    await clock.advance(500);
    await patient;
    assert.deepEqual(await reading, { saved: 2 });
    assert.equal(store.outage(), undefined);
    assert.deepEqual(await store.listAgents(), ["early", "keeper", "other"]);
    await store.close();
  });
}

test("sqlite store says in words why its file cannot be opened", () => {
  using folder = createTemporaryFolder({ "a-file": "x" });
  for (const [path, reason] of [
    ["none/state.db", /its folder is not there$/],
    ["a-file/state.db", /a part of its path is not a folder$/],
    [".", /it is a folder$/],
  ] as const) {
    const open = (): unknown => new SqliteStateStore({ path: join(folder.path, path) });
    assert.throws(open, { code: "AGENTRT_STATE_OPEN_FAILED", message: reason });
  }
});
