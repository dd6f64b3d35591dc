import { cutText, type Frame, linesOf, padText, type TerminalSize } from "../../terminal/index.ts";
import { durationText, numberIn, objectOf, objectsOf, textIn } from "../watching/index.ts";
import type { DashboardState } from "./dashboard-state.ts";
import { detailLines } from "./detail-lines.ts";
import { approvalLines, eventLines, historyLines } from "./feed-lines.ts";
import { processLines } from "./process-lines.ts";
import type { MiddleView, Tab } from "./tab.ts";
import { treeLines } from "./tree-lines.ts";
import { troubleLines } from "./trouble-lines.ts";
import { wrappedLines } from "./wrapped-lines.ts";
import { overlayOf } from "./overlay-of.ts";

/** Numbers of the panes, from the left. */
export const treePane = 0;
export const middlePane = 1;
const processPane = 2;
/** Cells of a pane's border and of the space inside of it. */
const borderCells = 2;
const noticeCountMax = 3;

const middleTitles: { readonly [View in MiddleView]: string } = {
  detail: "Detail",
  history: "History",
  events: "Events",
  approvals: "Approvals",
};

/** Makes what the terminal shows of a dashboard. */
export function frameOf(dashboard: DashboardState, size: TerminalSize): Frame {
  const { active, tones } = dashboard;
  const top = topLines(dashboard, size);
  const bottom = [bottomLine(dashboard, size)];
  const rows = linesOf({ top, bottom }, size.rows);
  const widths = paneWidths(size.columns, dashboard.isFocusMode);
  const looks = (pane: number): { tones: typeof tones; width: number } => ({
    tones,
    width: Math.max(1, (widths[pane] ?? 0) - borderCells),
  });
  const now = dashboard.nowSeconds();
  const middle = {
    detail: () => detailLines(active, now, looks(middlePane)),
    history: () => historyLines(active, looks(middlePane)),
    events: () => eventLines(active, looks(middlePane)),
    approvals: () => approvalLines(active, now, looks(middlePane)),
  }[active.middle]();
  const selected = active.selected?.name;
  keepSelectedSeen(active, rows);
  const seen = active.rows.slice(active.scrolls[0], active.scrolls[0] + rows);
  const contents = [
    treeLines(seen, selected, looks(treePane)),
    scrolled(active, middlePane, { lines: middle, rows }),
    scrolled(active, processPane, { lines: processLines(active, looks(processPane)), rows }),
  ];
  const titles = [treeTitle(active), middleTitles[active.middle], "Processes"];
  return {
    top,
    bottom,
    panes: contents.map((lines, pane) => ({
      title: titles[pane] ?? "",
      lines,
      width: widths[pane] ?? 0,
      isFocused: pane === dashboard.focusedPane,
    })),
    overlay: overlayOf(dashboard, size),
  };
}

/** @returns How many lines of a pane are seen. */
export function seenLines(dashboard: DashboardState, size: TerminalSize): number {
  return linesOf({ top: topLines(dashboard, size), bottom: [""] }, size.rows);
}

/** Three equal panes; in focus mode the detail has half of all, and the others stay. */
function paneWidths(columns: number, isFocusMode: boolean): number[] {
  const side = Math.floor(columns / (isFocusMode ? 4 : 3));
  return [side, columns - 2 * side, side];
}

function treeTitle(tab: Tab): string {
  const filter = tab.filter === "" ? "" : ` /${tab.filter}`;
  return `Tree${filter}`;
}

/** The selection is never out of sight because it moved; the wheel may put it there. */
function keepSelectedSeen(tab: Tab, rows: number): void {
  const last = Math.max(0, tab.rows.length - rows);
  const at = tab.takeMovedSelection();
  if (at !== undefined) {
    if (at < tab.scrolls[0]) tab.scrolls[0] = at;
    if (at >= tab.scrolls[0] + rows) tab.scrolls[0] = at - rows + 1;
  }
  tab.scrolls[0] = Math.max(0, Math.min(last, tab.scrolls[0]));
}

