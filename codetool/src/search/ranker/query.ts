import { termsOf } from "../../index/index.ts";
import { formsOfWord, rootOfWord } from "./word-forms.ts";

/** A word of the query with all that counts as it. */
export interface TermGroup {
  readonly word: string;
  readonly root: string;
  readonly forms: readonly string[];
  /** How much the word matters, whatever the corpus: 1, and less for words that say little. */
  readonly importance: number;
}

/** A query as the ranker sees it. */
export interface RankQuery {
  readonly text: string;
  /** At most `groupCountMax`. */
  readonly groups: readonly TermGroup[];
  /** Compound names of the query as they are written, lower-cased: `fromrequest` of `FromRequest`. */
  readonly compounds: readonly string[];
  /** Names as written that may be defined somewhere: `FromRequest`, `parse_config`, `useState`. */
  readonly identifiers: readonly string[];
  /** The query as one name, its last part; `null` for other queries. */
  readonly symbolName: string | null;
  readonly isTestWanted: boolean;
  readonly isExampleWanted: boolean;
  readonly isDocsWanted: boolean;
  readonly isConfigWanted: boolean;
}

/** Words beyond this many are not looked at: what counts fits a bit mask. */
const groupCountMax = 24;

const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been being but by can could did do does doing for from had has have having how i if in into " +
    "is it its me my no not of on or our shall should so such than that the their them then there these they this " +
    "those to too was we were what when where which while who whom why will with would you your about after all also " +
    "any because before between both each get gets here just like make makes more most need needs only other out over " +
    "own same show some through under until up use used uses using very via want wants way works " +
    "code find explain implemented implementation implement implements located defined happen happens handled done"
  ).split(" "),
);

/** Whether a word, lower-cased, says nothing of what a question is about. */
export function isSmallWord(word: string): boolean {
  return stopWords.has(word);
}

/** Words that questions about code use whatever they are about. */
const vagueWords: ReadonlySet<string> = new Set(
  (
    "handle handles handling manage manages managed management support supports supported supporting provide provides " +
    "provided process processes processing processed work working logic mechanism mechanisms system systems different various several " +
    "perform performs performed given based specific particular internal internals across against one two new " +
    "functionality feature features utility utilities utils helper helpers main core basic common custom define " +
    "defines defining class classes function functions method methods file files type types object objects module " +
    "modules interface interfaces implementations implementing allow allows enable enables including related multiple"
  ).split(" "),
);

const vagueImportance = 0.5;

/**
 * Takes a query apart for ranking.
 *
 * @param options.projectWords Lower-cased words that name the project itself: in a question they say nothing.
 */
export function readRankQuery(
  query: string,
  options: { readonly projectWords?: ReadonlySet<string> } = {},
): RankQuery {
  const text = query.trim();
  const given = text.split(/\s+/);
  const isQuestion = given.length >= 2;
  const found = given.flatMap((word) => {
    const terms = termsOf(word);
    return terms.length === 0 ? [] : [terms];
  });
  const kept = found.filter(([whole]) => !isQuestion || !stopWords.has(whole as string));
  const named = kept.filter(([whole]) => options.projectWords?.has(whole as string) !== true);
  const chosen = named.length > 0 && isQuestion ? named : kept.length > 0 ? kept : found;
  const groups = new Map<string, TermGroup>();
  for (const terms of chosen) {
    const parts = terms.length > 1 ? terms.slice(1) : terms;
    for (const word of parts) {
      if (isQuestion && stopWords.has(word)) continue;
      const root = rootOfWord(word);
      if (groups.has(root) || groups.size === groupCountMax) continue;
      const importance = isQuestion && vagueWords.has(word) ? vagueImportance : 1;
      groups.set(root, { word, root, forms: formsOfWord(word), importance });
    }
  }
  const words = new Set([...groups.values()].map(({ word }) => word));
  const has = (pattern: RegExp): boolean => [...words].some((word) => pattern.test(word));
  return {
    text,
    groups: [...groups.values()],
    compounds: chosen.filter((terms) => terms.length > 1).map(([whole]) => whole as string),
    identifiers: given.flatMap(identifiersOf),
    symbolName: symbolNameOf(text),
    isTestWanted:
      has(/^(?:tests|specs|mocks|fixtures)$/) ||
      /\b(?:test|spec) (?:cases?|suites?|files?)\b/i.test(text),
    isExampleWanted: has(/^(?:examples?|samples?|demos?|benchmarks?|tutorials?)$/),
    isDocsWanted: has(/^(?:docs?|documentation|readme|changelog|guide)$/),
    isConfigWanted: has(
      /^(?:config|configuration|settings|yaml|toml|json|ci|workflow|dockerfile|makefile)$/,
    ),
  };
}

/** Words of a question that look like names of code: with an inner capital, an underscore or a path of names. */
function identifiersOf(word: string): string[] {
  const names = word.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return names.filter(
    (name) => /[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|_/.test(name) || /^[A-Z][a-z]+$/.test(name),
  );
}

function symbolNameOf(query: string): string | null {
  return /^[A-Za-z_$][\w$]*(?:(?:::|\.|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(query)
    ? (/([A-Za-z_$][\w$]*)(?:\(\))?$/.exec(query)?.[1] ?? null)
    : null;
}
