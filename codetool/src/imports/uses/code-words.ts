import { commonMarks, type LexicalMarks, lexisOf, type StringRule } from "../../syntax/index.ts";

/** Names that are looked for one by one before a text is read word by word. */
const lookedForMax = 32;

/** Which of the names asked for a text uses. */
export interface CodeWords {
  /** All that are in code. */
  readonly names: ReadonlySet<string>;
  /** Those of them that are behind `.`, `->`, `::` or `?.` somewhere. */
  readonly members: ReadonlySet<string>;
}

/**
 * Tells which of some names are in the code of a text, as whole words and as they are written; what is in
 * comments and strings does not count, what is in the holes of strings does.
 *
 * It reads comments and strings by their marks, without parsing: a text of broken syntax is read as well as a right one.
 *
 * @param language As file detection names it; of an unknown one, `//`, `/* … *\/` and quotes are taken for what they
 *   are in most languages.
 * @param names Of a name with a separator in it (`A::b`, `Foo.Bar`) the last word counts.
 */
export function codeWordsOf(
  text: string,
  language: string | null,
  names: Iterable<string>,
): CodeWords {
  const wanted = new Map<string, string[]>();
  const asked = [...names];
  for (const name of asked) {
    const word = /[\p{L}\p{N}_$]+[?!]?$/u.exec(name)?.[0];
    // A few names are looked for faster than all words are read; many are not.
    if (word === undefined) continue;
    if (asked.length <= lookedForMax && !text.includes(word)) continue;
    const same = wanted.get(word);
    if (same === undefined) wanted.set(word, [name]);
    else same.push(name);
  }
  const found = new Set<string>();
  const members = new Set<string>();
  if (wanted.size === 0) return { names: found, members };
  const rules = lexisOf(language ?? "")?.marks ?? commonMarks;
  const isFew = wanted.size <= lookedForMax;
  for (const [start, end] of codeStretches(text, rules)) {
    const code = text.slice(start, end);
    if (isFew && !hasAny(code, wanted.keys())) continue;
    for (const match of code.matchAll(/[\p{L}\p{N}_$]+[?!]?/gu)) {
      const word = wanted.has(match[0]) ? match[0] : match[0].replace(/^\$|[?!]$/g, "");
      const same = wanted.get(word);
      if (same === undefined) continue;
      const isMember = isBehindAccess(text, start + match.index);
      for (const name of same) {
        found.add(name);
        if (isMember) members.add(name);
      }
    }
  }
  return { names: found, members };
}

/**
 * The lines of a text that have a name: in its code, or as the whole of a quoted text.
 *
 * @returns From 1, ascending, each once.
 */
export function linesWithName(text: string, language: string | null, name: string): number[] {
  const word = /[\p{L}\p{N}_$]+[?!]?$/u.exec(name)?.[0] ?? name;
  const offsets = new Set<number>();
  const rules = lexisOf(language ?? "")?.marks ?? commonMarks;
  for (const [start, end] of codeStretches(text, rules))
    for (const match of text.slice(start, end).matchAll(/[\p{L}\p{N}_$]+[?!]?/gu))
      if (match[0] === word || match[0].replace(/^\$|[?!]$/g, "") === word)
        offsets.add(start + match.index);
  for (const quote of ['"', "'", "`"])
    for (let at = text.indexOf(quote + word + quote); at >= 0;) {
      offsets.add(at);
      at = text.indexOf(quote + word + quote, at + 1);
    }
  const counter = new LineCounter(text);
  const sorted = [...offsets].sort((one, other) => one - other);
  return [...new Set(sorted.map((offset) => counter.at(offset)))];
}

/** A word in the code of a text. */
export interface CodeWord {
  readonly word: string;
  /** UTF-16 units of the text. */
  readonly start: number;
  /** From 1. */
  readonly line1: number;
  /** It is behind `.`, `->`, `::` or `?.`. */
  readonly isMember: boolean;
  /** Of a member: the word before the dot, of `new Type()` the type; absent where another expression is there. */
  readonly qualifier?: string;
  /** What follows, white space left out: at most two characters of it. */
  readonly after: string;
}

