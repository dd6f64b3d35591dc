import type { LineBlock } from "./changed-file.ts";

/** What a patch says of one file. */
export interface PatchSection {
  readonly blocks: readonly LineBlock[];
  readonly isBinary: boolean;
}

const lineFeed = 0x0a;
const backslash = 0x5c;
const unmergedMark = "* Unmerged path ";
const hunkPattern = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a patch without context (`-U0`), section by section. Inside of a piece lines are counted, so what they hold
 * cannot be taken for a head; the lines of heads hold paths only quoted.
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
    if (hunk !== null) section.blocks.push(readBlock(reader, hunk));
  }
  return sections;
}

function readBlock(reader: LineReader, hunk: RegExpExecArray): LineBlock {
  const oldCount = Number(hunk[2] ?? 1);
  const newCount = Number(hunk[4] ?? 1);
  const take = (count: number): { lines: string[]; isUnended: boolean } => {
    const lines: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const line = reader.next();
      if (line === undefined) throw new Error("git diff ended in the middle of a hunk");
      lines.push(line.slice(1));
    }
    const isUnended = count > 0 && reader.peek() === backslash;
    if (isUnended) reader.next();
    return { lines, isUnended };
  };
  const old = take(oldCount);
  const added = take(newCount);
  return {
    // Without lines git names the line before the place.
    oldStart1: Number(hunk[1]) + (oldCount === 0 ? 1 : 0),
    newStart1: Number(hunk[3]) + (newCount === 0 ? 1 : 0),
    oldLines: old.lines,
    newLines: added.lines,
    isOldUnended: old.isUnended,
    isNewUnended: added.isUnended,
  };
}

/** Lines of a buffer, decoded one by one. */
class LineReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The first byte of the next line. */
  peek(): number | undefined {
    return this.#bytes[this.#at];
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
