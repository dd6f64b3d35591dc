/** Every row of the tables of errors and limits, as one table of cases over every surface of the gateway. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, test } from "node:test";
import { createCertificates, testClients } from "testkit";
import { authCases } from "./test-support/cases/auth-cases.ts";
import {
  type CaseAnswer,
  type CaseRunner,
  expectedOver,
  type GatewayCase,
} from "./test-support/cases/case.ts";
import { dispatchCases } from "./test-support/cases/dispatch-cases.ts";
import { edgeCases, routeBoundsCases } from "./test-support/cases/edge-cases.ts";
import { forwardedCertCases } from "./test-support/cases/forwarded-cert-cases.ts";
import { grpcRunner } from "./test-support/cases/grpc-runner.ts";
import { httpRunner } from "./test-support/cases/http-runner.ts";
import { http3Runner } from "./test-support/cases/http3-runner.ts";
import { keyedCases } from "./test-support/cases/keyed-cases.ts";
import { originCases } from "./test-support/cases/origin-cases.ts";
import { recipientCases } from "./test-support/cases/recipient-cases.ts";
import { replyCases } from "./test-support/cases/reply-cases.ts";
import { schemaCases } from "./test-support/cases/schema-cases.ts";
import { startupCases } from "./test-support/cases/startup-cases.ts";
import { streamCases } from "./test-support/cases/stream-cases.ts";
import { startCases } from "./test-support/cases/topology.ts";
import { webSocketRunner } from "./test-support/cases/web-socket-runner.ts";
import { refuseTopology } from "./test-support/refused-topology.ts";
import { echoGateway } from "./test-support/running-topology.ts";

const certificates = createCertificates();
const others = createCertificates({ clientSubject: "/O=Test/CN=somebody", signer: certificates });
const running = await startCases(certificates, {
  certificate: others.clientCertificate,
  key: others.clientKey,
});
after(async () => {
  await running[Symbol.asyncDispose]();
  others[Symbol.dispose]();
  certificates[Symbol.dispose]();
});

/** A further protocol is one more of these. */
const runners: readonly CaseRunner[] = [
  ...testClients.map(httpRunner),
  http3Runner,
  webSocketRunner,
  grpcRunner,
];
/** Sends what stands before a case; over WebSocket it would wait for answers. */
const filler = httpRunner(testClients[0]);
const { server } = running;
const cases = [
  ...dispatchCases,
  ...recipientCases,
  ...originCases,
  ...edgeCases,
  ...routeBoundsCases,
  ...authCases,
  ...streamCases,
  ...keyedCases,
  ...schemaCases,
  ...replyCases,
  ...forwardedCertCases(server.certificates),
];

async function ask(runner: CaseRunner, { request }: GatewayCase): Promise<CaseAnswer> {
  await Promise.all((request.before ?? []).map((before) => filler.ask(server, before)));
  let answer = await runner.ask(server, request);
  for (let count = 1; count < (request.count ?? 1); count += 1) {
    answer = await runner.ask(server, request);
  }
  return answer;
}

/** What of the answer the row says something about. */
function shown(answer: CaseAnswer, expected: CaseAnswer): CaseAnswer {
  // Of a header that came several times Node gives a list.
  const headers = Object.keys(expected.headers ?? {}).map((name) => [
    name,
    answer.headers?.[name]?.toString(),
  ]);
  return {
    status: answer.status,
    ...("body" in expected ? { body: answer.body } : {}),
    ...(expected.headers === undefined ? {} : { headers: Object.fromEntries(headers) as {} }),
  };
}

/** The other versions tell of HTTP/3 with every response, refusals of the protocol included. */
function tellsOfHttp3({ surface }: CaseRunner, { request }: GatewayCase, answer: CaseAnswer): void {
  if (surface === "HTTP/3" || surface === "gRPC" || answer.status === "no connection") return;
  const { http } = server.ports[request.gateway ?? "open"];
  assert.equal(answer.headers?.["alt-svc"], `h3=":${http}"`);
}

for (const runner of runners) {
  for (const row of cases) {
    const expected = expectedOver(row, runner.surface);
    if ("because" in expected) continue;
    test(`over ${runner.surface}: ${row.name}`, async () => {
      const answer = await ask(runner, row);
      assert.deepEqual(shown(answer, expected), expected);
      tellsOfHttp3(runner, row, answer);
    });
  }
}

test("no row applies to no surface, and who is left out is told why", () => {
  for (const row of cases) {
    const expected = runners.map(({ surface }) => expectedOver(row, surface));
    assert.ok(
      expected.some((each) => !("because" in each)),
      row.name,
    );
    for (const each of expected)
      if ("because" in each) assert.ok(each.because.length > 10, row.name);
  }
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, "a name stands twice");
});

test("a middleware that hangs is aborted, and what it does then is nobody's business", () => {
  assert.match(running.output(), /hanging middleware was aborted/);
  assert.doesNotMatch(running.output(), /late secret/);
});

test("what a reply could not say is in the log, and nothing of its value", () => {
  const lines = running.output().replaceAll('\\"', '"');
  assert.match(
    lines,
    /A reply cannot be sent.*header "x-a" has a character that no header may have/,
  );
  assert.doesNotMatch(lines, /c=d/);
});

test("the access log has a line for each request over every protocol, and nothing secret", async () => {
  // Whoever has its answer may be ahead of the line.
  for (;;) {
    const text = readFileSync(running.accessLogPath, "utf8");
    if (/"protocol":"WebSocket"[^\n]*"status":\d{4}/.test(text)) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const text = readFileSync(running.accessLogPath, "utf8");
  assert.equal(statSync(running.accessLogPath).mode & 0o777, 0o600);
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly [name: string]: unknown });
  const shown = lines.map(({ protocol, method, path, route, status, event = "", grpc_status }) =>
    [protocol, method, path, route, status, event, grpc_status].filter(Boolean).join(" "),
  );
  for (const expected of [
    "HTTP/1.1 POST /call/echo /call/echo 200",
    "HTTP/1.1 POST /call/echo /call/echo 401",
    "HTTP/1.1 GET /nothing 404",
    "HTTP/2 OPTIONS /orders/7 204",
    "HTTP/3 POST /call/echo /call/echo 401",
    "WebSocket GET /ws/echo /ws/echo 101 open",
    "WebSocket GET /ws/echo /ws/echo 401",
    "gRPC POST /agentrt.Agent/Invoke 200",
    "gRPC POST /agentrt.Agent/Invoke 200 16",
  ])
    assert.ok(shown.includes(expected), `${expected} in\n${shown.join("\n")}`);
  const served = lines.find(({ status, protocol }) => status === 200 && protocol === "HTTP/2");
  assert.equal(served?.["request_id"], "order-7");
  assert.match(String(served?.["principal"]), /./);
  assert.ok(Number(served?.["bytes"]) > 10 && Number(served?.["duration_ms"]) > 0);
  assert.doesNotMatch(text, /x-api-key|"key"/);
});

test("nothing of an agent's failure, and no token, was logged by the gateways", () => {
  assert.doesNotMatch(running.output(), /eyJ[\w-]{20}/);
});

for (const { name, config, said } of startupCases) {
  test(`a gateway refuses to start: ${name}`, async () => {
    const topology = echoGateway(18097, config);
    const files = {
      "agents.ts":
        'import { Agent } from "agentrt"; export class Echo extends Agent { override handle() { return {}; } }',
      "guards.ts": "export const number = 5;",
    };
    await refuseTopology({ topology, files }, said);
  });
}
