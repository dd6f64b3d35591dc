import {
  asciiClass,
  foldRanges,
  negateRanges,
  propertyRanges,
  type CodePointRange,
} from "./classes.ts";

/** A parsed pattern. */
export type PatternNode =
  | { readonly kind: "empty" }
  | { readonly kind: "class"; readonly ranges: readonly CodePointRange[] }
  | { readonly kind: "assertion"; readonly assertion: PatternAssertion }
  /** Only where groups are wanted; they count from 1 in the order of their brackets. */
  | { readonly kind: "group"; readonly group: number; readonly node: PatternNode }
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly node: PatternNode;
      readonly minimum: number;
      /** `Infinity` for no upper end. */
      readonly maximum: number;
      readonly isGreedy: boolean;
    };

/** What holds between two characters. */
export type PatternAssertion =
  | "lineStart"
  | "lineEnd"
  | "textStart"
  | "textEnd"
  | "wordBoundary"
  | "notWordBoundary"
  /** Not between two characters of one word; no pattern is written so. */
  | "outsideWord";

/** What a pattern is matched against. */
export interface PatternReading {
  /** Matches may span lines and have groups: `\n` is allowed, `[^a]` and `(?s).` take line breaks; default false. */
  readonly isOverLines?: boolean;
}

/** A pattern that was read. */
export interface ParsedPattern {
  readonly node: PatternNode;
  /** Of each group its name, or `undefined`; the first is group 1. Empty where groups are not wanted. */
  readonly groupNames: readonly (string | undefined)[];
}

/** Why a text is not a pattern. */
export interface PatternFault {
  /** Where, in characters from 1. */
  readonly column1: number;
  readonly reason: string;
}

/** Limits on patterns: they bound the time and memory of a search. */
export const patternLimits = { lengthMax: 2_000, repeatMax: 1_000, depthMax: 100 } as const;

class Fault extends Error {
  readonly column1: number;

  constructor(index: number, reason: string) {
    super(reason);
    this.column1 = index + 1;
  }
}

/**
 * Parses a regular expression: the common syntax without look-around and back-references, which no search in linear
 * time can have. `\d`, `\w`, `\b` mean ASCII; `\p{…}` means Unicode; a brace that does not begin a repetition is a literal brace.
 *
 * @param reading What it is for; default lines one by one.
 * @returns The tree, or where and why the text is not a pattern.
 */
export function parsePattern(
  source: string,
  reading: PatternReading = {},
): ParsedPattern | { fault: PatternFault } {
  try {
    const parser = new Parser(Array.from(source), reading.isOverLines === true);
    return { node: parser.parse(), groupNames: parser.groupNames };
  } catch (error) {
    if (error instanceof Fault) return { fault: { column1: error.column1, reason: error.message } };
    throw error;
  }
}

/**
 * The longest text that every match of a pattern holds; empty when none is known. Lines without it need no matching.
 */
export function requiredLiteral(node: PatternNode): string {
  let longest = "";
  let run = "";
  const endRun = (): void => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  const visit = (part: PatternNode): void => {
    if (part.kind === "class") {
      const [range] = part.ranges;
      if (range !== undefined && part.ranges.length === 1 && range[0] === range[1])
        run += String.fromCodePoint(range[0]);
      else endRun();
    } else if (part.kind === "sequence") part.nodes.forEach(visit);
    else if (part.kind === "group") visit(part.node);
    else if (part.kind === "repeat" || part.kind === "choice") {
      endRun();
      if (part.kind === "repeat" && part.minimum > 0) {
        visit(part.node);
        endRun();
      }
    }
  };
  visit(node);
  endRun();
  return longest;
}

