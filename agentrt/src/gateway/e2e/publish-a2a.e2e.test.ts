/** Published agents over the Agent2Agent protocol, through `agentrt run`, asked by the client of another SDK. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AgentCard,
  SendMessageRequest,
  type SendMessageResult,
  StreamResponse,
  Task,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { freePort } from "testkit";
import { publishedAgents } from "./test-support/published-agents.ts";
import { startTopology } from "./test-support/running-topology.ts";

const topology = (open: number, guarded: number, control: number): string => `supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: desk, type: agents.Desk }
    - agent: { name: counter, type: agents.Counter }
    - agent: { name: clerk, type: agents.Clerk }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: ${control} } }
    - name: open
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${open}
        routes: [{ method: GET, path: /ping, agent: desk }]
        publish:
          agents: [desk, { agent: counter, mode: stream }, { agent: clerk, description: Refunds }]
          mcp: false
          name: office
          max_tasks: 102
    - name: guarded
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${guarded}
        auth: { middleware: [agentrt.gateway.auth.require_api_key] }
        routes: [{ method: GET, path: /ping, agent: desk }]
        publish: { agents: [desk], mcp: false, a2a_path: /agents-of-ours, url: "https://office.example" }
`;

async function run() {
  const [open, guarded, control] = [await freePort(), await freePort(), await freePort()];
  const running = await startTopology({
    topology: topology(open, guarded, control),
    files: { "agents.ts": publishedAgents },
    environment: { AGENTRT_GATEWAY_API_KEYS: "alice-key,bob-key" },
  });
  return { ...running, open, guarded, control };
}

const legacyCompat = { enabled: true };

/** A client that speaks one version: it takes the first interface of the card that it knows. */
async function connect(url: string, version: "1.0" | "0.3"): Promise<Client> {
  const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as AgentCard;
  const supportedInterfaces = card.supportedInterfaces.filter(
    (each) => each.protocolVersion === version,
  );
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  return await factory.createFromAgentCard({ ...card, supportedInterfaces });
}

let messageCount = 0;
const message = (content: object, more: object = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: `m${(messageCount += 1)}`, role: "ROLE_USER", parts: [content], ...more },
  });

/** What is the same in both versions, as JSON of 1.0. */
const taskJson = (result: SendMessageResult) => {
  const {
    id,
    contextId,
    status,
    artifacts = [],
  } = Task.toJSON(result as Task) as {
    id: string;
    contextId: string;
    status: { state: string; message?: { parts: { text: string }[] } };
    artifacts?: { parts: { text?: string; data?: unknown }[] }[];
  };
  const parts = artifacts.flatMap((artifact) => artifact.parts);
  return {
    id,
    contextId,
    state: status.state.replace("TASK_STATE_", ""),
    note: status.message?.parts[0]?.text,
    parts: parts.map((part) => part.text ?? part.data),
  };
};
type ShownTask = ReturnType<typeof taskJson>;
const shown = ({ state, note, parts }: ShownTask): unknown[] => [state, note, ...parts];

interface RpcAnswer {
  readonly result: {
    readonly id: string;
    readonly task: {
      readonly id: string;
      readonly artifacts: readonly { readonly parts: readonly { readonly text: string }[] }[];
    };
  };
  readonly error: { readonly code: number; readonly message: string };
}

interface Streamed {
  readonly task?: { readonly status: { readonly state: string } };
  readonly statusUpdate?: { readonly status: { readonly state: string } };
  readonly artifactUpdate?: {
    readonly append?: boolean;
    readonly artifact: {
      readonly parts: readonly { readonly data: { readonly number: number } }[];
    };
  };
}

interface Card {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly error: string;
  readonly skills: readonly { readonly id: string }[];
  readonly securitySchemes: {
    readonly apiKey: { readonly apiKeySecurityScheme: { readonly name: string } };
  };
}

async function post(
  port: number,
  body: unknown,
  more: { path?: string; [name: string]: string | undefined } = {},
) {
  const { path = "/a2a", ...headers } = more;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...(headers as { [name: string]: string }) },
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as RpcAnswer };
}

