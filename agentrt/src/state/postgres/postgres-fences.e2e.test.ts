/** States under fences on a real PostgreSQL server. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { skipUnless, startPostgres } from "testkit";
import { PostgresStateStore } from "../index.ts";
import { testFencedStates } from "../test-support/fenced-cases.ts";

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

async function empty(): Promise<void> {
  const client = new Client({
    connectionString: url(),
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    application_name: "test",
  });
  await client.connect();
  await client.query("DROP TABLE IF EXISTS agentrt_agent_state, agentrt_state_fence");
  await client.end();
}

if (skip === false)
  testFencedStates("postgres", async () => {
    await empty();
    const open = () => new PostgresStateStore({ url: url(), isShared: true });
    const [one, other] = [open(), open()];
    return {
      one,
      other,
      [Symbol.asyncDispose]: async () => {
        await one.close();
        await other.close();
      },
    };
  });

test("a shared postgres store stays open next to one that has the lock", { skip }, async () => {
  await empty();
  await using own = disposable(new PostgresStateStore({ url: url() }));
  await own.store.open();
  await using shared = disposable(new PostgresStateStore({ url: url(), isShared: true }));
  await shared.store.open();
  await own.store.set("front", { count: 1 });
  assert.deepEqual(await shared.store.get("front"), { count: 1 });
  assert.equal(own.store.fenced, undefined);
  await assert.rejects(shared.store.set("front", {}), { code: "AGENTRT_STATE_WRITE_ALL_FAILED" });
});

function disposable(store: PostgresStateStore) {
  return { store, [Symbol.asyncDispose]: async () => await store.close() };
}
