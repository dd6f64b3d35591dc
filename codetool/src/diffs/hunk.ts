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
 * Cuts a block where one symbol ends and the next begins. An added line belongs to the symbol that it is in now, a removed
 * line to the one that it was in; empty lines between symbols belong to the symbol before them.
 */
export function hunksOfBlock(block: ReplacedLines, attribution: Attribution): Hunk[] {
  const hunks: Hunk[] = [];
  let oldNext1 = block.oldStart1;
  let newNext1 = block.newStart1;
  let open: OpenHunk | undefined;
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
      const joint: { readonly owner: NamedSymbol | undefined } | undefined = open.isBlank
        ? { owner }
        : jointOwner(open, owner, attribution.successors);
      if (joint === undefined) close();
      else open.owner = joint.owner;
    }
    if (open === undefined) {
      open = { owner, isBlank, hasValues: false, changes: [] };
      oldFirst1 = oldNext1;
      newFirst1 = newNext1;
    }
    if (!isBlank) open.isBlank = false;
    if (owner !== undefined && isValue(owner)) open.hasValues = true;
    open.changes.push(change);
    if (change.old !== null) oldNext1 += 1;
    if (change.new !== null) newNext1 += 1;
  }
  close();
  markEnds(hunks, block);
  return hunks;
}

/** A piece to which more lines may be added. */
interface OpenHunk {
  owner: NamedSymbol | undefined;
  isBlank: boolean;
  /** Whether fields or constants are in it. */
  hasValues: boolean;
  readonly changes: LineChange[];
}

/**
 * Neighbouring fields, constants and keys make one piece, which belongs to the symbol around all of them: a piece for each
 * would not say more.
 *
 * @returns `undefined` when a new piece begins.
 */
function jointOwner(
  open: OpenHunk,
  owner: NamedSymbol | undefined,
  successors: Attribution["successors"],
): { readonly owner: NamedSymbol | undefined } | undefined {
  if (owner === undefined) return undefined;
  const around = aroundBoth(open.owner, owner, successors);
  const isOpenFitting = open.owner === around || (open.owner !== undefined && isValue(open.owner));
  const isOwnerFitting = owner === around || isValue(owner);
  const isValuesAlone = around === undefined ? open.hasValues : !around.isCallable;
  return isOpenFitting && isOwnerFitting && isValuesAlone ? { owner: around } : undefined;
}

/** The innermost symbol that holds both, or is one of them; an earlier symbol counts as its later one. */
function aroundBoth(
  one: NamedSymbol | undefined,
  other: NamedSymbol,
  successors: Attribution["successors"],
): NamedSymbol | undefined {
  const lineage = (symbol: NamedSymbol | undefined): NamedSymbol[] => {
    const found: NamedSymbol[] = [];
    for (let at = symbol ?? null; at !== null; at = at.parent) found.push(successors.get(at) ?? at);
    return found;
  };
  const chain = new Set(lineage(one));
  return lineage(other).find((symbol) => chain.has(symbol));
}

function isValue(symbol: NamedSymbol): boolean {
  return symbol.kind === "const";
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
