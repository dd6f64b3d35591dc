/** The postgres store on a real server: conformance, what it leaves in the table, and a database that fails. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import { Client, Pool } from "pg";
import { freePort, skipUnless, startPostgres, testStateStore } from "testkit";
import type { JsonObject } from "../../core/index.ts";
import { EncryptedStateStore, PostgresStateStore, readStateKeys } from "../index.ts";

const skip = skipUnless("postgres");
let server: Awaited<ReturnType<typeof startPostgres>> | undefined;

before(async () => {
  if (skip === false) server = await startPostgres();
});
after(async () => await server?.[Symbol.asyncDispose]());

function url(): string {
  assert.ok(server !== undefined);
  return server.url;
}

/** Runs statements past the store. */
async function sql(...statements: readonly string[]): Promise<{ [column: string]: unknown }[]> {
  const pool = new Pool({
    connectionString: url(),
    min: 0,
    max: 1,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    application_name: "test",
  });
  try {
    let rows: readonly { readonly [column: string]: unknown }[] = [];
    for (const statement of statements) ({ rows } = await pool.query(statement));
    return [...rows];
  } finally {
    await pool.end();
  }
}

async function emptyStore(): Promise<PostgresStateStore> {
  await sql("DROP TABLE IF EXISTS agentrt_agent_state");
  return new PostgresStateStore({ url: url() });
}

if (skip === false) {
  testStateStore("postgres store", emptyStore);
  testStateStore("encrypted postgres store", async () => {
    const environment = { AGENTRT_STATE_KEY: Buffer.alloc(32, 7).toString("base64") };
    return new EncryptedStateStore({
      store: await emptyStore(),
      keys: readStateKeys({ environment }),
    });
  });
}

test(
  "postgres store makes the documented table and replaces a row in place",
  { skip },
  async () => {
    const store = await emptyStore();
    await store.set("keeper", { count: 1 });
    const [first] = await sql("SELECT agent_name, state, updated_at FROM agentrt_agent_state");
    await store.set("keeper", { count: 2 });
    await store.close();
    const rows = await sql("SELECT agent_name, state, updated_at FROM agentrt_agent_state");
    assert.deepEqual(rows, [
      { agent_name: "keeper", state: { count: 2 }, updated_at: rows[0]?.["updated_at"] },
    ]);
    assert.ok(Number(rows[0]?.["updated_at"]) > Number(first?.["updated_at"]));
    const columns = await sql(
      "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'agentrt_agent_state' ORDER BY ordinal_position",
    );
    assert.deepEqual(columns, [
      { name: "agent_name", type: "text" },
      { name: "state", type: "jsonb" },
      { name: "updated_at", type: "timestamp with time zone" },
    ]);
  },
);

test(
  "postgres store keeps what jsonb cannot hold, and states that look like its own wrapping",
  { skip },
  async () => {
    const store = await emptyStore();
    const states: JsonObject[] = [
      { text: "a\u0000b" },
      { text: "\uD800 alone", "\uDFFF": 1 },
      { __agentrt_json__: "{}" },
      { __agentrt_json__: 1, other: "\u0000" },
      { text: "\\u0000" },
    ];
    for (const state of states) {
      await store.set("keeper", state);
      assert.deepEqual(await store.get("keeper"), state);
    }
    await store.close();
  },
);

test("names and states are data, never SQL", { skip }, async () => {
  const store = await emptyStore();
  const names = ["'; DROP TABLE agentrt_agent_state; --", "$1", 'a"b', "\\", "%", "x' OR '1'='1"];
  for (const name of names) await store.set(name, { name, sql: "'); DELETE FROM x; --" });
  assert.deepEqual(await store.listAgents(), [...names].sort());
  await store.delete("x' OR '1'='1");
  await store.delete("%");
  assert.equal((await store.listAgents()).length, 4);
  const refused = { code: "AGENTRT_STATE_WRITE_FAILED", message: /invalid byte sequence/ };
  await assert.rejects(store.set("nul\u0000", {}), refused);
  assert.deepEqual((await store.get("$1"))?.["name"], "$1");
  await store.close();
});

