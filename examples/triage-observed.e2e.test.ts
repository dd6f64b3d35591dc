/** The service of `examples/triage` under the tools of others: Prometheus, a collector, and clients that use its agents as tools. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { connectA2a, connectMcp } from "../agentrt/src/gateway/e2e/test-support/tool-clients.ts";
import {
  agentrtLauncher,
  commandPath,
  createTemporaryFolder,
  freePort,
  type ReceivedSpan,
  runProgram,
  type ScriptedAnswer,
  skipUnless,
  startOtlpReceiver,
  startProgram,
  startPrometheus,
  startScriptedServer,
} from "testkit";

const example = fileURLToPath(new URL("triage/", import.meta.url));
const rules = fileURLToPath(new URL("../agentrt/observability/alerts.yaml", import.meta.url));
const headers = { "content-type": "application/json", "x-api-key": "first-key" };

/** Two models behind one server: `m-small` answers in one piece, `m-large` in a stream. It may be told to hold or to refuse. */
class ModelServer {
  #held: ServerResponse[] | undefined;

  readonly answer: ScriptedAnswer = (response, { body }) => {
    const { stream = false, messages } = body as {
      readonly stream?: boolean;
      readonly messages: readonly { readonly content: string }[];
    };
    const asked = messages.at(-1)?.content ?? "";
    if (asked.includes("refuse")) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "as told" } }));
    } else if (stream) writeStream(response);
    else if (this.#held === undefined) writeReply(response);
    else this.#held.push(response);
  };

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    held.forEach(writeReply);
  }
}

const usage = { prompt_tokens: 1000, completion_tokens: 1000 };

function writeReply(response: ServerResponse): void {
  const message = { role: "assistant", content: "Billing" };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ model: "m-small", choices, usage }));
}

function writeStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = (part: object): void => {
    response.write(`data: ${JSON.stringify({ model: "m-large", ...part })}\n\n`);
  };
  for (const content of ["We look ", "into it."])
    write({ choices: [{ index: 0, delta: { content } }] });
  write({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  write({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

/** What an operator lays over the topology; nothing else of the example is changed. */
const overlay = (grpcPort: number, modelUrl: string): string => `plugins:
  exporters: [{ type: otlp }]
  models:
    - type: openai
      config:
        base_url: ${modelUrl}/v1
        default_model: m-1
        prices: { m-small: { input: 1, output: 2 }, m-large: { input: 10, output: 20 } }
supervision:
  children:
    - name: api
      port: 0
      grpc_port: ${grpcPort}
      publish: { agents: [reader, { agent: ticket, mode: stream }], name: triage }
    - { name: control, port: 0 }
`;

async function startService() {
  await using starting = new AsyncDisposableStack();
  const model = new ModelServer();
  const modelServer = starting.use(await startScriptedServer(model.answer));
  const receiver = starting.use(await startOtlpReceiver());
  const folder = createTemporaryFolder({
    "observed.yaml": overlay(await freePort(), modelServer.url),
    ".env": `AGENTRT_GATEWAY_API_KEYS=first-key\nAGENTRT_STATE_KEY=${Buffer.alloc(32, 7).toString("base64")}\n`,
  });
  starting.use(folder);
  const files = [join(example, "topology.yaml"), "-t", "observed.yaml", "--env-from", ".env"];
  const program = starting.use(
    startProgram(process.execPath, [agentrtLauncher(), "run", ...files], {
      workingDirectory: folder.path,
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OPENAI_API_KEY: "none" },
      timeoutMs: 240_000,
    }),
  );
  const [, url = ""] = await program.waitFor(/api listens on (\S+)/);
  const [, controlUrl = ""] = await program.waitFor(/control_gateway listens on (\S+)/);
  await program.waitFor(/started/);
  starting.defer(() => model.release());
  const running = starting.move();
  return {
    model,
    receiver,
    folder,
    url,
    control: new URL(controlUrl).host,
    ask: async (path: string, body: object, more: object = {}): Promise<number> => {
      const init = { method: "POST", body: JSON.stringify(body), headers: { ...headers, ...more } };
      const response = await fetch(url + path, init);
      await response.text();
      return response.status;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
type Service = Awaited<ReturnType<typeof startService>>;

test(
  "Prometheus answers an operator's five queries about the service, and promtool has nothing to say",
  { skip: skipUnless("prometheus", "promtool") },
  async () => {
    await using service = await startService();
    await using prometheus = await startPrometheus(service.control, [rules]);
    // A counter has a rate from its second scrape on.
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await service.ask("/tickets/1", { text: "My invoice" }), 200);
      assert.equal(await service.ask("/read", { text: "My invoice" }), 200);
      assert.equal(await service.ask("/read", { text: "refuse" }), 502);
      await prometheus.scraped();
    }
    service.model.hold();
    const waiting = Promise.allSettled(
      Array.from({ length: 12 }, () => service.ask("/read", { text: "Hello" })),
    );
    await prometheus.scraped();

    const byLabel = async (label: string, query: string): Promise<Map<string, number>> => {
      const samples = await prometheus.query(query);
      return new Map(samples.map(({ labels, value }) => [labels[label] ?? "", value]));
    };
    const rates = await byLabel(
      "agent",
      "sum by (agent) (rate(agentrt_messages_handled_total[5m]))",
    );
    for (const agent of ["ticket", "writer"]) assert.ok((rates.get(agent) ?? 0) > 0, agent);
    const ratioOf = async (range: (series: string) => string): Promise<number> => {
      const series = (more: string): string =>
        `agentrt_gateway_requests_total{gateway="api"${more}}`;
      const query = `sum(${range(series(', status=~"5.."'))}) / sum(${range(series(""))})`;
      return (await prometheus.query(query))[0]?.value ?? Number.NaN;
    };
    assert.ok(Math.abs((await ratioOf((series) => series)) - 1 / 3) < 1e-9);
    const lately = await ratioOf((series) => `rate(${series}[5m])`);
    assert.ok(lately > 0 && lately < 1, String(lately));
    const p99 = await byLabel(
      "route",
      "histogram_quantile(0.99, sum by (route, le) (rate(agentrt_gateway_request_duration_seconds_bucket[5m])))",
    );
    for (const route of ["/read", "/tickets/{ticket}"])
      assert.ok((p99.get(route) ?? 0) > 0 && (p99.get(route) ?? 99) < 60, route);
    // At most 8 readers have one each; the others wait in the queue of the pool.
    const depths = await byLabel("agent", "max by (agent) (agentrt_agent_mailbox_depth)");
    assert.ok((depths.get("reader") ?? 0) >= 4, JSON.stringify([...depths]));
    assert.equal(depths.get("writer"), 0);
    const ages = await byLabel("agent", "max by (agent) (agentrt_agent_mailbox_oldest_seconds)");
    assert.ok((ages.get("reader") ?? 0) > 0, JSON.stringify([...ages]));
    const costs = await byLabel("model", "sum by (model) (agentrt_llm_cost_usd_total)");
    const cents = (model: string): number => Math.round((costs.get(model) ?? 0) * 1e5) / 1e3;
    assert.deepEqual([costs.size, cents("m-small"), cents("m-large")], [2, 1.2, 6]);
    service.model.release();
    for (const answer of await waiting)
      assert.deepEqual(answer, { status: "fulfilled", value: 200 });
    await checkWithPromtool(service);
  },
);

async function checkWithPromtool({ control, folder }: Service): Promise<void> {
  const promtool = commandPath("promtool") ?? "promtool";
  folder.write({ "metrics.txt": await (await fetch(`http://${control}/metrics`)).text() });
  const check = await runProgram("/bin/sh", ["-c", `"${promtool}" check metrics < metrics.txt`], {
    workingDirectory: folder.path,
  });
  // Older than the rest, with the name and the unit that the specification prescribes.
  const said = `${check.stdout}${check.stderr}`
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("agentrt_message_latency_ms "));
  assert.deepEqual(said, []);
  const checked = await runProgram(promtool, ["check", "rules", rules]);
  assert.equal(checked.code, 0, checked.stderr);
}

const traceId = "0af7651916cd43dd8448eb211c80319c";

test("a customer's message is one connected trace of three agents and two models; agents are tools for MCP and A2A clients", async () => {
  await using service = await startService();
  const { receiver } = service;
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  assert.equal(await service.ask("/tickets/1", { text: "My invoice" }, { traceparent }), 200);
  const ofTrace = (): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);
  await receiver.until(() => ofTrace().some(({ kind }) => kind === 2));
  const spans = ofTrace();
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = ({ name, attributes, parentSpanId = "" }: ReceivedSpan): string => {
    const parent = byId.get(parentSpanId);
    const to = attributes["agentrt.recipient"];
    const own = typeof to === "string" ? `${name}>${to}` : name;
    return parent === undefined ? own : `${pathOf(parent)} / ${own}`;
  };
  // Each parent is there; that of the request itself is the customer's, who said so.
  const roots = spans.filter(({ parentSpanId = "" }) => !byId.has(parentSpanId));
  assert.deepEqual(
    roots.map(({ kind, parentSpanId }) => [kind, parentSpanId]),
    [[2, "b7ad6b7169203331"]],
  );
  assert.equal(byId.size, spans.length);
  const root = "POST /tickets/{ticket}";
  const ticket = `${root} / send http.request>ticket`;
  const reader = `${ticket} / send message>reader`;
  const writer = `${ticket} / send message>writer`;
  const judge = `${writer} / send agentrt.eval.event>eval_agent`;
  const handled = "agentrt.agent.handle";
  assert.deepEqual(
    spans.map(pathOf).sort(),
    [
      root,
      ticket,
      `${ticket} / ${handled}`,
      `${ticket} / agentrt.state.save`,
      `${ticket} / recv http.request>ticket`,
      reader,
      `${reader} / ${handled}`,
      `${reader} / chat m-1`,
      `${reader} / recv message>reader`,
      writer,
      `${writer} / ${handled}`,
      `${writer} / chat m-1`,
      `${writer} / recv message>writer`,
      judge,
      `${judge} / ${handled}`,
      `${judge} / recv agentrt.eval.event>eval_agent`,
    ].sort(),
  );
  for (const [path, model, more] of [
    [reader, "m-small", {}],
    [writer, "m-large", { "gen_ai.request.max_tokens": 500 }],
  ] as const) {
    const chat = spans.find((span) => pathOf(span) === `${path} / chat m-1`);
    const agent = chat?.attributes["agentrt.agent.name"];
    const named = Object.entries(chat?.attributes ?? {}).filter(([name]) =>
      name.startsWith("gen_ai."),
    );
    assert.deepEqual(Object.fromEntries(named), {
      "gen_ai.operation.name": "chat",
      "gen_ai.agent.name": agent,
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m-1",
      "gen_ai.response.model": model,
      "gen_ai.usage.input_tokens": 1000,
      "gen_ai.usage.output_tokens": 1000,
      "gen_ai.response.finish_reasons": ["stop"],
      ...more,
    });
  }

  await usesTools(service);
  await talksToAgent(service);
});

async function usesTools({ url }: Service): Promise<void> {
  await using session = await connectMcp(new URL("/mcp", url), headers);
  const { client } = session;
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, inputSchema }) => [name, inputSchema.required]),
    [
      ["reader", ["text"]],
      ["ticket", ["ticket", "text"]],
    ],
  );
  const read = await client.callTool({ name: "reader", arguments: { text: "My invoice" } });
  assert.deepEqual(read.structuredContent, { team: "billing" });
  const wrong = await client.callTool({ name: "reader", arguments: { text: "" } });
  assert.equal(wrong.isError, true);
  const told = await client.callTool({
    name: "ticket",
    arguments: { ticket: "2", text: "My invoice" },
  });
  assert.deepEqual(told.structuredContent, {
    parts: [{ team: "billing" }, { text: "We look " }, { text: "into it." }, { turns: 2 }],
  });
}

async function talksToAgent({ url }: Service): Promise<void> {
  const send = await connectA2a(`${url}/a2a/ticket/`, { "x-api-key": "first-key" });
  const state = "TASK_STATE_COMPLETED";
  for (const [text, turns] of [
    ["Hello", 2],
    ["Again", 4],
  ] as const)
    assert.deepEqual(await send(text, { ticket: "3", text }), { state, data: { turns } });
}
