/** What `agentrt state list | clear | migrate` say and do. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createTemporaryFolder, type TemporaryFolder } from "testkit";
import { SqliteStateStore } from "../state/index.ts";
import { agentrt as runAgentrt, type Outcome } from "./test-support/agentrt.ts";
import { statesIn, usual, withStates } from "./test-support/saved-states.ts";

async function agentrt(folder: TemporaryFolder, ...words: readonly string[]): Promise<Outcome> {
  const outcome = await runAgentrt(words, { directory: folder.path });
  assert.ok(!/\n\s+at /.test(outcome.stdout + outcome.stderr), outcome.stderr);
  return outcome;
}

test("state list prints agents and states sorted by name, encrypted ones as such", async () => {
  using folder = await withStates(usual);
  const before = readdirSync(folder.path);
  const { exitCode, stdout, stderr } = await agentrt(folder, "state", "list");
  assert.deepEqual([exitCode, stderr], [0, ""]);
  const vault = `${Buffer.byteLength(usual.vault)} B`;
  assert.deepEqual(stdout.split("\n"), [
    "Agent   Saved                 Size  State",
    "ada     unknown               25 B  {",
    '                                      "count": 1,',
    '                                      "list": [',
    "                                        true",
    "                                      ]",
    "                                    }",
    "broken  unknown                3 B  <unreadable>",
    `vault   unknown               ${vault}  <encrypted>`,
    "zoe     unknown                2 B  {}",
    "",
  ]);
  const json = await agentrt(folder, "state", "list", "--json");
  const printed = JSON.parse(json.stdout) as { agents: object[] };
  assert.deepEqual(printed.agents, [
    { agent: "ada", saved_at: null, size_bytes: 25, state: { count: 1, list: [true] } },
    { agent: "broken", saved_at: null, size_bytes: 3, state: "<unreadable>" },
    {
      agent: "vault",
      saved_at: null,
      size_bytes: Buffer.byteLength(usual.vault),
      state: "<encrypted>",
    },
    { agent: "zoe", saved_at: null, size_bytes: 2, state: {} },
  ]);
  assert.deepEqual(readdirSync(folder.path), before, "a look made a file");
});

test("state list says when a state was saved, over a migration and from a file of an earlier version too", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "agency_state.db");
  const old = new DatabaseSync(path);
  old.exec("CREATE TABLE agent_state(agent_name TEXT PRIMARY KEY, state TEXT NOT NULL)");
  old.exec("INSERT INTO agent_state VALUES('old', '{}')");
  old.close();
  const listed = async (...words: string[]): Promise<{ [agent: string]: number | null }> => {
    const { stdout } = await agentrt(folder, "state", "list", "--json", ...words);
    const { agents } = JSON.parse(stdout) as { agents: { agent: string; saved_at: number }[] };
    return Object.fromEntries(agents.map(({ agent, saved_at }) => [agent, saved_at]));
  };
  assert.deepEqual(await listed(), { old: null });
  const beforeMs = Date.now();
  const store = new SqliteStateStore({ path });
  await store.set("new", { count: 1 });
  await store.close();
  const times = await listed();
  assert.equal(times["old"], null);
  const savedAtMs = Math.ceil((times["new"] ?? 0) * 1000);
  assert.ok(savedAtMs >= beforeMs && savedAtMs <= Date.now(), `${savedAtMs}`);
  await agentrt(folder, "state", "migrate", "agency_state.db", "sqlite:copy.db", "--execute");
  assert.equal((await listed("--db", "copy.db"))["new"], times["new"]);
  const { stdout } = await agentrt(folder, "state", "list");
  const saved = new Date(savedAtMs).toISOString().slice(0, 16);
  assert.match(stdout, new RegExp(`^new    ${saved}:\\d\\dZ  11 B  \\{$`, "m"));
});

test("state list and clear of a file that is not there warn and make none", async () => {
  using folder = createTemporaryFolder();
  for (const words of [["list"], ["list", "--json"], ["clear"], ["clear", "ada", "--force"]]) {
    const { exitCode, stderr } = await agentrt(folder, "state", ...words, "--db", "none.db");
    assert.equal(exitCode, 0);
    assert.match(stderr, /^warning: there is no state file "none\.db"[^\n]*\n$/);
  }
  assert.deepEqual(readdirSync(folder.path), []);
});

test("names and states of hostile agents cannot command a terminal", async () => {
  const name = "a\u001B[2J\n\u009B1m\u202Eb";
  using folder = await withStates({
    [name]: JSON.stringify({ text: "\u001B]0;x\u0007\u0085\u2028" }),
  });
  for (const words of [
    ["state", "list"],
    ["state", "list", "--json"],
    ["state", "migrate", "agency_state.db", "new.db"],
    ["state", "migrate", "agency_state.db", "new.db", "--execute"],
    ["state", "clear", name, "--force"],
    ["state", "clear", name, "--force"],
  ]) {
    const { exitCode, stdout, stderr } = await agentrt(folder, ...words);
    assert.equal(exitCode, 0, stderr);
    assert.ok(!/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u202E]/.test(stdout + stderr));
    if (words.includes("--json"))
      assert.equal((JSON.parse(stdout) as { agents: { agent: string }[] }).agents[0]?.agent, name);
  }
});

test("state list and clear refuse a file that is no state file, and leave it as it was", async () => {
  using folder = createTemporaryFolder({ "notes.db": "somebody's work" });
  for (const words of [["list"], ["clear", "--force"]]) {
    const { exitCode, stderr } = await agentrt(folder, "state", ...words, "--db", "notes.db");
    assert.equal(exitCode, 1);
    assert.match(stderr, /^agentrt: Cannot open state file [^\n]*AGENTRT_STATE_OPEN_FAILED\]\n$/);
  }
  assert.equal(readFileSync(join(folder.path, "notes.db"), "utf8"), "somebody's work");
  assert.deepEqual(readdirSync(folder.path), ["notes.db"]);
  const empty = await agentrt(folder, "state", "list", "--db", "");
  assert.equal(empty.exitCode, 2);
});

test("state clear forgets one agent or all, and warns of one it does not know", async () => {
  using folder = await withStates(usual);
  const path = join(folder.path, "agency_state.db");
  const unknown = await agentrt(folder, "state", "clear", "nobody", "--force");
  assert.deepEqual([unknown.exitCode, unknown.stdout], [0, ""]);
  assert.match(unknown.stderr, /^warning: no agent "nobody" has a saved state/);
  const one = await agentrt(folder, "state", "clear", "ada", "-f");
  assert.deepEqual([one.exitCode, one.stderr], [0, ""]);
  assert.match(one.stdout, /^Cleared the state of "ada"/);
  assert.deepEqual(Object.keys(statesIn(path)).sort(), ["broken", "vault", "zoe"]);
  const all = await agentrt(folder, "state", "clear", "--force");
  assert.match(all.stdout, /^Cleared all 3 states/);
  assert.deepEqual(statesIn(path), {});
  assert.match((await agentrt(folder, "state", "list")).stderr, /no agent has a saved state/);
});

test("state clear without a terminal and without --force refuses and clears nothing", async () => {
  using folder = await withStates(usual);
  const { exitCode, stderr } = await agentrt(folder, "state", "clear");
  assert.equal(exitCode, 1);
  assert.match(stderr, /^agentrt: Cannot ask before state clear: [^\n]*--force[^\n]*\n$/);
  assert.equal(Object.keys(statesIn(join(folder.path, "agency_state.db"))).length, 4);
});

test("state migrate shows what it would do and touches nothing, then does it", async () => {
  using folder = await withStates({ ...usual, long: JSON.stringify({ text: "🚀".repeat(500) }) });
  const before = readdirSync(folder.path);
  const dry = await agentrt(folder, "state", "migrate", "agency_state.db", "sqlite:new");
  assert.deepEqual([dry.exitCode, dry.stderr], [0, ""]);
  assert.match(
    dry.stdout,
    /^ada {2}\{"count":1,"list":\[true\]\}\nbroken {2}<unreadable>\nlong {2}\{"text":"🚀{71}…\nvault {2}<encrypted>\nzoe {2}\{\}\n5 states would be copied from [^\n]*nothing was written/u,
  );
  assert.deepEqual(readdirSync(folder.path), before);
  const done = await agentrt(
    folder,
    "state",
    "migrate",
    "agency_state.db",
    "sqlite:new",
    "--execute",
  );
  assert.deepEqual([done.exitCode, done.stderr], [0, ""]);
  assert.match(done.stdout, /^copied ada\n[\s\S]*\n5 states copied from/);
  const target = join(folder.path, "new");
  assert.deepEqual(statesIn(target), statesIn(join(folder.path, "agency_state.db")));
  assert.equal(statSync(target).mode & 0o777, 0o600);
  const again = await agentrt(
    folder,
    "state",
    "migrate",
    "agency_state.db",
    "sqlite:new",
    "--json",
  );
  const printed = JSON.parse(again.stdout) as { dry_run: boolean; count: number; agents: object[] };
  assert.deepEqual([printed.dry_run, printed.count], [true, 5]);
  assert.deepEqual(printed.agents[3], { agent: "vault", encrypted: true, overwrites: true });
});

test("state migrate refuses wrong addresses, the same store, and a source that is not there", async () => {
  using folder = await withStates(usual);
  for (const [words, wantedCode, message] of [
    [["a.txt", "b.db"], 2, /Cannot use <src> as a state store/],
    [["agency_state.db", "mysql://me:hidden-4711@h/d"], 2, /Cannot use <dst> as a state store/],
    [["agency_state.db", "./agency_state.db", "--execute"], 1, /are the same/],
    [["none.db", "b.db", "--execute"], 1, /there is no such file/],
    [["agency_state.db", "none/b.db", "--execute"], 1, /its folder is not there/],
    [["agency_state.db", "b.db", "--execute", "--dry-run"], 2, /exclude each other/],
    [["agency_state.db"], 2, /missing required argument 'dst'/],
  ] as const) {
    const { exitCode, stdout, stderr } = await agentrt(folder, "state", "migrate", ...words);
    assert.deepEqual([exitCode, stdout], [wantedCode, ""], stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split("\n").length, 1);
    assert.ok(!stderr.includes("4711"));
  }
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.startsWith("b.db")),
    [],
  );
});

test("state clear and migrate refuse a file that a running topology writes; list reads it", async () => {
  using folder = await withStates(usual);
  await withStates({ other: "{}" }, { folder, name: "other.db" });
  // The writer of `agentrt run`, in this process.
  const running = new SqliteStateStore({ path: join(folder.path, "agency_state.db") });
  await running.set("ada", { count: 2 });
  for (const words of [
    ["clear", "--force"],
    ["migrate", "other.db", "agency_state.db", "--execute"],
  ]) {
    const { exitCode, stderr } = await agentrt(folder, "state", ...words);
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`process ${process.pid} writes them already`));
  }
  const listed = await agentrt(folder, "state", "list", "--json");
  assert.match(listed.stdout, /"count": 2/);
  const copied = await agentrt(
    folder,
    "state",
    "migrate",
    "agency_state.db",
    "copy.db",
    "--execute",
  );
  assert.equal(copied.exitCode, 0);
  await running.close();
  assert.equal(statesIn(join(folder.path, "copy.db"))["ada"], '{"count":2}');
});

test("a long migration tells its progress on stderr", async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 2500 }, (_, index) => [`agent-${index}`, `{"index":${index}}`]),
  );
  using folder = await withStates({});
  const database = new DatabaseSync(join(folder.path, "agency_state.db"));
  database.exec("BEGIN");
  const insert = database.prepare("INSERT INTO agent_state(agent_name, state) VALUES(?, ?)");
  for (const [agent, text] of Object.entries(texts)) insert.run(agent, text);
  database.exec("COMMIT");
  database.close();
  const { exitCode, stderr } = await agentrt(
    folder,
    "state",
    "migrate",
    "agency_state.db",
    "new.db",
    "--execute",
  );
  assert.deepEqual([exitCode, stderr], [0, "1000 of 2500 states\n2000 of 2500 states\n"]);
  assert.deepEqual(statesIn(join(folder.path, "new.db")), texts);
});

test("a damaged state file ends in one line, wherever the damage is", async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`agent-${index}`, `{"text":"${"x".repeat(300)}"}`]),
  );
  using folder = await withStates(texts);
  const path = join(folder.path, "agency_state.db");
  const bytes = readFileSync(path);
  for (const [from, to] of [
    [100, 4096],
    [20_000, 40_000],
    [bytes.length - 4096, bytes.length],
  ] as const) {
    writeFileSync(path, Buffer.from(bytes).fill(0x41, from, to));
    for (const words of [["list"], ["migrate", "agency_state.db", "new.db", "--execute"]]) {
      const { exitCode, stdout, stderr } = await agentrt(folder, "state", ...words);
      assert.deepEqual([exitCode, stdout], [1, ""], `damage from ${from}`);
      assert.match(stderr, /^agentrt: [^\n]*\[AGENTRT_STATE_\w+\]\n$/);
    }
  }
});
