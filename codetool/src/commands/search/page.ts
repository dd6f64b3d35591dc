import { estimateTokens, fitBudget, settleCount } from "../../envelope/index.ts";
import type { WalkedFile } from "../../files/index.ts";
import {
  advance,
  FileReader,
  PresentedFile,
  spanKeyOf,
  type PrintedCapture,
  type PrintedMatch,
  type ShownSymbol,
  type SymbolReader,
} from "../../search/index.ts";
import { releaseTrees } from "../../syntax/index.ts";
import { contentHash, loadTokenCounter } from "../../text/index.ts";
import type { Answer, OpenSearched, SearchRequest } from "../query/index.ts";
import type { Position } from "./continuation.ts";
import type { MatchesPayload } from "./payload.ts";

/** With a budget, this many matches beyond `top_k` are tried in place of those that do not fit. */
const spareCount = 10;

/** Bytes parsed at most to find the symbols around matches: about a second. Matches in files beyond it have no context. */
const contextParsedBytesMax = 8 * 1024 * 1024;

/** What a page is made from. */
export interface PageOptions {
  readonly request: SearchRequest;
  /** The root of the tree, as the answer shows it; `null` where there are several. */
  readonly root: string | null;
  /** Writes the absolute path of a file as the answer shows it. */
  readonly shownPathOf: (absolutePath: string) => string;
  readonly answer: Answer;
  readonly symbols: SymbolReader;
  /** The definitions in a file that is unchanged since it was indexed. */
  readonly outlineOf: OpenSearched["outlineOf"];
  readonly from: Position;
}

/** One page of an answer. */
export class Page {
  readonly #of: PageOptions;
  readonly #reader = new FileReader();
  #unparsedCount = 0;

  /** Files whose matches have no context, because too much had been parsed already. */
  get unparsedCount(): number {
    return this.#unparsedCount;
  }

  constructor(options: PageOptions) {
    this.#of = options;
  }

  /**
   * Makes the payload.
   *
   * @param writeNext Makes the token that continues from a position.
   */
  async render(writeNext: (next: Position) => string): Promise<MatchesPayload> {
    const { topK, budgetTokens } = this.#of.request;
    const items = await this.#present(topK + (budgetTokens === undefined ? 0 : spareCount));
    const { places, matchCount, mode } = this.#of.answer;
    const draw = (
      kept: readonly Item[],
      budgetUsed: number,
      isTruncated: boolean,
    ): MatchesPayload => {
      const next = advance(
        this.#of.from,
        kept.map(({ index }) => index),
      );
      const hasMore = kept.length > 0 && next.offset < places.count;
      return {
        root: this.#of.root,
        matches: this.#of.request.isHashed ? hashedOnce(kept) : kept.map(({ match }) => match),
        total_matches: matchCount,
        returned: kept.length,
        budget_used: budgetUsed,
        truncated: isTruncated,
        continuation_token: hasMore ? writeNext(next) : null,
        mode,
      };
    };
    if (budgetTokens === undefined) {
      const used = settleCount((candidate) =>
        estimateTokens(JSON.stringify(draw(items, candidate, false))),
      );
      return draw(items, used, false);
    }
    const { data } = fitBudget({
      items,
      budgetTokens,
      countTokens: await loadTokenCounter(),
      render: draw,
      addedText: ({ match, hash }) =>
        `${JSON.stringify(this.#of.request.isHashed ? { ...match, hash } : match)},`,
      keptCountMax: topK,
    });
    return data;
  }

  /** The next places that were not returned yet, in their printed form. Files are opened once each. */
  async #present(countMax: number): Promise<Item[]> {
    const { offset } = this.#of.from;
    const returned = new Set(this.#of.from.returned);
    const places = await this.#of.answer.places.first(offset + returned.size + countMax);
    const wanted: number[] = [];
    for (let index = offset; index < places.length; index += 1) {
      if (wanted.length >= countMax) break;
      if (!returned.has(index)) wanted.push(index);
    }
    const items: Item[] = [];
    for (const [file, indices] of Map.groupBy(wanted, (index) => places[index]?.file)) {
      const lines = new Set(indices.map((index) => places[index]?.line1 ?? 0));
      const presented = file === undefined ? undefined : await this.#open(file, lines);
      if (presented === undefined) continue;
      for (const index of indices) {
        const place = places[index];
        if (place === undefined) continue;
        const captures = place.span && presented.captures?.get(spanKeyOf(place.span));
        const shown = captures === undefined ? place : { ...place, captures };
        const match = presented.file.present(shown, this.#of.request.context);
        items.push({ index, match, hash: presented.hash });
      }
    }
    return items.sort((a, b) => a.index - b.index);
  }

  async #open(file: WalkedFile, lines: ReadonlySet<number>): Promise<OpenedFile | undefined> {
    const text = this.#reader.readText(file);
    if (text === undefined) return undefined;
    const { raw } = this.#reader;
    const hash = this.#of.request.isHashed ? await contentHash(raw) : "";
    const stored = await this.#of.outlineOf(file.absolutePath, raw);
    const symbols = stored ?? this.#parse(file, text);
    const captures = this.#of.answer.capturesIn?.(file, text, lines);
    await releaseTrees();
    const path = this.#of.shownPathOf(file.absolutePath);
    return { file: new PresentedFile({ text, displayPath: path, symbols }), hash, captures };
  }

  #parse(file: WalkedFile, text: Buffer): readonly ShownSymbol[] {
    const isParsed =
      this.#of.symbols.has(file) ||
      this.#of.symbols.parsedBytes + text.length <= contextParsedBytesMax;
    if (!isParsed) this.#unparsedCount += 1;
    return isParsed ? this.#of.symbols.symbolsOf(file, text) : [];
  }
}

interface OpenedFile {
  readonly file: PresentedFile;
  /** Empty where no hashes are asked for. */
  readonly hash: string;
  /** Of a search by structure, by `spanKeyOf`. */
  readonly captures: ReadonlyMap<string, readonly PrintedCapture[]> | undefined;
}

interface Item {
  readonly index: number;
  readonly match: PrintedMatch;
  /** Of its file; empty where no hashes are asked for. */
  readonly hash: string;
}

/** The matches, the first of each file with its hash. */
function hashedOnce(items: readonly Item[]): PrintedMatch[] {
  const seen = new Set<string>();
  return items.map(({ match, hash }) => {
    if (seen.has(match.file)) return match;
    seen.add(match.file);
    return { ...match, hash };
  });
}
