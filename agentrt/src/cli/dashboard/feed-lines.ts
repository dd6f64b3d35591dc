import {
  clockOf,
  ageText,
  numberIn,
  objectOf,
  objectsOf,
  pairsText,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import type { Looks } from "./looks.ts";
import type { Tab } from "./tab.ts";
import { wrappedLines } from "./wrapped-lines.ts";

/** Says what happened in the whole tree lately, newest first. */
export function eventLines(tab: Tab, { tones }: Looks): string[] {
  const items = objectsOf(tab.body("/events?recent=200&follow=false")["items"]);
  if (items.length === 0) return [tones.grey("nothing happened yet")];
  return items.toReversed().map((item) => {
    const { type, agent, timestamp, details, ...rest } = item;
    const tone = textIn(type).includes("crash") ? tones.red : tones.bold;
    const more = pairsText({ ...rest, ...objectOf(details) });
    return `${tones.grey(clockOf(numberIn(timestamp)))} ${tone(textIn(type))} ${textIn(agent)} ${tones.grey(more)}`.trimEnd();
  });
}

/** Says what the selected agent went through, newest first. */
export function historyLines(tab: Tab, { tones, width }: Looks): string[] {
  const path = tab.selectedPath;
  if (path === undefined) return [tones.grey("select an agent: supervisors have no history")];
  const entries = objectsOf(tab.body(`${path}/history`)["history"]);
  if (entries.length === 0) return [tones.grey("nothing is known yet")];
  return entries.toReversed().flatMap(({ event, timestamp, ...rest }) => {
    const [first = "", ...more] = wrappedLines(pairsText(rest), Math.max(8, width - 6));
    const head = `${tones.grey(clockOf(numberIn(timestamp)))} ${tones.bold(textIn(event))}`;
    return [head, ...[first, ...more].filter((part) => part !== "").map((part) => `      ${part}`)];
  });
}

/** Says who waits for a person, oldest first; the chosen one with all that has to be known for a decision. */
export function approvalLines(tab: Tab, now: number, looks: Looks): string[] {
  const { approvals, approvalIndex } = tab;
  const { tones } = looks;
  if (approvals.length === 0) return [tones.grey("nobody waits for a person")];
  return approvals.flatMap((approval, index) => {
    const { agent, kind, created_at: created, expires_at: expires } = approval;
    const head = `${textIn(agent)}: ${textIn(kind)}, asked ${ageText(created, now)} ago`;
    if (index !== approvalIndex) return [`  ${head}`];
    const left = ageText(now, numberIn(expires));
    return [
      tones.inverse(`› ${head}`),
      ...payloadLines(approval, looks),
      tones.grey(`  ${left === "0.0 s" ? "expires now" : `expires in ${left}`}`),
      "  y approves, n denies",
    ];
  });
}

function payloadLines({ payload }: WireObject, { width }: Looks): string[] {
  const text = textIn(JSON.stringify(payload ?? {}, null, 1).replaceAll("\n", " "));
  return wrappedLines(text, Math.max(8, width - 2)).map((line) => `  ${line}`);
}
