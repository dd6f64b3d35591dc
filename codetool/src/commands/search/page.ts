import { fitBudget, renderWithEstimate } from "../../envelope/index.ts";
import { readFileBytes, type WalkedFile } from "../../files/index.ts";
import {
  advance,
  FileReader,
  PresentedFile,
  spanKeyOf,
  type Place,
  type PrintedCapture,
  type PrintedMatch,
  standingPlaces,
  type SymbolReader,
  SymbolsByLine,
} from "../../search/index.ts";
import { releaseTrees } from "../../syntax/index.ts";
import { contentHash, loadTokenCounter, searchableText } from "../../text/index.ts";
import { type Answer, type OpenSearched, type SearchRequest, withinCost } from "../query/index.ts";
import type { Position } from "./continuation.ts";
import type { MatchesPayload } from "./payload.ts";

/** With a budget, this many matches beyond `top_k` are tried in place of those that do not fit. */
const spareCount = 10;

/** Bytes parsed at most to find the symbols around matches: about a second. Matches in files beyond it have no context. */
const contextParsedBytesMax = 8 * 1024 * 1024;

/** Bytes of shown files that are parsed at once. */
const aheadBytesMax = 1024 * 1024;

/** What a page is made from. */
export interface PageOptions {
  readonly request: SearchRequest;
  /** The root of the tree, as the answer shows it; `null` where there are several. */
  readonly root: string | null;
  /** Writes the absolute path of a file as the answer shows it. */
  readonly shownPathOf: (absolutePath: string) => string;
  readonly answer: Answer;
  readonly symbols: SymbolReader;
  /** Finds the definitions around lines of a file that is unchanged since it was indexed. */
  readonly aroundIn: OpenSearched["aroundIn"];
  readonly from: Position;
  /** A file that is larger by now is not read. */
  readonly fileSizeBytesMax: number;
}

/** One page of an answer. */
export class Page {
  readonly #of: PageOptions;
  #unparsedCount = 0;
  readonly #changedFiles = new Set<WalkedFile>();
  /** Numbers of the places that are no more where they were found. */
  readonly #gone: number[] = [];

  /** Files that changed between the search and this page: some of what was found in them is there no more. */
  get changedFiles(): ReadonlySet<WalkedFile> {
    return this.#changedFiles;
  }

  /** Places that are left out because of that. */
  get goneCount(): number {
    return this.#gone.length;
  }

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
      const next = advance(this.#of.from, [...kept.map(({ index }) => index), ...this.#gone]);
      const hasMore = kept.length > 0 && next.offset < places.count;
      return {
        root: this.#of.root,
        matches: this.#of.request.isHashed ? hashedOnce(kept) : kept.map(({ match }) => match),
        total_matches: matchCount - this.#gone.length,
        returned: kept.length,
        budget_used: budgetUsed,
        truncated: isTruncated,
        continuation_token: hasMore ? writeNext(next) : null,
        mode,
      };
    };
    if (budgetTokens === undefined) return renderWithEstimate((count) => draw(items, count, false));
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
    const byFile = Map.groupBy(wanted, (index) => places[index]?.file);
    this.#parseAhead(byFile.keys());
    for (const [file, indices] of byFile) {
      if (file === undefined) continue;
      const own = indices.map((index) => ({ index, ...(places[index] as Place) }));
      const presented = await this.#open(file, own);
      for (const place of own)
        if (presented?.places.has(place) === true)
          items.push({ index: place.index, ...this.#shown(place, presented) });
        else this.#gone.push(place.index);
      if (presented === undefined || presented.places.size < own.length)
        this.#changedFiles.add(file);
    }
    return items.sort((a, b) => a.index - b.index);
  }

  #shown(place: Place, { file, hash, captures }: OpenedFile): Omit<Item, "index"> {
    const meant = place.span && captures?.get(spanKeyOf(place.span));
    const shown = meant === undefined ? place : { ...place, captures: meant };
    return { match: file.present(shown, this.#of.request.context), hash };
  }

  /** Reads a file once: what is shown of it, and which of its places are in it, comes from this text. */
  async #open(file: WalkedFile, places: readonly Place[]): Promise<OpenedFile | undefined> {
    const { request, answer, aroundIn, shownPathOf, fileSizeBytesMax } = this.#of;
    const sizeBytesMax = Math.max(fileSizeBytesMax, file.sizeBytes);
    const content = readFileBytes(file.absolutePath, { sizeBytesMax });
    const raw = content.kind === "file" ? content.bytes : undefined;
    const text = raw && searchableText(raw);
    if (raw === undefined || text === undefined) return undefined;
    const hash = request.isHashed ? await contentHash(raw) : "";
    const captures = answer.capturesIn?.(file, text, new Set(places.map(({ line1 }) => line1)));
    const found = await withinCost(request.query, () => standingPlaces({ text, raw }, places));
    const isCaptured = ({ span }: Place): boolean =>
      span === undefined || captures?.has(spanKeyOf(span)) !== false;
    const stored = await aroundIn(file.absolutePath, raw);
    await this.#of.symbols.parsedAhead(file);
    const around = stored ?? this.#parse(file, text);
    await releaseTrees();
    const displayPath = shownPathOf(file.absolutePath);
    return {
      file: new PresentedFile({ text, displayPath, around }),
      hash,
      captures,
      places: new Set([...found].filter(isCaptured)),
    };
  }

  /** Begins to parse the files that are shown, as many as will be parsed whatever they have become. */
  #parseAhead(files: Iterable<WalkedFile | undefined>): void {
    const { symbols } = this.#of;
    if (!symbols.isParsingAhead) return;
    const reader = new FileReader();
    let restBytes = aheadBytesMax;
    for (const file of files) {
      if (file === undefined || file.sizeBytes > restBytes) continue;
      restBytes -= file.sizeBytes;
      const text = reader.readText(file);
      if (text !== undefined) symbols.parseAhead(file, text);
    }
  }

  #parse(file: WalkedFile, text: Buffer): OpenedAround {
    const isParsed =
      this.#of.symbols.hasOf(file, text) ||
      this.#of.symbols.parsedBytes + text.length <= contextParsedBytesMax;
    if (!isParsed) this.#unparsedCount += 1;
    if (!isParsed) return () => [];
    const byLine = new SymbolsByLine(this.#of.symbols.exactSymbolsOf(file, text));
    return (line1) => byLine.around(line1);
  }
}

type OpenedAround = ConstructorParameters<typeof PresentedFile>[0]["around"];

interface OpenedFile {
  readonly file: PresentedFile;
  /** Empty where no hashes are asked for. */
  readonly hash: string;
  /** Of a search by structure, by `spanKeyOf`. */
  readonly captures: ReadonlyMap<string, readonly PrintedCapture[]> | undefined;
  /** Those that its text still has. */
  readonly places: ReadonlySet<Place>;
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
