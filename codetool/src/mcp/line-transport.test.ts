import assert from "node:assert/strict";
import { test } from "node:test";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { LineTransport } from "./line-transport.ts";

/** Input of these messages, or lines. */
async function* linesOf(...lines: readonly (object | string)[]): AsyncGenerator<string> {
  for (const line of lines)
    yield `${typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line })}\n`;
}

/** Whether a promise has come to its end after some turns. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test("what answers a lot waits until its client has read what it has", async () => {
  const read = Promise.withResolvers<boolean>();
  const transport = new LineTransport(linesOf(), () => read.promise);
  assert.equal(await isSettled(transport.whenRead()), true);
  const sent = transport.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(5_000_000) } });
  const waiting = transport.whenRead();
  assert.equal(await isSettled(waiting), false);
  read.resolve(true);
  await Promise.all([sent, waiting]);
});

test("a client that is gone keeps nobody waiting", async () => {
  const transport = new LineTransport(linesOf(), () => Promise.withResolvers<boolean>().promise);
  void transport.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(5_000_000) } });
  const waiting = transport.whenRead();
  await transport.close();
  await waiting;
});

test("what is no request and asks for an answer is answered, and so is what there is no room for", async () => {
  const written: { readonly id: unknown; readonly error: { readonly code: number } }[] = [];
  const big = (id: number): object => ({
    id,
    method: "tools/call",
    params: { text: "x".repeat(3_900_000) },
  });
  const input = linesOf(
    { id: 7, method: 8 },
    { id: 9, result: 1 },
    "no json",
    ...Array.from({ length: 10 }, (_, index) => big(index)),
  );
  const transport = new LineTransport(input, async (text) => {
    written.push(JSON.parse(text) as (typeof written)[number]);
    return true;
  });
  const taken: JSONRPCMessage[] = [];
  transport.onmessage = (message) => {
    taken.push(message);
  };
  const run = transport.run();
  while (written.length < 3) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    written.map(({ id, error }) => [id, error.code]),
    [
      [7, -32_600],
      [8, -32_000],
      [9, -32_000],
    ],
  );
  assert.equal(taken.length, 8);
  await transport.close();
  await run;
});
