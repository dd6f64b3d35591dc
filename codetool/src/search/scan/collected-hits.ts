import type { WalkedFile } from "../../files/index.ts";
import { compareBytes } from "../../text/index.ts";
import type { LineHit, LineJudgement } from "./line-judgement.ts";

/** A ranked hit. */
export interface RankedHit extends LineHit {
  readonly file: WalkedFile;
  /** 0 to 1. */
  readonly relevance: number;
  /** The line defines what matched. */
  readonly isDefinition: boolean;
  /** The line says what matched is there, like a prototype. */
  readonly isDeclaration: boolean;
}

/** Tells whether a line defines a name. `readText` gives the file's text, valid until the next call. */
export type DefinitionTest = (
  file: WalkedFile,
  place: { readonly name: string; readonly line1: number },
  readText: () => Buffer | undefined,
) => boolean;

interface FoundHit extends LineHit {
  score: number;
  isDefinition: boolean;
  readonly isDeclaration: boolean;
}

interface FileHits {
  readonly file: WalkedFile;
  readonly factor: number;
  readonly mayDefine: boolean;
  readonly hits: FoundHit[];
}

/** A hit that may be a definition or a use: its line does not show which. */
interface PossibleDefinition {
  readonly file: WalkedFile;
  readonly hit: FoundHit;
  readonly name: string;
  /** False for what looks no different from a call. */
  readonly isLikely: boolean;
  readonly scoreIfDefinition: number;
}

/** Collects the hits of a scan, file by file, and ranks them when it has ended. */
export class HitRanking {
  readonly #files: FileHits[] = [];
  readonly #possible: PossibleDefinition[] = [];
  #isDefinitionKnown = false;

  /**
   * Begins the hits of a file.
   *
   * @param options.factor How much the file counts, 0 to 1.
   * @param options.mayDefine False for prose, whose examples define nothing.
   */
  beginFile(
    file: WalkedFile,
    options: { readonly factor: number; readonly mayDefine: boolean },
  ): void {
    this.#files.push({ file, ...options, hits: [] });
  }

  /** Adds a hit in the file begun last. */
  add(hit: LineHit, judgement: LineJudgement): void {
    const current = this.#files.at(-1);
    if (current === undefined) return;
    const { file, factor, mayDefine, hits } = current;
    const definition = mayDefine ? judgement.definition : "no";
    const isDefinition = definition === "yes";
    const { isDeclaration } = judgement;
    const score = factor * scoreOf(judgement, isDefinition);
    const { line1, endLine1 = line1, lineStart, matchStart, matchEnd } = hit;
    const place = { line1, endLine1, lineStart, matchStart, matchEnd };
    const found = { ...place, score, isDefinition, isDeclaration };
    hits.push(found);
    this.#isDefinitionKnown ||= isDefinition;
    if (isDefinition || definition === "no") return;
    const scoreIfDefinition = factor * scoreOf(judgement, true);
    const isLikely = definition === "likely";
    this.#possible.push({ file, hit: found, name: judgement.name, isLikely, scoreIfDefinition });
  }

  /** Asks for the definitions among the hits and gives all in their order, best first. */
  finish(
    readText: (file: WalkedFile) => Buffer | undefined,
    isDefinition: DefinitionTest,
  ): RankedHit[] {
    this.#findDefinitions(readText, isDefinition);
    this.#promoteDefinitions();
    return rankHits(this.#files);
  }

  /**
   * Asks which of the possible definitions are some. Parsing takes time and has a bound, so those that would rank
   * highest are asked first, among equals those of small files, and what looks like a call only where nothing else is
   * defined.
   */
  #findDefinitions(
    readText: (file: WalkedFile) => Buffer | undefined,
    isDefinition: DefinitionTest,
  ): void {
    const ordered = this.#possible.toSorted(
      (a, b) =>
        Number(b.isLikely) - Number(a.isLikely) ||
        b.scoreIfDefinition - a.scoreIfDefinition ||
        a.file.sizeBytes - b.file.sizeBytes,
    );
    for (const { file, hit, name, isLikely, scoreIfDefinition } of ordered) {
      if (!isLikely && this.#isDefinitionKnown) return;
      if (!isDefinition(file, { name, line1: hit.line1 }, () => readText(file))) continue;
      this.#isDefinitionKnown = true;
      hit.isDefinition = true;
      hit.score = scoreIfDefinition;
    }
  }

  /** Where the only definitions are in tests, copies or built files, they still come before what merely mentions them. */
  #promoteDefinitions(): void {
    let best = 0;
    let bestDefinition = 0;
    for (const { hits } of this.#files)
      for (const { score, isDefinition } of hits) {
        best = Math.max(best, score);
        if (isDefinition) bestDefinition = Math.max(bestDefinition, score);
      }
    if (bestDefinition === 0 || bestDefinition === best) return;
    const gain = Math.min(1, best * 1.01) / bestDefinition;
    for (const { hits } of this.#files)
      for (const hit of hits) if (hit.isDefinition) hit.score *= gain;
  }
}

function scoreOf(judgement: LineJudgement, isDefinition: boolean): number {
  let score = 0.5;
  if (judgement.isLiteral) score += 0.1;
  if (judgement.isWord) score += 0.15;
  if (isDefinition) score += 0.25;
  else if (judgement.isDeclaration) score += 0.1;
  else if (judgement.isImport) score -= 0.1;
  else if (judgement.isComment) score -= 0.05;
  return score;
}

/** One hit of each file first, so that the first page shows where else to look; ties by path and line. */
function rankHits(files: readonly FileHits[]): RankedHit[] {
  const byFile = files
    .map(({ file, hits }) => ({
      file,
      hits,
      best: hits.reduce((best, hit) => (hit.score > best.score ? hit : best)),
    }))
    .sort(
      (a, b) =>
        b.best.score - a.best.score || compareBytes(a.file.relativePath, b.file.relativePath),
    );
  const first = byFile.map(({ file, best }) => rank(file, best, best.score));
  const lowest = first.at(-1)?.relevance ?? 1;
  const others = byFile
    .flatMap(({ file, hits, best }) =>
      hits.filter((hit) => hit !== best).map((hit) => ({ file, hit })),
    )
    .sort(
      (a, b) =>
        b.hit.score - a.hit.score ||
        compareBytes(a.file.relativePath, b.file.relativePath) ||
        a.hit.line1 - b.hit.line1,
    )
    .map(({ file, hit }) => rank(file, hit, hit.score * lowest));
  return [...first, ...others];
}

function rank(file: WalkedFile, hit: FoundHit, relevance: number): RankedHit {
  return { ...hit, file, relevance };
}
