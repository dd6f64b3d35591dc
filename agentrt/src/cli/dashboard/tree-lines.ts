import { cutText, padText, widthOf } from "../../terminal/index.ts";
import { numberIn } from "../watching/index.ts";
import { type Looks, statusSign, statusTone } from "./looks.ts";
import type { TreeRow } from "./tree-rows.ts";

/**
 * Draws the rows of the tree.
 *
 * @param rows Those that are seen.
 * @param selected Name of the one that is selected.
 */
export function treeLines(
  rows: readonly TreeRow[],
  selected: string | undefined,
  looks: Looks,
): string[] {
  return rows.map((row) => rowLine(row, row.name === selected, looks));
}

function rowLine(row: TreeRow, isSelected: boolean, { tones, width }: Looks): string {
  const marker = isSelected ? "›" : " ";
  const fold = row.childCount === 0 ? "" : row.isCollapsed ? "▸ " : "▾ ";
  const head = `${marker}${row.guides}${fold}`;
  const sign = statusSign(row.status);
  const count = countText(row);
  const restarts = row.restartCount > 0 ? ` ↻${row.restartCount}` : "";
  const room = width - widthOf(`${head}${sign} `) - widthOf(count) - widthOf(restarts);
  const name = cutText(row.name, Math.max(1, room));
  // The word stands where there is room for it: the sign and the detail say it too.
  const rest = width - widthOf(`${head}${sign} ${name}${count}${restarts}`);
  const status = row.status !== "" && rest > widthOf(row.status) ? ` ${row.status}` : "";
  if (isSelected)
    return tones.inverse(padText(`${head}${sign} ${name}${count}${restarts}${status}`, width));
  const tone = statusTone(row.status, tones);
  const shownSign = row.status === "" ? tones.grey(sign) : tone(sign);
  return `${tones.grey(head)}${shownSign} ${name}${tones.grey(count)}${tones.yellow(restarts)}${tone(status)}`;
}

/** What a node says of those below it: `3/10` of a dynamic supervisor, busy members of a pool, resident keys. */
function countText({ type, node, childCount, isCollapsed }: TreeRow): string {
  const bound = (value: unknown): string => (typeof value === "number" ? String(value) : "∞");
  if (type === "dynamic_supervisor")
    return ` ${numberIn(node["live_count"])}/${bound(node["max_children"])}`;
  if (type === "pool") return ` ${numberIn(node["busy_count"])}/${childCount} busy`;
  if (type === "keyed")
    return ` ${numberIn(node["resident_count"])}/${bound(node["max_resident"])} keys`;
  return isCollapsed ? ` (${childCount})` : "";
}