test(
  "a connection that is cut is replaced, and nothing acknowledged is lost",
  { skip },
  async () => {
    const store = await emptyStore();
    await store.set("keeper", { count: 0 });
    for (let count = 1; count <= 5; count += 1) {
      await sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'agentrt%'",
      );
      await store.set("keeper", { count });
      assert.deepEqual(await store.get("keeper"), { count });
    }
    await store.close();
  },
);

test(
  "while the server is down writes and reads wait, fail typed in time, and work again when it is back",
  { skip },
  async () => {
    await (await emptyStore()).close();
    const store = new PostgresStateStore({ url: url(), timeoutMs: 900 });
    await store.set("keeper", { count: 1 });
    assert.equal(store.outage(), undefined);
    await server?.stop();
    await Promise.all([
      assert.rejects(store.set("keeper", { count: 2 }), {
        code: "AGENTRT_STATE_UNAVAILABLE",
        isRetryable: true,
        message: /"keeper" in "postgresql:\/\/postgres@127\.0\.0\.1:\d+\/postgres": \S/,
      }),
      assert.rejects(store.get("keeper"), { code: "AGENTRT_STATE_UNAVAILABLE" }),
    ]);
    assert.deepEqual(store.outage(), { store: "postgres", reason: "the database is away" });
    await server?.start();
    // The lock is taken again though nobody writes.
    while (store.outage() !== undefined) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await store.get("keeper"), { count: 1 });
    await store.set("keeper", { count: 3 });
    await store.close();
    const closed = { code: "AGENTRT_STATE_CLOSED" };
    await assert.rejects(store.get("keeper"), closed);
    await assert.rejects(store.set("keeper", {}), closed);
  },
);

test("writes that wait for a server are done in order once it is back", { skip }, async () => {
  const store = await emptyStore();
  await store.set("keeper", { count: 0 });
  await server?.crash();
  const writes = Array.from({ length: 300 }, (_, index) =>
    index % 10 === 9
      ? store.delete(`agent-${index % 7}`)
      : store.set(`agent-${index % 7}`, { index }),
  );
  await server?.start();
  await Promise.all(writes);
  const expected = new Map<string, number | undefined>();
  for (let index = 0; index < 300; index += 1)
    expected.set(`agent-${index % 7}`, index % 10 === 9 ? undefined : index);
  for (const [agent, index] of expected)
    assert.deepEqual(await store.get(agent), index === undefined ? undefined : { index });
  await store.close();
});

test("a second writer is refused and told of the first; readers are not", { skip }, async () => {
  const first = await emptyStore();
  await first.set("keeper", { count: 1 });
  const second = new PostgresStateStore({ url: url() });
  const locked = {
    code: "AGENTRT_STATE_LOCKED",
    message: new RegExp(
      `"agentrt process ${process.pid} on [^"]+" \\(server process \\d+ from 127`,
    ),
  };
  await assert.rejects(second.open(), locked);
  await assert.rejects(second.set("keeper", { count: 2 }), locked);
  await assert.rejects(second.deleteAll(), locked);
  const reader = new PostgresStateStore({ url: url(), isReadOnly: true });
  assert.deepEqual(await reader.get("keeper"), { count: 1 });
  await assert.rejects(reader.set("keeper", {}), /reading only/);
  await sql("CREATE SCHEMA IF NOT EXISTS other");
  const elsewhere = new PostgresStateStore({ url: `${url()}?options=-csearch_path%3Dother` });
  await elsewhere.set("keeper", { count: 9 });
  for (const store of [elsewhere, reader, first]) await store.close();
  await second.set("keeper", { count: 2 });
  assert.deepEqual(await second.get("keeper"), { count: 2 });
  await second.close();
});

