import {
  hitCountMax,
  listOf,
  PatternByLanguage,
  type Place,
  scanStructure,
  type StructuralResult,
} from "../../search/index.ts";
import { faultOfPattern } from "../../syntax/index.ts";
import type { Answer, Surroundings } from "./answer.ts";

/** Lines of a match that are shown without `--context`. */
const shownLinesMax = 10;

/** What a search by structure needs. */
export type StructuralSurroundings = Pick<Surroundings, "files" | "warnings">;

/** Answers a search by structure; if nothing matches, a warning says whether the pattern compiled as code. */
export async function answerByStructure(
  pattern: string,
  surroundings: StructuralSurroundings,
): Promise<Answer> {
  const { warnings } = surroundings;
  const found = await findStructure(pattern, surroundings);
  if (found === null)
    return { mode: "structural", places: listOf([]), matchCount: 0, unreadableCount: 0 };
  const { hits, matchCount, unreadableCount } = found;
  if (matchCount > hitCountMax)
    warnings.push(`There are ${matchCount} matches: ${hitCountMax} of them are ranked`);
  const places = hits.map(
    ({ file, line1, endLine1 = line1, matchStart, matchEnd, relevance }): Place => ({
      file,
      line1,
      span: { start: matchStart, end: matchEnd },
      window: {
        startLine1: line1 - 1,
        endLine1: Math.max(line1 + 2, Math.min(endLine1, line1 + shownLinesMax - 2)),
      },
      relevance,
    }),
  );
  const compiled = new PatternByLanguage(pattern);
  return {
    mode: "structural",
    places: listOf(places),
    matchCount,
    unreadableCount,
    capturesIn: (file, text, lines) => {
      const matches = compiled.matchesIn(text.toString("utf8"), file.language ?? "");
      const wanted = matches.filter(({ line1 }) => lines.has(line1));
      return new Map(wanted.map((match) => [match.line1, match.captures()]));
    },
  };
}

/** Says whether a pattern matches anywhere; the first match ends the search. */
export async function existsByStructure(
  pattern: string,
  surroundings: StructuralSurroundings,
): Promise<{ readonly isFound: boolean; readonly unreadableCount: number }> {
  const found = await findStructure(pattern, { ...surroundings, isFirstEnough: true });
  return { isFound: (found?.matchCount ?? 0) > 0, unreadableCount: found?.unreadableCount ?? 0 };
}

async function findStructure(
  pattern: string,
  { files, warnings, isFirstEnough = false }: StructuralSurroundings & { isFirstEnough?: boolean },
): Promise<StructuralResult | null> {
  const fault = faultOfPattern(pattern);
  if (fault !== null) {
    warnings.push(`The pattern did not compile for any language: ${fault}`);
    return null;
  }
  let found: StructuralResult;
  try {
    found = await scanStructure({
      files: files.walk(),
      narrow: files.narrow,
      pattern,
      hitCountMax,
      isFirstEnough,
    });
  } catch (error) {
    // Neither a pattern nor a text can make it throw, so the parser cannot be loaded.
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`Files cannot be parsed: ${reason}`);
    return null;
  }
  const { matchCount, languages, parseableCount, leftOutCount } = found;
  if (leftOutCount > 0)
    warnings.push(
      `${leftOutCount} files were not looked at: name a smaller folder, or more of the code in the pattern`,
    );
  if (matchCount === 0) warnings.push(remarkOnNothing(languages, parseableCount));
  return found;
}

function remarkOnNothing(languages: readonly string[], fileCount: number): string {
  const files = fileCount === 1 ? "1 file" : `${fileCount} files`;
  if (fileCount === 0) return "No file is in a language that patterns can be matched in";
  if (languages.length === 0)
    return `The pattern did not compile for any language of ${files}: wanted one whole piece of code, like "f($A, $$$)"`;
  return `The pattern compiled for ${languages.toSorted().join(", ")} and matched in 0 of ${files}`;
}
