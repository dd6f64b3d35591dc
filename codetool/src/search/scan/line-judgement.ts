import { isWordByte } from "../../index/index.ts";
import { commentLineStart } from "../../syntax/index.ts";
import { isCallInC } from "./c-call.ts";
import { endOfLineAt } from "./line-scanner.ts";

/** A place in a line that matches, in bytes of the file. */
export interface PlaceInLine {
  /** First byte of the line. */
  readonly lineStart: number;
  readonly matchStart: number;
  readonly matchEnd: number;
}

/** A match, and in which line it is. */
export interface LineHit extends PlaceInLine {
  readonly line1: number;
  /** The last line of a match that has several; default: `line1`. */
  readonly endLine1?: number;
}

/** What a matching line looks like. */
export interface LineJudgement {
  /**
   * Whether the line defines what matched. Where only the syntax tells, as for methods, it is `likely` or, for what
   * looks no different from a call, `maybe`.
   */
  readonly definition: "yes" | "likely" | "maybe" | "no";
  /** The line says what matched is there and leaves its definition to another place, like a prototype. */
  readonly isDeclaration: boolean;
  /** The name that would be defined. */
  readonly name: string;
  /** The match begins and ends at the border of a word. */
  readonly isWord: boolean;
  /** The line holds the query as it is written. */
  readonly isLiteral: boolean;
  /** The line takes names in or passes them on, like the lines of a barrel file. */
  readonly isImport: boolean;
  readonly isComment: boolean;
}

/** How far around a match a line is looked at: lines of minified code have no more to say. */
const lookBytes = 300;
/** How much of a line's beginning says that it is a comment or takes names in. */
const headBytes = 40;
const beyondAscii = /[\x80-\xff]/;