test(
  "a writer that lost its connection to another one writes nothing until that one is gone",
  { skip },
  async () => {
    await (await emptyStore()).close();
    const first = new PostgresStateStore({ url: url(), timeoutMs: 900 });
    await first.set("keeper", { count: 1 });
    // The server hands the lock to the one that waits for it at the moment when the first one is cut.
    const second = new PostgresStateStore({ url: url() });
    const opening = second.open();
    const waits =
      "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    while ((await sql(waits))[0]?.["count"] !== 1);
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`,
    );
    await opening;
    await second.set("keeper", { count: 2 });
    await assert.rejects(first.set("keeper", { count: 3 }), { code: "AGENTRT_STATE_LOCKED" });
    assert.equal(first.outage()?.reason, "another process writes it now");
    assert.deepEqual(await second.get("keeper"), { count: 2 });
    await second.close();
    while (first.outage() !== undefined) await new Promise((resolve) => setImmediate(resolve));
    await first.set("keeper", { count: 4 });
    await first.close();
  },
);

test(
  "a user without the right gets a typed error; one who may only write needs no right to make tables",
  { skip },
  async () => {
    const first = await emptyStore();
    await first.set("keeper", { count: 1 });
    await first.close();
    await sql(
      "DROP ROLE IF EXISTS reader",
      "CREATE ROLE reader LOGIN PASSWORD 'hidden-4711'",
      "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      "GRANT SELECT ON agentrt_agent_state TO reader",
    );
    const readerUrl = url().replace("postgres@", "reader:hidden-4711@");
    const reader = new PostgresStateStore({ url: readerUrl });
    assert.deepEqual(await reader.get("keeper"), { count: 1 });
    const error = await reader.set("keeper", {}).catch((reason: unknown) => reason);
    assert.match(String(error), /AGENTRT_STATE_WRITE_FAILED.*permission denied/);
    assert.ok(!inspect(error, { depth: 9 }).includes("hidden-4711"));
    await sql("GRANT INSERT, UPDATE ON agentrt_agent_state TO reader");
    await reader.set("keeper", { count: 2 });
    await sql("DROP TABLE agentrt_agent_state");
    await reader.close();
    const second = new PostgresStateStore({ url: readerUrl });
    await assert.rejects(second.get("keeper"), {
      code: "AGENTRT_STATE_DATABASE_FAILED",
      message: /permission denied for schema public/,
    });
    await second.close();
  },
);

test(
  "a database that cannot be had is a typed error that holds no password",
  { skip },
  async () => {
    const port = await freePort();
    const here = url();
    for (const [address, code, reason] of [
      [
        `postgresql://me:hidden-4711@127.0.0.1:${port}/states`,
        "AGENTRT_STATE_UNAVAILABLE",
        /nothing answers/,
      ],
      [
        here.replace(/\/postgres$/, "/nowhere?password=hidden-4711"),
        "AGENTRT_STATE_DATABASE_FAILED",
        /"nowhere" does not exist/,
      ],
      [
        here.replace("postgres@", "nobody:hidden-4711@"),
        "AGENTRT_STATE_DATABASE_FAILED",
        /role "nobody" does not exist/,
      ],
    ] as const) {
      const store = new PostgresStateStore({ url: address, timeoutMs: 5000 });
      const error = await store.get("keeper").catch((cause: unknown) => cause as Error);
      assert.ok(error instanceof Error);
      assert.equal((error as { code?: unknown }).code, code);
      assert.match(error.message, reason);
      assert.ok(!error.message.includes("hidden-4711"));
      await store.close();
    }
  },
);

test(
  "a wrong password is a typed error that does not hold it, and the right one opens",
  { skip },
  async () => {
    await (await emptyStore()).close();
    const rows = await sql("SHOW hba_file");
    const path = String(rows[0]?.["hba_file"]);
    const before = readFileSync(path);
    await sql(
      "DROP ROLE IF EXISTS guarded",
      "CREATE ROLE guarded LOGIN PASSWORD 'right-4712'",
      "GRANT CREATE ON SCHEMA public TO guarded",
    );
    writeFileSync(path, `host all guarded 127.0.0.1/32 scram-sha-256\n${before.toString()}`);
    try {
      await sql("SELECT pg_reload_conf()", "SELECT pg_sleep(0.3)");
      for (const [user, reason] of [
        ["guarded:wrong-4711", /password authentication failed/],
        ["guarded", /: no password: set PGPASSWORD, or give one in the URL$/],
      ] as const) {
        const store = new PostgresStateStore({ url: url().replace("postgres@", `${user}@`) });
        const error = await store.get("keeper").catch((reason: unknown) => reason);
        assert.equal((error as { code?: unknown }).code, "AGENTRT_STATE_DATABASE_FAILED");
        assert.match((error as Error).message, reason);
        assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes("wrong-4711"));
        await store.close();
      }
      const store = new PostgresStateStore({
        url: url().replace("postgres@", "guarded:right-4712@"),
      });
      await store.set("keeper", { count: 1 });
      await store.close();
    } finally {
      writeFileSync(path, before);
      await sql("SELECT pg_reload_conf()");
    }
  },
);

