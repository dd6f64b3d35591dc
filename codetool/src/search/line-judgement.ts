import { endOfLine } from "./line-scanner.ts";

/** A place in a line that matches, in bytes of the file. */
export interface LineHit {
  readonly line1: number;
  /** First byte of the line. */
  readonly lineStart: number;
  readonly matchStart: number;
  readonly matchEnd: number;
}

/** What a matching line looks like. */
export interface LineJudgement {
  /** Whether the line defines what matched: `maybe` where only the syntax tells, as for methods. */
  readonly definition: "yes" | "maybe" | "no";
  /** The name that would be defined. */
  readonly name: string;
  /** The match begins and ends at the border of a word. */
  readonly isWord: boolean;
  /** The line holds the query as it stands. */
  readonly isLiteral: boolean;
  readonly isImport: boolean;
  readonly isComment: boolean;
}

/** How far around a match a line is looked at: lines of minified code have no more to say. */
const lookBytes = 300;

const definitionBefore =
  /(?:^|[\s({;@])(?:class|def|defp|defmodule|fn|fun|func|function\*?|interface|struct|enum|union|trait|type|typedef|module|mod|namespace|package|record|object|protocol|extension|macro_rules!|macro|const|let|var|val|static|#\s*define|impl(?:<[^>]*>)?)\s+(?:\([^()]*\)\s*)?(?:mut\s+)?[*&]*$/;
const modifiersOnly =
  /^\s*(?:(?!return\b|new\b|throw\b|await\b|yield\b|case\b|else\b|goto\b|delete\b|in\b|not\b|and\b|or\b|if\b|assert\b)[\w<>[\],.*&:~@?]+\s+)*[*&]*(?:\w+(?:::|\.))*[#~]?$/;
const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\b|using\b|require\b|include\b|#\s*include\b|#\s*import\b|extern\s+crate\b|pub(?:\([^)]*\))?\s+use\b|export\s*(?:\{|\*)|@import\b)/;
const commentLine = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|include|import)\b)|--|;;|<!--|"""|''')/;

function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f ||
    byte >= 0x80
  );
}

/** Tells whether an offset lies between a word and something else, or between two things that are no word. */
function isBorder(text: Buffer, offset: number): boolean {
  const before = offset === 0 ? undefined : text[offset - 1];
  return !(isWordByte(before) && isWordByte(text[offset]));
}

/**
 * Judges a matching line by its text alone.
 *
 * @param query The text that was searched for, or the pattern.
 */
export function judgeLine(text: Buffer, hit: LineHit, query: string): LineJudgement {
  const { lineStart, matchStart, matchEnd } = hit;
  const lineEnd = endOfLine(text, matchStart);
  const before = text.toString("latin1", Math.max(lineStart, matchStart - lookBytes), matchStart);
  const matched = text.toString(
    "utf8",
    matchStart,
    Math.min(matchEnd, lineEnd, matchStart + lookBytes),
  );
  const after = text.toString("latin1", matchEnd, Math.min(lineEnd, matchEnd + lookBytes));
  const isWord = matchEnd > matchStart && isBorder(text, matchStart) && isBorder(text, matchEnd);
  const head = text.toString("latin1", lineStart, Math.min(lineEnd, lineStart + 40));
  // What is defined is the word at the end of the match: "function parse" defines "parse".
  const words = /^(.*?)([A-Za-z_$][\w$]*)[^\w$]*$/s.exec(matched);
  const name = words?.[2] ?? "";
  return {
    definition:
      isWord && name !== "" ? definitionOf(before + (words?.[1] ?? ""), after, matched) : "no",
    name,
    isWord,
    isLiteral: matched === query || matched.includes(query),
    isImport: importLine.test(head),
    isComment: commentLine.test(head),
  };
}

/** Tells whether a line is a comment, as far as its first characters tell. */
export function isCommentLine(text: Buffer, lineStart: number): boolean {
  const lineEnd = endOfLine(text, lineStart);
  return commentLine.test(text.toString("latin1", lineStart, Math.min(lineEnd, lineStart + 40)));
}

function definitionOf(before: string, after: string, matched: string): "yes" | "maybe" | "no" {
  if (definitionBefore.test(before) && !/^\s*\./.test(after)) return "yes";
  const isCallLike = /^\s*(?:<[^<>()]*>)?\s*\(/.test(after) || matched.endsWith("(");
  const opens = /[{:]\s*$|\)\s*$|,\s*$|\(\s*$|=>|->|\bthrows\b|\bconst\b/.test(after);
  return isCallLike && opens && modifiersOnly.test(before) ? "maybe" : "no";
}
