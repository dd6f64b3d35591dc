import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { PostgresStateStore } from "../index.ts";

test("postgres store says what to install when its driver is missing", async () => {
  const missing = Object.assign(new Error("Cannot find package 'pg'"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const store = new PostgresStateStore({
    url: "postgresql://127.0.0.1/states",
    loadDriver: async () => await Promise.reject(missing),
  });
  await assert.rejects(store.get("keeper"), {
    code: "AGENTRT_STATE_DRIVER_MISSING",
    message: /npm install pg@\d/,
  });
  await store.close();
});

test("postgres store refuses what is no URL of a database and repeats nothing of it", () => {
  for (const url of [
    "",
    "hidden-4711",
    "mysql://me:hidden-4711@host/x",
    "postgresql://me:hidden-4711@ho st",
  ]) {
    assert.throws(
      () => new PostgresStateStore({ url }),
      (error: unknown) => {
        assert.equal((error as { code?: unknown }).code, "AGENTRT_STATE_URL_INVALID");
        return !inspect(error).includes("4711");
      },
    );
  }
});
