/** `agentrt mcp` through the real command line: a running topology as tools of the protocol's own client, over stdio. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload, signal }: Message) {
    if (payload["crash"] === true) throw new Error("as told");
    if (payload["refund"] !== undefined) {
      return { id: await this.suspendForApproval({ kind: "refund", payload: { amount: payload["refund"]! }, expiresMs: 600_000 }) };
    }
    if (payload["hang"] === true) {
      console.log("hangs");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      console.log("ended");
    }
    return { asked: payload };
  }
  override async onSuspend(reason: string) { console.log("suspended for " + reason); }
  override async onResume(approver: string) { console.log("resumed by " + approver); }
}
`;
const guards = `
import type { Middleware } from "agentrt";

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;

const topology = (gateway: number, control: number): string => `supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: desk, type: agents.Desk }
    - { name: gateway, type: http_gateway, config: { host: 127.0.0.1, port: ${gateway} } }
    - { name: topo, type: topology_server, config: { port: ${control}, auth: { middleware: [guards.badge] } } }
`;

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly body: { readonly [name: string]: unknown } | undefined;
}

/** The list under a key of an answer. */
function rowsOf(body: Answer["body"], key: string): readonly { readonly [name: string]: string }[] {
  assert.ok(body !== undefined);
  return body[key] as readonly { readonly [name: string]: string }[];
}

