import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableError } from "../index.ts";
import { modelErrors } from "../index.ts";
import {
  Script,
  asked,
  says,
  fails,
  never,
  plan,
  simulate,
  codeOf,
} from "./test-support/scripted-models.ts";

test("overload and lost connections are retried with a wait that doubles", async () => {
  const provider = new Script(
    fails(new modelErrors.OVERLOADED({ ...asked, reason: "busy" })),
    fails(new modelErrors.UNREACHABLE({ ...asked, reason: "reset" })),
    fails(new modelErrors.SERVER_FAILED({ ...asked, status: 500, reason: "oops" })),
    says("at last"),
  );
  await using simulation = await simulate([{ name: "main", provider }]);
  const beginMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.call("asker", {}), { content: "at last" });
  const tookMs = simulation.clock.monotonicMs() - beginMs;
  assert.ok(tookMs >= 0.75 * 3500 && tookMs <= 3500, `${tookMs} ms`);
  assert.equal(provider.requests.length, 4);
  assert.equal(simulation.logLines.filter((line) => line.includes("tried again")).length, 3);
  assert.equal(simulation.runtime.snapshot().agents["asker"]?.modelCalls, 1);
});

test("retries end at the provider's maximum with its last error", async () => {
  const provider = new Script(fails(new modelErrors.OVERLOADED({ ...asked, reason: "busy" })));
  provider.retryCountMax = 2;
  await using simulation = await simulate([{ name: "main", provider }]);
  assert.equal(await codeOf(simulation.call("asker", {})), "AGENTRT_MODEL_OVERLOADED");
  assert.equal(provider.requests.length, 3);
  assert.equal(simulation.runtime.snapshot().agents["asker"]?.modelErrors, 1);
});

for (const { title, retryAfterMs, options, attempts, tookMs } of [
  {
    title: "what the provider asked for is waited",
    retryAfterMs: 7000,
    options: {},
    attempts: 2,
    tookMs: 7000,
  },
  {
    title: "a wait of more than a minute fails at once",
    retryAfterMs: 60_001,
    options: {},
    attempts: 1,
    tookMs: 0,
  },
  {
    title: "a wait past the caller's deadline fails at once",
    retryAfterMs: 7000,
    options: { timeoutMs: 5000 },
    attempts: 1,
    tookMs: 0,
  },
]) {
  test(`after 429, ${title}`, async () => {
    const provider = new Script(
      fails(new modelErrors.RATE_LIMITED({ ...asked, reason: "slow down", retryAfterMs })),
      says("ok"),
    );
    await using simulation = await simulate([{ name: "main", provider }]);
    const beginMs = simulation.clock.monotonicMs();
    const call = simulation.call("asker", options);
    if (attempts === 1) assert.equal(await codeOf(call), "AGENTRT_MODEL_RATE_LIMITED");
    else assert.deepEqual(await call, { content: "ok" });
    assert.equal(provider.requests.length, attempts);
    assert.equal(simulation.clock.monotonicMs() - beginMs, tookMs);
  });
}

test("errors that a repetition cannot mend are not retried", async () => {
  for (const error of [
    new modelErrors.REFUSED({ ...asked, status: 401, reason: "bad key" }),
    new modelErrors.REPLY_INVALID({ ...asked, reason: "html" }),
    new TypeError("a fault of the provider"),
  ]) {
    const provider = new Script(fails(error));
    await using simulation = await simulate([{ name: "main", provider }]);
    await assert.rejects(simulation.call("asker", {}));
    assert.equal(provider.requests.length, 1);
  }
});

test("a provider that never answers is given up after its time, its signal aborted", async () => {
  const provider = new Script(never);
  provider.timeoutMs = 5000;
  await using simulation = await simulate([{ name: "main", provider }]);
  const pending = simulation.call("asker", {});
  assert.equal(await codeOf(pending), "AGENTRT_MODEL_TIMEOUT");
  assert.equal(provider.requests[0]?.signal.aborted, true);
});

test("timeoutMs bounds the whole call, and signal ends it at once", async () => {
  const provider = new Script(never);
  await using simulation = await simulate([{ name: "main", provider }]);
  assert.equal(await codeOf(simulation.call("asker", { timeoutMs: 300 })), "AGENTRT_MODEL_TIMEOUT");
  const controller = new AbortController();
  plan.act = async (agent) => {
    const pending = agent.ask({ signal: controller.signal });
    controller.abort();
    const askedBefore = provider.requests.length;
    const codes = [pending, agent.ask({ signal: controller.signal })].map((each) =>
      each.catch((error: unknown) => (error as TableError).code),
    );
    const settled = await Promise.all(codes);
    assert.equal(provider.requests.length, askedBefore, "a call that is cancelled asks nobody");
    return { codes: settled };
  };
  assert.deepEqual(await simulation.call("asker", {}), {
    codes: ["AGENTRT_MODEL_CANCELLED", "AGENTRT_MODEL_CANCELLED"],
  });
});
