import type { Style } from "../command.ts";
import { objectOf, objectsOf, type WireObject } from "./control-reader.ts";
import { durationText, numberIn, textIn } from "./shown.ts";
import { type Cell, drawTable } from "./table.ts";

/** An agent, a pool or a keyed agent, as `/overview` shows it. */
export interface OverviewRow {
  readonly name: string;
  readonly className: string;
  readonly status: string;
  readonly restartCount: number;
  readonly mailboxDepth: number;
  /** How old the oldest message is that waits, seconds; null when none waits. */
  readonly oldestSeconds: number | null;
  /** How long it is in its status, seconds. */
  readonly sinceSeconds: number;
  /** What it handles, and for how long, seconds; null for nothing. */
  readonly atHand: {
    readonly type: string;
    readonly seconds: number;
    readonly count: number;
  } | null;
  /** True while the state store has not answered it. */
  readonly waitsForState: boolean;
  /** The answer that it waits for longest: `the model main` and the like; null for none. */
  readonly waitsFor: { readonly what: string; readonly seconds: number } | null;
  /** Who suspended it and why, `by ada: wrong refunds`; empty when it is not suspended. */
  readonly suspendedText: string;
  readonly messagesHandled: number;
  /** Of its life. */
  readonly avgLatencyMs: number;
  /** The sum of the measured times of `handle`, and how many they are. */
  readonly latencySumMs: number;
  readonly latencyCount: number;
  readonly errors: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** @returns The rows of an answer of `/overview`, those of the runtime's own agents included. */
export function readOverview(body: unknown): OverviewRow[] {
  const { timestamp, agents } = objectOf(body);
  const now = numberIn(timestamp);
  return objectsOf(agents).map((agent) => readRow(agent, now));
}

function readRow(agent: WireObject, now: number): OverviewRow {
  const secondsSince = (value: unknown): number | null =>
    typeof value === "number" ? Math.max(0, now - value) : null;
  const atHand = objectOf(agent["at_hand"]);
  const awaited = objectOf(agent["waits_for"]);
  const awaitedSeconds = secondsSince(awaited["since"]);
  const seconds = secondsSince(atHand["since"]);
  const kind = textIn(agent["kind"]);
  const className = textIn(agent["class"]);
  return {
    name: textIn(agent["name"]),
    className: kind === "agent" ? className : `${className} (${kind})`.trimStart(),
    status: textIn(agent["status"]),
    restartCount: numberIn(agent["restart_count"]),
    mailboxDepth: numberIn(agent["mailbox_depth"]),
    oldestSeconds: secondsSince(agent["oldest_timestamp"]),
    sinceSeconds: secondsSince(agent["suspended_since"]) ?? numberIn(agent["uptime_seconds"]),
    atHand:
      seconds === null
        ? null
        : { type: textIn(atHand["type"]), seconds, count: numberIn(agent["at_hand_count"]) },
    waitsForState: agent["waits_for_state"] === true,
    waitsFor:
      awaitedSeconds === null ? null : { what: awaitedText(awaited), seconds: awaitedSeconds },
    suspendedText: suspendedTextOf(agent),
    messagesHandled: numberIn(agent["messages_handled"]),
    avgLatencyMs: numberIn(agent["avg_latency_ms"]),
    latencySumMs: numberIn(agent["latency_sum_ms"]),
    latencyCount: numberIn(agent["latency_count"]),
    errors: numberIn(agent["errors"]),
    tokens: numberIn(agent["tokens_in"]) + numberIn(agent["tokens_out"]),
    costUsd: numberIn(agent["cost_usd"]),
  };
}

/** Most characters of a reason in a row: `describe` has all of it. */
const reasonLengthMax = 60;

function suspendedTextOf(agent: WireObject): string {
  const reason = textIn(agent["suspend_reason"]);
  if (typeof agent["suspended_since"] !== "number") return "";
  const by = textIn(agent["suspended_by"]);
  const text = reason.length > reasonLengthMax ? `${reason.slice(0, reasonLengthMax)}…` : reason;
  // `approval: refund`, or what the agent itself has said.
  if (agent["suspend_category"] === "hitl_approval")
    return text.startsWith("approval: ") ? `waits for ${text}` : `waits for approval: ${text}`;
  return `suspended${by === "" ? "" : ` by ${by}`}${text === "" ? "" : `: ${text}`}`;
}

/** @returns What an answer is of that is waited for: `the model main`, `the tool mcp://files/read`. */
export function awaitedText({ kind, name }: WireObject): string {
  return `the ${textIn(kind)} ${textIn(name)}`;
}

/** @returns What colours a status. */
export function statusColour(status: string, style: Style): (text: string) => string {
  if (status === "RUNNING") return style.green;
  return status === "CRASHED" ? style.red : style.yellow;
}

/** What answers within this is well, seconds. */
const waitSecondsMin = 1;

/**
 * Writes what is at hand: `http.request 12 s`, how many more, and what that waits for: the state store, a model, a tool. Of one that is suspended, who did that and why.
 */
export function atHandText(row: OverviewRow): string {
  const { atHand, waitsForState, waitsFor, status, suspendedText } = row;
  if (atHand === null && suspendedText !== "") return suspendedText;
  if (atHand === null) return waitsForState && status === "INITIALIZING" ? "waits for state" : "";
  const more = atHand.count > 1 ? ` +${atHand.count - 1}` : "";
  const state = waitsForState && atHand.seconds >= waitSecondsMin ? ", waits for state" : "";
  const awaited = waitsFor !== null && waitsFor.seconds >= waitSecondsMin;
  const answer = awaited ? `, waits for ${waitsFor.what}` : "";
  return `${atHand.type} ${durationText(atHand.seconds)}${more}${state || answer}`;
}

/** Draws the table of `agentrt ps`. */
export function drawRows(rows: readonly OverviewRow[], style: Style): string {
  const cells = rows.map((row): Cell[] => [
    { text: row.name },
    { text: row.className },
    { text: row.status, colour: statusColour(row.status, style) },
    { text: String(row.restartCount), colour: row.restartCount > 0 ? style.yellow : undefined },
    { text: String(row.mailboxDepth), colour: row.mailboxDepth > 0 ? style.yellow : undefined },
    { text: row.oldestSeconds === null ? "" : durationText(row.oldestSeconds) },
    { text: durationText(row.sinceSeconds) },
    { text: atHandText(row) },
  ]);
  return drawTable(
    [
      { title: "AGENT" },
      { title: "CLASS" },
      { title: "STATUS" },
      { title: "RESTARTS", isRight: true },
      { title: "MAILBOX", isRight: true },
      { title: "OLDEST", isRight: true },
      { title: "SINCE", isRight: true },
      { title: "AT HAND" },
    ],
    cells,
    style.bold,
  );
}