const definitionBefore =
  /(?:^|[\s({;@])(class|def|defp|defmodule|fn|fun|func|function\*?|interface|struct|enum|union|trait|type|typedef|module|mod|namespace|package|record|object|protocol|extension|macro_rules!|macro|const|let|var|val|static|#\s*define)\s+(?:\([^()]*\)\s*)?(?:mut\s+)?[*&]*$/;
/** Words of types and values, which are before uses as well: `struct node *next`, `import { type Node }`. */
const alsoBeforeUses = /^(?:class|struct|enum|union|interface|record|object|type|const|static)$/;
const useAfter =
  /^\s*[*&),\]>}]|^\s+as\b|^\s+(?!(?:extends|implements|final|where|with|is|do|has|permits|private|protected|public|internal)\b)[*&]?\w+\s*[;,=)[(]/;
const constantTypeAfter = /^\s+[\w.[\]*]+\s*=/;
const declarationBefore =
  /^\s*(?:(?!return\b|new\b|throw\b|await\b|yield\b|case\b|else\b|goto\b|delete\b|not\b|if\b|while\b|assert\b)[\w<>[\],.*&:~()]+\s+)+[*&]*$/;
const implementation = /(?:^|\s)impl(?:<[^>]*>)?\s+$/;
const modifiersOnly =
  /^\s*(?:(?!return\b|new\b|throw\b|await\b|yield\b|case\b|else\b|goto\b|delete\b|in\b|not\b|and\b|or\b|if\b|assert\b)[\w<>[\],.*&:~@?]+\s+)*[*&]*(?:\w+(?:::|\.))*[#~]?$/;
const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\b|using\b|require\b|include\b|#\s*include\b|#\s*import\b|extern\s+crate\b|pub(?:\([^)]*\))?\s+use\b|export\s*(?:\{|\*)|@import\b)/;

/** Tells whether an offset lies between a word and something else, or between two bytes that are not part of a word. */
export function isBorder(text: Buffer, offset: number): boolean {
  if (offset === 0 || offset >= text.length) return true;
  return !(isWordByte(text[offset - 1] as number) && isWordByte(text[offset] as number));
}

/**
 * Judges a matching line only by its text.
 *
 * @param query The text that was searched for, or the pattern.
 */
export function judgeLine(text: Buffer, hit: PlaceInLine, query: string): LineJudgement {
  const { lineStart, matchStart, matchEnd } = hit;
  const lineEnd = endOfLineAt(text, matchStart);
  const windowStart = Math.max(lineStart, matchStart - lookBytes);
  // A character each byte, read once.
  const window = text.toString("latin1", windowStart, Math.min(lineEnd, matchEnd + lookBytes));
  const before = window.slice(0, matchStart - windowStart);
  const matchedEnd = Math.min(matchEnd, lineEnd, matchStart + lookBytes);
  const matchedBytes = window.slice(before.length, matchedEnd - windowStart);
  const matched = beyondAscii.test(matchedBytes)
    ? text.toString("utf8", matchStart, matchedEnd)
    : matchedBytes;
  const after = window.slice(matchEnd - windowStart);
  const isWord = matchEnd > matchStart && isBorder(text, matchStart) && isBorder(text, matchEnd);
  const head =
    windowStart === lineStart
      ? window.slice(0, headBytes)
      : text.toString("latin1", lineStart, Math.min(lineEnd, lineStart + headBytes));
  // What is defined is the word at the end of the match: "function parse" defines "parse".
  const words = /^(.*?)([A-Za-z_$][\w$]*)[^\w$]*$/s.exec(matched);
  const name = words?.[2] ?? "";
  // A line with only a name is part of a list over several lines, mostly of imports or exports.
  const isListed = /^\s*(?:type\s+)?$/.test(before) && /^\s*(?:as\s+\w+\s*)?,?\s*$/.test(after);
  const isImport = importLine.test(head) || isListed;
  const isComment = commentLineStart.test(head);
  const mayDefine = isWord && name !== "" && !isImport && !isComment;
  const parts = { before: before + (words?.[1] ?? ""), after, matched };
  return {
    definition: mayDefine ? definitionOf(parts) : "no",
    isDeclaration: mayDefine && isDeclaration(parts),
    name,
    isWord,
    isLiteral: matched === query || matched.includes(query),
    isImport,
    isComment,
  };
}

/** A line around the name that it may define. */
interface LineParts {
  readonly before: string;
  readonly after: string;
  /** The match, which ends with the name. */
  readonly matched: string;
}

/** Names that are long enough to be cut by `lookBytes` are judged as other texts. */
const plainName = /^[A-Za-z_$][\w$]{0,199}$/;
const [space, tab, openingBracket, semicolon, greater, equals, underscore] = [
  0x20, 0x09, 0x28, 0x3b, 0x3e, 0x3d, 0x5f,
];
const [letterC, letterT] = [0x63, 0x74];

/** Judges the lines of one search, those that only call what was searched for in a tenth of the time of `judgeLine`. */
export class LineJudge {
  readonly #query: string;
  readonly #queryBytes: Buffer;
  /** The judgement on each line that only calls; absent where the query is not a name, or takes names in. */
  readonly #ofCall: LineJudgement | undefined;
  /** The same where what is called has a longer name, which begins with the query. */
  readonly #ofLonger: LineJudgement | undefined;

  /** @param query The text that was searched for, or the pattern. */
  constructor(query: string) {
    this.#query = query;
    this.#queryBytes = Buffer.from(query, "utf8");
    const isName = plainName.test(query) && query !== "pub" && !importLine.test(`${query}(`);
    if (!isName) return;
    this.#ofCall = {
      definition: "no",
      isDeclaration: false,
      name: query,
      isWord: true,
      isLiteral: true,
      isImport: false,
      isComment: false,
    };
    this.#ofLonger = { ...this.#ofCall, isWord: false };
  }

  /**
   * Says what `judgeLine` says, and of a call in C that it defines nothing also where only the lines around it tell.
   *
   * @param isC The text is C, and surely not C++.
   */
  judge(text: Buffer, hit: PlaceInLine, isC: boolean): LineJudgement {
    const isName = this.#ofCall !== undefined && this.#isQuery(text, hit);
    const ofCall = isName ? this.#judgeCall(text, hit, isC) : undefined;
    if (ofCall !== undefined) return ofCall;
    const judgement = judgeLine(text, hit, this.#query);
    const { definition } = judgement;
    const mayBeCall = isC && this.#ofCall !== undefined && /^(?:likely|maybe)$/.test(definition);
    const name = { start: hit.matchStart, end: hit.matchEnd };
    return mayBeCall && isCallInC(text, name) ? { ...judgement, definition: "no" } : judgement;
  }

  /** The judgement on what is surely only a call; else `undefined`. */
  #judgeCall(text: Buffer, hit: PlaceInLine, isC: boolean): LineJudgement | undefined {
    const { lineStart, matchStart, matchEnd } = hit;
    if (!isBeforeCall(text, lineStart, matchStart)) return undefined;
    if (text[matchEnd] === underscore) return this.#ofLonger;
    if (isPlainCall(text, hit)) return this.#ofCall;
    let bracket = matchEnd;
    while (text[bracket] === space || text[bracket] === tab) bracket += 1;
    const isCalled =
      isC &&
      text[bracket] === openingBracket &&
      isCallInC(text, { start: matchStart, end: matchEnd });
    return isCalled ? this.#ofCall : undefined;
  }

  /** Whether what matched is the query as it is written. */
  #isQuery(text: Buffer, { matchStart, matchEnd }: PlaceInLine): boolean {
    const bytes = this.#queryBytes;
    if (matchEnd - matchStart !== bytes.length) return false;
    for (let at = 0; at < bytes.length; at += 1)
      if (text[matchStart + at] !== bytes[at]) return false;
    return true;
  }
}

/**
 * Tells whether a line is surely only a call, if its match is a name and what is before it is `isBeforeCall`: a bracket right
 * behind the name, a semicolon at the end, and nothing between that may open a body.
 */