async function useAgents(setup: Awaited<ReturnType<typeof run>>, version: "1.0" | "0.3") {
  const base = `http://127.0.0.1:${setup.open}/a2a`;
  const desk = await connect(`${base}/desk`, version);
  assert.equal(desk.protocolVersion, version);
  const ask = async (client: Client, content: object, more: object = {}) =>
    taskJson(await client.sendMessage(message(content, more)));

  const done = await ask(desk, { data: { say: "hello" } }, { contextId: "c1" });
  assert.deepEqual(shown(done), ["COMPLETED", undefined, { said: "hello", type: "http.request" }]);
  assert.equal(done.contextId, "c1");
  const again = taskJson(await desk.getTask({ tenant: "", id: done.id }));
  assert.deepEqual(again, done);
  const crashed = await ask(desk, { data: { crash: true } });
  assert.deepEqual(shown(crashed), ["FAILED", "agent 'desk' crashed"]);

  // Text is a member of the payload, and an agent that says nothing but text answers with text.
  const clerk = await connect(`${base}/clerk`, version);
  assert.deepEqual(shown(await ask(clerk, { text: "a refund" })), [
    "COMPLETED",
    undefined,
    "done: a refund",
  ]);

  const counter = await connect(`${base}/counter`, version);
  const events: string[] = [];
  for await (const response of counter.sendMessageStream(message({ data: { to: 2 } }))) {
    const { task, statusUpdate, artifactUpdate } = StreamResponse.toJSON(response) as Streamed;
    events.push(
      task?.status.state ??
        statusUpdate?.status.state ??
        `${artifactUpdate?.append === true ? "+" : ""}${artifactUpdate?.artifact.parts[0]?.data.number}`,
    );
  }
  const working = "TASK_STATE_WORKING";
  assert.deepEqual(events, [working, "1", "+2", "TASK_STATE_COMPLETED"]);

  // A task goes on when its client has gone, and is canceled by its id.
  const gone = new AbortController();
  const left = desk.sendMessageStream(message({ data: { hang: version } }), {
    signal: gone.signal,
  });
  const first = taskJson(((await left.next()).value as StreamResponse).payload?.value as Task);
  await setup.program.waitFor(new RegExp(`begin ${version}`));
  gone.abort();
  await assert.rejects(left.next());
  assert.equal(taskJson(await desk.getTask({ tenant: "", id: first.id })).state, "WORKING");
  const watched = desk.resubscribeTask({ tenant: "", id: first.id });
  await watched.next();
  const canceled = taskJson(
    await desk.cancelTask({ tenant: "", id: first.id, metadata: undefined }),
  );
  assert.equal(canceled.state, "CANCELED");
  await setup.program.waitFor(new RegExp(`end ${version}`));
  assert.equal((await watched.next()).done, false);
  assert.equal((await watched.next()).done, true);
  const cancel = { tenant: "", id: first.id, metadata: undefined };
  await assert.rejects(desk.cancelTask(cancel), /the task is canceled/);
  await assert.rejects(desk.getTask({ tenant: "", id: "none" }), /there is no such task/);
  // A task of one agent is not found at another.
  await assert.rejects(clerk.getTask({ tenant: "", id: first.id }), /there is no such task/);

  // An agent that waits for a person: the task says so, and is done when the person has decided.
  await ask(clerk, { data: { text: "big", approval: true } });
  const waiting = await ask(clerk, { text: "behind it" });
  assert.deepEqual(shown(waiting), ["INPUT_REQUIRED", "a refund over 500"]);
  const more = message({ text: "go on" }, { taskId: waiting.id });
  await assert.rejects(clerk.sendMessage(more), /takes no further message/);
  const resumed = clerk.resubscribeTask({ tenant: "", id: waiting.id });
  await resumed.next();
  const lift = await fetch(`http://127.0.0.1:${setup.control}/agents/clerk/resume`, {
    method: "POST",
  });
  assert.equal(lift.status, 200, await lift.text());
  const states: string[] = [];
  for await (const each of resumed) {
    const { statusUpdate } = StreamResponse.toJSON(each) as Streamed;
    if (statusUpdate !== undefined) states.push(statusUpdate.status.state);
  }
  assert.deepEqual(states, [working, "TASK_STATE_COMPLETED"]);

  const many = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => await ask(desk, { data: { say: index } })),
  );
  assert.deepEqual(
    many.map(({ parts }) => (parts[0] as { said: number }).said),
    many.map((_, index) => index),
  );
  // At most 102 are kept, those that were done first went first.
  await assert.rejects(desk.getTask({ tenant: "", id: done.id }), /there is no such task/);
  if (version === "0.3") return;
  const listed = await desk.listTasks({
    tenant: "",
    contextId: "",
    status: 0,
    pageSize: 30,
    pageToken: "",
    statusTimestampAfter: undefined,
  });
  assert.equal(listed.tasks.length, 30);
  assert.ok(listed.totalSize <= 102 && listed.nextPageToken !== "");
}

