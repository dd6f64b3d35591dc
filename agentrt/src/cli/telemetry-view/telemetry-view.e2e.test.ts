/** The viewer in a real terminal, over files that a real exporter wrote; what it shows is compared whole. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agentrtLauncher,
  createTemporaryFolder,
  openTerminal,
  runProgram,
  skipUnless,
  type Terminal,
} from "testkit";
import { assertFrame } from "../test-support/assert-frame.ts";
import { createRealSystem, createTextLog } from "../../core/index.ts";
import { SqliteExporter, type SpanRecord } from "../../telemetry/index.ts";

const waitMs = 60_000;
const agentrt = `${process.execPath} ${agentrtLauncher()}`;
const log = createTextLog({ write: () => undefined });
const hourMs = 3_600_000;

/** What changes from run to run, without changing what is around it. Where in a chart a span is changes with the clock. */
function masked(screen: string): string {
  const lines = screen.trimEnd().split("\n");
  const panesAt = lines.findIndex((line) => /^[┌┏]/.test(line));
  return lines
    .map((line, row) => (row < panesAt && /[┤│]/.test(line) ? "(a line of charts)" : line))
    .join("\n")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]*/g, (whole) => "~".repeat(whole.length))
    .replaceAll(/\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, (whole) => "~".repeat(whole.length))
    .replaceAll(/\d\d:\d\d:\d\d/g, (whole) => "~".repeat(whole.length));
}

/** Compares what a terminal shows, or a part of it, with what is kept of that. */
async function shows(
  terminal: Terminal,
  name: string,
  partOf = (screen: string): string => screen,
): Promise<void> {
  const path = fileURLToPath(new URL(`frames/${name}.txt`, import.meta.url));
  await assertFrame(terminal, path, (screen) => masked(partOf(screen)));
}

/** The window in front. */
function windowIn(screen: string): string {
  return screen.match(/║.*║/g)?.join("\n") ?? "";
}

