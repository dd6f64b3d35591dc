import { padText, sparkline, widthOf } from "../../terminal/index.ts";
import {
  ageText,
  durationText,
  numberIn,
  objectOf,
  objectsOf,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import { type Looks, statusTone } from "./looks.ts";
import type { Tab } from "./tab.ts";
import type { TreeRow } from "./tree-rows.ts";
import { wrappedLines } from "./wrapped-lines.ts";

const labelWidth = 11;

/** A row of the detail: what it is called, and what it says. */
type Fact = readonly [label: string, text: string, tone?: ((text: string) => string) | undefined];

/**
 * Says what there is to know of the selected node.
 *
 * @param tab Whose selection it is.
 * @param now The clock of the server, seconds since the Unix epoch.
 */
export function detailLines(tab: Tab, now: number, looks: Looks): string[] {
  const { selected } = tab;
  if (selected === undefined) {
    if (tab.isEmpty) return ["nothing was answered yet"];
    return ["nothing is selected: ↑ ↓ or a click", "selects a node of the tree"];
  }
  const counters = objectOf(objectOf(tab.body("/snapshot")["agents"])[selected.name]);
  const detail = tab.selectedPath === undefined ? {} : tab.body(tab.selectedPath);
  const facts: Fact[] = [
    ...statusFacts(selected, looks),
    ...sessionFacts(selected.node),
    ...waitingFacts(detail, { now, looks }),
    ...counterFacts(counters, looks),
    ...capabilityFacts(selected.node),
  ];
  const lines = facts.flatMap((fact) => factLines(fact, looks));
  if (tab.selectedRates.length > 1) {
    const rate = (tab.selectedRates.at(-1) ?? 0).toFixed(1);
    lines.push("", `messages a second: ${rate}`);
    lines.push(looks.tones.cyan(sparkline(tab.selectedRates, looks.width)));
  }
  return [looks.tones.bold(selected.name), ...lines];
}

function factLines([label, text, tone]: Fact, { width, tones }: Looks): string[] {
  const room = Math.max(8, width - labelWidth);
  return wrappedLines(text, room).map((part, index) => {
    const head = index === 0 ? label : "";
    return `${tones.grey(padText(head, labelWidth))}${tone === undefined ? part : tone(part)}`;
  });
}

function statusFacts({ node, type, status, restartCount }: TreeRow, { tones }: Looks): Fact[] {
  const facts: Fact[] = [["kind", type.replaceAll("_", " ")]];
  if (status !== "") facts.push(["status", status, statusTone(status, tones)]);
  const category = textIn(node["suspend_category"]);
  if (category !== "") {
    const isPerson = category === "hitl_approval";
    facts.push(["suspended", isPerson ? "waits for a person" : category, tones.yellow]);
  }
  const strategy = textIn(node["strategy"]);
  if (strategy !== "") facts.push(["strategy", strategy]);
  const process = textIn(node["process_id"]);
  if (process !== "") facts.push(["process", process]);
  if (typeof node["uptime_seconds"] === "number")
    facts.push(["uptime", durationText(numberIn(node["uptime_seconds"]))]);
  facts.push(["restarts", String(restartCount), restartCount > 0 ? tones.yellow : undefined]);
  if (typeof node["crashes_in_window"] === "number") {
    const count = numberIn(node["crashes_in_window"]);
    facts.push(["crashes", `${count} within the window`, count > 0 ? tones.yellow : undefined]);
  }
  return facts;
}

/** There once the incarnation has called a model. */
function sessionFacts(node: WireObject): Fact[] {
  const turns = numberIn(node["session_turn_count"]);
  if (turns === 0) return [];
  const seconds = numberIn(node["session_duration_seconds"]);
  return [["session", `${turns} ${turns === 1 ? "turn" : "turns"}, ${durationText(seconds)}`]];
}

function waitingFacts(
  detail: WireObject,
  { now, looks: { tones } }: { readonly now: number; readonly looks: Looks },
): Fact[] {
  const facts: Fact[] = [];
  const suspension = objectOf(detail["suspension"]);
  if (suspension["reason"] !== undefined) {
    const by = textIn(suspension["initiated_by"]);
    const who = by === "" ? "" : ` by ${by}`;
    facts.push([
      "since",
      `${ageText(suspension["since"], now)} ago${who}: ${textIn(suspension["reason"])}`,
    ]);
  }
  const mailbox = objectOf(detail["mailbox"]);
  if (typeof mailbox["depth"] === "number") {
    const depth = numberIn(mailbox["depth"]);
    const oldest = ageText(mailbox["oldest_timestamp"], now);
    const text = depth === 0 ? "empty" : `${depth} wait, the oldest for ${oldest}`;
    facts.push(["mailbox", text, depth > 0 ? tones.yellow : undefined]);
  }
  for (const message of objectsOf(detail["at_hand"]).slice(0, 3))
    facts.push([
      "at hand",
      `${textIn(message["type"])} from ${textIn(message["sender"]) || "outside"}, for ${ageText(message["since"], now)}`,
    ]);
  const crash = objectOf(detail["last_crash"]);
  if (crash["reason"] !== undefined) {
    const at = textIn(crash["at"]);
    const place = at === "" ? "" : ` at ${at}`;
    const text = `${ageText(crash["timestamp"], now)} ago: ${textIn(crash["reason"])}: ${textIn(crash["message"])}${place}`;
    facts.push(["last crash", text, tones.red]);
  }
  return facts;
}

function counterFacts(counters: WireObject, { tones }: Looks): Fact[] {
  if (counters["messages_handled"] === undefined) return [];
  const of = (name: string): number => numberIn(counters[name]);
  const errors = of("errors");
  const facts: Fact[] = [
    ["handled", `${of("messages_handled")}, ${of("avg_latency_ms").toFixed(1)} ms each`],
    ["sent", String(of("messages_sent"))],
    ["errors", String(errors), errors > 0 ? tones.yellow : undefined],
  ];
  if (of("tokens_in") + of("tokens_out") > 0 || counters["last_model"] !== null) {
    const model = textIn(counters["last_model"]);
    facts.push(["tokens", `${of("tokens_in")} in, ${of("tokens_out")} out`]);
    facts.push(["cost", `$${of("cost_usd").toFixed(4)}`]);
    if (model !== "") facts.push(["model", model]);
  }
  return facts;
}

function capabilityFacts(node: WireObject): Fact[] {
  const list: readonly unknown[] = Array.isArray(node["capabilities"]) ? node["capabilities"] : [];
  const names = list.map(textIn).filter((name) => widthOf(name) > 0);
  return names.length === 0 ? [] : [["can", names.join(", ")]];
}
