/** Errors between processes: each error of the runtime is itself on the other side. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { busErrors } from "../core/index.ts";
import { decodeFault, encodeFault } from "./fault-codec.ts";
import { allErrors } from "./test-support/all-errors.ts";

test("each error of the runtime is of the same class in another process, with all that callers go by", async () => {
  const errors = await allErrors();
  const codes = new Set(errors.map(({ code }) => code));
  assert.equal(codes.size, errors.length);
  for (const table of ["APPROVAL", "CIRCUIT", "STATE", "TOOL", "WORKER"])
    assert.ok(
      [...codes].some((code) => code.startsWith(`AGENTRT_${table}_`)),
      table,
    );
  for (const { code, make } of errors) {
    const sent = make({ cause: new Error("why") });
    const text = JSON.stringify(encodeFault(sent));
    const got = decodeFault(JSON.parse(text) as ReturnType<typeof encodeFault>);
    assert.equal(Object.getPrototypeOf(got), Object.getPrototypeOf(sent), code);
    assert.deepEqual(Object.entries(got), Object.entries(sent), code);
    assert.deepEqual([got.message, (got.cause as Error).message], [sent.message, "why"], code);
  }
});

test("messages and details of an error and of its causes come without what is taken out of them", () => {
  const key = "round-kettle-2718";
  const cause = new Error(`refused ${key}`);
  const error = new busErrors.NO_ROUTE({ address: `desk ${key}` }, { cause });
  const fault = encodeFault(error, (text) => text.replaceAll(key, "***"));
  assert.ok(!JSON.stringify(fault).includes(key));
  const got = decodeFault(fault) as typeof error;
  assert.deepEqual(
    [got.code, got.details.address, (got.cause as Error).message],
    [error.code, "desk ***", "refused ***"],
  );
  assert.match(got.message, /desk \*\*\*/);
  // A secret at the place where a text is cut is not seen in part.
  const long = encodeFault(new Error("x".repeat(3990) + key), (text) => text.replace(key, "***"));
  assert.equal(long["message"], `${"x".repeat(3990)}***`);
});

test("an error of user code comes as a plain one with its name, message and code; a code that is not known, or details that do not fit, too", () => {
  const own = Object.assign(new RangeError("out of it"), { code: "OWN" });
  const { name, message, code } = decodeFault(encodeFault(own)) as Error & { code?: string };
  assert.deepEqual([name, message, code], ["RangeError", "out of it", "OWN"]);
  for (const fault of [
    { code: "AGENTRT_NONE_SUCH", message: "m", details: {} },
    { code: "AGENTRT_BUS_PAYLOAD_INVALID", message: "m", details: { issues: 5 } },
    { code: "AGENTRT_BUS_NO_ROUTE", message: "m" },
  ]) {
    const error = decodeFault(fault) as Error & { code?: string };
    assert.deepEqual(
      [Object.getPrototypeOf(error), error.message, error.code],
      [Error.prototype, "m", fault.code],
    );
  }
});
