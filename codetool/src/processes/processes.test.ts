import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import process from "node:process";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { BoundedLines } from "./bounded-lines.ts";
import { LineSplitter } from "./line-splitter.ts";
import { runProcess } from "./run-process.ts";

/** Sends a text through in pieces of the given lengths. */
function capture(
  text: string,
  { sizeBytesMax, lengths }: { readonly sizeBytesMax: number; readonly lengths: readonly number[] },
) {
  const lines = new BoundedLines(sizeBytesMax);
  const splitter = new LineSplitter((block) => lines.add(block));
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    splitter.push(bytes.subarray(at, at + length));
    at += length;
  }
  splitter.end();
  return lines.read();
}

const lengths = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 });
const text = fc
  .array(fc.string({ maxLength: 30, unit: "binary" }), { maxLength: 40 })
  .map((lines) => lines.join("\n"));

test("a text within the bound comes back as it was, whatever the pieces it came in", () => {
  fc.assert(
    fc.property(text, lengths, (whole, pieces) => {
      const captured = capture(whole, { sizeBytesMax: 1 << 20, lengths: pieces });
      const newlines = whole.split("\n").length - 1;
      assert.equal(captured.text, Buffer.from(whole).toString("utf8"));
      assert.equal(captured.sizeBytes, Buffer.byteLength(whole));
      assert.equal(captured.lineCount, newlines + (whole === "" || whole.endsWith("\n") ? 0 : 1));
      assert.equal(captured.omittedLineCount, 0);
    }),
    { seed: 5, numRuns: repetitions(200) },
  );
});

test("of a text beyond the bound the first and last lines are kept whole, and the rest is counted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 2000 }), lengths, (count, pieces) => {
      const lines = Array.from({ length: count }, (_, index) => `line ${index}`);
      const captured = capture(`${lines.join("\n")}\n`, { sizeBytesMax: 600, lengths: pieces });
      assert.equal(captured.lineCount, count);
      const kept = captured.text.split("\n").slice(0, -1);
      const gap = kept.findIndex((line) => line.endsWith("lines omitted]"));
      const last = kept.slice(gap + 1);
      assert.deepEqual(kept.slice(0, gap), lines.slice(0, gap));
      assert.deepEqual(last, lines.slice(lines.length - last.length));
      assert.equal(captured.omittedLineCount, count - (kept.length - 1));
      assert.equal(kept[gap], `[${captured.omittedLineCount} lines omitted]`);
      assert.ok(gap > 20 && last.length > 10, `${gap} and ${last.length} lines`);
    }),
    { seed: 6, numRuns: repetitions(100) },
  );
});

test("a line longer than can be waited for is passed on in pieces and counts once", () => {
  const captured = capture(`${"x".repeat(300_000)}\nend`, {
    sizeBytesMax: 1 << 20,
    lengths: [10_000],
  });
  assert.equal(captured.lineCount, 2);
  assert.equal(captured.text.length, 300_004);
});

/** The processes that this one has started and that still run. */
function childCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
}

const here = {
  workingDirectory: process.cwd(),
  environment: process.env,
  standardInput: "closed",
  timeoutMs: 60_000,
} as const;

test("signals are listened to before the child is there: none ends this process in between", async () => {
  const counts: number[] = [];
  let isSubscribed = false;
  const ended = await runProcess({
    ...here,
    argv: [process.execPath, "-e", "setInterval(() => undefined, 1000)"],
    onSignal: (listener) => {
      counts.push(childCount());
      isSubscribed = true;
      // It comes at once, before the child can have it.
      listener("SIGTERM");
      return () => (isSubscribed = false);
    },
  });
  assert.deepEqual(counts, [0]);
  assert.equal(isSubscribed, false);
  assert.ok(ended.isStarted);
  assert.equal(ended.passedSignal, "SIGTERM");
  if (process.platform !== "win32") assert.equal(ended.signal, "SIGTERM");
});

test("a program that cannot be started leaves nobody listening", async () => {
  const exitListeners = process.listenerCount("exit");
  for (const argv of [["no-such-program-here"], ["a\0b"]]) {
    let isSubscribed = false;
    const ended = await runProcess({
      ...here,
      argv,
      onSignal: () => {
        isSubscribed = true;
        return () => (isSubscribed = false);
      },
    });
    assert.equal(ended.isStarted, false);
    assert.equal(isSubscribed, false);
  }
  assert.equal(process.listenerCount("exit"), exitListeners);
});
