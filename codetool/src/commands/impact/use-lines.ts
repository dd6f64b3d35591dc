import { linesWithName } from "../../imports/index.ts";
import type { Dependent, UseLine } from "./payload.ts";

/** Lines of one file that are shown. */
const shownLinesMax = 5;
/** Characters of a line that are shown. */
const lineCharactersMax = 160;

/**
 * Finds the lines of a file that use a symbol.
 *
 * @param name The symbol's own name; of a member the last part.
 */
export function useLinesOf(
  text: string,
  language: string | null,
  name: string,
): Pick<Dependent, "uses" | "more_uses"> {
  const lines = linesWithName(text, language, name);
  if (lines.length === 0) return {};
  const texts = text.split("\n");
  const uses = lines.slice(0, shownLinesMax).map((line): UseLine => {
    const shown = (texts[line - 1] ?? "").trim();
    const isLong = shown.length > lineCharactersMax;
    return { line, text: isLong ? `${shown.slice(0, lineCharactersMax)}…` : shown };
  });
  const moreCount = lines.length - uses.length;
  return { uses, ...(moreCount === 0 ? {} : { more_uses: moreCount }) };
}
