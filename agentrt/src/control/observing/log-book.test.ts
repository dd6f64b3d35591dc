import assert from "node:assert/strict";
import { test } from "node:test";
import { createRealSystem, createRedactor, createTextLog } from "../../core/index.ts";
import { lineBody, LogBook, logLineCountMax } from "./log-book.ts";

function setUp() {
  const written: string[] = [];
  const book = new LogBook(createRealSystem(), createRedactor());
  const log = book.recorded(createTextLog({ write: (line) => void written.push(line) }));
  return { book, log, written };
}

test("lines go where they went before, and are kept by agent, without secrets", () => {
  const { book, log, written } = setUp();
  const desk = log.with({ agent: "desk" });
  desk.info("hello", { apiKey: "abc", n: 1, error: new RangeError("token=abcdef12") });
  desk.debug("not written, so not kept");
  log.with({ agent: "other" }).warn("careful");
  log.error("of nobody");
  assert.equal(written.length, 3);
  const [line] = book.last("desk", 10).map(lineBody);
  assert.deepEqual(
    [line?.["agent"], line?.["level"], line?.["message"], line?.["apiKey"], line?.["n"]],
    ["desk", "info", "hello", "***", 1],
  );
  assert.match(JSON.stringify(line?.["error"]), /"message":"token=\*\*\*"/);
  assert.deepEqual(
    book.last(undefined, 10).map((each) => lineBody(each)["message"]),
    ["hello", "careful", "of nobody"],
  );
  assert.deepEqual(
    book.last(undefined, 1).map((each) => each.agent),
    [""],
  );
});

test("the lines of an agent, their length, and those of all agents have a maximum", () => {
  const { book, log } = setUp();
  const desk = log.with({ agent: "desk" });
  for (let count = 0; count < logLineCountMax + 5; count += 1) desk.info(`line ${count}`);
  const lines = book.last("desk", 5000).map((each) => lineBody(each)["message"]);
  assert.deepEqual([lines.length, lines[0]], [logLineCountMax, "line 5"]);
  desk.info("long", { text: "x".repeat(100_000) });
  const { cut, text } = lineBody(book.last("desk", 1)[0] as never);
  assert.deepEqual([cut, text], [true, undefined]);
  for (let agent = 0; agent < 60; agent += 1) {
    const each = log.with({ agent: `a${agent}` });
    for (let count = 0; count < 100; count += 1) each.info("y".repeat(3900));
  }
  // The agents that are silent longest are forgotten.
  assert.deepEqual(book.last("desk", 10), []);
  assert.equal(book.last("a59", 1000).length, 100);
  assert.equal(book.last("a10", 1000).length, 0);
});
