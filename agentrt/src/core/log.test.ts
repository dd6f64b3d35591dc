import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextLog } from "./log.ts";

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