test("an A2A client of version 1.0, and one of 0.3, sends, streams, asks for tasks and cancels them", async () => {
  await using setup = await run();
  for (const version of ["1.0", "0.3"] as const) await useAgents(setup, version);
});

test("cards say where agents are and how clients show who they are; what is no request is refused by its code", async () => {
  await using setup = await run();
  const card = async (port: number, path: string, headers: { [name: string]: string } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: response.status, body: (await response.json()) as Card };
  };
  const well = "/.well-known/agent-card.json";
  const { body: all } = await card(setup.open, well);
  assert.deepEqual(
    [all.name, all.url, all.skills.map(({ id }) => id)],
    ["office", `http://127.0.0.1:${setup.open}/a2a`, ["desk", "counter", "clerk"]],
  );
  const { body: one } = await card(setup.open, `/a2a/clerk${well}`);
  assert.deepEqual([one.name, one.description], ["clerk", "Refunds"]);
  const unknown = await card(setup.open, `/a2a/clark${well}`);
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.error, /'clark' is published.*"clerk"/);

  const key = { "x-api-key": "alice-key" };
  assert.equal((await card(setup.guarded, well)).status, 401);
  const { body: guarded } = await card(setup.guarded, well, key);
  assert.equal(guarded.url, "https://office.example/agents-of-ours");
  assert.equal(guarded.securitySchemes.apiKey.apiKeySecurityScheme.name, "X-API-Key");

  // A task is not there for another client.
  const send = {
    jsonrpc: "2.0",
    id: "s",
    method: "SendMessage",
    params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ data: { say: 1 } }] } },
  };
  const path = "/agents-of-ours";
  const sent = await post(setup.guarded, send, { path, ...key });
  const { id } = sent.body.result.task;
  const get = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } };
  assert.equal((await post(setup.guarded, get, { path, ...key })).body.result.id, id);
  const stolen = await post(setup.guarded, get, { path, "x-api-key": "bob-key" });
  assert.equal(stolen.body.error.code, -32001);
  assert.equal((await post(setup.guarded, get, { path })).status, 401);

  const to = (params: unknown, method = "SendMessage") => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    params,
  });
  const parts = [{ text: "x" }];
  const user = { messageId: "m", role: "ROLE_USER" };
  for (const [body, code, text, headers = {}] of [
    [{ id: 1, method: "SendMessage" }, -32600, /not a request of JSON-RPC 2\.0/],
    [to({}, "SendMesage"), -32601, /did you mean "SendMessage"/],
    [to([]), -32602, /params is not an object/],
    [to({}), -32602, /message is missing/],
    [to({ message: { ...user, parts: [] } }), -32602, /parts is empty/],
    [to({ message: { ...user, parts, role: "ROLE_AGENT" } }), -32602, /role/],
    [to({ message: { ...user, parts: [{ url: "http://x" }] } }), -32005, /send text, or data/],
    [
      to({ message: { ...user, parts } }),
      -32602,
      /skillId is none of desk, counter, clerk; or send/,
    ],
    [to({ message: { ...user, parts, taskId: "none" } }), -32001, /no such task/],
    [to({ id: "none" }, "GetTask"), -32001, /no such task/],
    [to({ id: "none" }, "tasks/cancel"), -32001, /no such task/],
    [to({ pageSize: 0 }, "ListTasks"), -32602, /pageSize/],
    [to({}, "CreateTaskPushNotificationConfig"), -32003, /push/],
    [to({}, "GetExtendedAgentCard"), -32004, /extended/],
    [to({}), -32009, /"2\.0" is not spoken/, { "a2a-version": "2.0" }],
  ] as const) {
    const answer = await post(setup.open, body, headers);
    assert.deepEqual([answer.status, answer.body.error.code], [200, code], JSON.stringify(answer));
    assert.match(answer.body.error.message, text);
  }
  const chosen = to({ message: { ...user, parts, metadata: { skillId: "clerk" } } });
  const { result } = (await post(setup.open, chosen)).body;
  assert.equal(result.task.artifacts[0]?.parts[0]?.text, "done: x");
  assert.equal((await post(setup.open, chosen, { origin: "http://evil.example" })).status, 403);
});
