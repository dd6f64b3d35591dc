import type { LineChange } from "./line-change.ts";
import type { FileVersion } from "./file-version.ts";
import type { NamedSymbol } from "./named-symbol.ts";
import { pairLines } from "./pair-lines.ts";

/** Lines from 1, both ends included; `end` below `start` where there are none. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Neighbouring changes that belong to the same symbol. */
export interface Hunk {
  /** The symbol it belongs to, as it is called now; `undefined` outside of all. */
  readonly owner: NamedSymbol | undefined;
  readonly old: LineSpan;
  readonly new: LineSpan;
  readonly changes: readonly LineChange[];
  /** The last line of the earlier version is among the changes, and has no line feed. */
  readonly isOldUnended: boolean;
  readonly isNewUnended: boolean;
}

/** A block of replaced lines as git gives it. */
export interface ReplacedLines {
  readonly oldStart1: number;
  readonly newStart1: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly isOldUnended: boolean;
  readonly isNewUnended: boolean;
}

/** Where lines belong. */
export interface Attribution {
  readonly old: FileVersion | undefined;
  readonly new: FileVersion | undefined;
  /** What each earlier symbol became. */
  readonly successors: ReadonlyMap<NamedSymbol, NamedSymbol>;
}

/**
 * Cuts a block where it passes from one symbol to the next. Lines that came belong where they stand now, lines that
 * went where they stood; empty lines between symbols go with what stands before them.
 */
export function hunksOfBlock(block: ReplacedLines, attribution: Attribution): Hunk[] {
  const hunks: Hunk[] = [];
  let oldNext1 = block.oldStart1;
  let newNext1 = block.newStart1;
  let open: { owner: NamedSymbol | undefined; isBlank: boolean; changes: LineChange[] } | undefined;
  let oldFirst1 = oldNext1;
  let newFirst1 = newNext1;
  const close = (): void => {
    if (open === undefined) return;
    hunks.push({
      owner: open.owner,
      old: { start: oldFirst1, end: oldNext1 - 1 },
      new: { start: newFirst1, end: newNext1 - 1 },
      changes: open.changes,
      isOldUnended: false,
      isNewUnended: false,
    });
    open = undefined;
  };
  for (const change of pairLines(block.oldLines, block.newLines)) {
    const owner = ownerOf(change, { oldNext1, newNext1, attribution });
    const isBlank =
      owner === undefined && (change.old ?? "").trim() === "" && (change.new ?? "").trim() === "";
    if (open !== undefined && open.owner !== owner && !isBlank) {
      if (open.isBlank) open.owner = owner;
      else close();
    }
    if (open === undefined) {
      open = { owner, isBlank, changes: [] };
      oldFirst1 = oldNext1;
      newFirst1 = newNext1;
    }
    if (!isBlank) open.isBlank = false;
    open.changes.push(change);
    if (change.old !== null) oldNext1 += 1;
    if (change.new !== null) newNext1 += 1;
  }
  close();
  markEnds(hunks, block);
  return hunks;
}

function ownerOf(
  change: LineChange,
  at: {
    readonly oldNext1: number;
    readonly newNext1: number;
    readonly attribution: Attribution;
  },
): NamedSymbol | undefined {
  const { old, new: next, successors } = at.attribution;
  if (change.new !== null) {
    const owner = next?.owners.at(at.newNext1);
    if (owner !== undefined || change.old === null) return owner;
  }
  const owner = old?.owners.at(at.oldNext1);
  return owner === undefined ? undefined : (successors.get(owner) ?? owner);
}

/** The missing line feed belongs to the piece that has the last line of its side. */
function markEnds(hunks: Hunk[], block: ReplacedLines): void {
  const mark = (side: "old" | "new", rest: Partial<Hunk>): void => {
    const index = hunks.findLastIndex((hunk) => hunk[side].end >= hunk[side].start);
    const hunk = hunks[index];
    if (hunk !== undefined) hunks[index] = { ...hunk, ...rest };
  };
  if (block.isOldUnended) mark("old", { isOldUnended: true });
  if (block.isNewUnended) mark("new", { isNewUnended: true });
}
