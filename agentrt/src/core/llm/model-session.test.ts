/** What a session leaves behind at its end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../testing/index.ts";
import { createTextLog, TimerWheel } from "../ports/index.ts";
import { CallScope } from "./call-scope.ts";
import { ModelSession } from "./model-session.ts";
import { ModelTally } from "./model-tally.ts";
import { PartsInUse } from "./parts-in-use.ts";

test("a session that has ended is held by nothing, though a stream of it was not read to its end", () => {
  const system = new VirtualClock();
  const partsInUse = new PartsInUse();
  const kernel = { system, wheel: new TimerWheel(system), partsInUse };
  const work = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY };
  const owner = {
    name: "reader",
    log: createTextLog({ write: () => undefined }),
    isSealed: false,
    tracePoint: () => undefined,
    scopeOf: () => work,
  };
  const session = new ModelSession({
    owner,
    kernel,
    tally: new ModelTally(),
    credentials: undefined,
  });
  const over = (): Error => new Error("over");
  const scope = new CallScope({
    kernel,
    work,
    timeoutMs: undefined,
    cancelledError: over,
    timeoutError: over,
  });
  session.begin(scope, "main");
  assert.deepEqual([...partsInUse.asking], [session]);
  session.end(over());
  assert.equal(scope.signal.aborted, true);
  assert.equal(partsInUse.asking.size, 0);
});
