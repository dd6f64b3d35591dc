import type { RepairedText } from "../rule.ts";
import { blank, blankBranches } from "./c-branches.ts";

/** What a macro's name looks like: `API_EXPORT`, `_Py_NO_RETURN`. */
const macroName = "_?(?:[A-Z][a-z]{1,3}_)?[A-Z][A-Z0-9_]{2,}";
const callOrNothing = "(?:\\((?:[^()\\n]|\\([^()\\n]*\\))*\\))?";
const typeWords = "(?:[A-Za-z_][\\w:]*(?:<[^;{}()\\n]*?>)?[ \\t\\n*&]+)";

interface Rewrite {
  readonly pattern: RegExp;
  /** Which of the pattern's groups are overwritten; the groups make up the whole match. */
  readonly blanked: readonly number[];
  /** What is written in place of the beginning of what is overwritten, where there is room. */
  readonly written?: string;
  /** What a text has that the pattern is found in: looked for in a tenth of its time. */
  readonly when?: RegExp;
  readonly isCppOnly?: boolean;
  readonly isCOnly?: boolean;
}

/** Words that begin a declaration or a statement in plain C. */
const plainWords =
  "(?:static|extern|inline|const|volatile|register|auto|typedef|unsigned|signed|long|short|int|char|void|float|double|bool|struct|union|enum|return|else|goto|case|default|do|if|for|while|switch|sizeof|restrict)";

const name = "[A-Za-z_~][\\w:~]*(?:<[^;{}()\\n]*?>::~?\\w+)?";
/** Where a declaration can begin: a line, the end of template parameters, after a word that only begins one. */
const begin =
  "^[ \\t]*(?:template\\s*<[^;{}]{0,300}?>\\s*)?(?:(?:static|extern|inline|friend|virtual|explicit|constexpr)\\s+)*";

/** What a repaired text has where a declaration needs a word to be seen as one; no part of any signature. */
export const writtenExtern = "extern\f";

