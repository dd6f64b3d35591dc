/** States under fences in a SQLite file that several processes write, encrypted or not. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import process from "node:process";
import { createTemporaryFolder } from "testkit";
import type { StateStore } from "../core/index.ts";
import { EncryptedStateStore, MemoryStateStore, readStateKeys, SqliteStateStore } from "./index.ts";
import { testFencedStates } from "./test-support/fenced-cases.ts";

const environment = { AGENTRT_STATE_KEY: Buffer.alloc(32, 7).toString("base64") };

for (const durability of ["normal", "strict"] as const)
  for (const isEncrypted of [false, true]) {
    const name = `${isEncrypted ? "encrypted " : ""}sqlite, durability ${durability}`;
    testFencedStates(name, async () => {
      const folder = createTemporaryFolder();
      const open = (): StateStore => {
        const path = join(folder.path, "state.db");
        const store = new SqliteStateStore({ path, durability, isShared: true });
        const keys = readStateKeys({ environment });
        return isEncrypted ? new EncryptedStateStore({ store, keys }) : store;
      };
      const [one, other] = [open(), open()];
      return {
        one,
        other,
        [Symbol.asyncDispose]: async () => {
          await one.close();
          await other.close();
          folder[Symbol.dispose]();
        },
      };
    });
  }

test("a shared sqlite file has no writer that wants it for itself, nor the other way round", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const locked = { code: "AGENTRT_STATE_LOCKED", message: new RegExp(`process ${process.pid} `) };
  const shared = new SqliteStateStore({ path, isShared: true });
  assert.throws(() => new SqliteStateStore({ path }), locked);
  await shared.close();
  const own = new SqliteStateStore({ path });
  assert.throws(() => new SqliteStateStore({ path, isShared: true }), locked);
  assert.equal(own.fenced, undefined);
  await own.close();
});

test("a store that keeps no processes apart says so", () => {
  const keys = readStateKeys({ environment });
  const store = new MemoryStateStore();
  assert.equal(new EncryptedStateStore({ store, keys }).fenced, undefined);
});
