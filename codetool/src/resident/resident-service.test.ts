/** When a service ends, and what it does with requests that are none. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import {
  acceptedByte,
  folderMark,
  ProgramIdentity,
  type Question,
  sendRequest,
} from "../service/index.ts";
import { ResidentService, type ResidentServiceInit } from "./resident-service.ts";

const patience = { acceptedMs: 60_000, silenceMs: 60_000 };

async function start(root: string, more: Partial<ResidentServiceInit> = {}) {
  return await ResidentService.start({
    root: join(root, "tree"),
    address: join(root, "a.sock"),
    answer: async ({ argv }) =>
      await Promise.resolve({
        exitCode: 3,
        stdout: Buffer.from(argv.join()),
        stderr: Buffer.from("e"),
      }),
    idleMs: 60_000,
    memoryBytesMax: Infinity,
    checkMs: 1,
    ...more,
  });
}

function questionIn(root: string): Question {
  return {
    identity: new ProgramIdentity().text,
    argv: ["a", "b"],
    invokedAs: [],
    workingDirectory: join(root, "tree"),
    folder: folderMark(join(root, "tree")),
    environment: {},
    isTerminal: false,
  };
}

function ask(root: string, changes: object = {}) {
  const question = { ...questionIn(root), ...changes };
  return sendRequest(join(root, "a.sock"), { kind: "ask", question }, patience);
}

for (const [reason, more, act] of [
  ["idle", { idleMs: 0 }, () => undefined],
  ["memory", { memoryBytesMax: 1 }, () => undefined],
  ["tree_gone", {}, (root: string) => rmSync(join(root, "tree"), { recursive: true })],
  [
    "tree_gone",
    {},
    (root: string) => {
      // Another folder under its name.
      mkdirSync(join(root, "next"));
      rmSync(join(root, "tree"), { recursive: true });
      renameSync(join(root, "next"), join(root, "tree"));
    },
  ],
  ["replaced", {}, (root: string) => rmSync(join(root, "a.sock"))],
] as const)
  test(`a service ends: ${reason}`, async () => {
    using folder = createTemporaryFolder({ "tree/a": "" });
    const service = await start(folder.path, more);
    act(folder.path);
    assert.equal(await service.ended, reason);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes("sock")),
      [],
    );
  });

test("of two services at one address the later one answers, and the earlier one ends and leaves the socket", async () => {
  using folder = createTemporaryFolder({ "tree/a": "" });
  const first = await start(folder.path);
  const second = await start(folder.path);
  assert.equal(await first.ended, "replaced");
  const { bytes } = await ask(folder.path);
  assert.equal(Buffer.from(bytes ?? []).toString(), "[3,3,1]\na,be");
  second.end("stopped");
});

test("a question of another build, or from another folder under the same path, is declined", async () => {
  using folder = createTemporaryFolder({ "tree/a": "" });
  const service = await start(folder.path, { checkMs: 60_000 });
  for (const changes of [
    { identity: "0.0.1" },
    { folder: "1:2" },
    { workingDirectory: "/nowhere/at/all" },
  ])
    assert.deepEqual(await ask(folder.path, changes), { isHeard: true, bytes: undefined });
  assert.deepEqual([service.status().question_count, service.status().declined_count], [0, 3]);
  service.end("stopped");
});

test("a service that ends answers what is open first", async () => {
  using folder = createTemporaryFolder({ "tree/a": "" });
  const { promise: asked, resolve: hear } = Promise.withResolvers<void>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const service = await start(folder.path, {
    checkMs: 60_000,
    answer: async () => {
      hear();
      await gate;
      return { exitCode: 0, stdout: Buffer.from("late"), stderr: new Uint8Array() };
    },
  });
  const answer = ask(folder.path);
  await asked;
  service.end("stopped");
  open();
  assert.equal(Buffer.from((await answer).bytes ?? []).toString(), "[0,4,0]\nlate");
  assert.equal(await service.ended, "stopped");
});

test("a process that asked hears each second that it is worked for, and then the answer", async () => {
  using folder = createTemporaryFolder({ "tree/a": "" });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const answer = async () => {
    await gate;
    return { exitCode: 0, stdout: Buffer.from("late"), stderr: new Uint8Array() };
  };
  const service = await start(folder.path, { checkMs: 60_000, answer });
  const socket = connect(join(folder.path, "a.sock"));
  socket.write(`${JSON.stringify({ kind: "ask", question: questionIn(folder.path) })}\n`);
  let received = "";
  for await (const part of socket) {
    received += String(part);
    if (received === "+++") open();
  }
  assert.match(received, /^\+{3,}\[0,4,0\]\nlate$/);
  service.end("stopped");
});

test("requests that are none are dropped, and the next one is answered", async () => {
  using folder = createTemporaryFolder({ "tree/a": "" });
  const service = await start(folder.path, { checkMs: 60_000 });
  for (const sent of [
    "\n",
    "{}\n",
    "[]\n",
    '{"kind":"other"}\n',
    "x".repeat(2 * 1024 * 1024),
    "{half",
  ]) {
    const socket = connect(join(folder.path, "a.sock"));
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on("error", () => undefined).on("close", () => resolve());
    socket.on("data", (part) => assert.notEqual(part[0], acceptedByte));
    socket.write(sent);
    await promise;
  }
  assert.notEqual((await ask(folder.path)).bytes, undefined);
  service.end("stopped");
});