function isPlainCall(text: Buffer, { matchStart, matchEnd }: PlaceInLine): boolean {
  if (text[matchEnd] !== openingBracket) return false;
  const end = Math.min(endOfLineAt(text, matchStart), matchEnd + lookBytes);
  if (text[end - 1] !== semicolon) return false;
  for (let at = matchEnd; at < end; at += 1) {
    const byte = text[at];
    // An arrow, "const" and "throws".
    if (byte === greater) return false;
    if (byte === letterC && text[at + 1] === 0x6f && text[at + 2] === 0x6e && text[at + 3] === 0x73)
      return false;
    if (byte === letterT && text[at + 1] === 0x68 && text[at + 2] === 0x72 && text[at + 3] === 0x6f)
      return false;
  }
  return true;
}

/** Blanks, or blanks and one target of an assignment as `item = ` and `list->items[0].next = `. */
function isBeforeCall(text: Buffer, lineStart: number, end: number): boolean {
  let at = lineStart;
  while (at < end && (text[at] === space || text[at] === tab)) at += 1;
  if (at === lineStart || at === end) return at > lineStart;
  const isAssigned =
    end - lineStart <= assignedBytesMax &&
    text[end - 1] === space &&
    text[end - 2] === equals &&
    text[end - 3] === space;
  const first = text[at] as number;
  if (!isAssigned || targetBytes[first] !== letterOfTarget) return false;
  for (; at < end - 3; at += 1) if (targetBytes[text[at] as number] === 0) return false;
  if (!importLetters.has(first)) return true;
  const headEnd = Math.min(endOfLineAt(text, end), lineStart + headBytes);
  return !importLine.test(text.toString("latin1", lineStart, headEnd));
}

/** Longer targets are judged as other texts. */
const assignedBytesMax = 200;
/** Of a target's bytes those that it may begin with; the others are 1, and what is in no target 0. */
const letterOfTarget = 2;
const targetBytes = new Uint8Array(256);
for (const byte of Buffer.from("0123456789.->[]")) targetBytes[byte] = 1;
for (const byte of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"))
  targetBytes[byte] = letterOfTarget;
/** What the words begin with that take names in. */
const importLetters: ReadonlySet<number> = new Set(Buffer.from("efipru"));

/** What a line that is a comment may begin with. */
const commentBytes: ReadonlySet<number> = new Set(Buffer.from("/*#-;<\"'"));
const lastBlank = 0x20;
const noBreakSpace = 0xa0;

/** Tells whether a line is a comment, as far as its first characters tell. */
export function isCommentLine(text: Buffer, lineStart: number): boolean {
  // Of most lines the first character tells.
  let at = lineStart;
  while (at < lineStart + headBytes) {
    const byte = text[at];
    if (byte === undefined || (byte > lastBlank && byte !== noBreakSpace)) break;
    at += 1;
  }
  if (!commentBytes.has(text[at] ?? 0)) return false;
  const lineEnd = endOfLineAt(text, lineStart);
  return commentLineStart.test(
    text.toString("latin1", lineStart, Math.min(lineEnd, lineStart + headBytes)),
  );
}

function definitionOf({ before, after, matched }: LineParts): LineJudgement["definition"] {
  const keyword = definitionBefore.exec(before)?.[1];
  if (keyword !== undefined && !/^\s*\./.test(after)) {
    if (!alsoBeforeUses.test(keyword)) return "yes";
    // A struct that ends here is a definition in Rust and a forward declaration in C.
    if (/^\s*;/.test(after)) return "likely";
    if (!useAfter.test(after)) return "yes";
    return keyword === "const" && constantTypeAfter.test(after) ? "likely" : "no";
  }
  // The end of `typedef struct {…} Name;`, or of a variable that is as much a definition.
  if (/^\s*\}\s*$/.test(before) && /^\s*;/.test(after)) return "yes";
  const isAlias = /^\s*typedef\b/.test(before) && /^\s*;/.test(after);
  const isOutermost = /^(?!\s)/.test(before) && modifiersOnly.test(before);
  const isAssigned = isOutermost && /^\s*(?::[^=]+)?=(?!=)/.test(after);
  if (isAlias || isAssigned) return "likely";
  const isCallLike = /^\s*(?:<[^<>()]*>)?\s*\(/.test(after) || matched.endsWith("(");
  const opens = /[{:]\s*$|\)\s*$|,\s*$|\(\s*$|\)\s*(?:const\b|->|=>)|\bthrows\b/.test(after);
  if (!isCallLike || !opens || !modifiersOnly.test(before)) return "no";
  return before.trim() !== "" || before === "" || /\{\s*$/.test(after) ? "likely" : "maybe";
}

function isDeclaration({ before, after }: LineParts): boolean {
  if (implementation.test(before)) return true;
  // A declaration has a type in front of the name; most calls have nothing.
  if (before.trim() === "") return false;
  return /^\s*\(.*\)[^()]*;\s*$/.test(after) && declarationBefore.test(before);
}