const lineBreak: CodePointRange = [0x0a, 0x0a];
const anyCharacter: readonly CodePointRange[] = negateRanges([lineBreak]);
const anyAtAll: readonly CodePointRange[] = negateRanges([]);
const controlEscapes: { readonly [letter: string]: number } = {
  t: 0x09,
  r: 0x0d,
  f: 0x0c,
  v: 0x0b,
  a: 0x07,
  "0": 0x00,
};
const assertionEscapes: { readonly [letter: string]: PatternAssertion } = {
  b: "wordBoundary",
  B: "notWordBoundary",
  A: "lineStart",
  z: "lineEnd",
  Z: "lineEnd",
};
const textAssertionEscapes: { readonly [letter: string]: PatternAssertion } = {
  ...assertionEscapes,
  A: "textStart",
  z: "textEnd",
  Z: "textEnd",
};

class Parser {
  readonly groupNames: (string | undefined)[] = [];
  readonly #characters: readonly string[];
  readonly #isOverLines: boolean;
  #index = 0;
  #depth = 0;
  #isCaseIgnored = false;
  #isDotAll = false;

  constructor(characters: readonly string[], isOverLines: boolean) {
    this.#characters = characters;
    this.#isOverLines = isOverLines;
  }

  parse(): PatternNode {
    if (this.#characters.length > patternLimits.lengthMax)
      throw new Fault(
        patternLimits.lengthMax,
        `it has ${this.#characters.length} characters, and ${patternLimits.lengthMax} are allowed`,
      );
    const node = this.#parseChoice();
    if (this.#index < this.#characters.length)
      throw new Fault(this.#index, 'this ")" closes no group');
    return node;
  }

  #peek(ahead = 0): string | undefined {
    return this.#characters[this.#index + ahead];
  }

  #take(text: string): boolean {
    for (const [offset, character] of Array.from(text).entries())
      if (this.#peek(offset) !== character) return false;
    this.#index += text.length;
    return true;
  }

  #parseChoice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > patternLimits.depthMax)
      throw new Fault(this.#index, `groups are nested deeper than ${patternLimits.depthMax}`);
    const nodes = [this.#parseSequence()];
    while (this.#take("|")) nodes.push(this.#parseSequence());
    this.#depth -= 1;
    return nodes.length === 1 ? (nodes[0] as PatternNode) : { kind: "choice", nodes };
  }

  #parseSequence(): PatternNode {
    const nodes: PatternNode[] = [];
    for (;;) {
      const character = this.#peek();
      if (character === undefined || character === "|" || character === ")") break;
      const node = this.#parseAtom(character);
      nodes.push(this.#parseRepeats(node));
    }
    return nodes.length === 1 ? (nodes[0] as PatternNode) : { kind: "sequence", nodes };
  }

  #parseAtom(character: string): PatternNode {
    const start = this.#index;
    this.#index += 1;
    switch (character) {
      case "(":
        return this.#parseGroup(start);
      case "[":
        return this.#parseBracket(start);
      case "\\":
        return this.#parseEscape(start);
      case ".":
        return { kind: "class", ranges: this.#isDotAll ? anyAtAll : anyCharacter };
      case "^":
        return { kind: "assertion", assertion: "lineStart" };
      case "$":
        return { kind: "assertion", assertion: "lineEnd" };
      case "*":
      case "+":
      case "?":
        throw new Fault(start, `"${character}" repeats nothing`);
      default:
        return this.#literal(character.codePointAt(0) as number);
    }
  }

  #literal(codePoint: number): PatternNode {
    return this.#class([[codePoint, codePoint]]);
  }

  #class(ranges: readonly CodePointRange[]): PatternNode {
    return { kind: "class", ranges: this.#isCaseIgnored ? foldRanges(ranges) : ranges };
  }

  #parseGroup(start: number): PatternNode {
    const wasCaseIgnored = this.#isCaseIgnored;
    const wasDotAll = this.#isDotAll;
    let name: string | undefined;
    let isCapturing = true;
    if (this.#take("?")) {
      for (const lookAround of ["=", "!", "<=", "<!"])
        if (this.#take(lookAround))
          throw new Fault(start, "look-around is not offered: matching takes linear time");
      if (this.#take("P<") || this.#take("<")) {
        name = this.#parseGroupName();
      } else if (this.#parseFlags(start)) return { kind: "empty" };
      else isCapturing = false;
    }
    const group = isCapturing && this.#isOverLines ? this.groupNames.push(name) : undefined;
    const node = this.#parseChoice();
    if (!this.#take(")")) throw new Fault(start, 'this "(" is not closed');
    this.#isCaseIgnored = wasCaseIgnored;
    this.#isDotAll = wasDotAll;
    return group === undefined ? node : { kind: "group", group, node };
  }

  #parseGroupName(): string {
    const start = this.#index;
    while (/[A-Za-z0-9_]/.test(this.#peek() ?? "")) this.#index += 1;
    const name = this.#characters.slice(start, this.#index).join("");
    if (!this.#take(">")) throw new Fault(this.#index, 'the group\'s name lacks its ">"');
    if (this.#isOverLines && this.groupNames.includes(name))
      throw new Fault(start, `two groups are named "${name}"`);
    return name;
  }

  /** Reads `i:`, `-i:`, `:` or `i)`; true when nothing follows the flags and they hold to the end of the group around. */
  #parseFlags(start: number): boolean {
    let isOn = true;
    for (;;) {
      const letter = this.#peek();
      this.#index += 1;
      if (letter === ":") return false;
      if (letter === ")") return true;
      if (letter === "-") isOn = false;
      else if (letter === "i") this.#isCaseIgnored = isOn;
      else if (letter === "s") this.#isDotAll = isOn && this.#isOverLines;
      else if (letter !== "m" && letter !== "u")
        throw new Fault(start, "this group has an unknown flag: i, m, s and u are known");
    }
  }

  #parseRepeats(node: PatternNode): PatternNode {
    let result = node;
    for (;;) {
      const start = this.#index;
      const bounds = this.#parseBounds();
      if (bounds === undefined) return result;
      if (result.kind === "assertion") throw new Fault(start, "a position cannot be repeated");
      if (this.#peek() === "+")
        throw new Fault(this.#index, "possessive repetition is not offered");
      const isGreedy = !this.#take("?");
      result = { kind: "repeat", node: result, ...bounds, isGreedy };
    }
  }

  #parseBounds(): { minimum: number; maximum: number } | undefined {
    if (this.#take("*")) return { minimum: 0, maximum: Infinity };
    if (this.#take("+")) return { minimum: 1, maximum: Infinity };
    if (this.#take("?")) return { minimum: 0, maximum: 1 };
    const found = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(
      this.#characters.slice(this.#index, this.#index + 16).join(""),
    );
    if (found === null) return undefined;
    const minimum = Number(found[1]);
    const maximum =
      found[2] === undefined ? minimum : found[3] === "" ? Infinity : Number(found[3]);
    if (
      minimum > patternLimits.repeatMax ||
      (maximum > patternLimits.repeatMax && maximum !== Infinity)
    )
      throw new Fault(this.#index, `at most ${patternLimits.repeatMax} repetitions are allowed`);
    if (maximum < minimum) throw new Fault(this.#index, "the repetition ends before it begins");
    this.#index += found[0].length;
    return { minimum, maximum };
  }

  #parseEscape(start: number): PatternNode {
    const letter = this.#peek();
    const assertions = this.#isOverLines ? textAssertionEscapes : assertionEscapes;
    const assertion = letter === undefined ? undefined : assertions[letter];
    if (assertion !== undefined) {
      this.#index += 1;
      return { kind: "assertion", assertion };
    }
    return this.#class(this.#parseEscapedRanges(start));
  }

  /** Reads what follows a backslash, inside brackets or outside. */
  #parseEscapedRanges(start: number): readonly CodePointRange[] {
    const letter = this.#peek();
    if (letter === undefined) throw new Fault(start, "nothing follows the backslash");
    this.#index += 1;
    const named = asciiClass(letter);
    if (named !== undefined) return named;
    if (letter === "n" && this.#isOverLines) return [lineBreak];
    if (letter === "n") throw new Fault(start, "a pattern matches within one line");
    if (letter === "p" || letter === "P") return this.#parseProperty(start, letter === "P");
    const control = controlEscapes[letter];
    if (control !== undefined) return [[control, control]];
    if (letter === "x" || letter === "u") {
      const codePoint = this.#parseHex(start, letter === "x" ? 2 : 4);
      return [[codePoint, codePoint]];
    }
    if (/[1-9]/.test(letter))
      throw new Fault(start, "back-references are not offered: matching takes linear time");
    if (/[A-Za-z]/.test(letter)) throw new Fault(start, `"\\${letter}" has no meaning`);
    const codePoint = letter.codePointAt(0) as number;
    return [[codePoint, codePoint]];
  }

  #parseHex(start: number, digits: number): number {
    const rest = this.#characters.slice(this.#index, this.#index + 10).join("");
    const found =
      /^\{([0-9A-Fa-f]{1,6})\}/.exec(rest) ?? new RegExp(`^([0-9A-Fa-f]{${digits}})`).exec(rest);
    const codePoint = found === null ? Number.NaN : Number.parseInt(found[1] ?? "", 16);
    if (found === null || codePoint > 0x10_ff_ff)
      throw new Fault(start, "this escape wants hexadecimal digits of a character");
    this.#index += found[0].length;
    return codePoint;
  }

  #parseProperty(start: number, isNegated: boolean): readonly CodePointRange[] {
    const rest = this.#characters.slice(this.#index, this.#index + 60).join("");
    const found = /^(?:\{([\w=^]+)\}|([A-Z]))/.exec(rest);
    const ranges = found === null ? undefined : propertyRanges(found[1] ?? found[2] ?? "");
    if (found === null || ranges === undefined)
      throw new Fault(start, "this names no Unicode property");
    this.#index += found[0].length;
    return isNegated ? negateRanges(ranges) : ranges;
  }

  #parseBracket(start: number): PatternNode {
    const isNegated = this.#take("^");
    const ranges: CodePointRange[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      if (this.#peek() === undefined) throw new Fault(start, 'this "[" is not closed');
      const from = this.#parseBracketItem();
      const isRange = this.#peek() === "-" && this.#peek(1) !== "]" && this.#peek(1) !== undefined;
      const low = from.length === 1 && from[0]?.[0] === from[0]?.[1] ? from[0]?.[0] : undefined;
      if (!isRange || low === undefined) {
        ranges.push(...from);
        continue;
      }
      const rangeAt = this.#index;
      this.#index += 1;
      const to = this.#parseBracketItem();
      const high = to.length === 1 && to[0]?.[0] === to[0]?.[1] ? to[0]?.[0] : undefined;
      if (high === undefined || high < low)
        throw new Fault(rangeAt, "this range ends before it begins");
      ranges.push([low, high]);
    }
    this.#index += 1;
    const folded = this.#isCaseIgnored ? foldRanges(ranges) : ranges;
    if (!isNegated) return { kind: "class", ranges: folded };
    const excluded = this.#isOverLines ? folded : [...folded, lineBreak];
    return { kind: "class", ranges: negateRanges(excluded) };
  }

  #parseBracketItem(): readonly CodePointRange[] {
    const start = this.#index;
    const posix = /^\[:(\w+):\]/.exec(this.#characters.slice(start, start + 16).join(""));
    const named = posix === null ? undefined : asciiClass(posix[1] ?? "");
    if (posix !== null && named !== undefined) {
      this.#index += posix[0].length;
      return named;
    }
    this.#index += 1;
    const character = this.#characters[start] as string;
    if (character !== "\\") {
      const codePoint = character.codePointAt(0) as number;
      return [[codePoint, codePoint]];
    }
    if (this.#peek() === "b") {
      this.#index += 1;
      return [[0x08, 0x08]];
    }
    return this.#parseEscapedRanges(start);
  }
}
