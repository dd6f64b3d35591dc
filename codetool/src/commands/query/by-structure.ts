import {
  capturesByPlace,
  hitCountMax,
  listOf,
  PatternByLanguage,
  type Place,
  scanStructure,
  type SearchedLanguage,
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
    capturesIn: ({ language }, text, lines) =>
      capturesByPlace(compiled, { text, language: language ?? "" }, lines),
  };
}

/** Whether a pattern matches anywhere. */
export interface AnyStructure {
  readonly isFound: boolean;
  readonly unreadableCount: number;
  /** False where a file, or a piece of one, could not be parsed, and may match. */
  readonly isWhole: boolean;
}

/** Says whether a pattern matches anywhere; the first match ends the search. */
export async function existsByStructure(
  pattern: string,
  surroundings: StructuralSurroundings,
): Promise<AnyStructure> {
  if (faultOfPattern(pattern) !== null) {
    await findStructure(pattern, surroundings);
    return { isFound: false, unreadableCount: 0, isWhole: true };
  }
  const found = await findStructure(pattern, { ...surroundings, isFirstEnough: true });
  if (found === null) return { isFound: false, unreadableCount: 0, isWhole: false };
  const { matchCount, unreadableCount, leftOutCount, unparsedCount, brokenCount } = found;
  const isWhole = leftOutCount + unparsedCount + brokenCount === 0;
  return { isFound: matchCount > 0, unreadableCount, isWhole };
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
  const { matchCount, languages, leftOutCount, unparsedCount, brokenCount } = found;
  if (leftOutCount > 0)
    warnings.push(
      `${leftOutCount} files were not looked at: name a smaller folder, or more of the code in the pattern`,
    );
  if (unparsedCount > 0) warnings.push(`${filesOf(unparsedCount)} could not be parsed`);
  if (matchCount === 0 && brokenCount > 0)
    warnings.push(
      `${filesOf(brokenCount)} with errors of syntax may hold a match that is not seen`,
    );
  if (matchCount === 0) warnings.push(...remarksOnNothing(pattern, languages));
  return found;
}

/** Languages that are named, at most: those of most files. */
const namedLanguagesMax = 3;

/** Says why nothing was found: in which languages the pattern is not code, and how it would be. */
function remarksOnNothing(pattern: string, languages: readonly SearchedLanguage[]): string[] {
  const read = languages.filter(({ isCompiled }) => isCompiled);
  const unread = languages.filter(({ isCompiled }) => !isCompiled);
  if (languages.length === 0) return ["No file is in a language that patterns can be matched in"];
  const names = read.map(({ language }) => language).toSorted();
  return [
    ...(unread.length === 0 ? [] : [remarkOnUnread(pattern, unread, read.length === 0)]),
    ...(read.length === 0
      ? []
      : [`The pattern compiled for ${names.join(", ")} and matched in 0 of ${countOf(read)}`]),
  ];
}

function remarkOnUnread(
  pattern: string,
  unread: readonly SearchedLanguage[],
  isNowhere: boolean,
): string {
  const ways = unread.slice(0, namedLanguagesMax).flatMap(({ language }) => {
    const whole = wholeDeclaration(pattern, language);
    return whole === undefined ? [] : [`in ${language}: ${JSON.stringify(whole)}`];
  });
  const hint =
    ways.length > 0
      ? `; a declaration is written with its body, ${ways.join(", ")}`
      : isNowhere
        ? '; wanted one whole piece of code, like "f($A, $$$)"'
        : "";
  if (isNowhere && ways.length === 0)
    return `The pattern did not compile for any language of ${countOf(unread)}${hint}`;
  const shown = unread
    .slice(0, namedLanguagesMax)
    .map((each) => `${each.language} (${countOf([each])})`);
  const others = unread.length - shown.length;
  return `The pattern is not code in ${shown.join(", ")}${others > 0 ? ` and ${others} more` : ""}${hint}`;
}

function countOf(languages: readonly SearchedLanguage[]): string {
  return filesOf(languages.reduce((sum, { fileCount }) => sum + fileCount, 0));
}

function filesOf(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

/** Bodies that a declaration may lack. */
const bodies = [" { $$$ }", ":\n  $$$", "\n  $$$\nend", " do\n  $$$\nend"];

/** A pattern with the body that makes it code in a language; `undefined` where none does. */
function wholeDeclaration(pattern: string, language: string): string | undefined {
  return bodies
    .map((body) => pattern.trim() + body)
    .find((whole) => new PatternByLanguage(whole).isCodeIn(language));
}
