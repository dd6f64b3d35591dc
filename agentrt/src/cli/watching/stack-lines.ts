import { ownFolder } from "../../core/index.ts";
import type { WireObject } from "./control-reader.ts";
import { textIn } from "./shown.ts";

/** Lines of a stack that are shown. */
const lineCountMax = 8;

/**
 * Chooses the lines of a stack that help its reader: from the first in the reader's own code on, and without those inside of this
 * package.
 *
 * @param error As `/crashes/{id}` gives it: `at` is the first place in the reader's code, `stack` is innermost first.
 * @returns Lines without an indent; none when there is no stack.
 */
export function stackLines({ stack, at }: WireObject): string[] {
  const lines = Array.isArray(stack) ? (stack as unknown[]).map(textIn) : [];
  const place = textIn(at);
  const begin = place === "" ? -1 : lines.findIndex((line) => decoded(line).includes(place));
  if (begin === -1) return lines.slice(0, lineCountMax);
  // Where another installation of this package asks than runs, more lines are shown.
  const theirs = lines
    .slice(begin)
    .filter((line) => !line.includes(ownFolder) && !line.includes("(node:"));
  if (begin === 0) return theirs.slice(0, lineCountMax);
  const calls = begin === 1 ? "1 call" : `${begin} calls`;
  return [
    ...theirs.slice(0, lineCountMax),
    `(and ${calls} inside of it, in agentrt or a package: --json has them)`,
  ];
}

/** Stacks name files by URL, places by path. */
function decoded(line: string): string {
  try {
    return decodeURI(line);
  } catch {
    return line;
  }
}
