import { type FormatEntry, type FormatReading, type FormatSyntax, newEntry } from "./entry.ts";
import { type TextLine, textLinesOf } from "./text-lines.ts";

/** Targets that say something about others: `.PHONY`, `.SUFFIXES`, `.DEFAULT_GOAL`. */
const specialTarget = /^\.[A-Z_]+$/;

const directive =
  /^(?:ifeq|ifneq|ifdef|ifndef|else|endif|include|-include|sinclude|vpath|undefine|unexport|load|-load)(?=[\s(]|$)/;

/** Finds the targets of a makefile, its variables, and what `define` names. */
function scanMakefile(text: string): FormatReading {
  const reader = new MakefileReader();
  const lines = textLinesOf(text);
  for (const line of lines) reader.read(line);
  return reader.finish();
}

const targetVariable = /^\s*(?:(?:export|override|private)\s+)*([\w.-]+)\s*([?+!]?=|:{1,3}=)/;

class MakefileReader {
  readonly #roots: FormatEntry[] = [];
  /** The targets whose recipe is read. */
  #targets: FormatEntry[] = [];
  #define: { readonly entry: FormatEntry | null; depth: number } | null = null;
  #recipeEnd = 0;
  #parts: string[] = [];
  #start = 0;

  read(line: TextLine): void {
    const trimmedEnd = line.start + line.text.trimEnd().length;
    if (this.#define !== null) return this.#inDefine(line, trimmedEnd);
    const isFresh = this.#parts.length === 0;
    if (isFresh && line.text.startsWith("\t") && this.#targets.length > 0) {
      if (line.text.trim() !== "") this.#recipeEnd = trimmedEnd;
      // What continues a recipe's line may begin with anything.
      if (isContinued(line.text)) this.#parts.push("\t");
      return;
    }
    if (isFresh) this.#start = line.start + (line.text.length - line.text.trimStart().length);
    if (this.#parts[0] === "\t") {
      this.#recipeEnd = trimmedEnd;
      if (!isContinued(line.text)) this.#parts = [];
      return;
    }
    this.#parts.push(isContinued(line.text) ? line.text.slice(0, -1) : line.text);
    if (isContinued(line.text)) return;
    const statement = this.#parts.join(" ").trim();
    this.#parts = [];
    if (statement !== "" && !statement.startsWith("#")) this.#statement(statement, trimmedEnd);
  }

  finish(): FormatReading {
    this.#endRule();
    const hasErrors = this.#define !== null;
    return { entries: this.#roots, hasErrors };
  }

  #endRule(): void {
    for (const target of this.#targets) target.end = Math.max(target.end, this.#recipeEnd);
    this.#targets = [];
    this.#recipeEnd = 0;
  }

  #inDefine(line: TextLine, end: number): void {
    const define = this.#define as { entry: FormatEntry | null; depth: number };
    const content = line.text.trim();
    if (/^define\s/.test(content)) define.depth += 1;
    else if (/^endef(?:\s|$)/.test(content)) define.depth -= 1;
    if (define.entry !== null) define.entry.end = Math.max(define.entry.end, end);
    if (define.depth === 0) this.#define = null;
  }

  #statement(statement: string, end: number): void {
    const own = statement.replace(/^(?:(?:override|export|private)\s+)+/, "");
    const define = /^define\s+(\S+)/.exec(own)?.[1];
    if (define !== undefined) {
      this.#endRule();
      const entry = newEntry({
        name: define,
        kind: "function",
        start: this.#start,
        end,
        bodyStart: end,
      });
      this.#roots.push(entry);
      this.#define = { entry, depth: 1 };
      return;
    }
    // Conditionals may be in the middle of a recipe.
    if (directive.test(own)) return;
    const split = splitStatement(own);
    if (split === null) {
      if (!/^\$[({]/.test(own)) this.#endRule();
      return;
    }
    if (split.kind === "assignment") this.#variable(split.left, end);
    else this.#rule(split.left, { end, rest: split.right });
  }

  #variable(name: string, end: number): void {
    this.#endRule();
    if (name === "" || /\s/.test(name)) return;
    const entry = newEntry({ name, kind: "const", start: this.#start, end });
    this.#roots.push(entry);
  }

  #rule(left: string, at: { readonly end: number; readonly rest: string }): void {
    this.#endRule();
    // `target: NAME = value` gives a variable of the target, and no rule.
    const variable = targetVariable.exec(at.rest.slice(0, 500));
    if (variable !== null) {
      if (variable[2] !== "+=") this.#variable(variable[1] ?? "", at.end);
      return;
    }
    const names = wordsOf(left).filter((name) => !specialTarget.test(name));
    for (const name of names.slice(0, 1000)) {
      const entry = newEntry({
        name,
        kind: "function",
        start: this.#start,
        end: at.end,
        bodyStart: at.end,
      });
      this.#roots.push(entry);
      this.#targets.push(entry);
    }
  }
}

function isContinued(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === "\\") count += 1;
  return count % 2 === 1;
}

interface Split {
  readonly kind: "assignment" | "rule";
  readonly left: string;
  readonly right: string;
}

/** Finds the first `=` or `:` outside of `$(…)`: what is before it, and which it is; `+=` adds to what is there. */
function splitStatement(statement: string): Split | null {
  let depth = 0;
  for (let index = 0; index < statement.length; index++) {
    const unit = statement[index];
    if (unit === "$" && /[({]/.test(statement[index + 1] ?? "")) {
      depth += 1;
      index += 1;
    } else if (depth > 0) {
      if (unit === "(" || unit === "{") depth += 1;
      else if (unit === ")" || unit === "}") depth -= 1;
    } else if (unit === "#") return null;
    else if (unit === "=") {
      const isAdding = statement[index - 1] === "+";
      const left = statement
        .slice(0, index)
        .replace(/[?!+]$/, "")
        .trim();
      return { kind: "assignment", left: isAdding ? "" : left, right: "" };
    } else if (unit === ":") return splitAtColon(statement, index);
  }
  return null;
}

function splitAtColon(statement: string, index: number): Split | null {
  const after = /^:{1,3}=/.exec(statement.slice(index, index + 4));
  if (after !== null)
    return { kind: "assignment", left: statement.slice(0, index).trim(), right: "" };
  const left = statement.slice(0, index).replace(/&$/, "");
  const right = statement.slice(statement[index + 1] === ":" ? index + 2 : index + 1);
  return { kind: "rule", left: left.trim(), right };
}

/** Words, those in `$(…)` kept together. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let word = "";
  let isEscaped = false;
  for (const unit of text) {
    if (isEscaped) {
      word += unit;
      isEscaped = false;
      continue;
    }
    isEscaped = unit === "\\";
    if (unit === "(" || unit === "{") depth += 1;
    else if (unit === ")" || unit === "}") depth -= 1;
    if (depth <= 0 && /\s/.test(unit)) {
      if (word !== "") words.push(word);
      word = "";
    } else word += unit;
  }
  if (word !== "") words.push(word);
  return words;
}

/** Makefile. */
export const makefile: FormatSyntax = {
  language: "makefile",
  scan: scanMakefile,
  ellipsis: "# ...",
};
