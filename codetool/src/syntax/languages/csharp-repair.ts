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
  const repaired = text.replace(
    bodiless,
    (all: string, head: string, parameters = "", bases = "", given = "", end: string) => {
      if (given !== "") return `${head}${parameters}${bases}${emptyBody(given + end)}`;
      if (bases !== "") return `${head}${parameters}${emptyBody(bases + end)}`;
      return parameters === "" ? all : `${head}${emptyBody(parameters + end)}`;
    },
  );
  return { text: repaired, alternative: null, droppedLines: new Set() };
}

/** Braces as long as the text, with its line breaks. */
function emptyBody(text: string): string {
  return `{${text.slice(1, -1).replace(/[^\r\n]/g, " ")}}`;
}
