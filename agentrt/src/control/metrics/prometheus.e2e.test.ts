/** Real Prometheus scrapes a running topology and answers queries; promtool checks names, units and rules. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agentrtLauncher,
  commandPath,
  createTemporaryFolder,
  freePort,
  runProgram,
  skipUnless,
  startProgram,
  startPrometheus,
} from "testkit";

const observability = fileURLToPath(new URL("../../../observability/", import.meta.url));
const rules = `${observability}alerts.yaml`;
const promtool = commandPath("promtool") ?? "promtool";

const agents = `
import { Agent, type Message, modelReply } from "agentrt";
export class Desk extends Agent {
  override async handle(message: Message) {
    const { op } = message.payload;
    if (op === "fail") throw new RangeError("as asked");
    if (op === "model") return { answer: (await this.llm.chat({ messages: [{ role: "user", content: "Hello" }] })).content };
    return { ok: true };
  }
  override onError() { return "skip" as const; }
}
export class Teller extends Agent {
  override async *handle() { yield { n: 1 }; yield { n: 2 }; }
}
export class Model {
  defaultModel = "m-1";
  chat() { return modelReply({ model: "m-1", content: "Good day", tokensIn: 12, tokensOut: 3, costUsd: 0.5 }); }
  priceOf() { return { input: 1, output: 1 }; }
}
`;

const topology = (port: number): string => `
plugins:
  exporters: [{ type: sqlite }]
  models: [{ type: agents.Model }]
supervision:
  name: shop
  children:
    - agent: { name: desk, type: agents.Desk, budget: { usd: 2, per: hour } }
    - agent: { name: teller, type: agents.Teller }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: POST, path: /ask, agent: desk }
          - { method: POST, path: /tell, agent: teller, mode: stream }
    - { name: control, type: topology_server, config: { port: ${port + 1} } }
`;

test(
  "Prometheus scrapes a topology and answers five queries, and promtool finds nothing to say about it",
  { skip: skipUnless("prometheus", "promtool") },
  async () => {
    let port = await freePort();
    while (port > 65_000) port = await freePort();
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(port),
    });
    await using program = startProgram(process.execPath, [agentrtLauncher(), "run"], {
      workingDirectory: folder.path,
      timeoutMs: 120_000,
    });
    await program.waitFor(/started/);
    const ask = async (path: string, body: object): Promise<number> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
      await response.text();
      return response.status;
    };
    await using prometheus = await startPrometheus(`127.0.0.1:${port + 1}`, [rules]);
    for (const op of ["ok", "ok", "model", "fail"]) await ask("/ask", { op });
    await ask("/tell", {});
    await ask("/nowhere", {});
    await prometheus.scraped();

    const one = async (query: string): Promise<number> => {
      const found = await prometheus.query(query);
      assert.equal(found.length, 1, `${query}: ${JSON.stringify(found)}`);
      return found[0]?.value ?? Number.NaN;
    };
    assert.equal(await one('agentrt_messages_handled_total{agent="desk"}'), 3);
    assert.equal(await one('sum(agentrt_agent_failures_total{code="RangeError"})'), 1);
    const byStatus = await prometheus.query(
      'sum by (route, status) (agentrt_gateway_requests_total{gateway="gateway"})',
    );
    assert.deepEqual(
      byStatus.map(({ labels, value }) => `${labels["route"]} ${labels["status"]} ${value}`).sort(),
      ["/ask 200 3", "/ask 502 1", "/tell 200 1", "none 404 1"],
    );
    const quantile = await one(
      'histogram_quantile(0.95, sum by (le) (agentrt_agent_handle_duration_seconds_bucket{agent="desk"}))',
    );
    assert.ok(quantile > 0 && quantile < 60, String(quantile));
    assert.equal(await one('agentrt_budget_left_usd{name="desk"}'), 1.5);
    assert.equal(await one('agentrt_llm_cost_usd_total{agent="desk",model="m-1"}'), 0.5);
    assert.equal(await one('agentrt_agent_first_chunk_seconds_count{agent="teller"}'), 1);
    assert.ok((await one('agentrt_event_loop_delay_seconds{stat="p99"}')) >= 0);
    assert.ok((await one("process_cpu_seconds_total")) > 0);
    assert.equal(await one('agentrt_spans_dropped_total{exporter="sqlite"}'), 0);

    const text = await (await fetch(`http://127.0.0.1:${port + 1}/metrics`)).text();
    folder.write({ "metrics.txt": text });
    const check = await runProgram("/bin/sh", ["-c", `"${promtool}" check metrics < metrics.txt`], {
      workingDirectory: folder.path,
    });
    // Older than the rest, with the name and the unit that the specification prescribes.
    const said = `${check.stdout}${check.stderr}`
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("agentrt_message_latency_ms "));
    assert.deepEqual(said, []);
  },
);

test(
  "the alert rules are right and fire when they are to",
  { skip: skipUnless("promtool") },
  async () => {
    const checked = await runProgram(promtool, ["check", "rules", rules]);
    assert.equal(checked.code, 0, checked.stderr);
    const tested = await runProgram(promtool, [
      "test",
      "rules",
      `${observability}alert-tests.yaml`,
    ]);
    assert.equal(tested.code, 0, `${tested.stdout}${tested.stderr}`);
  },
);

test("the dashboard and the rules name only what is served", () => {
  const source = ["agent-families", "model-families", "process-families", "metrics-text"]
    .map((name) => readFileSync(new URL(`./${name}.ts`, import.meta.url), "utf8"))
    .join("\n");
  const texts = ["grafana-dashboard.json", "alerts.yaml"].map((name) =>
    readFileSync(`${observability}${name}`, "utf8"),
  );
  const named = new Set(texts.join("\n").match(/\b(?:agentrt|process|nodejs)_[a-z_]+/g));
  assert.ok(named.size > 15);
  for (const name of named) {
    const family = name.replace(/_(?:bucket|sum|count)$/, "");
    assert.ok(source.includes(`"${family}"`), name);
  }
});
