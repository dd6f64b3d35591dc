import assert from "node:assert/strict";
import { test } from "node:test";
import { crashElsewhere } from "../runtime/index.ts";
import { readToldCrash, toldCrash } from "./told-crash.ts";

test("a supervisor has the error of a crash at a worker with the texts that the worker shows", () => {
  const secret = "round-kettle-2718";
  const inner = new RangeError(`refused with ${secret}`);
  const middle = new TypeError(`no answer to ${secret}`, { cause: inner });
  const outer = new Error(`asked with ${secret}`, { cause: middle });
  const shown = {
    message: "asked with <secret-1>",
    causes: ["no answer to <secret-1>", "refused with <secret-1>"],
  };
  const told = toldCrash(outer, { id: "c1", shown }, (text) => text);
  const error = readToldCrash(JSON.parse(JSON.stringify(told)) as typeof told);
  const causes: unknown[] = [];
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    causes.push([each.name, each.message]);
  assert.deepEqual(causes, [
    ["Error", shown.message],
    ["TypeError", shown.causes[0]],
    ["RangeError", shown.causes[1]],
  ]);
  assert.deepEqual(crashElsewhere(error), { id: "c1", shown });
  assert.ok(!String(error.stack).includes(secret));
  // Of one that it does not know it hides what it knows of secrets.
  const hide = (text: string): string => text.replaceAll(secret, "***");
  const unknown = readToldCrash(toldCrash(outer, undefined, hide));
  assert.equal(unknown.message, "asked with ***");
  assert.equal((unknown.cause as Error).message, "no answer to ***");
});
