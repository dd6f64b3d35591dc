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
  /** The last character of code in it, empty when there is none. */
  lastCharacter: string;
}

/** The directive that a line is, as far as it matters here; most lines are told by one look for a `#`. */
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
  if (!text.includes("#")) return { text, alternative: null, droppedLines: new Set() };
  const code = withoutCommentsAndStrings(text).split("\n");
  const first = linesToRemove(code, "first");
  const isWeighty = [...first.dropped].some((line) => (code[line] ?? "").includes("{"));
  return {
    text: withoutLines(text, first.removed),
    alternative: isWeighty ? withoutLines(text, linesToRemove(code, "last").removed) : null,
    droppedLines: first.dropped,
  };
}

function withoutLines(text: string, removed: ReadonlySet<number>): string {
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
  code: readonly string[],
  kept: "first" | "last",
): { readonly removed: ReadonlySet<number>; readonly dropped: ReadonlySet<number> } {
  const removed = new Set<number>();
  const dropped = new Set<number>();
  const open: { readonly before: string; readonly branches: Branch[] }[] = [];
  let lastCharacter = "";
  for (const [index, line] of code.entries()) {
    const directive = directiveOf(line);
    if (directive === undefined) {
      // The rest of a directive that goes on over several lines is none of the code's.
      if (isOrContinuesDirective(line, code[index - 1] ?? "")) continue;
      const last = line.trimEnd().at(-1);
      if (last !== undefined) lastCharacter = last;
      const balance = balanceOf(line);
      for (const group of open) {
        const branch = group.branches.at(-1) as Branch;
        branch.balance += balance;
        if (last !== undefined) branch.lastCharacter = last;
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

function isOrContinuesDirective(line: string, before: string): boolean {
  return (
    (line.includes("#") && /^\s*#/.test(line)) || (before.includes("\\") && /\\\s*$/.test(before))
  );
}

function newBranch(startLine: number): Branch {
  return { startLine, endLine: startLine, balance: 0, lastCharacter: "" };
}

const endsStatement = new Set(["", ";", "{", "}", ":", ",", ">", "\\"]);

function isCutting(before: string, branches: readonly Branch[]): boolean {
  if (branches.every((branch) => branch.lastCharacter === "")) return false;
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

function balanceOf(line: string): number {
  let balance = 0;
  for (let at = line.indexOf("{"); at >= 0; at = line.indexOf("{", at + 1)) balance += 1;
  for (let at = line.indexOf("}"); at >= 0; at = line.indexOf("}", at + 1)) balance -= 1;
  return balance;
}
