/** One trace over HTTP, three agents, a tool-free model server and the state store, to a collector and to files. */
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  startProgram,
  startScriptedServer,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";
export class Front extends Agent {
  override async handle() {
    return await this.span("decide", async () => await this.call("middle", {}), { step: 1 });
  }
}
export class Middle extends Agent {
  override async handle() { return await this.call("back", {}); }
}
export class Back extends Agent {
  override async handle() {
    const reply = await this.llm.chat({ messages: [{ role: "user", content: "Hello" }] });
    this.state = { last: reply.content };
    await this.checkpoint();
    return { answer: reply.content };
  }
}
`;

const completion = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m-1",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: "Good day", refusal: null },
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};

const topology = (port: number, modelUrl: string, more = ""): string => `${more}
plugins:
  exporters: [{ type: otlp, config: { protocol: http/json } }, { type: sqlite, config: { db_dir: spans } }]
  models:
    - type: openai
      config: { base_url: ${modelUrl}/v1, default_model: m-1 }
supervision:
  name: shop
  children:
    - agent: { name: front, type: agents.Front }
    - agent: { name: middle, type: agents.Middle }
    - agent: { name: back, type: agents.Back }
    - { name: gateway, type: http_gateway, config: { port: ${port} } }
    - { name: control, type: topology_server, config: { port: ${port + 1} } }
`;

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

function ofTrace({ spans }: OtlpReceiver): ReceivedSpan[] {
  return spans.filter((span) => span.traceId === traceId);
}

interface Listed {
  readonly trace_id: string;
  readonly name: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly status: string;
  readonly span_count: number;
  readonly agents: readonly string[];
}

/** Waits until the list of traces says so many spans of the trace. */
async function listWith(port: number, query: string, spanCount: number): Promise<Listed> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/traces${query}`);
    const { traces, recorded } = (await response.json()) as {
      readonly recorded: boolean;
      readonly traces: readonly Listed[];
    };
    assert.equal(recorded, true);
    const found = traces.find(({ trace_id: id }) => id === traceId);
    if (found?.span_count === spanCount) return found;
  }
}

async function freePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < 65_000) return port;
  }
}

/** Waits until the file of a window has so many spans of the trace. */
async function fileWith(directory: string, spanCount: number): Promise<string> {
  for (;;) {
    const [file] = readdirSync(directory).filter((name) => name.endsWith(".db"));
    if (file !== undefined && storedCount(join(directory, file)) >= spanCount) return file;
    await new Promise(setImmediate);
  }
}

function storedCount(path: string): number {
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare("SELECT count(*) AS n FROM spans WHERE trace_id = ?").get(traceId);
    return Number(row?.["n"] ?? 0);
  } catch {
    // It is being made.
    return 0;
  }
}