/**
 * Reads the words in the code of a text, in order: not those in comments and strings.
 *
 * @param options.names Only these; default all.
 * @param options.from Where to begin, UTF-16 units; default the whole text.
 */
export function readCodeWords(
  text: string,
  language: string | null,
  options: {
    readonly names?: ReadonlySet<string>;
    readonly from?: number;
    readonly to?: number;
  } = {},
): CodeWord[] {
  const { names, from = 0, to = text.length } = options;
  const words: CodeWord[] = [];
  const rules = lexisOf(language ?? "")?.marks ?? commonMarks;
  const lines = new LineCounter(text);
  for (const [begin, end] of codeStretches(text, rules)) {
    if (begin >= to) break;
    const first = Math.max(begin, from);
    if (first >= end) continue;
    const code = text.slice(first, end);
    if (names !== undefined && names.size <= lookedForMax && !hasAny(code, names)) continue;
    for (const match of code.matchAll(/[\p{L}\p{N}_$]+[?!]?/gu)) {
      const start = first + match.index;
      if (start >= to) break;
      const word = wordIn(match[0], names);
      if (word === undefined || /^\d/.test(word)) continue;
      const isMember = isBehindAccess(text, start);
      const qualifier = isMember ? qualifierBefore(text, start) : undefined;
      const after = /\S{1,2}/.exec(text.slice(start + word.length, start + word.length + 80))?.[0];
      words.push({
        word,
        start,
        line1: lines.at(start),
        isMember,
        ...(qualifier === undefined ? {} : { qualifier }),
        after: after ?? "",
      });
    }
  }
  return words;
}

function hasAny(text: string, names: Iterable<string>): boolean {
  for (const name of names) if (text.includes(name)) return true;
  return false;
}

/** Of `name?` and `$name`, the name itself where that is wanted; `?` belongs to a name in Ruby and few others. */
function wordIn(found: string, names: ReadonlySet<string> | undefined): string | undefined {
  const bare = found.replace(/[?!]$/, "");
  if (names === undefined) return bare;
  return [found, bare].find((each) => names.has(each));
}

function qualifierBefore(text: string, start: number): string | undefined {
  const before = text.slice(Math.max(0, start - 120), start);
  const [, word, type] =
    /(?:([\p{L}_$@][\p{L}\p{N}_$]*)|\b(\p{Lu}[\p{L}\p{N}_$]*)(?:<[^<>()]*>)?\([^()]*\))\s*(?:\?\.|\.|->|::)\s*$/u.exec(
      before,
    ) ?? [];
  return word ?? type;
}

/** Lines of ascending offsets. */
class LineCounter {
  readonly #text: string;
  #line1 = 1;
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): number {
    for (let feed = this.#text.indexOf("\n", this.#from); feed >= 0 && feed < offset;) {
      this.#line1 += 1;
      this.#from = feed + 1;
      feed = this.#text.indexOf("\n", this.#from);
    }
    return this.#line1;
  }
}

/** Behind `.`, `?.`, `->` and `::`, and white space; not behind `..` and `...`. */
function isBehindAccess(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && /\s/.test(text[at] as string)) at -= 1;
  const mark = text[at];
  const before = text[at - 1];
  if (mark === ".") return before !== ".";
  // With white space behind it, an arrow is one of a lambda or of a result.
  return (mark === ":" && before === ":") || (mark === ">" && before === "-" && at === start - 1);
}

/** The code that is open around a place: until the closing mark of a hole, or to the end. */
interface OpenHole {
  readonly rule: StringRule;
  depth: number;
}

/** The stretches of a text that are neither comment nor string. */
function* codeStretches(text: string, rules: LexicalMarks): Generator<[number, number]> {
  const marks = marksOf(rules);
  const holes: OpenHole[] = [];
  let start = 0;
  for (let at = 0; at < text.length;) {
    marks.lastIndex = at;
    const found = marks.exec(text);
    if (found === null) break;
    const mark = found[0];
    at = found.index;
    const hole = holes.at(-1);
    if (hole !== undefined && isBracket(mark)) {
      const [open, close] = hole.rule.hole as readonly [string, string];
      if (mark === close) hole.depth -= 1;
      else if (open.endsWith(mark)) hole.depth += 1;
      at += 1;
      if (hole.depth > 0) continue;
      yield [start, at - 1];
      holes.pop();
      ({ at, start } = readString(text, at, { rule: hole.rule, holes }));
      continue;
    }
    const skipped = skip(text, at, { mark, rules });
    if (skipped === undefined) {
      at += mark.length;
      continue;
    }
    yield [start, at];
    if (typeof skipped === "number") {
      at = skipped;
      start = skipped;
    } else {
      ({ at, start } = readString(text, at + mark.length, { rule: skipped, holes }));
    }
  }
  yield [start, text.length];
}

