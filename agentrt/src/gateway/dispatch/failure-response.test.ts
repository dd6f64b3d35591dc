/** What a client is answered when a message to an agent has failed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../../control/elsewhere/index.ts";
import { allErrors } from "../../links/test-support/all-errors.ts";
import type { GatewayResponse } from "../index.ts";
import { failureResponse } from "./index.ts";

/** It is gone for good, so nothing says when to come again. */
const gone = "AGENTRT_AGENT_STOPPED";

test("each error that may be over some time is answered with a status that says so, by a gateway and by a control plane; 503 says when to come again", async () => {
  const silent = { warn: () => undefined, error: () => undefined };
  let count = 0;
  for (const { code, make } of await allErrors()) {
    const error = make();
    if (!error.isRetryable || error.httpStatus <= 500) continue;
    count += 1;
    const isTimed = ({ headers }: GatewayResponse): boolean =>
      headers?.["retry-after"] !== undefined;
    const answers = [failureResponse(error, "desk", silent), refusalOf(error)] as const;
    for (const { status } of answers)
      assert.ok(status > 500 || status === error.httpStatus, `${code} ${status}`);
    const [atGateway, atControl] = answers;
    assert.equal(isTimed(atGateway), atGateway.status === 503 && code !== gone, code);
    assert.equal(isTimed(atControl), atControl.status === 503, code);
  }
  assert.ok(count > 20, String(count));
});

test("what may be over some time, and is not the client's business, is said in a log, and not to the client", async () => {
  const lines: (readonly [string, object | undefined])[] = [];
  const log = {
    warn: (...line: [string, object?]) => void lines.push([line[0], line[1]]),
    error: assert.fail,
  };
  const error = (await allErrors())
    .find(({ code }) => code === "AGENTRT_STATE_UNAVAILABLE")
    ?.make();
  assert.deepEqual(failureResponse(error, "desk", log), {
    status: 503,
    body: { error: "agent 'desk' cannot answer for now" },
    headers: { "retry-after": "1" },
  });
  assert.deepEqual(lines, [
    ["A message could not be dispatched for now", { recipient: "desk", error }],
  ]);
});
