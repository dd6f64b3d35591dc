import { isWordByte } from "../../index/index.ts";

/** A word of a query that lines are looked through for. */
export interface AskedWord {
  /** Lower-cased. */
  readonly word: string;
  /** How much it tells; 0 for one that nothing holds. */
  readonly weight: number;
  /** Whether it is more than a small word of any sentence. */
  readonly isContent: boolean;
}

/** The part of a text that says most of a query as it is written. */
export interface Wording {
  /** Byte offset where its longest run begins. */
  readonly start: number;
  /** Sum of the weights of the query's words that its runs hold. */
  readonly weight: number;
  /** The same times one to two, by how much of the query the longest run is. */
  readonly score: number;
  /** Words of its longest run, and those of them that are content. */
  readonly runWords: number;
  readonly runContentWords: number;
}

/** A message may go on over so many lines of code. */
const linesMax = 4;
const runWordsMin = 2;

/** The words of a text as they are compared, lower-cased. */
export function wordsOfText(text: Buffer, start: number, end: number): TextWord[] {
  const words: TextWord[] = [];
  let line = 0;
  for (let at = start; at < end;) {
    const byte = text[at] as number;
    if (!isWordByte(byte)) {
      if (byte === 0x0a) line += 1;
      at += 1;
      continue;
    }
    // What a backslash escapes is no letter of the word behind it.
    const isEscape = at > start && text[at - 1] === 0x5c && (byte === 0x6e || byte === 0x74);
    const from = isEscape ? at + 1 : at;
    while (at < end && isWordByte(text[at] as number)) at += 1;
    if (from < at)
      words.push({ word: text.toString("utf8", from, at).toLowerCase(), start: from, line });
  }
  return words;
}

/** A word and where it is; lines are counted from the first one of its stretch, from 0. */
export interface TextWord {
  readonly word: string;
  readonly start: number;
  readonly line: number;
}

interface Run {
  readonly first: TextWord;
  readonly from: number;
  readonly length: number;
}

/** Finds the lines of a stretch of text whose runs of words hold most of a query; `undefined` where there are none. */
export function bestWording(
  words: readonly TextWord[],
  asked: readonly AskedWord[],
  placesOf: ReadonlyMap<string, readonly number[]>,
): Wording | undefined {
  const runs = runsIn(words, asked, placesOf);
  let best: Wording | undefined;
  for (const [index, { first }] of runs.entries()) {
    const held = new Set<number>();
    let longest = runs[index] as Run;
    for (let at = index; at < runs.length; at += 1) {
      const run = runs[at] as Run;
      if (run.first.line - first.line >= linesMax) break;
      if (run.length > longest.length) longest = run;
      for (let word = run.from; word < run.from + run.length; word += 1) held.add(word);
    }
    let weight = 0;
    for (const word of held) weight += asked[word]?.weight ?? 0;
    const own = asked.slice(longest.from, longest.from + longest.length);
    const score = weight * (1 + longest.length / asked.length);
    if (score <= (best?.score ?? 0)) continue;
    best = {
      start: longest.first.start,
      weight,
      score,
      runWords: longest.length,
      runContentWords: own.filter(({ isContent }) => isContent).length,
    };
  }
  return best;
}

/** The runs of words that a text has in common with a query, each as long as it can be, in the order of the text. */
function runsIn(
  words: readonly TextWord[],
  asked: readonly AskedWord[],
  placesOf: ReadonlyMap<string, readonly number[]>,
): readonly Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at] as TextWord;
    for (const from of placesOf.get(first.word) ?? []) {
      // One that began before goes through here.
      if (from > 0 && at > 0 && words[at - 1]?.word === asked[from - 1]?.word) continue;
      let length = 1;
      while (
        words[at + length] !== undefined &&
        words[at + length]?.word === asked[from + length]?.word
      )
        length += 1;
      const isOneRareWord =
        length === 1 && asked[from]?.isContent === true && (asked[from]?.weight ?? 0) > 0;
      if (length >= runWordsMin || (isOneRareWord && runs.length > 0 && isNear(runs.at(-1), first)))
        runs.push({ first, from, length });
    }
  }
  return runs;
}

function isNear(run: Run | undefined, word: TextWord): boolean {
  return run !== undefined && word.line - run.first.line < 2;
}
