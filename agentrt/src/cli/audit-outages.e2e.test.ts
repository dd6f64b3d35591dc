/** What keeps the audit log of `agentrt run` from being written, and what becomes of it afterwards; and `audit tail --follow`. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  startProgram,
} from "testkit";
import { verifyAudit } from "../audit/index.ts";
import { AuditProject, stop } from "./test-support/audit-project.ts";

/** A disk that can be full. */
interface SmallDisk extends Disposable {
  readonly path: string;
  fill(program: Program): void;
  makeRoom(program: Program): void;
}

/** A file system of 64 KiB where root runs the tests; else files of the program may grow to nothing. */
function smallDisk(): SmallDisk {
  const folder = createTemporaryFolder();
  const { path } = folder;
  const limit = ({ process: { pid } }: Program, sizeBytes: string): void =>
    void execFileSync("prlimit", [`--pid=${pid}`, `--fsize=${sizeBytes}:unlimited`]);
  if (process.getuid?.() !== 0) {
    return {
      path,
      fill: (program) => limit(program, "0"),
      makeRoom: (program) => limit(program, "unlimited"),
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  }
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]);
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      assert.throws(() => writeFileSync(filler, Buffer.alloc(65_536)), { code: "ENOSPC" });
    },
    makeRoom: () => rmSync(filler),
    [Symbol.dispose]() {
      execFileSync("umount", [path]);
      folder[Symbol.dispose]();
    },
  };
}

type Health = { readonly status: string; readonly audit?: { readonly reason: string } };

/** Suspends the agent again and again until the log is said to be away, or not any more. @returns How often. */
async function actUntil(project: AuditProject, isAway: boolean): Promise<number> {
  for (let count = 1; count < 3000; count += 1) {
    // The act is done, written or not.
    assert.equal(await project.ask("POST /agents/desk/suspend", "ada"), 200);
    const { audit } = JSON.parse(await project.text("/health")) as Health;
    if ((audit !== undefined) === isAway) return count;
  }
  throw new Error("it did not change");
}

function eventsIn(lines: readonly { readonly event: string }[], event: string): number {
  return lines.filter((line) => line.event === event).length;
}

test("a disk that is full and has room again: nothing stops, and the log tells what it lacks", async () => {
  using disk = smallDisk();
  const file = join(disk.path, "audit.jsonl");
  using project = await AuditProject.create(`audit: { sink: jsonl, path: ${file} }`);
  const first = await project.start();
  assert.equal(await project.ask("POST /agents/desk/suspend", "ada"), 200);
  disk.fill(first);
  let acts = 1 + (await actUntil(project, true));
  const { status, audit } = JSON.parse(await project.text("/health")) as Health;
  assert.equal(status, "degraded");
  assert.match(audit?.reason ?? "", /^(?:ENOSPC|EFBIG)$/);
  const metrics = await project.text("/metrics");
  assert.match(metrics, /^agentrt_audit_up\{sink="jsonl"\} 0$/m);
  assert.match(metrics, /^agentrt_audit_waiting\{sink="jsonl"\} [1-9]/m);
  await first.waitFor(/the audit log cannot be written .*reason=E/);
  // What is on the disk meanwhile ends with a whole line.
  assert.deepEqual(
    verifyAudit(readFileSync(file, "utf8"), { key: undefined, head: undefined }).findings,
    [],
  );

  disk.makeRoom(first);
  await first.waitFor(/the audit log can be written again .*lost=0/);
  acts += await actUntil(project, false);
  assert.match(await project.text("/metrics"), /^agentrt_audit_up\{sink="jsonl"\} 1$/m);
  assert.equal(eventsIn(project.lines(file), "agent.suspend"), acts);
  // Full when it stops: what waits is lost, and the next start says how much.
  disk.fill(first);
  await actUntil(project, true);
  const waiting = /audit_waiting\{sink="jsonl"\} (\d+)/.exec(await project.text("/metrics"))?.[1];
  const exit = await stop(first);
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, new RegExp(`audit log closed .*lost=${waiting}`));
  if (process.getuid?.() === 0) disk.makeRoom(first);
  const second = await project.start();
  assert.equal(await project.ask("POST /agents/desk/resume", "ada"), 200);
  const gap = project.lines(file).findLast(({ event }) => event === "audit.gap");
  assert.equal(gap?.details["records"], Number(waiting));
  assert.deepEqual(await project.verify(file), { code: 0, whole: true, kinds: ["gap"] });
  assert.equal((await stop(second)).code, 0);
});

