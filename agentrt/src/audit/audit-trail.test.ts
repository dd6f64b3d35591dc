/** The trail of records with disks and servers that fail: nothing stops, and what is lost is told. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import {
  type AuditLog,
  createRealSystem,
  createTextLog,
  type JsonObject,
  type System,
} from "../core/index.ts";
import { MemoryStateStore } from "../state/index.ts";
import { VirtualClock } from "../testing/index.ts";
import { auditStateKey, readHead } from "./audit-head.ts";
import type { AuditRecord } from "./audit-line.ts";
import type { AuditSink, AuditTail } from "./audit-sink.ts";
import { AuditTrail } from "./audit-trail.ts";
import { createAuditLog } from "./create-audit-log.ts";
import { verifyAudit } from "./verify-audit.ts";

/** A sink in memory that fails as it is told. */
class TestSink implements AuditSink {
  readonly name = "jsonl";
  readonly place = "memory";
  readonly isUntouched = false;
  readonly lines: string[] = [];
  fault: string | undefined;
  /** Settles the writes, where they are to take long. */
  held: Promise<void> | undefined;

  async open(): Promise<AuditTail> {
    if (this.fault === "EACCES") throw Object.assign(new Error("no"), { code: this.fault });
    const text = this.lines.at(-1);
    return text === undefined ? { kind: "empty" } : { kind: "line", text, tornSizeBytes: 0 };
  }
  async write(lines: readonly string[]): Promise<void> {
    await this.held;
    if (this.fault !== undefined) throw Object.assign(new Error("no"), { code: this.fault });
    this.lines.push(...lines);
  }
  async release(): Promise<void> {}

  get records(): [event: string, details: JsonObject][] {
    return this.lines
      .map((line) => JSON.parse(line) as AuditRecord)
      .map(({ event, details }) => [event, details]);
  }
}

interface Setup {
  readonly clock: VirtualClock;
  readonly sink: TestSink;
  readonly store: MemoryStateStore;
  readonly log: string[];
}

function setUp(): Setup {
  return {
    clock: new VirtualClock(),
    sink: new TestSink(),
    store: new MemoryStateStore(),
    log: [],
  };
}

async function opened(
  { clock, sink, store, log }: Setup,
  options: { waitingCountMax?: number } = {},
): Promise<AuditTrail> {
  const trail = new AuditTrail({ sink, ...options });
  const text = createTextLog({ write: (line) => void log.push(line) });
  await trail.open({ store, system: clock, log: text });
  return trail;
}

const act = (n: number) => ({ event: "act", agent: "desk", details: { n } });

test("a full disk stops nothing: records wait, then they are counted, and a record says how many are lost", async () => {
  const setup = setUp();
  const { clock, sink, log } = setup;
  const trail = await opened(setup, { waitingCountMax: 3 });
  sink.fault = "ENOSPC";
  const first = trail.record(act(1));
  await clock.runUntilIdle();
  await first;
  for (let n = 2; n <= 6; n += 1) void trail.record(act(n));
  await clock.advance(5000);
  assert.deepEqual(trail.report(), {
    sink: "jsonl",
    writtenCount: 1,
    waitingCount: 3,
    lostCount: 3,
    outage: "ENOSPC",
  });
  assert.equal(log.filter((line) => line.includes("cannot be written")).length, 1);
  sink.fault = undefined;
  await clock.advance(1000);
  assert.equal(trail.report().outage, undefined);
  const since = "2025-01-01T00:00:00.000+00:00";
  assert.deepEqual(sink.records, [
    ["audit.begin", { after: 0, hash: "sha256" }],
    ["act", { n: 1 }],
    ["act", { n: 2 }],
    ["act", { n: 3 }],
    ["audit.gap", { records: 3, since, reason: "ENOSPC" }],
  ]);
  await trail.close();
  const head = readHead(await setup.store.get(auditStateKey));
  const text = `${sink.lines.join("\n")}\n`;
  const { findings } = verifyAudit(text, { key: undefined, head });
  assert.deepEqual(
    findings.map(({ kind, isTampering }) => [kind, isTampering]),
    [["gap", false]],
  );
});

