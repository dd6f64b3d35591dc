import type { LineBlock } from "./changed-file.ts";

/** What a patch says of one file. */
export interface PatchSection {
  readonly blocks: readonly LineBlock[];
  readonly isBinary: boolean;
}

const lineFeed = 0x0a;
const unmergedMark = "* Unmerged path ";
const hunkPattern = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a patch, section by section. The lines of a hunk are counted, so their content cannot be mistaken for a header.
 * In headers, paths are quoted.
 *
 * @param patch What follows the records in the output of `git diff`.
 */
export function parsePatch(patch: Buffer): PatchSection[] {
  const sections: { blocks: LineBlock[]; isBinary: boolean }[] = [];
  const reader = new LineReader(patch);
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line.startsWith("diff --git ")) {
      sections.push({ blocks: [], isBinary: false });
      continue;
    }
    const section = sections.at(-1);
    if (section === undefined || line.startsWith(unmergedMark)) continue;
    if (line.startsWith("Binary files ")) section.isBinary = true;
    const hunk = hunkPattern.exec(line);
    if (hunk !== null) readBlocks(reader, hunk, section.blocks);
  }
  return sections;
}

/** Reads the lines of one hunk; unchanged lines separate its blocks. */
function readBlocks(reader: LineReader, hunk: RegExpExecArray, blocks: LineBlock[]): void {
  const oldCount = Number(hunk[2] ?? 1);
  const newCount = Number(hunk[4] ?? 1);
  // When a side has no lines, git gives the line before the place.
  let oldNext1 = Number(hunk[1]) + (oldCount === 0 ? 1 : 0);
  let newNext1 = Number(hunk[3]) + (newCount === 0 ? 1 : 0);
  const oldEnd1 = oldNext1 + oldCount;
  const newEnd1 = newNext1 + newCount;
  let open: BlockDraft | undefined;
  let lastSign = " ";
  while (oldNext1 < oldEnd1 || newNext1 < newEnd1 || reader.isAt("\\")) {
    const line = reader.next();
    if (line === undefined) throw new Error("git diff ended in the middle of a piece");
    const sign = line.charAt(0);
    if (sign === "\\") {
      if (lastSign === "-" && open !== undefined) open.isOldUnended = true;
      if (lastSign === "+" && open !== undefined) open.isNewUnended = true;
      continue;
    }
    lastSign = sign;
    if (sign !== "-" && sign !== "+") {
      open = undefined;
      oldNext1 += 1;
      newNext1 += 1;
      continue;
    }
    if (open === undefined) {
      open = draftAt(oldNext1, newNext1);
      blocks.push(open);
    }
    if (sign === "-") {
      open.oldLines.push(line.slice(1));
      oldNext1 += 1;
    } else {
      open.newLines.push(line.slice(1));
      newNext1 += 1;
    }
  }
}

interface BlockDraft extends LineBlock {
  readonly oldLines: string[];
  readonly newLines: string[];
  isOldUnended: boolean;
  isNewUnended: boolean;
}

function draftAt(oldStart1: number, newStart1: number): BlockDraft {
  return {
    oldStart1,
    newStart1,
    oldLines: [],
    newLines: [],
    isOldUnended: false,
    isNewUnended: false,
  };
}

/** Lines of a buffer, decoded one by one. */
class LineReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether the next line begins with a letter. */
  isAt(letter: string): boolean {
    return this.#bytes[this.#at] === letter.charCodeAt(0);
  }

  /** The next line without its line feed; `undefined` at the end. */
  next(): string | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
    const found = this.#bytes.indexOf(lineFeed, this.#at);
    const end = found === -1 ? this.#bytes.length : found;
    const line = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return line;
  }
}
