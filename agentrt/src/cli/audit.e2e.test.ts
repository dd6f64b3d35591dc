/** The audit log through `agentrt run`: its records, what tampering is found, and what keeps it from being written. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { AuditProject as Project, stop } from "./test-support/audit-project.ts";

const suspended = {
  reason: "wrong refunds",
  category: "governance_pause",
  initiated_by: "mallory",
  __principal__: { id: "root" },
};

test("each write of the control plane is recorded with the authenticated principal, and each refusal", async () => {
  using project = await Project.create();
  const program = await project.start();
  assert.ok(!existsSync(project.path()), "no file before the first record");
  assert.equal(
    await project.ask("POST /agents/desk/suspend?initiated_by=root", "ada", suspended),
    400,
  );
  const { initiated_by: _, ...asked } = suspended;
  assert.equal(await project.ask("POST /agents/desk/suspend?initiated_by=root", "ada", asked), 200);
  // It is on the disk before the answer.
  assert.equal(project.lines().at(-1)?.event, "agent.suspend");
  assert.equal(
    await project.ask("POST /agents/desk/mailbox", "ada", {
      type: "refund",
      payload: { secret: "s3cret" },
    }),
    202,
  );
  assert.equal(await project.ask("POST /agents/desk/resume", "ada"), 200);
  assert.equal(await project.ask("POST /agents/desk/drain", "ada"), 200);
  assert.equal(await project.ask("POST /agents/desk/restart", "ada", { reason: "leaks" }), 200);
  assert.equal(await project.ask("POST /agents/nobody/resume", "ada"), 404);
  assert.equal(await project.ask("POST /agents/desk/resume", undefined), 401);
  assert.equal(await project.ask("POST /agents/desk/resume", "bob"), 403);
  assert.equal(await project.ask("GET /agents", "bob"), 200);
  assert.equal(await project.ask("GET /agents", "eve"), 403);
  assert.equal(await project.ask("GET /health", undefined), 200);
  for (let count = 0; count < 50; count += 1)
    assert.equal(await project.ask("GET /agents", undefined), 401);
  const metrics = await project.text("/metrics");
  assert.match(metrics, /^agentrt_audit_up\{sink="jsonl"\} 1$/m);
  const exit = await stop(program);
  assert.equal(exit.code, 0, exit.stderr);

  const lines = project.lines();
  const said = lines.map(({ event, agent, details }) => {
    const { client, request_id: id, since, ...rest } = details;
    if (client !== undefined) assert.match(JSON.stringify(client), /127\.0\.0\.1"$/);
    if (since !== undefined) assert.match(JSON.stringify(since), /^"\d{4}-.*\+00:00"$/);
    if (id !== undefined) assert.match(JSON.stringify(id), /^"[\w-]{20,}"$/);
    return [event, agent, rest];
  });
  const byAda = { initiated_by: "ada" };
  const badge = { gateway: "topo_gateway", by: "badge", status: 401, principal: "unauthenticated" };
  const scope = { gateway: "topo_gateway", by: "scope", status: 403 };
  assert.deepEqual(said, [
    ["audit.begin", null, { after: 0, hash: "sha256" }],
    ["agent.suspend", "desk", { ...byAda, reason: suspended.reason, category: "governance_pause" }],
    ["control.fail", "desk", { of: "agent.suspend", status: 400, ...byAda }],
    ["agent.suspend", "desk", { ...byAda, reason: suspended.reason, category: "governance_pause" }],
    ["mailbox.inject", "desk", { ...byAda, type: "refund" }],
    ["agent.resume", "desk", { approver: "ada" }],
    ["agent.drain", "desk", { ...byAda, reason: "drained" }],
    ["agent.force_restart", "desk", { ...byAda, reason: "leaks" }],
    ["agent.resume", "nobody", { approver: "ada" }],
    ["control.fail", "nobody", { of: "agent.resume", status: 404, ...byAda }],
    ["security.refuse", null, badge],
    [
      "security.refuse",
      null,
      { ...scope, principal: "bob", scope: "operate", route: "POST /agents/{name}/resume" },
    ],
    ["security.refuse", null, { ...scope, principal: "eve", scope: "read", route: "GET /agents" }],
    ["security.refuse", null, { ...badge, clients: ["127.0.0.1"], count: 50 }],
  ]);
  assert.deepEqual(
    lines.map(({ seq }) => seq),
    lines.map((_line, index) => index + 1),
  );
  assert.equal(statSync(project.path()).mode & 0o777, 0o600);
  const texts = readFileSync(project.path(), "utf8").split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const before = texts[index - 1];
    const hash =
      before === undefined ? "0".repeat(64) : createHash("sha256").update(before).digest("hex");
    assert.equal(line.prev, hash);
    assert.match(line.ts, /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
  }
  const head = createHash("sha256")
    .update(texts.at(-1) ?? "")
    .digest("hex");
  assert.ok(
    exit.stderr.includes(`audit log closed records=${lines.length} head=${head}`),
    exit.stderr,
  );
  assert.ok(!readFileSync(project.path(), "utf8").includes("s3cret"));
  assert.deepEqual(await project.verify(), { code: 0, whole: true, kinds: [] });
  const tail = await project.agentrt("audit", "tail", "-n", "2");
  assert.match(tail.stdout, /security\.refuse {2}gateway=topo_gateway .*principal=eve/);
  assert.equal(tail.stdout.split("\n").length, 3);

  // Every tampering is found.
  const whole = readFileSync(project.path(), "utf8");
  const rewrite = (change: (lines: string[]) => string[]): void =>
    writeFileSync(
      project.path(),
      change([...texts])
        .map((line) => `${line}\n`)
        .join(""),
    );
  const rechained = (records: string[]): string[] => {
    let prev = "0".repeat(64);
    return records.map((record, index) => {
      const line = JSON.stringify({
        ...(JSON.parse(record) as { readonly [key: string]: unknown }),
        seq: index + 1,
        prev,
      });
      prev = createHash("sha256").update(line).digest("hex");
      return line;
    });
  };
  const evil = (line: string | undefined): string => (line ?? "").replace('"ada"', '"eve"');
  const rows: readonly (readonly [name: string, change: () => void, kinds: string[]])[] = [
    ["changed", () => rewrite((all) => all.with(4, evil(all[4]))), ["changed"]],
    [
      "last changed",
      () => rewrite((all) => [...all.slice(0, -1), `${all.at(-1)?.slice(0, -1)} }`]),
      ["rewritten"],
    ],
    ["removed", () => rewrite((all) => all.toSpliced(4, 2)), ["removed"]],
    ["first removed", () => rewrite((all) => all.slice(1)), ["removed"]],
    ["added", () => rewrite((all) => all.toSpliced(4, 0, all[4] ?? "")), ["added"]],
    ["no record", () => rewrite((all) => all.with(4, "hello")), ["unreadable"]],
    ["cut", () => rewrite((all) => all.slice(0, -1)), ["cut"]],
    [
      "cut in a line",
      () => truncateSync(project.path(), Buffer.byteLength(whole) - 20),
      ["torn", "cut"],
    ],
    ["empty", () => writeFileSync(project.path(), ""), ["cut"]],
    ["written anew", () => rewrite((all) => rechained(all.with(4, evil(all[4])))), ["rewritten"]],
    ["written anew and shorter", () => rewrite((all) => rechained(all.toSpliced(4, 1))), ["cut"]],
    ["added at the end", () => rewrite((all) => rechained([...all, evil(all[4])])), ["added"]],
  ];
  const { verifyAudit } = await import("../audit/index.ts");
  const { storedHead } = await import("./audits/index.ts");
  const stored = await storedHead(project.path("state.db"));
  for (const [name, change, kinds] of rows) {
    change();
    const found = verifyAudit(readFileSync(project.path(), "utf8"), {
      key: undefined,
      head: stored,
    });
    assert.deepEqual(
      found.findings.map(({ kind }) => kind),
      kinds,
      name,
    );
    assert.ok(
      found.findings.some(({ isTampering }) => isTampering),
      name,
    );
  }
  const exitOfCut = await project.verify();
  assert.deepEqual(exitOfCut, { code: 1, whole: false, kinds: ["added"] });

  // The next start says so, too, and leaves the break in the chain.
  rewrite((all) => all.slice(0, -2));
  const again = await project.start();
  await again.waitFor(/THE AUDIT LOG WAS CHANGED/);
  assert.equal((await stop(again)).code, 0);
  assert.equal(project.lines().at(-1)?.event, "audit.mismatch");
  assert.deepEqual(await project.verify(), {
    code: 1,
    whole: false,
    kinds: ["removed", "mismatch"],
  });
});

test("kill -9, a torn line, SIGHUP after a rotation, and a key", async () => {
  using project = await Project.create(
    "audit: { sink: jsonl, path: audit.jsonl, sync_writes: true }",
  );
  project.environment["AGENTRT_AUDIT_KEY"] = "a key that nobody else has";
  const first = await project.start();
  assert.equal(await project.ask("POST /agents/desk/suspend", "ada"), 200);
  first.kill("SIGKILL");
  await first.exited();
  assert.deepEqual(await project.verify("audit.jsonl"), { code: 0, whole: true, kinds: [] });
  // As if it had died in the middle of a line.
  appendFileSync(project.path("audit.jsonl"), '{"event":"agent.resume","ts":"20');
  assert.deepEqual(await project.verify("audit.jsonl"), { code: 0, whole: true, kinds: ["torn"] });

  const second = await project.start();
  await second.waitFor(/the last line of the audit log was torn/);
  assert.equal(await project.ask("POST /agents/desk/resume", "ada"), 200);
  assert.deepEqual(
    project.lines("audit.jsonl").map(({ event }) => event),
    ["audit.begin", "agent.suspend", "audit.repair", "agent.resume"],
  );
  assert.deepEqual(project.lines("audit.jsonl")[0]?.details, { after: 0, hash: "hmac-sha256" });
  renameSync(project.path("audit.jsonl"), project.path("audit.jsonl.1"));
  second.kill("SIGHUP");
  await second.waitFor(/opening certificates, keys and logs again/);
  await second.waitFor(/the audit log goes on in a new file/);
  assert.equal(await project.ask("POST /agents/desk/drain", "ada"), 200);
  assert.deepEqual(
    project.lines("audit.jsonl").map(({ event, seq }) => [event, seq]),
    [
      ["audit.begin", 5],
      ["agent.drain", 6],
    ],
  );
  await stop(second);
  const whole = { code: 0, whole: true, kinds: [] };
  assert.deepEqual(await project.verify("audit.jsonl.1", "audit.jsonl"), whole);
  assert.deepEqual(await project.verify("audit.jsonl"), whole);
  project.environment["AGENTRT_AUDIT_KEY"] = "another key";
  assert.equal((await project.verify("audit.jsonl")).whole, false);
  project.environment["AGENTRT_AUDIT_KEY"] = undefined;
  assert.ok((await project.verify("audit.jsonl")).kinds.includes("key"));
});

test("a disk that is full is told of, and stops nothing", async () => {
  using project = await Project.create("audit: { sink: jsonl, path: /dev/full }");
  const program = await project.start();
  for (const act of ["suspend", "resume", "suspend"])
    assert.equal(await project.ask(`POST /agents/desk/${act}`, "ada"), 200);
  assert.deepEqual(JSON.parse(await project.text("/health")), {
    status: "degraded",
    failed: [],
    audit: { sink: "jsonl", reason: "ENOSPC" },
  });
  const metrics = await project.text("/metrics");
  assert.match(metrics, /^agentrt_audit_up\{sink="jsonl"\} 0$/m);
  assert.match(metrics, /^agentrt_audit_waiting\{sink="jsonl"\} 3$/m);
  const exit = await stop(program);
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, /the audit log cannot be written .*reason=ENOSPC/);
  assert.match(exit.stderr, /audit log closed .*lost=3/);
});