const rewrites: readonly Rewrite[] = [
  // class EXPORT_API Name … {
  {
    pattern: new RegExp(
      `(\\b(?:class|struct|union|enum)\\s+)(${macroName}${callOrNothing})(?=\\s+[A-Za-z_][\\w:]*\\s*(?:final\\s*)?[:{<])`,
      "g",
    ),
    blanked: [2],
  },
  // local int f OF((int a)); a prototype for compilers without them
  {
    pattern: /(\(\s*\*+\s*\w+\s*\)\s*|\w\s+)([A-Z_]{1,10}\s*\()(\([^;{}]*?\))(\))(?=\s*;)/g,
    blanked: [2, 4],
    when: /[A-Z_]\s*\(\(/,
  },
  // PUBLIC_API(type) name(…)
  {
    pattern: /^([ \t]*(?=\w*[A-Z_]{3})\w+\()([\w\s*]+)(\))(?=[\s*]*(?:\w+\s+)?\w+\s*[(;[=])/gm,
    blanked: [1, 3],
  },
  // type API_CALL name(…)
  {
    pattern: new RegExp(`([\\w*&>]\\s+)(${macroName})(?=\\s+\\**[A-Za-z_][\\w:]*\\s*\\()`, "g"),
    blanked: [2],
  },
  // API_EXPORT type *(*name)(…): without a word before it, it is a product
  {
    pattern: new RegExp(
      `(${begin})(${macroName}${callOrNothing})(?=\\s+${typeWords}+\\(\\s*\\*\\s*\\w+\\s*\\)\\s*\\()`,
      "gm",
    ),
    blanked: [2],
    written: writtenExtern,
    when: /\(\s*\*/,
  },
  // API_EXPORT type name(…), API_EXPORT type name = …
  {
    pattern: new RegExp(
      `(${begin})(${macroName}${callOrNothing})(?=\\s+${typeWords}+(?:${name}|\\(\\s*\\w+\\s*\\)|operator\\W+)\\s*[(;=[])`,
      "gm",
    ),
    blanked: [2],
  },
  // API_CONSTEXPR Name(…), API_INLINE Name<T>::Name(…): constructors
  {
    pattern: new RegExp(`(${begin})(${macroName})(?=[ \\t]+(?:explicit\\s+)?${name}\\s*\\()`, "gm"),
    blanked: [2],
    isCppOnly: true,
  },
  // API_EXPORT template, API auto, API operator T()
  {
    pattern: new RegExp(
      `(\\s)(${macroName})(?=\\s+(?:template\\s*<|auto\\s|inline\\s|static\\s|constexpr\\s|explicit\\s|operator\\b))`,
      "g",
    ),
    blanked: [2],
    isCppOnly: true,
  },
  // f(…) ATTRIBUTE(…) {
  {
    pattern: new RegExp(
      `(\\)\\s*(?:const\\s*)?)(${macroName}${callOrNothing}(?:\\s+${macroName}${callOrNothing}){0,3})(?=\\s*(?:[;{]|->|noexcept|override))`,
      "g",
    ),
    blanked: [2],
  },
  // local int name(…), where `local` is a macro for `static`
  {
    pattern: new RegExp(
      `(^)(?!${plainWords}\\b)([a-z_]\\w*)(?=[ \\t]+(?:[A-Za-z_]\\w*[ \\t*]+)+\\w+\\s*\\()`,
      "gm",
    ),
    blanked: [2],
    isCOnly: true,
  },
];

/**
 * Makes C and C++ that only a preprocessor could read readable to a grammar, without moving a single character: what
 * gets in the way is overwritten with spaces. Used for texts that did not parse, and kept only if it parses better.
 *
 * @param text The source.
 * @param options.isCpp Also applies what only C++ allows (constructors without a type).
 */
export function repairPreprocessed(
  text: string,
  options: { readonly isCpp: boolean },
): RepairedText {
  let repaired = blankLoneMacros(options.isCpp ? blankTemplateMacros(text) : text);
  for (const { pattern, blanked, written, when, isCppOnly, isCOnly } of rewrites) {
    if ((isCppOnly === true && !options.isCpp) || (isCOnly === true && options.isCpp)) continue;
    if (when?.test(repaired) === false) continue;
    repaired = repaired.replace(pattern, (all: string, ...rest: unknown[]) => {
      const offsetIndex = rest.findIndex((value) => typeof value === "number");
      const offset = rest[offsetIndex] as number;
      const groups = rest
        .slice(0, offsetIndex)
        .map((group) => (typeof group === "string" ? group : ""));
      if (isOfDirective(repaired, offset + (groups[0]?.length ?? 0))) return all;
      if (/\b(?:return|else|case|goto)\s*$/.test(groups[0] ?? "")) return all;
      return groups
        .map((group, index) => (blanked.includes(index + 1) ? overwritten(group, written) : group))
        .join("");
    });
  }
  return blankBranches(repaired);
}

function overwritten(group: string, written = ""): string {
  return group.length < written.length
    ? blank(group)
    : written + blank(group.slice(written.length));
}

/** The line an offset is on is a directive (`#define EXPORT extern`). */
function isOfDirective(text: string, offset: number): boolean {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^\s*#/.test(text.slice(lineStart, lineStart + 40));
}

/** Blanks a macro that has a line to itself: NAMESPACE_BEGIN, Q_OBJECT, DISALLOW(X), DEFINE_DEFAULT(double, 0); */
function blankLoneMacros(text: string): string {
  const pattern = /^[ \t]*[A-Z][A-Z0-9_]{2,}(?:[ \t]*$|(?=\())/gm;
  const spans: [number, number][] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const nameEnd = pattern.lastIndex;
    const end = text[nameEnd] === "(" ? closingParenthesis(text, nameEnd + 1) : nameEnd;
    if (end === null || isContinuation(text, match.index)) continue;
    const rest = /^[ \t]*(;?)[ \t]*(?=\r?\n|$|\/[/*])/.exec(text.slice(end, end + 100));
    if (rest === null) continue;
    const following = text.slice(end + rest[0].length, end + rest[0].length + 200);
    const isFollowed = /^\s*(?:[(;,=:?+*&|.-]|\/(?![/*]))/.test(following);
    if (isFollowed && rest[1] !== ";") continue;
    // TRY {…} is a block; DEFINE_TEST(x) {…} and enum KIND {…} are definitions.
    const isBefore = /^\s*\{/.test(following) && rest[1] !== ";";
    if (isBefore && (end !== nameEnd || isNameOfType(text, match.index))) continue;
    spans.push([match.index, end + rest[0].length]);
    pattern.lastIndex = end + rest[0].length;
  }
  return blankSpans(text, spans);
}

function isNameOfType(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 100), offset).trimEnd();
  return /\b(?:struct|union|enum|class|namespace)$/.test(before);
}

/** `template <typename T, ENABLE_IF(…)>`: a macro among template parameters, with the comma before it. */
function blankTemplateMacros(text: string): string {
  const pattern = /,\s*[A-Z][A-Z0-9_]{2,}\(/g;
  const spans: [number, number][] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const before = text.slice(Math.max(0, match.index - 400), match.index);
    if (!/\btemplate\s*<[^;{}]*$/.test(before)) continue;
    const close = closingParenthesis(text, pattern.lastIndex);
    if (close !== null && /^\s*[,>]/.test(text.slice(close, close + 40))) {
      spans.push([match.index, close]);
      pattern.lastIndex = close;
    }
  }
  return blankSpans(text, spans);
}

function blankSpans(text: string, spans: readonly (readonly [number, number])[]): string {
  let repaired = "";
  let copied = 0;
  for (const [start, end] of spans) {
    repaired += text.slice(copied, start) + blank(text.slice(start, end));
    copied = end;
  }
  return repaired + text.slice(copied);
}

/** The offset after the parenthesis that closes one opened before `start`, at most 2,000 characters on. */
function closingParenthesis(text: string, start: number): number | null {
  let depth = 1;
  for (let offset = start; offset < Math.min(text.length, start + 2000); offset++) {
    if (text[offset] === "(") depth += 1;
    if (text[offset] === ")") depth -= 1;
    if (depth === 0) return offset + 1;
  }
  return null;
}

/** The line before is not finished, so the macro is part of an expression. */
function isContinuation(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 200), offset).trimEnd();
  return /[\\,(=|&+?<-]$/.test(before);
}