function scrolled(
  tab: Tab,
  pane: number,
  { lines, rows }: { readonly lines: readonly string[]; readonly rows: number },
): readonly string[] {
  const last = Math.max(0, lines.length - rows);
  const first = Math.min(last, tab.scrolls[pane] ?? 0);
  tab.scrolls[pane] = first;
  return lines.slice(first, first + rows);
}

function topLines(dashboard: DashboardState, { columns }: TerminalSize): string[] {
  const { tones, tabs, active } = dashboard;
  const lines = [headLine(dashboard, columns)];
  if (tabs.length > 1) lines.push(tabLine(dashboard));
  const notices = [
    ...failureLines(dashboard).flatMap((line) => wrappedLines(line, columns).map(tones.red)),
    ...troubleLines(active).map((line) => tones.yellow(cutText(line, columns))),
  ];
  const left = notices.length - noticeCountMax;
  lines.push(...notices.slice(0, noticeCountMax));
  if (left > 0) lines.push(tones.yellow(`! and ${left} more: agentrt ps`));
  return lines;
}

function headLine({ active, tones }: DashboardState, columns: number): string {
  const snapshot = active.body("/snapshot");
  const agents = active.agentCount;
  const restarts = objectsOf(snapshot["restart_history"]).length;
  const transport = textIn(objectOf(active.body("/processes")["deployment"])["transport"]);
  const rate = active.rates.at(-1) ?? 0;
  const parts = active.isEmpty
    ? [`waiting for ${active.origin}`]
    : [
        transport,
        `${agents} agents`,
        `${numberIn(snapshot["total_messages"])} messages`,
        `${rate.toFixed(1)}/s`,
        `$${numberIn(snapshot["total_cost_usd"]).toFixed(4)}`,
        `${restarts} restarts`,
        `up ${durationText(numberIn(snapshot["uptime_seconds"]))}`,
      ];
  const name = `agentrt  ${active.label}`;
  const rest = cutText(
    parts.filter((part) => part !== "").join("  "),
    Math.max(0, columns - name.length - 2),
  );
  return `${tones.bold(name)}  ${rest}`;
}

function tabTexts({ tabs }: DashboardState): string[] {
  return tabs.map(({ label, failures }, index) => {
    const mark = failures.size > 0 ? "!" : "";
    return ` ${index < 9 ? `${index + 1} ` : ""}${label}${mark} `;
  });
}

function tabLine(dashboard: DashboardState): string {
  const { tones, activeIndex } = dashboard;
  return tabTexts(dashboard)
    .map((text, index) =>
      index === activeIndex ? tones.inverse(`[${text.slice(1, -1)}]`) : tones.grey(text),
    )
    .join(" ");
}

/** @returns Which tab is at a column of the bar. */
export function tabAt(dashboard: DashboardState, column: number): number | undefined {
  if (dashboard.tabs.length < 2) return undefined;
  let end = 0;
  const index = tabTexts(dashboard).findIndex(
    (text) => column < (end += padText(text, text.length).length + 1),
  );
  return index === -1 ? undefined : index;
}

/** The endpoints that do not answer: those that fail alike share a line. */
function failureLines({ active, refreshSeconds }: DashboardState): string[] {
  const byReason = Map.groupBy(active.failures, ([, reason]) => reason);
  return Array.from(byReason, ([reason, failed]) => {
    const routes = failed.map(([route]) => route).join(", ");
    return `unreachable: ${active.origin} ${routes}: ${reason}; asked again every ${refreshSeconds} s`;
  });
}

function bottomLine(
  { mode, active, message, tones, tabs }: DashboardState,
  { columns }: TerminalSize,
): string {
  if (mode.kind === "filter")
    return cutText(`/${active.filter}▏  Enter keeps it, Esc ends it`, columns);
  if (message !== "") return tones.yellow(cutText(message, columns));
  const tabKeys = tabs.length > 1 ? "  1-9 topology" : "";
  const keys = `q quit  f wide  / filter  ^P commands  h history  e events  a approvals  s r d R act${tabKeys}  ? help`;
  return tones.grey(cutText(keys, columns));
}
