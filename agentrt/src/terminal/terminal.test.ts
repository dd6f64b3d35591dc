import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cutText,
  type Frame,
  gauge,
  missingScreen,
  padText,
  paneAt,
  sparkline,
  widthOf,
} from "./index.ts";
import { keyEvent, splitInput } from "./terminal-event.ts";

test("a text takes as many cells as a terminal gives it, and is cut between characters", () => {
  assert.equal(widthOf("desk"), 4);
  assert.equal(widthOf("机场"), 4);
  assert.equal(widthOf("é"), 1, "a letter and its accent are one");
  assert.equal(widthOf("🛫"), 2);
  assert.equal(cutText("agents", 6), "agents");
  assert.equal(cutText("agents", 4), "age…");
  assert.equal(cutText("机场站", 4), "机…", "half of a wide character is none");
  assert.equal(padText("机", 4), "机  ");
});

test("a gauge is full in eighths, a sparkline goes up to its highest value", () => {
  assert.equal(gauge(0, 4), "····");
  assert.equal(gauge(0.5, 4), "██··");
  assert.equal(gauge(0.53, 4), "██▏·");
  assert.equal(gauge(7, 4), "████");
  assert.equal(sparkline([0, 1, 2, 4], 6), "  ▁▃▅█");
  assert.equal(sparkline([9, 0, 4], 2), "▁█", "the latest are shown");
  assert.equal(sparkline([], 2), "  ");
});

test("mouse reports are taken out of what is typed, also where one is cut in two", () => {
  assert.deepEqual(splitInput("a\u001B[<0;5;7M\u001B[<0;5;7mb\u001B[<65;1;2M"), {
    events: [
      { kind: "click", column: 4, row: 6 },
      { kind: "wheel", step: 1, column: 0, row: 1 },
    ],
    keys: "ab",
    rest: "",
  });
  const first = splitInput("q\u001B[<64;1");
  assert.deepEqual(first, { events: [], keys: "q", rest: "\u001B[<64;1" });
  assert.deepEqual(splitInput(`${first.rest}0;2M`).events, [
    { kind: "wheel", step: -1, column: 9, row: 1 },
  ]);
  assert.deepEqual(splitInput("\u001B[<35;5;7M").events, [], "a move of the mouse is nothing");
});

test("keys have names, characters are themselves, and what commands a terminal is nothing", () => {
  assert.deepEqual(keyEvent("q", { name: "q" }), { kind: "text", text: "q" });
  assert.deepEqual(keyEvent("R", { name: "r", shift: true }), { kind: "text", text: "R" });
  assert.deepEqual(keyEvent("\t", { name: "tab", shift: true }), { kind: "key", key: "backTab" });
  assert.deepEqual(keyEvent("\u0010", { name: "p", ctrl: true }), { kind: "key", key: "ctrl+p" });
  assert.equal(keyEvent("\u0001", { name: "a", ctrl: true }), undefined);
  assert.equal(keyEvent("\u0001", {}), undefined);
  assert.equal(keyEvent("x", { name: "x", meta: true }), undefined);
});

test("a cell belongs to a pane, a line above them, or the window above all", () => {
  const pane = { title: "", lines: [], isFocused: false };
  const panes = [
    { ...pane, width: 10 },
    { ...pane, width: 30 },
  ];
  const frame: Frame = { top: ["head", "tabs"], panes, bottom: ["keys"] };
  const size = { columns: 40, rows: 20 };
  const at = (column: number, row: number, of = frame): unknown =>
    paneAt(of, { column, row }, size);
  assert.deepEqual(at(3, 1), { kind: "top", row: 1 });
  assert.deepEqual(at(3, 4), { kind: "pane", pane: 0, line: 0 });
  assert.deepEqual(at(10, 6), { kind: "pane", pane: 1, line: 2 });
  assert.deepEqual(at(3, 19), { kind: "none" });
  const overlay = { title: "", lines: ["one", "two"], width: 20 };
  assert.deepEqual(at(15, 9, { ...frame, overlay }), { kind: "overlay", line: 0 });
  assert.deepEqual(at(3, 4, { ...frame, overlay }), { kind: "none" }, "the panes are behind it");
});

test("what installs the screen's library is said where it is missing", () => {
  assert.equal(missingScreen(), undefined);
  assert.equal(
    missingScreen("ink@8.0.0 no-such-library@1.0.0"),
    "npm install ink@8.0.0 no-such-library@1.0.0",
  );
});
