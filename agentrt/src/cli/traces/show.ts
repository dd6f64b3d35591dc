import process from "node:process";
import type { SpanRecord } from "../../telemetry/index.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import {
  momentText,
  numberIn,
  objectOf,
  objectsOf,
  printJson,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import { openTraces, tellUnread, traceFlags } from "./trace-source.ts";

/** Cells of a line: of a terminal as many as it has, between these; of anything else so many. */
const [widthMin, widthMax, widthDefault] = [60, 200, 100];

/** `agentrt traces show`. */
export const tracesShowCommand: CommandSpec = {
  words: ["traces", "show"],
  summary: "show a trace as a waterfall: what was done in what, when, and how long it took",
  arguments: [
    { name: "id", summary: "of the trace, as `traces list` and `traceresponse` name it" },
  ],
  flags: traceFlags,
  examples: [
    [
      "agentrt traces show 0af7651916cd43dd8448eb211c80319c",
      "draws a trace of the topology of ./topology.yaml",
    ],
    [
      "agentrt traces show 0af7651916cd43dd8448eb211c80319c --dir ./telemetry --json",
      "prints the spans that a folder has of it, for a script",
    ],
  ],
  run: async (input, io) => {
    const source = await openTraces(input, io);
    const body = await source.find(input.argument("id"));
    if (input.isSet("json")) printJson(io, body);
    else io.print(await traceText(body, io));
    return tellUnread(body, io);
  },
};

async function traceText(body: WireObject, io: CommandIo): Promise<string> {
  const [{ agentOf, millisecondsText, traceRows, waterfallLines }, { createTones }] =
    await Promise.all([import("../telemetry-view/index.ts"), import("../../terminal/index.ts")]);
  const spans = objectsOf(body["spans"]).map((span) => recordOf(span, textIn(body["trace_id"])));
  const beginMs = spans.reduce((least, { startMs }) => Math.min(least, startMs), Infinity);
  const endMs = spans.reduce((most, { endMs: ms }) => Math.max(most, ms), -Infinity);
  const failed = spans.filter(({ status }) => status === "error");
  const { isTTY, columns } = process.stdout;
  const looks = {
    tones: createTones(isTTY && (io.environment["NO_COLOR"] ?? "") === ""),
    width: isTTY ? Math.min(widthMax, Math.max(widthMin, columns)) : widthDefault,
    selected: -1,
  };
  const counts = `${spans.length} ${spans.length === 1 ? "span" : "spans"}`;
  const faults = failed.length === 0 ? "" : `, ${failed.length} failed`;
  const lines = [
    `trace ${io.style.bold(textIn(body["trace_id"]))}`,
    `${momentText(beginMs / 1000)}, took ${millisecondsText(endMs - beginMs)}, ${counts}${faults}`,
    "",
    ...waterfallLines(traceRows(spans), looks).map((line) => line.trimEnd()),
  ];
  if (failed.length > 0) lines.push("");
  for (const span of failed) {
    const reason = textIn(span.errorMessage) || "it failed";
    const agent = textIn(agentOf(span));
    const at = agent === "" ? "" : ` of ${agent}`;
    lines.push(`${io.style.red("✗")} ${textIn(span.name)}${at}: ${reason}`);
  }
  return `${lines.join("\n")}\n`;
}

/** What a server says is not sure to be a span. */
function recordOf(span: WireObject, traceId: string): SpanRecord {
  const { parent_span_id: parent, error_message: error, attributes } = span;
  return {
    traceId,
    name: textIn(span["name"]),
    kind: textIn(span["kind"]) as SpanRecord["kind"],
    spanId: textIn(span["span_id"]),
    parentSpanId: typeof parent === "string" ? textIn(parent) : null,
    startMs: numberIn(span["start_time"]) * 1000,
    endMs: numberIn(span["end_time"]) * 1000,
    status: span["status"] === "error" ? "error" : "ok",
    errorMessage: typeof error === "string" ? error : null,
    attributes: objectOf(attributes) as SpanRecord["attributes"],
  };
}