test("an HTTP call over three agents and a model is one connected trace, at the collector, in the files and at GET /traces", async () => {
  await using receiver = await startOtlpReceiver();
  await using model = await startScriptedServer((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(completion));
  });
  const port = await freePorts();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, model.url),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_RESOURCE_ATTRIBUTES: "a=b" },
  });
  await program.waitFor(/started/);
  const response = await fetch(`http://127.0.0.1:${port}/agents/front`, {
    method: "POST",
    headers: { traceparent },
  });
  assert.deepEqual(await response.json(), { answer: "Good day" });
  await receiver.until((each) => ofTrace(each).some(({ kind }) => kind === 2));
  assert.deepEqual(receiver.faults, []);
  assert.deepEqual(
    [receiver.requests[0]?.path, receiver.requests[0]?.resource["service.name"]],
    ["/v1/traces", "shop"],
  );

  const spans = ofTrace(receiver);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: ReceivedSpan): string => {
    const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
    const to = span.attributes["agentrt.recipient"];
    const own = typeof to === "string" ? `${span.name}>${to}` : span.name;
    return parent === undefined ? own : `${pathOf(parent)} / ${own}`;
  };
  const chat = spans.find(({ name }) => name === "chat m-1");
  assert.ok(chat !== undefined, spans.map(({ name }) => name).join(", "));
  assert.equal(
    pathOf(chat),
    "POST /agents/{name} / send http.request>front / decide / send message>middle / send message>back / chat m-1",
  );
  const server = spans.find(({ kind }) => kind === 2);
  assert.equal(server?.parentSpanId, "b7ad6b7169203331");
  assert.equal(response.headers.get("traceresponse"), `00-${traceId}-${server?.spanId}-01`);
  assert.equal(server?.attributes["http.response.status_code"], 200);
  assert.equal(server?.attributes["http.route"], "/agents/{name}");
  // Nothing is outside of it, and nothing is there twice.
  for (const span of spans) assert.match(pathOf(span), /^POST \/agents/);
  assert.equal(byId.size, spans.length);
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(chat.attributes).filter(([name]) => name.startsWith("gen_ai.")),
    ),
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.agent.name": "back",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m-1",
      "gen_ai.response.model": "m-1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 3,
    },
  );
  // The model's server gets the trace, too.
  assert.equal(model.requests[0]?.headers["traceparent"], `00-${traceId}-${chat.spanId}-01`);
  assert.ok(spans.some(({ name }) => name === "agentrt.state.save"));

  const shown = await fetch(`http://127.0.0.1:${port + 1}/traces/${traceId}`);
  const body = (await shown.json()) as { trace_id: string; spans: { span_id: string }[] };
  assert.equal(body.trace_id, traceId);
  assert.deepEqual(
    body.spans.map(({ span_id: id }) => id).sort(),
    spans.map(({ spanId }) => spanId).sort(),
  );
  const listed = await listWith(port + 1, "?agent=back&min_duration=0.000001", spans.length);
  assert.equal(listed.name, "POST /agents/{name}");
  assert.equal(listed.status, "ok");
  assert.deepEqual(listed.agents, ["back", "front", "gateway", "middle"]);
  assert.ok(listed.end_time > listed.start_time);
  for (const query of ["limit=0", "limit=201", "status=bad", "min_duration=-1", "before=x"]) {
    const refused = await fetch(`http://127.0.0.1:${port + 1}/traces?${query}`);
    assert.equal(refused.status, 400, query);
  }
  const none = await fetch(`http://127.0.0.1:${port + 1}/traces/${"1".repeat(32)}`);
  assert.equal(none.status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${port + 1}/traces/no-id`)).status, 404);

  // Files are whole after the hardest end, and what they had is in them.
  const directory = join(folder.path, "spans");
  const file = await fileWith(directory, spans.length);
  program.kill("SIGKILL");
  await program.exited();
  assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600);
  using database = new DatabaseSync(join(directory, file));
  assert.equal(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
  const stored = database
    .prepare("SELECT span_id, llm_tokens_in, agent_name FROM spans WHERE trace_id = ?")
    .all(traceId);
  assert.deepEqual(
    stored.map((row) => String(row["span_id"])).sort(),
    spans.map(({ spanId }) => spanId).sort(),
  );
  const asked = stored.find((row) => row["llm_tokens_in"] !== null);
  assert.deepEqual([asked?.["llm_tokens_in"], asked?.["agent_name"]], [12, "back"]);
});

test("the environment alone names the collector; what is not sampled is not sent, and its callers are told", async () => {
  await using receiver = await startOtlpReceiver();
  const port = await freePorts();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, "http://127.0.0.1:1", "tracing: { sample_ratio: 0 }").replace(
      /^ {2}exporters.*\n/m,
      "",
    ),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/own` },
  });
  await program.waitFor(/started/);
  const ask = async (headers: { [name: string]: string }): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/agents/nobody/state`, { headers });
    await answer.text();
    return answer.headers.get("traceresponse") ?? "";
  };
  assert.match(await ask({}), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  assert.match(await ask({ traceparent }), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  program.kill("SIGTERM");
  const { code, stderr } = await program.exited();
  assert.equal(code, 0, stderr);
  assert.deepEqual([...new Set(receiver.spans.map((span) => span.traceId))], [traceId]);
  assert.equal(receiver.requests[0]?.path, "/own");
});
