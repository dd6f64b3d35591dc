import assert from "node:assert/strict";
import { test } from "node:test";
import { busErrors, SpawnError, spawnErrors } from "../core/index.ts";
import { isAgentrtError } from "./agentrt-error.ts";

test("isAgentrtError tells errors of this package from others, and lets their details be read by code", () => {
  const error: unknown = new busErrors.TIMEOUT({ address: "shop", timeoutMs: 5 });
  assert.ok(isAgentrtError(error));
  assert.equal(error.code === "AGENTRT_BUS_TIMEOUT" && error.details.timeoutMs, 5);
  const spawn = new spawnErrors.NAME_TAKEN({ child: "one", supervisor: "workers" });
  assert.ok(spawn instanceof SpawnError && isAgentrtError(spawn));
  const others = [
    new Error("no"),
    { code: "AGENTRT_BUS_TIMEOUT" },
    undefined,
    "AGENTRT_BUS_TIMEOUT",
  ];
  for (const other of others) assert.equal(isAgentrtError(other), false);
});