async function connect(workingDirectory: string, ...flags: readonly string[]) {
  const client = new Client({ name: "test", version: "1" });
  const args = [binary, "mcp", ...flags];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: workingDirectory }),
  );
  return {
    client,
    call: async (name: string, input: object = {}): Promise<Answer> => {
      const result = await client.callTool({ name, arguments: { ...input } });
      const [part] = result.content as { readonly text: string }[];
      return {
        isError: result.isError === true,
        text: part?.text ?? "",
        body: result.structuredContent as Answer["body"],
      };
    },
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

test("an assistant looks at a running topology over MCP, and steers it where that is allowed", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "guards.ts": guards,
    "topology.yaml": topology(await freePort(), await freePort()),
    "plain.yaml":
      "supervision: { name: r, children: [{ agent: { name: a, type: agents.Desk } }] }\n",
  });
  const agentrt = async (...words: string[]): Promise<ProgramExit> =>
    await runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
  const badge = ["-H", "X-Badge: ada"];
  const noControl = await agentrt("mcp", "-t", "plain.yaml");
  assert.equal(noControl.code, 1);
  assert.match(noControl.stderr, /declares no topology_server/);

  await using reader = await connect(folder.path, ...badge);
  // It is there before the topology runs, and says so.
  const early = await reader.call("list_agents");
  assert.equal(early.isError, true);
  assert.match(early.text, /nothing listens there: is the topology running\?/);

  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  const { tools } = await reader.client.listTools();
  assert.ok(tools.length >= 10);
  for (const { name, annotations, outputSchema, inputSchema } of tools) {
    assert.deepEqual(
      [annotations?.readOnlyHint, annotations?.destructiveHint],
      [true, false],
      name,
    );
    assert.ok(outputSchema !== undefined && inputSchema["additionalProperties"] === false, name);
  }
  const { body: listed } = await reader.call("list_agents");
  assert.deepEqual(
    rowsOf(listed, "agents").map(({ name, status }) => [name, status]),
    [
      ["desk", "RUNNING"],
      ["gateway", "RUNNING"],
      ["topo", "RUNNING"],
      ["topo_gateway", "RUNNING"],
    ],
  );
  assert.equal(
    (await reader.call("describe_agent", { agent: "desk" })).body?.["status"],
    "RUNNING",
  );
  assert.equal((await reader.call("topology")).body?.["name"], "root");
  assert.deepEqual((await reader.call("health")).body, { status: "ok" });
  assert.equal((await reader.call("mailbox", { agent: "desk", limit: 5 })).body?.["depth"], 0);
  assert.deepEqual((await reader.call("dead_letters")).body?.["dead_letters"], []);
  assert.ok((await reader.call("metrics")).body?.["agents"] !== undefined);

  for (const [name, input, text] of [
    [
      "describe_agent",
      { agent: "dsk" },
      /agent 'dsk' not found, HTTP status 404; did you mean "desk"/,
    ],
    ["describe_agent", {}, /the argument "agent" is missing/],
    ["describe_agent", { agnt: "desk", agent: "desk" }, /no argument "agnt".*did you mean "agent"/],
    ["mailbox", { agent: "desk", limit: "5" }, /"limit" is not a whole number from 0 to 10000/],
    ["restart_agent", { agent: "desk" }, /start with `agentrt mcp --allow-writes`/],
    ["trace", { id: "0".repeat(32) }, /no spans are made: the topology names no exporter/],
    ["tpology", {}, /there is no tool "tpology".*did you mean "topology"/],
  ] as const) {
    const refused = await reader.call(name, input);
    assert.deepEqual([refused.isError, refused.body], [true, undefined], name);
    assert.match(refused.text, text);
  }
  await using stranger = await connect(folder.path);
  assert.match(
    (await stranger.call("list_agents")).text,
    /who is it\?, HTTP status 401: send cred/,
  );

  await using writer = await connect(folder.path, "--allow-writes", ...badge);
  const acts = (await writer.client.listTools()).tools.filter(
    (tool) => tool.annotations?.readOnlyHint === false,
  );
  assert.deepEqual(
    acts.map(({ name, annotations }) => [name, annotations?.destructiveHint]),
    [
      ["approve", true],
      ["deny", true],
      ["restart_agent", true],
      ["suspend_agent", false],
      ["drain_agent", true],
      ["resume_agent", false],
      ["replay_dead_letter", true],
      ["call_agent", true],
    ],
  );
  const asked = await writer.call("call_agent", { agent: "desk", payload: { n: 1 } });
  assert.deepEqual(asked.body, { reply: { asked: { n: 1 } } });
  const suspended = await writer.call("suspend_agent", { agent: "desk", reason: "wrong refunds" });
  assert.deepEqual(suspended.body, {
    status: "suspend_requested",
    agent: "desk",
    initiated_by: "ada",
  });
  await program.waitFor(/suspended for wrong refunds/);
  assert.equal((await writer.call("resume_agent", { agent: "desk" })).body?.["approver"], "ada");
  await program.waitFor(/resumed by ada/);
  const crashed = await writer.call("call_agent", { agent: "desk", payload: { crash: true } });
  assert.deepEqual([crashed.isError, /HTTP status 502/.test(crashed.text)], [true, true]);
  assert.equal(
    (await writer.call("restart_agent", { agent: "desk" })).body?.["status"],
    "restart_requested",
  );

  const { body: crashes } = await reader.call("crashes");
  const [crash] = rowsOf(crashes, "crashes");
  assert.equal(crash?.["message"], "as told");
  assert.equal((await reader.call("crash", { id: crash?.["id"] })).body?.["agent"], "desk");
  const { body: told } = await reader.call("events", {
    agent: "desk",
    type: "agent.suspended,agent.resumed",
  });
  assert.deepEqual(
    rowsOf(told, "events").map(({ type }) => type),
    ["agent.suspended", "agent.resumed"],
  );
  const { body: history } = await reader.call("agent_history", { agent: "desk" });
  assert.match(JSON.stringify(history?.["history"]), /wrong refunds/);
  const { body: overview } = await reader.call("overview");
  assert.equal(rowsOf(overview, "agents")[0]?.["class"], "Desk");
  assert.deepEqual((await reader.call("agent_state", { agent: "desk" })).body?.["agent"], "desk");
  const { body: logged } = await reader.call("logs", { agent: "desk", limit: 50 });
  assert.match(JSON.stringify(logged?.["lines"]), /agent suspended/);
  const unknown = await writer.call("replay_dead_letter", { id: "none" });
  assert.match(unknown.text, /dead letter 'none' not found/);

  for (const act of ["approve", "deny"] as const) {
    const { body: refund } = await writer.call("call_agent", {
      agent: "desk",
      payload: { refund: 7 },
    });
    const { id } = (refund?.["reply"] ?? {}) as { readonly id?: string };
    const { body: pending } = await reader.call("list_approvals", {
      agent: "desk",
      status: "pending",
    });
    assert.deepEqual(
      rowsOf(pending, "approvals").map((each) => each["id"]),
      [id],
    );
    assert.match((await reader.call(act, { id })).text, /start with `agentrt mcp --allow-writes`/);
    const note = `${act} as told`;
    const { body: done } = await writer.call(act, { id, note });
    const wanted = act === "approve" ? "approved" : "denied";
    assert.deepEqual(
      [done?.["status"], done?.["principal"], done?.["note"]],
      [wanted, "ada", note],
    );
    assert.equal((await reader.call("show_approval", { id })).body?.["status"], wanted);
    assert.equal((await writer.call(act, { id })).isError, true);
  }
  assert.match((await reader.call("show_approval", { id: "none" })).text, /HTTP status 404/);

  // A call that is taken back ends at the agent.
  const taken = new AbortController();
  const hung = writer.client.callTool(
    { name: "call_agent", arguments: { agent: "desk", payload: { hang: true } } },
    undefined,
    { signal: taken.signal },
  );
  await program.waitFor(/hangs/);
  taken.abort();
  await assert.rejects(hung);
  await program.waitFor(/ended/);
});
