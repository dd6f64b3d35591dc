/** What sessions and tasks of published agents do as time passes, and with clients that are slow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, System } from "../../core/index.ts";
import type { AgentBus, GatewayMessage } from "../ports.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";
import { loneGateway } from "../test-support/lone-gateway.ts";
import { ManualTime } from "../test-support/manual-time.ts";
import { publishRoutes } from "./publish-routes.ts";
import type { PublishLimits } from "./publish-options.ts";
import { TextQueue } from "./text-queue.ts";

/** Ids that differ, as real ones do. */
class Time extends ManualTime {
  #count = 0;

  override nextTraceId(): string {
    this.#count += 1;
    return `trace-${this.#count}`;
  }
}

const nothing = { warn: () => undefined, error: () => undefined };

/** Published routes over a bus whose calls the test answers. */
async function serve(limits: Partial<PublishLimits>) {
  const time = new Time();
  const waiting: { message: GatewayMessage; answer: (reply: JsonObject) => void }[] = [];
  const bus: Partial<AgentBus> = {
    call: (message) =>
      new Promise((answer, refuse) => {
        waiting.push({ message, answer });
        message.signal.addEventListener("abort", () => refuse(new Error("cancelled")));
      }),
  };
  const published = await publishRoutes({
    publish: { agents: [{ agent: "desk" }], limits },
    node: "api",
    schemas: new Map(),
    resolveMiddleware: async () => [],
    guards: [],
    trustedProxies: undefined,
    requestTimeoutMs: 30_000,
    boundHost: "127.0.0.1",
    allowedOrigins: [],
    isTls: false,
    suspensions: undefined,
    bus: bus as AgentBus,
    system: time as unknown as System,
    log: nothing,
    streamLimits: { queueLengthMax: 8, idleTimeoutMs: 1000, durationMsMax: 1000 },
  });
  const ask = async (path: string, body: JsonObject, headers: GatewayRequest["headers"] = {}) => {
    const route = published.routes.find((each) => each.path === path && each.method === "POST");
    const response = await route?.handle({
      method: "POST",
      path,
      authority: "localhost",
      pathParams: {},
      queryParams: {},
      headers,
      body,
      clientIp: "127.0.0.1",
      requestId: "r",
      gateway: loneGateway,
      clientCert: undefined,
      auth: undefined,
      signal: new AbortController().signal,
    });
    assert.ok(response !== undefined);
    return response;
  };
  return { time, waiting, ask, close: () => published.close() };
}

const bodyOf = ({ body }: GatewayResponse): JsonObject => body as JsonObject;

async function begin({ ask }: Awaited<ReturnType<typeof serve>>) {
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await ask("/mcp", { jsonrpc: "2.0", id: 0, method: "initialize", params });
  return { "mcp-session-id": begun.headers?.["mcp-session-id"] ?? "" };
}

test("a session ends when it was idle for its time, and not while a call of it is at work", async () => {
  const setup = await serve({ sessionIdleTimeoutMs: 1000 });
  const { time, waiting, ask } = setup;
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const session = await begin(setup);
  time.pass(999);
  assert.equal((await ask("/mcp", ping, session)).status, 200);
  const params = { name: "desk", arguments: {} };
  const call = ask("/mcp", { jsonrpc: "2.0", id: 2, method: "tools/call", params }, session);
  while (waiting.length === 0) await new Promise(setImmediate);
  time.pass(5000);
  assert.equal((await ask("/mcp", ping, session)).status, 200);
  waiting[0]?.answer({ fine: true });
  const { result } = bodyOf(await call) as { result: JsonObject };
  assert.deepEqual({ ...(result["structuredContent"] as JsonObject) }, { fine: true });
  time.pass(1000);
  assert.equal((await ask("/mcp", ping, session)).status, 404);
});

test("a client that waits for a task gets it as it is when its time is over; the task is kept for its age", async () => {
  const setup = await serve({ taskAgeMsMax: 5000, taskTimeoutMs: 90_000, taskCountMax: 2 });
  const { time, waiting, ask } = setup;
  const send = (more: JsonObject = {}) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] }, ...more },
  });
  const taskIn = (response: GatewayResponse) =>
    (bodyOf(response) as { result: { task: { id: string; status: { state: string } } } }).result
      .task;
  const get = async (id: string): Promise<string | number | undefined> => {
    const answer = await ask("/a2a", { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } });
    const { result, error } = bodyOf(answer) as {
      result?: { status: { state: string } };
      error?: { code: number };
    };
    return result?.status.state ?? error?.code;
  };
  const sent = ask("/a2a", send());
  while (waiting.length === 0) await new Promise(setImmediate);
  assert.deepEqual(
    [waiting[0]?.message.timeoutMs, { ...waiting[0]?.message.payload }],
    [90_000, { text: "hi" }],
  );
  await time.fire(30_000);
  const { id, status } = taskIn(await sent);
  assert.equal(status.state, "TASK_STATE_WORKING");
  waiting[0]?.answer({ text: "done" });
  while ((await get(id)) === "TASK_STATE_WORKING") await new Promise(setImmediate);
  time.pass(4999);
  assert.equal(await get(id), "TASK_STATE_COMPLETED");
  time.pass(1);
  assert.equal(await get(id), -32001);

  // Two at work at most: there is nothing to be forgotten for a third.
  const now = { configuration: { returnImmediately: true } };
  for (let count = 0; count < 2; count += 1) taskIn(await ask("/a2a", send(now)));
  const full = bodyOf(await ask("/a2a", send(now))) as { error: { code: number } };
  assert.equal(full.error.code, -32603);
  setup.close();
  assert.ok(waiting.slice(1).every(({ message }) => message.signal.aborted));
});

test("a queue of texts holds back who writes until they are taken, and lets go when its reader leaves", async () => {
  let isLeft = false;
  const queue = new TextQueue(2, () => (isLeft = true));
  await queue.push("a");
  let isTaken = false;
  const second = queue.push("b").then(() => (isTaken = true));
  const reader = queue[Symbol.asyncIterator]();
  await new Promise(setImmediate);
  assert.equal(isTaken, false);
  assert.deepEqual(await reader.next(), { done: false, value: "a" });
  await second;
  const third = queue.push("c");
  await reader.return?.();
  await third;
  assert.deepEqual([isLeft, queue.isEnded], [true, true]);
  await queue.push("nobody");
  assert.equal((await reader.next()).done, true);
});
