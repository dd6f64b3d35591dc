/** Published agents as tools, through `agentrt run`, asked by the Model Context Protocol's own client. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "testkit";
import { publishedAgents } from "./test-support/published-agents.ts";
import { startTopology } from "./test-support/running-topology.ts";
import { connectMcp } from "./test-support/tool-clients.ts";

const topology = (open: number, guarded: number): string => `supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: desk/one, type: agents.Desk }
    - agent: { name: desk/two, type: agents.Desk }
    - agent: { name: counter, type: agents.Counter }
    - agent: { name: typed, type: agents.Typed, capabilities: [typing] }
    - name: open
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${open}
        request_timeout: 20
        routes: [{ method: GET, path: /ping, agent: desk/one }]
        publish:
          agents:
            - desk/one
            - agent: counter
              name: count
              description: Counts to a number
              mode: stream
              request: { type: object, properties: { to: { type: integer } }, required: [to] }
              response: { type: object, properties: { number: { type: integer } } }
            - { capability: typing, name: typed_by_capability }
            - typed
          name: office
          version: "2.1"
    - name: guarded
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${guarded}
        auth: { middleware: [agentrt.gateway.auth.require_api_key] }
        routes: [{ method: GET, path: /ping, agent: desk/one }]
        publish: { agents: [desk/one, desk/two], mcp_path: /tools, a2a: false, max_sessions: 2, rate_limit: { requests: 40, key: principal } }
`;

const url = (port: number, path = "/mcp"): URL => new URL(`http://127.0.0.1:${port}${path}`);

async function run() {
  const [open, guarded] = [await freePort(), await freePort()];
  const running = await startTopology({
    topology: topology(open, guarded),
    files: { "agents.ts": publishedAgents },
    environment: { AGENTRT_GATEWAY_API_KEYS: "alice-key,bob-key" },
  });
  return { ...running, open, guarded };
}

const textOf = (result: { readonly [name: string]: unknown }): string => {
  const [part] = result["content"] as { readonly text: string }[];
  return part?.text ?? "";
};

async function post(at: URL, body: object, headers: { readonly [name: string]: string } = {}) {
  const response = await fetch(at, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};

test("published agents are tools of the official client: listed, called, in parts, failing, cancelled", async () => {
  await using setup = await run();
  await using session = await connectMcp(url(setup.open));
  const { client } = session;
  assert.deepEqual(client.getServerVersion(), { name: "office", version: "2.1" });

  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, description }) => [name, description]),
    [
      ["desk_one", 'The agent "desk/one"'],
      ["count", "Counts to a number"],
      ["typed_by_capability", 'The agent "typing"'],
      ["typed", 'The agent "typed"'],
    ],
  );
  const [desk, count, , typed] = tools;
  assert.deepEqual(desk?.inputSchema, { type: "object" });
  assert.deepEqual(count?.inputSchema.required, ["to"]);
  assert.deepEqual(count?.outputSchema?.required, ["parts"]);
  assert.deepEqual(typed?.inputSchema.properties, { word: { type: "string" } });
  assert.deepEqual(typed?.outputSchema?.required, ["length"]);

  const reply = await client.callTool({ name: "desk_one", arguments: { say: "hello" } });
  assert.deepEqual(reply.structuredContent, { said: "hello", type: "http.request" });
  assert.equal(textOf(reply), '{"said":"hello","type":"http.request"}');
  const byCapability = await client.callTool({
    name: "typed_by_capability",
    arguments: { word: "abc" },
  });
  assert.deepEqual(byCapability.structuredContent, { length: 3 });

  const progress: unknown[] = [];
  const parts = await client.callTool({ name: "count", arguments: { to: 3 } }, undefined, {
    onprogress: ({ progress: number, message }) => progress.push([number, message]),
  });
  assert.deepEqual(progress, [
    [1, '{"number":1}'],
    [2, '{"number":2}'],
    [3, '{"number":3}'],
  ]);
  assert.deepEqual(parts.structuredContent, {
    parts: [{ number: 1 }, { number: 2 }, { number: 3 }],
  });

  // What fails is a result that a model can read, and says nothing of the code.
  for (const [name, input, error] of [
    ["desk_one", { crash: true }, /^agent 'desk\/one' crashed$/],
    ["desk_one", { refuse: "no refunds on Sundays" }, /^no refunds on Sundays$/],
    ["typed", { word: 7 }, /payload\.word: is not a text/],
    ["count", { to: 3, failAt: 2 }, /^agent 'counter' crashed$/],
  ] as const) {
    const failed = await client.callTool({ name, arguments: input });
    assert.equal(failed.isError, true, name);
    assert.match(textOf(failed), error, name);
    assert.doesNotMatch(JSON.stringify(failed), /secret detail|agents\.ts/);
  }
  await assert.rejects(client.callTool({ name: "cuont" }), /there is no tool "cuont".*"count"/);

  // One that is taken back ends at the agent, and the session goes on.
  const taken = new AbortController();
  const cancelled = client.callTool({ name: "desk_one", arguments: { hang: "one" } }, undefined, {
    signal: taken.signal,
  });
  await setup.program.waitFor(/begin one/);
  taken.abort();
  await assert.rejects(cancelled);
  await setup.program.waitFor(/end one/);

  // So does one whose client goes, with and without progress.
  for (const [id, meta] of [
    ["two", {}],
    ["three", { _meta: { progressToken: 1 } }],
  ] as const) {
    const gone = new AbortController();
    const params = { name: "desk_one", arguments: { hang: id }, ...meta };
    const left = fetch(url(setup.open), {
      method: "POST",
      signal: gone.signal,
      headers: {
        "content-type": "application/json",
        "mcp-session-id": session.transport.sessionId ?? "",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }),
    }).then(async (response) => await response.text());
    await setup.program.waitFor(new RegExp(`begin ${id}`));
    gone.abort();
    await assert.rejects(left);
    await setup.program.waitFor(new RegExp(`end ${id}`));
  }

  const many = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      client.callTool({ name: "desk_one", arguments: { say: index } }),
    ),
  );
  assert.deepEqual(
    many.map(({ structuredContent }) => (structuredContent as { said: number }).said),
    many.map((_, index) => index),
  );
});

test("sessions belong to who began them and are bounded; what is no message of the protocol is refused", async () => {
  await using setup = await run();
  const at = url(setup.guarded, "/tools");
  const [alice, bob] = [{ "x-api-key": "alice-key" }, { "x-api-key": "bob-key" }];
  assert.equal((await post(at, initialize)).status, 401);
  await assert.rejects(connectMcp(at), /invalid or missing API key/);

  await using first = await connectMcp(at, alice);
  const mine = { ...alice, "mcp-session-id": first.transport.sessionId ?? "" };
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  assert.match((await post(at, list, mine)).text, /desk_one/);
  const stolen = await post(at, list, { ...mine, ...bob });
  assert.equal(stolen.status, 404);
  // Two sessions at most: the one that is idle for longest makes room.
  await using second = await connectMcp(at, alice);
  await using third = await connectMcp(at, bob);
  assert.equal((await post(at, list, mine)).status, 404);
  assert.equal((await second.client.listTools()).tools.length, 2);
  await third.transport.terminateSession();
  await assert.rejects(third.client.listTools());
  // One that is at work makes no room.
  await using fourth = await connectMcp(at, bob);
  const busy = [second, fourth].map(async ({ client }, index) => {
    const name = ["desk_one", "desk_two"][index] ?? "";
    const hang = `busy${index}`;
    return await client.callTool({ name, arguments: { hang } }).catch(() => "ended");
  });
  for (const which of ["busy0", "busy1"]) await setup.program.waitFor(new RegExp(`begin ${which}`));
  void Promise.all(busy);
  const full = await post(at, initialize, alice);
  assert.deepEqual([full.status, full.headers.get("retry-after")], [503, "1"]);

  for (const [body, headers, status, text] of [
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, alice, 400, /not a message of JSON-RPC 2\.0/],
    [list, alice, 400, /mcp-session-id is missing/],
    [list, { ...mine, "mcp-protocol-version": "1999-01-01" }, 400, /1999-01-01.* is not spoken/],
    [list, { ...alice, origin: "https://evil.example" }, 403, /origin is not allowed/],
  ] as const) {
    const refused = await post(at, body, headers);
    assert.equal(refused.status, status, refused.text);
    assert.match(refused.text, text);
  }
  // There is nothing to listen to between requests.
  const listening = await fetch(at, { headers: mine });
  assert.deepEqual(
    [listening.status, listening.headers.get("allow")],
    [405, "DELETE, OPTIONS, POST"],
  );
  await listening.body?.cancel();
  // A page under a name that was made to point here: this gateway asks nobody who they are.
  const rebound = await post(url(setup.open), initialize, { origin: "http://rebound.example" });
  assert.equal(rebound.status, 403);

  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 60)
    statuses.push((await post(at, list, alice)).status);
  assert.equal(statuses.at(-1), 429);
});