/** Presses and lets go the left button, at a column and a row that count from 1. */
function click(terminal: Terminal, column: number, row: number): void {
  const bytes = `\u001B[<0;${column};${row}M\u001B[<0;${column};${row}m`;
  const hex = Array.from(Buffer.from(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  terminal.tmux("send-keys", "-t", "main", "-H", ...hex);
}

const id = (index: number, length: number): string => index.toString(16).padStart(length, "0");

/** Requests of three spans each, the newest at the given time: a message, the call of a model in it, and one of a tool. */
function requests(count: number, endMs: number, lengthMs: number): SpanRecord[] {
  return Array.from({ length: count }, (_, index): SpanRecord[] => {
    const startMs = endMs - Math.round((index / count) * lengthMs) - 1000;
    const agent = `desk-${index % 8}`;
    const traceId = id(index + 1, 32);
    const common = { kind: "internal", traceId, status: "ok", errorMessage: null } as const;
    const [root, model, tool] = [1, 2, 3].map((each) => id(index * 4 + each, 16));
    return [
      {
        ...common,
        name: "agentrt.agent.handle",
        spanId: root ?? "",
        parentSpanId: null,
        startMs,
        endMs: startMs + 800,
        attributes: { "agentrt.agent.name": agent },
      },
      {
        ...common,
        name: "agentrt.llm.chat",
        spanId: model ?? "",
        parentSpanId: root ?? "",
        startMs: startMs + 100,
        endMs: startMs + 500,
        attributes: {
          "agentrt.agent.name": agent,
          "agentrt.llm.model": `model-${index % 2}`,
          "agentrt.llm.cost_usd": 0.001 * (1 + (index % 8)),
        },
      },
      {
        ...common,
        name: "agentrt.tool.execute",
        spanId: tool ?? "",
        parentSpanId: root ?? "",
        startMs: startMs + 520,
        endMs: startMs + 780,
        attributes: { "agentrt.sender": agent, note: "\u001B[2J\u001B]0;title\u0007" },
        status: "error",
        errorMessage: "\u001B[31mno stamp",
      },
    ];
  }).flat();
}

async function openExporter(directory: string): Promise<SqliteExporter> {
  const exporter = new SqliteExporter({ directory });
  await exporter.open({ log, system: createRealSystem() });
  return exporter;
}

const skip = skipUnless("tmux");

test("80 columns: ranges, a trace, a writer that goes on, help and the end", { skip }, async () => {
  using folder = createTemporaryFolder({});
  const exporter = await openExporter(join(folder.path, "civitas_telemetry"));
  await exporter.export(requests(24, Date.now(), 8 * 60_000));
  using terminal = openTerminal(
    `cd ${folder.path} && PS1='ready> ' NO_COLOR=1 ${agentrt} telemetry -r 0.2; PS1='ready> ' exec sh`,
  );
  await terminal.waitFor(
    /civitas_telemetry {2}since 24h[^]*Spans, the newest first \(72\)/,
    waitMs,
  );
  terminal.type("h");
  await terminal.waitFor(/since 1h[^]*Cost per minute/, waitMs);
  await shows(terminal, "start");
  for (const [key, text] of [
    ["d", "24h"],
    ["w", "7d"],
    ["m", "30d"],
  ] as const) {
    terminal.type(key);
    await terminal.waitFor(new RegExp(`since ${text} `), waitMs);
  }
  terminal.type("Down");
  terminal.type("Enter");
  await terminal.waitFor(/Trace 0{31}1 \(3 spans\)/, waitMs);
  await shows(terminal, "trace");
  terminal.type("Escape");
  await terminal.waitFor(/Spans, the newest/, waitMs);
  terminal.type("?");
  await terminal.waitFor(/║.*reads the folder now/, waitMs);
  await shows(terminal, "help", windowIn);
  terminal.type("Escape");
  await terminal.waitFor(/^(?![^]*║)/, waitMs);

  // What is written meanwhile comes without a key.
  const [late] = requests(1, Date.now(), 0);
  assert.ok(late !== undefined);
  await exporter.export([{ ...late, traceId: id(99, 32), name: "later" }]);
  await terminal.waitFor(/ later +desk-0/, waitMs);
  await exporter.shutdown();

  terminal.tmux("resize-window", "-t", "main", "-x", "120", "-y", "40");
  await terminal.waitFor(/━{70}/, waitMs);
  terminal.type("q");
  await terminal.waitFor(/ready>/, waitMs);
  const modes = "#{mouse_any_flag} #{alternate_on} #{cursor_flag}";
  const left = terminal.tmux("display-message", "-p", "-t", "main", modes);
  assert.equal(left.trim(), "0 0 1", "the terminal is as it was");
});

test(
  "200 columns over 100 000 spans: charts with letters, and a click opens a trace",
  { skip },
  async () => {
    using folder = createTemporaryFolder({});
    const exporter = await openExporter(join(folder.path, "telemetry"));
    await exporter.export(requests(33_334, Date.now() - 2000, 20 * hourMs));
    await exporter.shutdown();
    using terminal = openTerminal(
      `cd ${folder.path} && NO_COLOR=1 ${agentrt} telemetry; PS1='ready> ' exec sh`,
      { columns: 200, rows: 60 },
    );
    const shown = await terminal.waitFor(
      /Spans, the newest first \(200\)[^]*messages +33\.3k/,
      waitMs,
    );
    for (const letter of "ABCDEF")
      assert.match(shown, new RegExp(`${letter} desk-\\d model-\\d  \\$`));
    assert.doesNotMatch(shown, /G desk/, "six series at most");
    await shows(terminal, "many");
    const row = shown.split("\n").findIndex((line) => line.includes("›")) + 3;
    click(terminal, 120, row);
    await terminal.waitFor(/›.*agent\.handle/, waitMs);
    click(terminal, 120, row);
    await terminal.waitFor(/Trace 0{31}1 \(3 spans\)/, waitMs);
    terminal.type("End");
    await terminal.waitFor(/error +\\u001b\[31mno stamp/, waitMs);
    await shows(terminal, "many-trace");
    terminal.type("q");
  },
);

test("without a screen: one picture, a document, and new spans in lines", async () => {
  using folder = createTemporaryFolder({});
  const run = (...words: string[]) =>
    runProgram(process.execPath, [agentrtLauncher(), "telemetry", ...words], {
      workingDirectory: folder.path,
    });
  const none = await run("--once");
  assert.match(none.stdout, /\.\/telemetry is not there yet/);
  assert.equal(none.code, 0);
  const exporter = await openExporter(join(folder.path, "telemetry"));
  await exporter.export(requests(2, Date.now(), 1000));
  await exporter.shutdown();
  const once = await run("--once");
  assert.match(once.stdout, /spend +\$0\.0030\nmessages +2\n/);
  const document: unknown = JSON.parse((await run("--since", "1h", "--json")).stdout);
  assert.ok(typeof document === "object" && document !== null && "totals" in document);
  assert.deepEqual(document.totals, {
    costUsd: 0.003,
    messageCount: 2,
    errorCount: 0,
    topAgent: "desk-1",
  });
  writeFileSync(
    join(folder.path, "telemetry", "agentrt_spans_2020-01-01.db"),
    "no database ".repeat(99),
  );
  const damaged = await run("--once");
  assert.match(
    damaged.stdout,
    /! agentrt_spans_2020-01-01\.db cannot be read: file is not a database/,
  );
  assert.match(damaged.stdout, /messages +2/);
});
