/**
 * Makes C and C++ that only a preprocessor could read readable to a grammar, without moving a single character: what
 * gets in the way is overwritten with spaces. Used for texts that did not parse, and kept only if it parses better.
 */
export function repairPreprocessed(text: string): string {
  return blankUnbalancedBranches(blankMacros(text));
}

const blank = (found: string): string => found.replace(/[^\n]/g, " ");

function blankMacros(text: string): string {
  return (
    text
      // class EXPORT_API Name … {
      .replace(
        /\b(class|struct|union|enum)(\s+)([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{<])/g,
        (_all, keyword: string, gap: string, macro: string) => keyword + gap + blank(macro),
      )
      // A macro alone on its line: NAMESPACE_BEGIN, BEGIN_DECLS, Q_OBJECT, DISALLOW(X)
      .replace(
        /^[ \t]*[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?[ \t]*(?=\n(?!\s*[{(;,=:?+*/&|.-]))/gm,
        (found: string, offset: number) => (isContinuation(text, offset) ? found : blank(found)),
      )
      // PUBLIC_API(type) name(…)
      .replace(
        /^([ \t]*\w*[A-Z_]{3,}\w*\()([\w\s*]+)(\))(?=\s*\**\s*\w+\s*[(;[=])/gm,
        (_all, open: string, type: string, close: string) => blank(open) + type + blank(close),
      )
      // API_EXPORT type name(…), at the beginning of a line
      .replace(
        /^([ \t]*(?:static\s+|extern\s+|inline\s+)*)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)(?=[ \t]+(?:[A-Za-z_][\w:]*[ \t*&]+)+[\w:~]+\s*[(;=[])/gm,
        (_all, before: string, macro: string) => before + blank(macro),
      )
      // type API_CALL name(…), int f(void) ATTRIBUTE {
      .replace(
        /([\w*&]\s+)([A-Z][A-Z0-9_]{2,})(?=\s+[a-z_]\w*\s*\()/g,
        (_all, before: string, macro: string) => before + blank(macro),
      )
      .replace(
        /(\)\s*)([A-Z][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*[;{])/g,
        (_all, before: string, macro: string) => before + blank(macro),
      )
  );
}

/** The line before is not finished, so the macro is part of an expression. */
function isContinuation(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 200), offset).trimEnd();
  return /[\\,(=|&+?<-]$/.test(before);
}

interface Branch {
  readonly startLine: number;
  endLine: number;
  balance: number;
}

/** Of an `#if … #else … #endif` whose branches open or close braces on their own only the first branch stays. */
function blankUnbalancedBranches(text: string): string {
  const lines = text.split("\n");
  const open: Branch[][] = [];
  const removed = new Set<number>();
  const isDirective = /^\s*#\s*(if|ifdef|ifndef|elif|elifdef|else|endif)\b/;
  for (const [index, line] of lines.entries()) {
    const directive = isDirective.exec(line)?.[1];
    if (directive === undefined) {
      const balance = balanceOf(line);
      if (balance !== 0) for (const group of open) (group.at(-1) as Branch).balance += balance;
      continue;
    }
    if (directive.startsWith("if")) {
      open.push([{ startLine: index, endLine: index, balance: 0 }]);
      continue;
    }
    const group = open.at(-1);
    if (group === undefined) continue;
    (group.at(-1) as Branch).endLine = index;
    if (directive !== "endif") {
      group.push({ startLine: index, endLine: index, balance: 0 });
      continue;
    }
    open.pop();
    if (group.every((branch) => branch.balance === 0)) continue;
    removed.add(index);
    for (const [position, branch] of group.entries()) {
      removed.add(branch.startLine);
      if (position === 0) continue;
      for (let line = branch.startLine; line <= branch.endLine; line++) removed.add(line);
      // What the kept branch opened, an outer branch sees once.
      for (const outer of open) (outer.at(-1) as Branch).balance -= branch.balance;
    }
  }
  if (removed.size === 0) return text;
  return lines.map((line, index) => (removed.has(index) ? blank(line) : line)).join("\n");
}

/** Braces and parentheses opened less closed, without those of strings, characters and line comments. */
function balanceOf(line: string): number {
  if (!/[{}()]/.test(line)) return 0;
  const code = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|\/\*.*?\*\//g, "");
  let balance = 0;
  for (const character of code) {
    if (character === "{") balance += 1;
    else if (character === "}") balance -= 1;
  }
  return balance;
}
