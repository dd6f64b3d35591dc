import assert from "node:assert/strict";
import { test } from "node:test";
import { type OtlpAnswer, startOtlpReceiver } from "testkit";
import { createRealSystem, createTextLog } from "../../core/index.ts";
import type { SpanRecord } from "../span-record.ts";
import { BlockBuilder } from "../block-builder.ts";
import { SpanQueue } from "../span-queue.ts";
import { OtlpExporter } from "./otlp-exporter.ts";
import { otlpSettings, type OtlpOptions } from "./otlp-settings.ts";
import { pauseAfter } from "./retry.ts";

const system = createRealSystem();

const span = (name: string, more: Partial<SpanRecord> = {}): SpanRecord => ({
  name,
  kind: "consumer",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: null,
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001.5,
  attributes: {},
  status: "ok",
  errorMessage: null,
  ...more,
});

const records = [
  span("agentrt.agent.handle", {
    parentSpanId: "00f067aa0ba902b7",
    attributes: {
      text: `Grüße ${"ß🙂".repeat(900)}`,
      whole: -42,
      large: 2 ** 40,
      half: 0.5,
      yes: true,
      list: ["a", "b"],
    },
    status: "error",
    errorMessage: "no disk",
  }),
  span("agentrt.llm.chat", {
    kind: "client",
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1" },
  }),
];

async function send(
  options: OtlpOptions,
  { answers = [], stopTimeoutMs = 60_000 }: { answers?: OtlpAnswer[]; stopTimeoutMs?: number } = {},
) {
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => void lines.push(line) });
  await using receiver = await startOtlpReceiver(...answers);
  const endpoint = `${receiver.url}/v1/traces`;
  const exporter = new OtlpExporter(otlpSettings({ endpoint, ...options }, {}));
  exporter.open({ log, system });
  const builder = new BlockBuilder({ onAdded: () => queue.addOne() });
  const seal = (): void => queue.addBlock(builder.build());
  const queue: SpanQueue = new SpanQueue({ system, log, exporter, seal });
  for (const record of records) builder.addRecord(record);
  await queue.shutdown(stopTimeoutMs);
  assert.deepEqual(receiver.faults, []);
  return { ...receiver, lines, counts: queue.counts() };
}

test("OTLP carries every span alike as protobuf and JSON, packed and plain", async () => {
  const byForm = [];
  for (const protocol of ["http/protobuf", "http/json"] as const) {
    for (const compression of ["gzip", "none"] as const) {
      const { requests, spans, counts } = await send({
        protocol,
        compression,
        serviceName: "shop",
      });
      assert.equal(requests[0]?.path, "/v1/traces");
      assert.equal(requests[0]?.resource["service.name"], "shop");
      assert.deepEqual(counts, { exporter: "otlp", exported: 2, dropped: 0, failed: 0 });
      byForm.push(spans);
    }
  }
  const [handled, chat] = byForm[0] ?? [];
  assert.deepEqual(handled, {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    parentSpanId: "00f067aa0ba902b7",
    name: "agentrt.agent.handle",
    kind: 5,
    startNs: 1_700_000_000_000_250_000n,
    endNs: 1_700_000_000_001_500_000n,
    attributes: records[0]?.attributes,
    statusCode: 2,
    statusMessage: "no disk",
  });
  assert.deepEqual([chat?.name, chat?.kind, chat?.statusCode], ["chat m-1", 3, 0]);
  for (const spans of byForm) assert.deepEqual(spans, byForm[0]);
});

test("a collector that is busy, or cuts the connection, gets the same batch again", async () => {
  const answers = [
    { status: 503, headers: { "retry-after": "0" } },
    { status: 429, headers: { "retry-after": "0.01" } },
    { status: 200, isCut: true },
  ];
  // What was cut off counts as taken by the receiver, and is sent again.
  const { requests, counts } = await send({}, { answers });
  assert.equal(requests.length, 4);
  for (const request of requests) assert.deepEqual(request.spans, requests[0]?.spans);
  assert.equal(counts.exported, 2);
});

test("a refused batch is not sent again, and is told with the address", async () => {
  const { requests, lines, counts } = await send({}, { answers: [{ status: 400 }] });
  assert.equal(requests.length, 1);
  assert.deepEqual([counts.exported, counts.failed], [0, 2]);
  assert.match(lines.join(""), /Cannot send spans to http:\/\/127[^ ]+\/v1\/traces: status 400/);
});

test("the stop waits its time for a collector that is busy, and no longer", async () => {
  const busy = { status: 503, headers: { "retry-after": "30" } };
  const beginMs = system.monotonicMs();
  const { lines, counts } = await send({}, { answers: [busy], stopTimeoutMs: 2000 });
  const tookMs = system.monotonicMs() - beginMs;
  assert.ok(tookMs >= 1900 && tookMs < 15_000, String(tookMs));
  assert.match(lines.join(""), /an exporter did not end in time/);
  assert.equal(counts.exported, 0);
});

test("pauses between attempts double, and a collector's word goes before", () => {
  const pauses = [1, 2, 3, 9].map((attemptCount) => pauseAfter({}, { attemptCount, random: 1 }));
  assert.deepEqual(pauses, [500, 1000, 2000, 16_000]);
  const at = { attemptCount: 1, random: 0 };
  assert.equal(pauseAfter({ status: 503 }, at), 250);
  assert.equal(pauseAfter({ status: 429, retryAfter: "7" }, at), 7000);
  assert.equal(pauseAfter({ status: 429, retryAfter: "soon" }, at), 250);
  for (const status of [400, 401, 404, 413, 500])
    assert.equal(pauseAfter({ status }, at), undefined);
});

test("the environment says what the file leaves out", () => {
  const settings = otlpSettings(
    {},
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/base/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc, x-tenant = 7",
      OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "1500",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=shop,deployment.environment.name=test",
    },
  );
  assert.deepEqual(settings, {
    url: "http://collector:4318/base/v1/traces",
    protocol: "http/json",
    headers: { authorization: "Basic abc", "x-tenant": "7" },
    timeoutMs: 1500,
    isCompressed: true,
    resource: {
      "service.name": "shop",
      "deployment.environment.name": "test",
      "telemetry.sdk.name": "agentrt",
      "telemetry.sdk.language": "nodejs",
    },
  });
  assert.equal(otlpSettings({}, {}).url, "http://localhost:4318/v1/traces");
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/ingest" };
  assert.equal(otlpSettings({}, own).url, "https://traces.example/ingest");
  assert.equal(otlpSettings({ endpoint: "http://a/b" }, own).url, "http://a/b");
});

test("what this build does not do is refused, and no secret is shown", () => {
  for (const [variable, value, message] of [
    [
      "PROTOCOL",
      "grpc",
      /OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", wanted http\/protobuf or http\/js/,
    ],
    ["ENDPOINT", "collector:4318", /wanted an address such as/],
    ["ENDPOINT", "http://me:secret-4711@host", /without user and password/],
    ["TIMEOUT", "soon", /milliseconds from 1/],
    ["HEADERS", "secret-4711", /a list such as name=value/],
    ["COMPRESSION", "zstd", /gzip or none/],
    ["CERTIFICATE", "/ca.pem", /NODE_EXTRA_CA_CERTS/],
  ] as const) {
    const environment = { [`OTEL_EXPORTER_OTLP_${variable}`]: value };
    assert.throws(
      () => otlpSettings({}, environment),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, "AGENTRT_TELEMETRY_SETTING_INVALID");
        assert.match(error.message, message);
        assert.ok(!error.message.includes("4711"));
        return true;
      },
    );
  }
});
