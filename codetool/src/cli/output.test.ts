import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { Output, type OutputStream } from "./output.ts";

/** A stream that keeps what it is given. */
function collectingStream(): OutputStream & { readonly text: () => string } {
  const parts: Uint8Array[] = [];
  return {
    on: () => undefined,
    write: (text, done) => {
      parts.push(Buffer.from(text));
      done?.();
      return true;
    },
    text: () => Buffer.concat(parts).toString(),
  };
}

test("Output writes to the descriptor, and from useStream() on to the stream alone", async () => {
  using folder = createTemporaryFolder({});
  const path = join(folder.path, "out");
  const descriptor = openSync(path, "w");
  const stream = collectingStream();
  const output = new Output({ openStream: () => stream, descriptor });
  assert.equal(await output.write("at once, é\n"), true);
  output.useStream();
  assert.equal(await output.write("later\n"), true);
  closeSync(descriptor);
  assert.equal(readFileSync(path, "utf8"), "at once, é\n");
  assert.equal(stream.text(), "later\n");
});

test(
  "Output gives the stream what a pipe that must not be waited for does not take, and nothing twice",
  { skip: process.platform === "win32" ? "there is no mkfifo" : false },
  async () => {
    using folder = createTemporaryFolder({});
    const path = join(folder.path, "pipe");
    assert.equal(spawnSync("mkfifo", [path]).status, 0);
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const stream = collectingStream();
    const output = new Output({ openStream: () => stream, descriptor });
    const text = Array.from({ length: 100_000 }, (_, number) => `${number}é\n`).join("");
    assert.equal(await output.write(text), true);
    const taken = Buffer.alloc(text.length);
    const takenBytes = readSync(descriptor, taken);
    closeSync(descriptor);
    assert.ok(takenBytes > 0 && stream.text() !== "");
    const rest = Buffer.from(stream.text());
    assert.equal(Buffer.concat([taken.subarray(0, takenBytes), rest]).toString(), text);
  },
);

test("Output says that nobody reads any more, and throws what else hinders writing", async () => {
  using folder = createTemporaryFolder({ file: "" });
  const stream = collectingStream();
  const descriptor = openSync(join(folder.path, "file"), "r");
  const output = new Output({ openStream: () => stream, descriptor });
  await assert.rejects(output.write("x"), { code: "EBADF" });
  await assert.rejects(output.write("x"), { code: "EBADF" });
  closeSync(descriptor);
  const broken = {
    ...stream,
    write: (_: unknown, done?: (error: NodeJS.ErrnoException) => void) => {
      done?.(Object.assign(new Error("broken pipe"), { code: "EPIPE" }));
      return false;
    },
  };
  assert.equal(await new Output({ openStream: () => broken }).write("x"), false);
});
