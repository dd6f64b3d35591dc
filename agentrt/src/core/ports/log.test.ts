import assert from "node:assert/strict";
import { test } from "node:test";
import { createJsonLog, createTextLog } from "./log.ts";

test("a text log writes level, message and fields on one line, and leaves out what is below its level", () => {
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => lines.push(line), fields: { app: "shop" } });
  log.debug("unseen");
  log.info("two\nlines", { path: "/a b", count: 2, nothing: undefined });
  log.with({ agent: "clerk" }).warn("careful", { agent: "other" });
  assert.deepEqual(lines, [
    'info  two lines app=shop path="/a b" count=2\n',
    "warn  careful app=shop agent=other\n",
  ]);
});

test("a text log says where an error was thrown", () => {
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => lines.push(line) });
  log.error("failed", { error: new TypeError('bad "input"') });
  assert.match(
    lines[0] ?? "",
    /^error failed error="TypeError: bad \\"input\\"" at=\S*log\.test\.ts:\d+:\d+\n$/,
  );
});

test("a text log lets no control character through, and writes fields that cannot be shown as such", () => {
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => lines.push(line), nowMs: () => 0 });
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const hostile = {
    toString() {
      throw new Error("no text");
    },
  };
  log.info("a\u001B[31mb\r\nerror forged\u009B2J\u202E", {
    "k\n": "\u001B[2J",
    c1: "\u009B31m",
    big: 1n,
    cycle,
    hostile,
    list: ["\u2028"],
    long: "x".repeat(5000),
  });
  log.error("odd", { error: Object.assign(new Error("x"), { stack: 5 }) });
  log.error("odder", { error: hostile });
  assert.equal(lines.length, 3);
  for (const line of lines) {
    assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\u2028\u202E]/u);
    assert.match(line, /^1970-01-01T00:00:00\.000Z (?:info {2}|error )/);
    assert.ok(line.length < 2600, String(line.length));
  }
  assert.match(lines[0] ?? "", /a\\u001b\[31mb error forged\\u009b2J\\u202e/);
  assert.match(lines[0] ?? "", / c1="\\u009b31m" big=1 cycle="\(object that cannot be shown\)"/);
});

test("a text log shows the cause of an error, and the place in the user's code where only the cause has one", () => {
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => lines.push(line) });
  const cause = Object.assign(new Error("root"), {
    stack:
      "Error: root\n    at f (node:internal/x:1:2)\n    at Clerk.handle (file:///shop/agents.ts:7:9)",
  });
  const error = new Error("outer", { cause });
  log.error("failed", { error });
  assert.match(lines[0] ?? "", / cause="Error: root" at=\/shop\/agents\.ts:7:9\n$/);
});

test("a text log shows places as paths, whatever the folder is called, and believes no message", () => {
  const rows: readonly (readonly [frames: string, at: string])[] = [
    ["    at f (file:///a%20(1)/%C3%BC.ts:7:9)", '"/a (1)/ü.ts:7:9"'],
    ["    at file:///a/b.ts:1:2", "/a/b.ts:1:2"],
    ["    at async Promise.all (index 0)\n    at async file:///a/b.ts:3:4", "/a/b.ts:3:4"],
    ["    at new A (/a/b.cjs:3:4)", "/a/b.cjs:3:4"],
  ];
  const message = "odd\n    at forged (file:///etc/passwd:1:1)";
  for (const [frames, at] of rows) {
    const lines: string[] = [];
    const error = new Error(message);
    error.stack = `Error: ${message}\n${frames}`;
    createTextLog({ write: (line) => lines.push(line) }).error("failed", { error });
    const [line = ""] = lines;
    assert.ok(line.endsWith(` at=${at}\n`), line);
  }
});

test("an error whose stack throws when it is read is written without its place", () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const error = Object.defineProperty(new Error("x", { cause: new Error("why") }), "stack", {
    get: () => {
      throw new Error("lazy");
    },
  });
  createTextLog({ write }).error("failed", { error });
  createJsonLog({ write, nowMs: () => 0 }).error("failed", { error });
  assert.equal(lines[0], 'error failed error="Error: x" cause="Error: why"\n');
  const { error: written } = JSON.parse(lines[1] ?? "") as { error: { message: string } };
  assert.equal(written.message, "x");
});

test("createJsonLog() writes one object a line: time, level, message first, then the fields", () => {
  const lines: string[] = [];
  const log = createJsonLog({ write: (line) => void lines.push(line), nowMs: () => 0 });
  log.with({ agent: "a" }).info("hello\nworld", {
    time: "forged",
    level: "forged",
    count: 1n,
    nothing: undefined,
    nested: { apiKey: "1234", ok: true },
  });
  assert.deepEqual(lines, [
    `{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello\\nworld","agent":"a","count":"1","nested":{"apiKey":"***","ok":true}}\n`,
  ]);
});

test("createJsonLog() writes an error as an object with its code, its causes and its place", () => {
  const lines: string[] = [];
  const log = createJsonLog({ write: (line) => void lines.push(line), nowMs: () => 0 });
  const cause = Object.assign(new TypeError("inner"), { code: "E_INNER" });
  log.error("failed", { error: new RangeError("outer", { cause }) });
  const { error } = JSON.parse(lines[0] ?? "") as { error: { [name: string]: unknown } };
  assert.equal(error["name"], "RangeError");
  assert.deepEqual(error["cause"], { name: "TypeError", message: "inner", code: "E_INNER" });
  assert.match(String(error["at"]), /log\.test\.ts:\d+:\d+$/);
});

test("a field that cannot be shown does not keep a JSON line from being written", () => {
  const lines: string[] = [];
  const log = createJsonLog({ write: (line) => void lines.push(line), nowMs: () => 0 });
  const loop: { self?: unknown } = {};
  loop.self = loop;
  log.warn("odd", { loop, call: () => 1, big: { inner: 5n } });
  const line = JSON.parse(lines[0] ?? "") as { [name: string]: unknown };
  assert.equal(line["loop"], "(object that cannot be shown)");
  assert.deepEqual(line["big"], { inner: "5" });
});

for (const [name, createLog] of [
  ["text", (write: (line: string) => void) => createTextLog({ write })],
  ["JSON", (write: (line: string) => void) => createJsonLog({ write, nowMs: () => 0 })],
] as const) {
  test(`no secret gets into a ${name} line: by name, by form, in an error, in its cause`, () => {
    const lines: string[] = [];
    const log = createLog((line) => void lines.push(line));
    const cause = new Error("postgresql://user:hidden1234@db/x refused");
    log.with({ authorization: "hidden1234" }).warn("Bearer hidden1234 was refused", {
      error: new Error("password=hidden1234", { cause }),
      headers: { Cookie: "hidden1234", list: [{ "x-api-key": "hidden1234" }] },
      url: "https://u:hidden1234@host/",
    });
    assert.ok(lines[0]?.includes("refused"));
    assert.ok(!lines.join("").includes("hidden1234"), lines.join(""));
  });

  test(`a ${name} log says which levels it writes, and writes no others`, () => {
    const lines: string[] = [];
    const log = createLog((line) => void lines.push(line));
    assert.deepEqual([log.isEnabled?.("debug"), log.isEnabled?.("info")], [false, true]);
    log.debug("hidden");
    assert.deepEqual(lines, []);
  });
}
