import type { WalkedFile } from "../../files/index.ts";
import type { LineJudgement, PlaceInLine } from "./line-judgement.ts";
import { LineNumbers } from "./line-numbers.ts";
import { lineOf, RankedHits, type ScoredFile, type ScoredHit } from "./ranked-hits.ts";

/** Tells whether a line defines a name. `readText` gives the file's text, valid until the next call. */
export type DefinitionTest = (
  file: WalkedFile,
  place: { readonly name: string; readonly line1: number },
  readText: () => Buffer | undefined,
) => boolean;

/** A hit; its line where that is known already, else it is counted when it is asked for. */
export interface FoundHit extends PlaceInLine {
  readonly line1?: number;
  /** The last line of a match that has several. */
  readonly endLine1?: number;
}

interface FileHits extends ScoredFile {
  readonly factor: number;
  readonly mayDefine: boolean;
  readonly hits: ScoredHit[];
}

/** A hit that may be a definition or a use: its line does not show which. */
interface PossibleDefinition {
  readonly file: WalkedFile;
  readonly hit: ScoredHit;
  readonly name: string;
  readonly scoreIfDefinition: number;
}

/** Collects the hits of a scan, file by file, and ranks them when it has ended. */
export class HitRanking {
  readonly #files: FileHits[] = [];
  readonly #likely: PossibleDefinition[] = [];
  /** What looks no different from a call. */
  readonly #callLike: PossibleDefinition[] = [];
  readonly #numbers = new LineNumbers();
  #isDefinitionKnown = false;

  /**
   * Begins the hits of a file, if there are any: one at least is added.
   *
   * @param file Behind those before it in the byte order of paths.
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
  add(hit: FoundHit, judgement: LineJudgement): void {
    const current = this.#files.at(-1);
    if (current === undefined) return;
    const { file, factor, mayDefine, hits } = current;
    const definition = mayDefine ? judgement.definition : "no";
    const isDefinition = definition === "yes";
    const { isDeclaration } = judgement;
    const score = factor * scoreOf(judgement, isDefinition);
    const { line1, endLine1, lineStart, matchStart, matchEnd } = hit;
    // One object: copies of twenty thousand take milliseconds.
    const found: ScoredHit = {
      line1,
      endLine1,
      lineStart,
      matchStart,
      matchEnd,
      score,
      isDefinition,
      isDeclaration,
    };
    hits.push(found);
    this.#isDefinitionKnown ||= isDefinition;
    if (isDefinition || definition === "no") return;
    const scoreIfDefinition = factor * scoreOf(judgement, true);
    const possible = { file, hit: found, name: judgement.name, scoreIfDefinition };
    if (definition === "likely") this.#likely.push(possible);
    else if (!this.#isDefinitionKnown) this.#callLike.push(possible);
  }

  /** The files that `finish` asks about whatever it hears, in its order. */
  likelyFiles(): ReadonlySet<WalkedFile> {
    return new Set(inOrder(this.#likely).map(({ file }) => file));
  }

  /**
   * Asks which of the possible definitions are some, and puts the hits in their order. Parsing takes time and has a bound,
   * so those that would rank highest are asked first, and what looks like a call only where nothing else is defined.
   */
  finish(
    readText: (file: WalkedFile) => Buffer | undefined,
    isDefinition: DefinitionTest,
  ): RankedHits {
    for (const possible of inOrder(this.#likely)) this.#ask(possible, readText, isDefinition);
    if (!this.#isDefinitionKnown)
      for (const possible of inOrder(this.#callLike)) {
        this.#ask(possible, readText, isDefinition);
        if (this.#isDefinitionKnown) break;
      }
    this.#promoteDefinitions();
    return RankedHits.of(this.#files, this.#numbers);
  }

  /** Asks whether a possible definition is one. */
  #ask(
    { file, hit, name, scoreIfDefinition }: PossibleDefinition,
    readText: (file: WalkedFile) => Buffer | undefined,
    isDefinition: DefinitionTest,
  ): void {
    const numbers = this.#numbers;
    const place = {
      name,
      get line1() {
        return lineOf(file, hit, numbers);
      },
    };
    if (!isDefinition(file, place, () => readText(file))) return;
    this.#isDefinitionKnown = true;
    hit.isDefinition = true;
    hit.score = scoreIfDefinition;
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

/** Those that would rank highest first, among equals those of small files. */
function inOrder(possible: readonly PossibleDefinition[]): PossibleDefinition[] {
  return possible.toSorted(
    (a, b) => b.scoreIfDefinition - a.scoreIfDefinition || a.file.sizeBytes - b.file.sizeBytes,
  );
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