/** Listens on a port, and can fall away with all its connections. */
async function listen(server: Server, port: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => undefined);
    sockets.add(socket);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

for (const kind of ["syslog", "otlp"] as const) {
  test(`${kind} that is away and comes back: nothing stops, and what waited arrives`, async () => {
    const port = await freePort();
    const where =
      kind === "syslog"
        ? `address: "tcp://127.0.0.1:${port}"`
        : `endpoint: "http://127.0.0.1:${port}"`;
    let received = "";
    const serve = () => {
      const server =
        kind === "syslog"
          ? createServer((socket) => socket.on("data", (bytes) => (received += bytes.toString())))
          : createHttpServer((request, response) => {
              request.on("data", (bytes: Buffer) => (received += bytes.toString()));
              request.on("end", () => response.end("{}"));
            });
      return listen(server, port);
    };
    using project = await AuditProject.create(`audit: { sink: ${kind}, ${where} }`);
    let away = await serve();
    const program = await project.start();
    const act = async (reason: string): Promise<void> =>
      assert.equal(await project.ask("POST /agents/desk/suspend", "ada", { reason }), 200);
    await act("before");
    assert.match(received, /"before|before\\"/);
    await away();
    await actUntil(project, true);
    await act("meanwhile");
    assert.match(await project.text("/health"), new RegExp(`"audit":\\{"sink":"${kind}"`));
    assert.match(await project.text("/metrics"), /^agentrt_audit_up\{sink="\w+"\} 0$/m);
    away = await serve();
    await program.waitFor(/the audit log can be written again/);
    await actUntil(project, false);
    assert.match(received, /meanwhile/);
    await away();
    const exit = await stop(program);
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(exit.stderr, new RegExp(`the audit log cannot be written sink=${kind}`));
  });
}

test("audit tail --follow shows what comes, over a rotation, until Ctrl+C", async () => {
  using project = await AuditProject.create("audit: { sink: jsonl, path: audit.jsonl }");
  const program = await project.start();
  const act = async (reason: string): Promise<void> =>
    assert.equal(await project.ask("POST /agents/desk/suspend", "ada", { reason }), 200);
  await using tail = startProgram(
    process.execPath,
    [agentrtLauncher(), "audit", "tail", "--follow", "--json"],
    { workingDirectory: project.folder.path },
  );
  await act("first");
  await tail.waitFor(/"reason":"first"/);
  // As logrotate does with `create`: a new file is there before the writer opens it.
  renameSync(project.path("audit.jsonl"), project.path("audit.jsonl.1"));
  writeFileSync(project.path("audit.jsonl"), "", { mode: 0o600 });
  await act("into the old file");
  await tail.waitFor(/"reason":"into the old file"/);
  await act("the last of the old file");
  program.kill("SIGHUP");
  await program.waitFor(/the audit log goes on in a new file/);
  await act("into the new file");
  await tail.waitFor(/"reason":"into the new file"/);
  tail.kill("SIGINT");
  const exit = await tail.exited();
  assert.deepEqual([exit.signal, exit.stderr], ["SIGINT", ""]);
  const shown = exit.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);
  // Each once, in order.
  assert.deepEqual(shown, [...project.lines("audit.jsonl.1"), ...project.lines("audit.jsonl")]);
  await stop(program);
});
