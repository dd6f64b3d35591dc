import { gauge } from "../../terminal/index.ts";
import {
  durationText,
  numberIn,
  objectOf,
  objectsOf,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import type { Looks } from "./looks.ts";
import type { Tab } from "./tab.ts";

const gaugeWidthMax = 20;
/** A loop that was late by this much held somebody up, milliseconds. */
const lateMsMin = 100;

/** Says what each process takes: processor, memory, and how late its loop is; then circuits that do not let calls through. */
export function processLines(tab: Tab, looks: Looks): string[] {
  const body = tab.body("/processes");
  const deployment = objectOf(body["deployment"]);
  const transport = textIn(deployment["transport"]);
  const processes = objectsOf(body["processes"]);
  if (transport === "" && processes.length === 0) return [];
  return [
    looks.tones.grey(`${transport}, ${textIn(deployment["mode"]).replaceAll("_", " ")}`),
    ...processes.flatMap((each) => ["", ...linesOf(each, looks)]),
    ...circuitLines(tab.body("/snapshot"), looks),
  ];
}

function linesOf(process: WireObject, { tones, width }: Looks): string[] {
  const percent = numberIn(process["cpu_percent"]);
  const bar = gauge(percent / 100, Math.min(gaugeWidthMax, Math.max(4, width - 12)));
  const tone = percent >= 90 ? tones.red : percent >= 60 ? tones.yellow : tones.green;
  const megabytes = Math.round(numberIn(process["rss_bytes"]) / 1_048_576);
  const late = objectOf(process["event_loop_delay"]);
  const p99 = numberIn(late["p99_ms"]);
  const orchestrator = textIn(objectOf(process["container"])["orchestrator"]);
  return [
    `${tones.bold(textIn(process["id"]))} ${tones.grey(textIn(process["kind"]))}`,
    `pid ${numberIn(process["pid"])}, up ${durationText(numberIn(process["uptime_seconds"]))}`,
    `cpu ${tone(bar)} ${percent.toFixed(0)} %`,
    `memory ${megabytes} MiB`,
    ...(late["p99_ms"] === undefined
      ? []
      : [
          (p99 >= lateMsMin ? tones.yellow : (text: string) => text)(
            `loop late ${p99.toFixed(1)} ms (p99)`,
          ),
        ]),
    ...(orchestrator === "" ? [] : [`in ${orchestrator}`]),
  ];
}

function circuitLines(snapshot: WireObject, { tones }: Looks): string[] {
  const open = objectsOf(snapshot["circuits"]).filter(({ state }) => state !== "closed");
  if (open.length === 0) return [];
  const line = ({ kind, name, state }: WireObject): string =>
    tones.red(`${textIn(kind)} ${textIn(name)}: circuit ${textIn(state)}`);
  return ["", ...open.map(line)];
}
