/** What is left of calls, programs and the server itself when a client cancels, goes away, or ends the server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createTemporaryFolder, createTemporaryRepository, startProgram } from "testkit";
import { command, firstArgs } from "../cli/test-support/codetool.ts";
import { Endless } from "./test-support/endless.ts";
import { connect } from "./test-support/session.ts";

const files = { "README.md": "# Retries\n" };

test("a cancelled run is ended with its program, and the server goes on", async () => {
  using repository = createTemporaryRepository(files);
  await using session = await connect(repository.path);
  await using endless = await Endless.create();
  const cancel = new AbortController();
  const call = session.client.callTool(
    { name: "run", arguments: { command: endless.words } },
    undefined,
    { signal: cancel.signal },
  );
  const cancelled = assert.rejects(call);
  await endless.started();
  cancel.abort("enough");
  await cancelled;
  await endless.ended();
  assert.equal((await session.call("find", {}))["status"], "ok");
});

test("a client that is gone leaves no program behind", async () => {
  using repository = createTemporaryRepository(files);
  await using endless = await Endless.create();
  const { server } = startRun(repository.path, endless);
  await endless.started();
  // Both of its ends are gone.
  server.process.stdin?.end();
  server.process.stdout?.destroy();
  await server.exited();
  await endless.ended();
});

test("a request that was cancelled does not hold up the end", async () => {
  using repository = createTemporaryRepository(files);
  await using endless = await Endless.create();
  const { server, tell } = startRun(repository.path, endless);
  await endless.started();
  tell({ method: "notifications/cancelled", params: { requestId: 2 } });
  server.process.stdin?.end();
  assert.equal((await server.exited()).code, 0);
  await endless.ended();
});

test("a request with the id 0 is cancelled like any other, and so is a program that does not end by itself", async () => {
  using repository = createTemporaryRepository(files);
  await using endless = await Endless.create({ isStubborn: true });
  const { server, tell } = startRun(repository.path, endless, 0);
  await endless.started();
  tell({ method: "notifications/cancelled", params: { requestId: 0 } });
  await endless.ended();
  tell({ id: 0, method: "ping" });
  await server.waitFor(/"id":0/);
  server.process.stdin?.end();
  assert.equal((await server.exited()).code, 0);
  assert.equal(server.output.match(/"id":0/g)?.length, 1, "what was cancelled has no answer");
});

test("a server that is asked to end takes what it runs with it, though its client is still there", async () => {
  using repository = createTemporaryRepository(files);
  for (const isStubborn of [false, true]) {
    await using endless = await Endless.create({ isStubborn });
    const { server } = startRun(repository.path, endless);
    await endless.started();
    server.kill("SIGTERM");
    assert.equal((await server.exited()).code, 128 + 15);
    await endless.ended();
  }
});

test("before a client has listed its roots nothing is shown", async () => {
  using folder = createTemporaryFolder({ "project/a.txt": "alpha\n", "secret.txt": "needle\n" });
  const { server, tell } = start(folder.path, { roots: {} });
  const read = {
    method: "tools/call",
    params: { name: "read", arguments: { file: "secret.txt" } },
  };
  tell({ id: 2, ...read });
  await server.waitFor(/"id":2,"error":\{"code":-32000,"message":"[^"]*roots/);
  tell({ id: 3, ...read });
  const [, id] = await server.waitFor(
    /"id":(1),"method":"roots\/list"|"method":"roots\/list","jsonrpc":"2.0","id":(1)/,
  );
  const roots = [
    { uri: "file://elsewhere/x" },
    { uri: pathToFileURL(join(folder.path, "project")).href },
  ];
  tell({ id: Number(id ?? 1), result: { roots } });
  await server.waitFor(/"id":3|permission_denied/);
  server.process.stdin?.end();
  assert.equal((await server.exited()).code, 0);
  assert.match(server.output, /file_not_found|permission_denied/);
  assert.doesNotMatch(server.output, /needle/);
});

/** Starts a server, and tells it who its client is. */
function start(workingDirectory: string, capabilities: object) {
  const server = startProgram(command, [...firstArgs, "mcp"], {
    workingDirectory,
    keepInput: true,
  });
  const tell = (message: object): void =>
    void server.process.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "t", version: "1" };
  tell({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities, clientInfo },
  });
  tell({ method: "notifications/initialized" });
  return { server, tell };
}

/** Starts a server with a call that does not end. */
function startRun(workingDirectory: string, { words }: Endless, id = 2) {
  const started = start(workingDirectory, {});
  const params = { name: "run", arguments: { command: words } };
  started.tell({ id, method: "tools/call", params });
  return started;
}
