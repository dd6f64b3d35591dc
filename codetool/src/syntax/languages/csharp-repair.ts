import type { RepairedText } from "../rule.ts";

const inBrackets = "\\((?:[^(){};]|\\([^(){};]*\\))*\\)";
const notInComment = "(?<!(?:\\/\\/|\\*)[^\\n]{0,200})";
/** A type without a body: its parameters, its bases and what is given to the first of these. */
const bodiless = new RegExp(
  `\\b(?=(?:class|struct|interface)\\s)${notInComment}(?<!\\brecord\\s{1,9})((?:class|struct|interface)\\s+\\w+(?:<[^<>;{}()]*>)?)(\\s*${inBrackets})?(\\s*:[^;{}()="]*)?(${inBrackets})?(\\s*;)`,
  "g",
);

/**
 * Gives `class A(int x) : B(x);` an empty body, which the grammar cannot do without: in the place of what is given to
 * the base, else of the bases, else of the parameters. Every other character stays where it is.
 */
export function repairCsharp(text: string): RepairedText {
  const repaired = withoutConditions(text).replace(bodiless, (all: string, ...groups: string[]) => {
    const [head = "", parameters = "", bases = "", given = "", end = ""] = groups;
    if (given !== "") return `${head}${parameters}${bases}${emptyBody(given + end)}`;
    if (bases !== "") return `${head}${parameters}${emptyBody(bases + end)}`;
    return parameters === "" ? all : `${head}${emptyBody(parameters + end)}`;
  });
  return { text: repaired, alternative: null, droppedLines: new Set() };
}

/** Braces as long as the text, with its line breaks. */
function emptyBody(text: string): string {
  return `{${text.slice(1, -1).replace(/[^\r\n]/g, " ")}}`;
}

/**
 * Conditions of the preprocessor inside of parentheses, where the grammar knows none: the first branch stays. Strings
 * with their own parentheses in them may hide one; then the text is as it was.
 */
function withoutConditions(text: string): string {
  const lines = text.includes("#if") ? text.split("\n") : [];
  let depth = 0;
  // Of the conditions open now: whether they began inside of parentheses, and whether this branch is left out.
  const open: { isInner: boolean; isLeftOut: boolean }[] = [];
  const kept = lines.map((line) => {
    const word = /^\s*#\s*(if|elif|else|endif)\b/.exec(line)?.[1];
    const blank = line.replace(/[^\r]/g, " ");
    if (word === "if") {
      const isLeftOut = open.at(-1)?.isLeftOut === true;
      open.push({ isInner: depth > 0, isLeftOut });
      return depth > 0 ? blank : line;
    }
    const top = open.at(-1);
    if (word !== undefined) {
      if (word === "endif") open.pop();
      else if (top !== undefined) top.isLeftOut = top.isInner;
      return top?.isInner === true ? blank : line;
    }
    if (top?.isLeftOut === true) return blank;
    for (const [bracket] of line
      .replace(/\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'/g, "")
      .matchAll(/[(){}]/g)) {
      if (bracket === "(") depth += 1;
      else if (bracket === ")") depth = Math.max(0, depth - 1);
      else depth = 0;
    }
    return line;
  });
  return lines.length === 0 ? text : kept.join("\n");
}