test("what waits at a stop and cannot be written is told by the next start", async () => {
  const setup = setUp();
  const { clock, sink, log } = setup;
  const trail = await opened(setup);
  sink.fault = "ENOSPC";
  void trail.record(act(1));
  void trail.record(act(2));
  await clock.runUntilIdle();
  await trail.close();
  assert.ok(
    log.some((line) => /audit log closed records=1 .*lost=2/.test(line)),
    log.join(""),
  );
  sink.fault = undefined;
  const next = await opened(setup);
  await clock.runUntilIdle();
  assert.deepEqual(sink.records.at(-1)?.[1]["records"], 2);
  await next.close();
});

test("a process that dies while it writes leaves what the next start understands, at every line", async () => {
  for (let written = 0; written <= 3; written += 1) {
    const setup = setUp();
    const { clock, sink, store } = setup;
    const trail = await opened(setup);
    await clock.runUntilIdle();
    const held = Promise.withResolvers<void>();
    sink.held = held.promise;
    for (let n = 1; n <= 3; n += 1) void trail.record(act(n));
    await clock.runUntilIdle();
    // The head is saved, the lines are on their way: so many reach the disk before it dies.
    const saved = await store.get(auditStateKey);
    sink.held = undefined;
    held.resolve();
    await clock.runUntilIdle();
    sink.lines.splice(1 + written);
    await store.set(auditStateKey, saved ?? {});
    const head = readHead(saved);
    const text = `${sink.lines.join("\n")}\n`;
    assert.deepEqual(verifyAudit(text, { key: undefined, head }).findings, [], `${written}`);
    const next = await opened(setup);
    await clock.runUntilIdle();
    const lost = 3 - written;
    const last = sink.records.at(-1);
    if (lost > 0) assert.deepEqual([last?.[0], last?.[1]["records"]], ["audit.gap", lost]);
    else assert.equal(last?.[0], "act");
    await next.close();
  }
});

test("a store that is away, or never answers, keeps no record from being written", async () => {
  const setup = setUp();
  const { clock, sink, log } = setup;
  setup.store.set = () => new Promise(() => undefined);
  setup.store.get = () => Promise.reject(new Error("away"));
  const opening = opened(setup);
  await clock.advance(2000);
  const trail = await opening;
  void trail.record(act(1));
  await clock.advance(3000);
  assert.equal(sink.lines.length, 2);
  assert.ok(log.some((line) => line.includes("the head of the audit log could not be saved")));
});

