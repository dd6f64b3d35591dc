import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createRealSystem } from "../../core/ports/system.ts";
import type { RequestRecord } from "../request-record.ts";
import { combinedLine, jsonLine } from "./access-line.ts";
import { AccessLog } from "./access-log.ts";

const system = createRealSystem();
const record: RequestRecord = {
  protocol: "HTTP/1.1",
  id: "order-7",
  method: "GET",
  target: "/orders/7?token=secret",
  headers: {
    "user-agent": 'curl "8"\\',
    referer: "https://a.example/b?token=secret",
    authorization: "Bearer secret",
  },
  clientIp: "192.0.2.7",
  peerIp: "10.0.0.1",
  begunAtMs: 0,
  span: undefined,
  trace: { traceId: "a".repeat(32) },
  route: "/orders/{id}",
  principal: "ada",
  isClosed: false,
};
const outcome = { status: 200, sizeBytes: 12 };
const time = { nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6), durationMs: 1.234_56 };
const silent = { warn: () => undefined, error: () => undefined };

test("jsonLine() has what is known of a request, and no query, key or token", () => {
  assert.deepEqual(JSON.parse(jsonLine(record, outcome, time)), {
    time: "2026-01-02T03:04:05.006Z",
    protocol: "HTTP/1.1",
    client: "192.0.2.7",
    peer: "10.0.0.1",
    method: "GET",
    path: "/orders/7",
    route: "/orders/{id}",
    status: 200,
    bytes: 12,
    duration_ms: 1.235,
    request_id: "order-7",
    trace_id: "a".repeat(32),
    principal: "ada",
    user_agent: 'curl "8"\\',
  });
  assert.doesNotMatch(jsonLine(record, outcome, time), /secret/);
});

test("combinedLine() is what Apache and nginx write, and nothing of a client ends a text or a line", () => {
  assert.equal(
    combinedLine(record, outcome, time),
    '192.0.2.7 - ada [02/Jan/2026:03:04:05 +0000] "GET /orders/7 HTTP/1.1" 200 12 "https://a.example/b" "curl \\x228\\x22\\x5c"\n',
  );
  const strange = { ...record, principal: "a\n b", target: "https://u:p@h/x\u001b" };
  assert.match(combinedLine(strange, outcome, time), / - a\\x0a\\x20b .*"GET \/x\\x1b HTTP/);
});

test("an access log adds to its file, which only its owner reads, and follows a rotation", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "access.log");
  const log = new AccessLog({ node: "api", path, system, log: silent });
  log.write({ ...record, id: "1" }, outcome);
  renameSync(path, `${path}.1`);
  log.reopen();
  log.reopen();
  log.write({ ...record, id: "2" }, outcome);
  await log.close();
  log.write({ ...record, id: "3" }, outcome);
  log.reopen();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const ids = [...readFileSync(path, "utf8").matchAll(/"request_id":"(\d)"/g)].map(([, id]) => id);
  assert.deepEqual(ids, ["1", "2"]);
});

test("an access log whose disk is slow drops lines, says how many, and holds up nobody", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "access.log");
  const said: unknown[] = [];
  const log = new AccessLog({
    node: "api",
    path,
    system,
    log: { ...silent, warn: (_message, fields) => void said.push(fields) },
    waitingSizeBytesMax: 1_000,
  });
  for (let count = 0; count < 100; count += 1) log.write(record, outcome);
  await log.close();
  const writtenCount = readFileSync(path, "utf8").trim().split("\n").length;
  assert.ok(writtenCount < 10, `${writtenCount}`);
  const fields = { node: "api", count: 100 - writtenCount, reason: "the disk is too slow" };
  assert.deepEqual(said, [fields]);
});

test("a file that cannot be opened keeps a gateway from starting, and does not end a log that is open", async () => {
  using folder = createTemporaryFolder();
  const open = (path: string): AccessLog =>
    new AccessLog({ node: "api", path, system, log: silent });
  assert.throws(() => open(join(folder.path, "none/access.log")), {
    code: "AGENTRT_GATEWAY_SETTING_INVALID",
    message: /access_log\.path ".*none\/access\.log" cannot be opened: ENOENT/,
  });
  const path = join(folder.path, "logs");
  mkdirSync(path);
  const log = open(join(path, "access.log"));
  renameSync(path, `${path}.old`);
  log.reopen();
  log.write(record, outcome);
  await log.close();
  assert.match(readFileSync(join(`${path}.old`, "access.log"), "utf8"), /order-7/);
});
