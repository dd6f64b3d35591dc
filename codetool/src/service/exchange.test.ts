import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { exchange, type Exchanged } from "./exchange.ts";

/** Asks a service that does this with a connection; no answer is late. */
async function exchangeWith(serve: (socket: Socket) => void): Promise<Exchanged> {
  using folder = createTemporaryFolder();
  const address =
    process.platform === "win32"
      ? String.raw`\\.\pipe\codetool-exchange-${process.pid}`
      : join(folder.path, "a.sock");
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => serve(socket));
  });
  server.listen(address);
  await once(server, "listening");
  try {
    return await exchange(address, { kind: "status" }, { acceptedMs: 60_000, silenceMs: 60_000 });
  } finally {
    server.close();
  }
}

test("an answer is whole with its last byte: the end of the connection is not waited for", async () => {
  const { bytes } = await exchangeWith((socket) => {
    socket.write("+");
    socket.write("+[0,4,3]\nla");
    socket.write("te");
    socket.write("err");
  });
  assert.equal(Buffer.from(bytes ?? []).toString(), "[0,4,3]\nlateerr");
});

test("what does not say how long it is ends with the connection", async () => {
  const { bytes } = await exchangeWith((socket) => socket.end('+{"pid":1}\n'));
  assert.equal(Buffer.from(bytes ?? []).toString(), '{"pid":1}\n');
});

test("what comes from who has not accepted is no answer, nor is nothing", async () => {
  const unaccepted = await exchangeWith((socket) => socket.end("[0,4,0]\nlate"));
  assert.deepEqual(unaccepted, { isHeard: true, bytes: undefined });
  assert.deepEqual(await exchangeWith((socket) => socket.end("+")), unaccepted);
});