test("refusals are counted together: the first at once, the others of ten seconds in one record", async () => {
  const setup = setUp();
  const { clock, sink } = setup;
  const trail = await opened(setup);
  const refuse = (client: string, by = "require_jwt"): void =>
    trail.refuse({ gateway: "api", by, status: 401, client });
  for (let n = 0; n < 5000; n += 1) refuse(`10.0.${n >> 8}.${n & 255}`);
  await clock.advance(10_000);
  const said = sink.records.slice(1).map(([event, { since, ...details }]) => {
    assert.ok(since === undefined || typeof since === "string");
    return [event, details];
  });
  const who = { gateway: "api", by: "require_jwt", status: 401, principal: "unauthenticated" };
  assert.deepEqual(said, [
    ["security.refuse", { ...who, client: "10.0.0.0" }],
    [
      "security.refuse",
      {
        ...who,
        clients: ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"],
        count: 4999,
      },
    ],
  ]);
  // Whoever invents kinds fills nothing either.
  for (let n = 0; n < 5000; n += 1) refuse("10.0.0.1", `layer ${n}`);
  await clock.advance(10_000);
  assert.ok(sink.lines.length < 210, String(sink.lines.length));
  await clock.advance(60_000);
  await trail.close();
  assert.equal(clock.timerCount, 0);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

async function record(audit: AuditLog, system: System, ...counts: number[]): Promise<string[]> {
  const log: string[] = [];
  const text = createTextLog({ write: (line) => void log.push(line) });
  await audit.open({ store: new MemoryStateStore(), system, log: text });
  for (const n of counts) await audit.record(act(n));
  return log;
}

test("a file that cannot be written: a full device, and a folder that is not there", async () => {
  const system = createRealSystem();
  using folder = createTemporaryFolder();
  for (const [path, reason] of [
    ["/dev/full", "ENOSPC"],
    [join(folder.path, "none", "audit.jsonl"), "ENOENT"],
  ] as const) {
    const audit = createAuditLog({ path });
    const log = await record(audit, system, 1, 2);
    assert.equal(audit.report().outage, reason);
    assert.match(log.join(""), new RegExp(`the audit log cannot be written .*reason=${reason}`));
    await audit.close();
    assert.equal(audit.report().waitingCount, 0);
    assert.equal(audit.report().lostCount, 2);
  }
});

test("a file is opened again where a rotation has moved it, and the chain goes on", async () => {
  const system = createRealSystem();
  using folder = createTemporaryFolder();
  const path = join(folder.path, "audit.jsonl");
  const audit = createAuditLog({ path, isSynced: true, key: "secret" });
  await record(audit, system, 1);
  renameSync(path, `${path}.1`);
  audit.reopen();
  await audit.record(act(2));
  await audit.close();
  const texts = [`${path}.1`, path].map((each) => readFileSync(each, "utf8"));
  const verdict = verifyAudit(texts.join(""), { key: "secret", head: undefined });
  assert.deepEqual([verdict.records, verdict.findings], [4, []]);
  assert.equal(verifyAudit(texts[1] ?? "", { key: "secret", head: undefined }).firstSeq, 3);
  // Who has no key makes no line that fits.
  const other = verifyAudit(texts.join(""), { key: "other", head: undefined });
  assert.ok(other.findings.length > 0);
  const lazy = createAuditLog({ path: join(folder.path, "lazy.jsonl"), isLazy: true });
  await record(lazy, system);
  await lazy.close();
  assert.ok(!existsSync(join(folder.path, "lazy.jsonl")));
});

test("syslog over UDP and TCP is RFC 5424, and a server that is away is reported and comes back", async () => {
  const system = createRealSystem();
  const datagrams = createSocket("udp4");
  datagrams.bind(0, "127.0.0.1");
  await once(datagrams, "listening");
  const udp = createAuditLog({
    sink: "syslog",
    address: `udp://127.0.0.1:${datagrams.address().port}`,
    facility: "auth",
  });
  const came = once(datagrams, "message") as Promise<[Buffer]>;
  await record(udp, system, 1);
  const [datagram] = await came;
  // auth is 4, notice is 5.
  const form = /^<37>1 \d{4}-[^ ]+ - agentrt \d+ act - (\{.*\})$/;
  const line = form.exec(datagram.toString())?.[1] ?? "";
  assert.deepEqual((JSON.parse(line) as AuditRecord).details, { n: 1 });
  await udp.close();
  datagrams.close();

  let text = "";
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", (chunk) => void (text += chunk.toString()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const tcp = createAuditLog({ sink: "syslog", address: `tcp://127.0.0.1:${port}` });
  await record(tcp, system, 1);
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
  await until(() => {
    if (tcp.report().outage === undefined) void tcp.record(act(2));
    return tcp.report().outage !== undefined;
  });
  const again = createServer((socket) =>
    socket.on("data", (chunk) => void (text += chunk.toString())),
  );
  again.listen(port, "127.0.0.1");
  await until(() => tcp.report().outage === undefined);
  await tcp.record(act(3));
  await until(() => text.includes('"n":3'));
  await tcp.close();
  const framed = /^(\d+) (<133>1 [^ ]+ - agentrt \d+ act - \{.*?"prev":"[0-9a-f]{64}"\})/.exec(
    text,
  );
  assert.equal(Number(framed?.[1]), framed?.[2]?.length);
  again.close();
});

test("OTLP sends log records, and a collector that refuses is reported", async () => {
  const system = createRealSystem();
  const bodies: string[] = [];
  let status = 200;
  const server = createHttpServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(status).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const audit = createAuditLog({ sink: "otlp", endpoint: `http://127.0.0.1:${port}/` });
  await record(audit, system, 1);
  const [first = ""] = bodies;
  assert.ok(first.startsWith("POST /v1/logs "));
  const sent = JSON.parse(first.slice("POST /v1/logs ".length)) as {
    resourceLogs: {
      scopeLogs: { logRecords: { body: { stringValue: string }; eventName: string }[] }[];
    }[];
  };
  const [logRecord] = sent.resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
  assert.equal(logRecord?.eventName, "act");
  assert.deepEqual((JSON.parse(logRecord?.body.stringValue ?? "") as AuditRecord).details, {
    n: 1,
  });
  status = 500;
  await audit.record(act(2));
  assert.equal(audit.report().outage, "HTTP status 500");
  status = 200;
  await audit.close();
  assert.deepEqual(audit.report().waitingCount, 0);
  server.close();
});