/** What a mark opens: the end of a comment or expression, the rule of a string, or nothing. */
function skip(
  text: string,
  at: number,
  { mark, rules }: { readonly mark: string; readonly rules: LexicalMarks },
): number | StringRule | undefined {
  const closing = rules.blockComments.find(([open]) => open === mark)?.[1];
  if (closing !== undefined) return endAfter(text, closing, at + mark.length);
  if (rules.lineComments.includes(mark)) {
    // In a shell `$#` and `a#b` are not comments.
    if (mark === "#" && /[$\w{]/.test(text[at - 1] ?? " ")) return undefined;
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  const rule = rules.strings.find(({ open }) => open === mark);
  if (rule !== undefined) {
    // C++ groups digits with it, and words hold it as an apostrophe.
    const isInWord =
      /^['"]$/.test(mark) && mark === "'" && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? "");
    return isInWord && rule.open === "'" ? undefined : rule;
  }
  if (mark === "/" && rules.hasRegexLiterals === true) return regexEnd(text, at);
  if (mark === "'" && rules.hasLooseQuotes === true) {
    const literal = /'(?:\\[^\n]{1,8}?|[^\\\n'])'/y;
    literal.lastIndex = at;
    return literal.test(text) ? literal.lastIndex : undefined;
  }
  return undefined;
}

/** Reads a string from behind its opening mark: to behind its end, or into the first hole. */
function readString(
  text: string,
  from: number,
  { rule, holes }: { readonly rule: StringRule; readonly holes: OpenHole[] },
): { readonly at: number; readonly start: number } {
  const opening = rule.hole?.[0];
  for (let at = from; at < text.length; at += 1) {
    if (opening !== undefined && text.startsWith(opening, at)) {
      // Doubled braces are braces.
      if (opening === "{" && text[at + 1] === "{") {
        at += 1;
        continue;
      }
      holes.push({ rule, depth: 1 });
      return { at: at + opening.length, start: at + opening.length };
    }
    const character = text[at];
    if (character === "\\" && rule.isRaw !== true) at += 1;
    else if (text.startsWith(rule.close, at)) {
      const end = at + rule.close.length;
      return { at: end, start: end };
    } else if (character === "\n" && rule.isOneLine) return { at, start: at };
  }
  return { at: text.length, start: text.length };
}

function endAfter(text: string, closing: string, from: number): number {
  const end = text.indexOf(closing, from);
  return end < 0 ? text.length : end + closing.length;
}

/** Behind a regular expression that begins here; `undefined` for a division. */
function regexEnd(text: string, at: number): number | undefined {
  const before =
    /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/.exec(
      text.slice(Math.max(0, at - 40), at),
    );
  if (before === null) return undefined;
  const literal = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y;
  literal.lastIndex = at;
  return literal.test(text) ? literal.lastIndex : undefined;
}

function isBracket(mark: string): boolean {
  return mark.length === 1 && "{}()".includes(mark);
}

/** Finds the next mark that may mean something; longer ones first. */
function marksOf(rules: LexicalMarks): RegExp {
  const marks = new Set([
    ...rules.lineComments,
    ...rules.blockComments.map(([open]) => open),
    ...rules.strings.map(({ open }) => open),
    ...(rules.hasRegexLiterals === true ? ["/"] : []),
    ...(rules.hasLooseQuotes === true ? ["'"] : []),
    ...(rules.strings.some(({ hole }) => hole !== undefined) ? ["{", "}", "(", ")"] : []),
  ]);
  const sorted = [...marks].sort((one, other) => other.length - one.length);
  return new RegExp(
    sorted.map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"),
    "g",
  );
}