test(
  "writes that the server does not do in time fail typed, and work again once it does",
  { skip },
  async () => {
    const options = { poolSizeMin: 0, poolSizeMax: 2, timeoutMs: 700 };
    const first = await emptyStore();
    await first.open();
    await first.close();
    const store = new PostgresStateStore({ url: url(), ...options });
    await store.set("keeper", { count: 1 });
    const client = new Client({
      connectionString: url(),
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      application_name: "holder",
    });
    await client.connect();
    await client.query("BEGIN");
    await client.query("LOCK TABLE agentrt_agent_state IN ACCESS EXCLUSIVE MODE");
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => store.set(`agent-${index}`, { index })),
    );
    for (const result of results) {
      assert.equal(result.status, "rejected");
      const { code } = result.reason as { code?: unknown };
      assert.equal(code, "AGENTRT_STATE_UNAVAILABLE", String(result.reason));
    }
    await client.query("COMMIT");
    await client.end();
    // What was reported as failed does not come into force behind our back.
    assert.deepEqual(await store.listAgents(), ["keeper"]);
    await store.set("keeper", { count: 2 });
    assert.deepEqual(await store.get("keeper"), { count: 2 });
    await store.close();
  },
);

test(
  "of several stores that make the table at the same moment one writes it",
  { skip },
  async () => {
    await (await emptyStore()).close();
    const stores = Array.from({ length: 6 }, () => new PostgresStateStore({ url: url() }));
    const results = await Promise.allSettled(stores.map(async (store) => await store.open()));
    const codes = results.map((result) =>
      result.status === "fulfilled" ? "open" : String((result.reason as { code?: unknown }).code),
    );
    const locked = Array.from({ length: 5 }, () => "AGENTRT_STATE_LOCKED");
    assert.deepEqual(codes.toSorted(), [...locked, "open"]);
    for (const store of stores) await store.close();
  },
);

test("a store that only reads makes no table", { skip }, async () => {
  await (await emptyStore()).close();
  const store = new PostgresStateStore({ url: url(), isReadOnly: true });
  assert.deepEqual(await store.listAgents(), []);
  assert.equal(await store.get("keeper"), undefined);
  await store.close();
  const rows = await sql("SELECT to_regclass('agentrt_agent_state') IS NULL AS missing");
  assert.deepEqual(rows, [{ missing: true }]);
});

test(
  "saveRows() saves all rows or none, and rows() gives them back as they were",
  { skip },
  async () => {
    const store = await emptyStore();
    await store.set("kept", { count: 1 });
    const rows = Array.from({ length: 450 }, (_, index) => ({
      agent: `agent-${String(index).padStart(3, "0")}`,
      text: JSON.stringify({ index, text: index === 7 ? "\u0000" : "x" }),
    }));
    const broken = (async function* () {
      yield* rows;
      yield { agent: "broken", text: "[1," };
    })();
    await assert.rejects(store.saveRows(broken), {
      code: "AGENTRT_STATE_CORRUPT",
      message: /broken/,
    });
    assert.deepEqual(await store.listAgents(), ["kept"]);
    const whole = (async function* () {
      yield* rows;
    })();
    assert.equal(await store.saveRows(whole), 450);
    const found = new Map<string, unknown>();
    for await (const row of store.rows()) found.set(row.agent, JSON.parse(row.text));
    assert.equal(found.size, 451);
    for (const { agent, text } of rows) assert.deepEqual(found.get(agent), JSON.parse(text));
    await store.deleteAll();
    assert.deepEqual(await store.listAgents(), []);
    await store.close();
  },
);
