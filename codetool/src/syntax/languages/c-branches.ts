import type { RepairedText } from "../rule.ts";

/** Overwrites a text with spaces, line for line. */
export function blank(text: string): string {
  if (!text.includes("\n")) return " ".repeat(text.length);
  return text
    .split("\n")
    .map((line) => " ".repeat(line.length))
    .join("\n");
}

interface Branch {
  readonly startLine: number;
  endLine: number;
  /** Braces opened less closed. */
  balance: number;
  /** The code of the last character in it, `nothing` when there is none. */
  lastCharacter: number;
}

/** No character. */
const nothing = -1;
const backslash = 0x5c;

/** What counts of a line of code; one object serves all lines. */
interface Line {
  /** From 0. */
  index: number;
  start: number;
  end: number;
  /** The code of the last character that is not white space, or `nothing`. */
  lastCharacter: number;
  /** Braces opened less closed. */
  balance: number;
  hasHash: boolean;
}

/** Goes to the next line of a text, at first from `index` and `end` -1; false behind the last. */
function readLine(text: string, line: Line): boolean {
  let at = line.end + 1;
  if (at > text.length) return false;
  line.index += 1;
  line.start = at;
  line.lastCharacter = nothing;
  line.balance = 0;
  line.hasHash = false;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x0a) break;
    if (isSpace(character)) continue;
    line.lastCharacter = character;
    if (character === 0x7b) line.balance += 1;
    else if (character === 0x7d) line.balance -= 1;
    else if (character === 0x23) line.hasHash = true;
  }
  line.end = at;
  return true;
}

function isSpace(character: number): boolean {
  if (character < 0x80) return character === 0x20 || (character >= 0x09 && character <= 0x0d);
  return /\s/.test(String.fromCharCode(character));
}

/** The conditional directive on a line, if there is one; most lines are ruled out because they have no `#`. */
function directiveOf(line: string): string | undefined {
  return line.includes("#") ? directivePattern.exec(line)?.[1] : undefined;
}

const directivePattern = /^\s*#\s*(if|ifdef|ifndef|elif|elifdef|else|endif)\b/;

/**
 * Of an `#if … #else … #endif` that cuts a statement, or whose branches open or close braces on their own, only the
 * first branch stays; the directives become spaces. A condition no grammar reads (`#if HAS(<x>)`) becomes `1`.
 *
 * Branches of whole statements stay as they are: grammars read those, and all their definitions count.
 */
export function blankBranches(text: string): RepairedText {
  if (!conditionPattern.test(text)) return { text, alternative: null, droppedLines: new Set() };
  const code = withoutCommentsAndStrings(text);
  const first = linesToRemove(code, "first");
  const isWeighty = first.dropped.size > 0 && isAnyOpening(code, first.dropped);
  return {
    text: withoutLines(text, first.removed),
    alternative: isWeighty ? withoutLines(text, linesToRemove(code, "last").removed) : null,
    droppedLines: first.dropped,
  };
}

const conditionPattern = /#\s*(?:el)?if/;

function isAnyOpening(code: string, chosen: ReadonlySet<number>): boolean {
  const lines = code.split("\n");
  return [...chosen].some((line) => (lines[line] ?? "").includes("{"));
}

/** A condition that no grammar reads; in one that goes on over several lines the mark may come later. */
const oddCondition = /#\s*(?:el)?if\s[^\n]*[<"]/;

function withoutLines(text: string, removed: ReadonlySet<number>): string {
  if (removed.size === 0 && !oddCondition.test(text)) return text;
  const isOdd = /^(\s*#\s*(?:el)?if\s+)([^\n]*[<"][^\n]*?)(\\?\s*)$/;
  let isContinued = false;
  const lines = text.split("\n").map((line, index) => {
    if (isContinued) {
      isContinued = /\\\s*$/.test(line);
      return blank(line);
    }
    if (removed.has(index)) {
      // A comment that begins behind a directive and goes on stays one.
      const comment = directiveOf(line) !== undefined ? line.search(/\/\*(?![^]*\*\/)/) : -1;
      return comment < 0 ? blank(line) : blank(line.slice(0, comment)) + line.slice(comment);
    }
    const odd = directiveOf(line) === undefined ? null : isOdd.exec(line);
    if (odd === null) return line;
    isContinued = (odd[3] ?? "").startsWith("\\");
    return `${odd[1]}1`.padEnd(line.length);
  });
  return lines.join("\n");
}

function linesToRemove(
  code: string,
  kept: "first" | "last",
): { readonly removed: ReadonlySet<number>; readonly dropped: ReadonlySet<number> } {
  const removed = new Set<number>();
  const dropped = new Set<number>();
  const open: { readonly before: number; readonly branches: Branch[] }[] = [];
  let lastCharacter = nothing;
  let isContinued = false;
  const line = {
    index: -1,
    start: 0,
    end: -1,
    lastCharacter: nothing,
    balance: 0,
    hasHash: false,
  };
  while (readLine(code, line)) {
    const { index } = line;
    const wasContinued = isContinued;
    isContinued = line.lastCharacter === backslash;
    const written = line.hasHash ? code.slice(line.start, line.end) : "";
    const directive = directiveOf(written);
    if (directive === undefined) {
      // The rest of a directive that goes on over several lines is none of the code's.
      if (wasContinued || /^\s*#/.test(written)) continue;
      if (line.lastCharacter !== nothing) lastCharacter = line.lastCharacter;
      for (const group of open) {
        const branch = group.branches.at(-1) as Branch;
        branch.balance += line.balance;
        if (line.lastCharacter !== nothing) branch.lastCharacter = line.lastCharacter;
      }
      continue;
    }
    if (directive.startsWith("if")) {
      open.push({ before: lastCharacter, branches: [newBranch(index)] });
      continue;
    }
    const group = open.at(-1);
    if (group === undefined) continue;
    (group.branches.at(-1) as Branch).endLine = index;
    if (directive !== "endif") {
      group.branches.push(newBranch(index));
      lastCharacter = group.before;
      continue;
    }
    open.pop();
    if (!isCutting(group.before, group.branches)) continue;
    const keptBranch = kept === "first" ? group.branches[0] : group.branches.at(-1);
    removed.add(index);
    for (const branch of group.branches) {
      removed.add(branch.startLine);
      if (branch === keptBranch) continue;
      for (let each = branch.startLine; each <= branch.endLine; each++) {
        removed.add(each);
        dropped.add(each);
      }
      for (const outer of open) (outer.branches.at(-1) as Branch).balance -= branch.balance;
    }
  }
  return { removed, dropped };
}

function newBranch(startLine: number): Branch {
  return { startLine, endLine: startLine, balance: 0, lastCharacter: nothing };
}

const endsStatement = new Set([nothing, ...Buffer.from(";{}:,>\\", "latin1")]);

function isCutting(before: number, branches: readonly Branch[]): boolean {
  if (branches.every((branch) => branch.lastCharacter === nothing)) return false;
  return (
    branches.some((branch) => branch.balance !== 0 || !endsStatement.has(branch.lastCharacter)) ||
    !endsStatement.has(before)
  );
}

/** The same text, every character in its place, with spaces for comments and `s` for what strings hold. */
function withoutCommentsAndStrings(text: string): string {
  return text.replace(
    /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    (found) => (found.startsWith("/") ? blank(found) : "s".repeat(found.length)),
  );
}
