import { termsOf } from "../../index/index.ts";

/** A query in words, ready for scoring. */
export interface QueryTerms {
  /** What is asked for: the words except those of the question, compound words in their parts; each once. */
  readonly words: readonly string[];
  /** Terms for BM25 with their weights: the words, compound words as they are written, and close forms at less. */
  readonly weights: ReadonlyMap<string, number>;
  /** The query as one name, such as `parseConfig` or `Config::parse`: its last part; `null` for other queries. */
  readonly symbolName: string | null;
  readonly isTestWanted: boolean;
}

const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been being but by can could did do does doing for from had has have having how i if in into " +
    "is it its me my no not of on or our shall should so such than that the their them then there these they this " +
    "those to too was we were what when where which while who whom why will with would you your about after all also " +
    "any because before between both each get gets here just like make makes more most need needs only other out over " +
    "own same show some through under until up use used uses using very via want wants way work works " +
    "code find explain implemented implementation implement implements located defined happen happens handled done"
  ).split(" "),
);

/** Short forms that code writes for words that questions use, and the other way round. */
const shortForms: readonly (readonly [string, string])[] = [
  ["auth", "authentication"],
  ["authn", "authentication"],
  ["authz", "authorization"],
  ["db", "database"],
  ["k8s", "kubernetes"],
  ["config", "configuration"],
  ["deps", "dependencies"],
  ["env", "environment"],
  ["impl", "implementation"],
  ["repo", "repository"],
  ["msg", "message"],
  ["req", "request"],
  ["res", "response"],
  ["err", "error"],
  ["fn", "function"],
  ["ctx", "context"],
  ["cb", "callback"],
  ["infra", "infrastructure"],
];

const closeFormWeight = 0.4;

/** Takes a query apart. */
export function readQueryTerms(query: string): QueryTerms {
  const given = query.trim().split(/\s+/);
  const isQuestion = given.length >= 3;
  const terms = given.flatMap((word) => {
    const found = termsOf(word);
    return found.length === 0 ? [] : [{ whole: found[0] as string, found }];
  });
  const isContent = (term: string): boolean => !isQuestion || !stopWords.has(term);
  const contentTerms = terms.filter(({ whole }) => isContent(whole));
  const kept = contentTerms.length > 0 ? contentTerms : terms;
  const weights = new Map<string, number>();
  const words = new Set<string>();
  for (const { found } of kept) {
    const parts = found.length > 1 ? found.slice(1) : found;
    for (const part of parts) words.add(part);
    for (const term of found) weights.set(term, (weights.get(term) ?? 0) + 1);
  }
  for (const word of words)
    for (const form of closeForms(word)) if (!weights.has(form)) weights.set(form, closeFormWeight);
  return {
    words: [...words],
    weights,
    symbolName: symbolNameOf(query.trim()),
    isTestWanted: [...words].some((word) =>
      /^(tests?|specs?|mocks?|fixtures?|testing)$/.test(word),
    ),
  };
}

function symbolNameOf(query: string): string | null {
  return /^[A-Za-z_$][\w$]*(?:(?:::|\.|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(query)
    ? (/([A-Za-z_$][\w$]*)(?:\(\))?$/.exec(query)?.[1] ?? null)
    : null;
}

/** Plural and singular, the common endings of verbs, and short forms. */
function closeForms(word: string): string[] {
  const forms: string[] = [];
  for (const [short, long] of shortForms) {
    if (word === short) forms.push(long);
    if (word === long) forms.push(short);
  }
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return forms;
  const root = rootOf(word);
  const withE = `${root}e`;
  forms.push(
    root,
    withE,
    `${root}s`,
    `${root}es`,
    `${root}ed`,
    `${root}ing`,
    `${root}er`,
    `${root}or`,
  );
  if (word.endsWith("y")) forms.push(`${word.slice(0, -1)}ies`);
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  return forms.filter((form) => form !== word && form.length >= 3);
}

/** A word without its common ending; at least three letters stay. */
export function rootOf(word: string): string {
  const found = /^(.{3,}?)(?:(?<=[^aeious])es|ies|ed|ing|ers?|ors?|s|e|y|ation|ations)$/.exec(word);
  const root = found?.[1] ?? word;
  // "running" gives "run".
  return /([bdgmnprt])\1$/.test(root) && root.length > 4 && root !== word
    ? root.slice(0, -1)
    : root;
}
