import { errors, estimateTokens, fitBudget, settleCount } from "../../envelope/index.ts";
import { walkFiles, type WalkedFile } from "../../files/index.ts";
import {
  advance,
  digestOf,
  digestOfFiles,
  FileReader,
  hasMatch,
  PresentedFile,
  type PrintedCapture,
  type PrintedMatch,
  readQuery,
  readToken,
  type ShownSymbol,
  SymbolReader,
  writeToken,
} from "../../search/index.ts";
import { releaseTrees } from "../../syntax/index.ts";
import { contentHash } from "../../text/index.ts";
import type { CommandContext, CommandInput, CommandResult } from "../command.ts";
import { remarksOnFile } from "../open-file.ts";
import { displayPath, resolveTarget, type Target } from "../paths.ts";
import {
  type Answer,
  answerQuery,
  existsByStructure,
  type FilesHolding,
  narrowerFor,
  type OpenSearched,
  openSearched,
  projectWordsAt,
  readSearchRequest,
  scannerOf,
  type SearchRequest,
  type Surroundings,
  withinCost,
} from "../query/index.ts";
import { leavingDamageAside } from "../open-index.ts";
import { readSettings } from "../settings.ts";
import { loadTokenCounter } from "../token-counting.ts";

/** With a budget, so many matches beyond `top_k` are tried in place of those that do not fit. */
const spareCount = 10;

/** Bytes parsed at most to tell what matches stand in: a second's worth. Files beyond it have matches without context. */
const contextBytesMax = 8 * 1024 * 1024;

/** Makes the payload of `search`. */
export async function searchPayload(
  input: CommandInput,
  context: CommandContext,
): Promise<CommandResult> {
  return await leavingDamageAside(context, async (own) => await answerSearch(input, own));
}

async function answerSearch(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const request = readSearchRequest(input);
  const target = resolveTarget(request.path, context);
  const settings = readSettings(context.environment);
  const warnings = [...remarksOnFile(target, request.path, context)];
  using opened = await openSearched(target, context);
  const listed = opened?.isWhole === true ? opened : undefined;
  let walked: readonly WalkedFile[] | undefined;
  const walk = (): readonly WalkedFile[] => {
    // What the index knows to be there is what a walk would find.
    if (listed !== undefined) return listed.files();
    if (walked !== undefined) return walked;
    const found = walkFiles({
      root: target.absolutePath,
      environment: context.environment,
      sizeBytesMax: settings.fileSizeBytesMax,
    });
    warnings.push(...found.warnings);
    walked = found.files;
    return walked;
  };
  const narrow = listed?.narrow ?? narrowerFor(target, context);
  const filesHolding: FilesHolding = listed?.filesHolding ?? ((groups) => narrow(walk(), groups));
  if (request.isExistsOnly) {
    const found = await findAny(request, { walk, narrow, filesHolding, warnings });
    const { isFound, unreadableCount } = found;
    warnAboutUnreadable(unreadableCount, warnings);
    const data = { exists: isFound, confidence: "exact" };
    await requireBudget(data, request.budgetTokens);
    return { data, warnings };
  }
  const { chunkSizeCharacters } = settings;
  const symbols = new SymbolReader((file, sizeBytes) =>
    listed?.symbolsOf(file.absolutePath, sizeBytes),
  );
  const answer = await answerQuery(request, {
    walk,
    narrow,
    filesHolding,
    ...(opened === undefined ? {} : { searched: opened.searched, meaning: opened.meaning }),
    fileSizeBytesMax: settings.fileSizeBytesMax,
    projectWords: projectWordsAt(target),
    chunkSizeCharacters,
    symbols,
    warnings,
  });
  const isScan = answer.mode === "literal" || answer.mode === "structural";
  const isFromIndex = opened !== undefined && !isScan;
  if (isFromIndex) warnings.push(...opened.warnings);
  const question = digestOf([
    request.way ?? "auto",
    request.query,
    target.absolutePath,
    String(chunkSizeCharacters),
    // Fused ranks depend on how many matches an answer shows.
    ...(request.fusion === null ? [] : [`rrf ${request.fusion.alpha ?? ""} ${request.topK}`]),
  ]);
  const digest = listed !== undefined || walked === undefined ? opened?.digest() : undefined;
  const files = digestOf([digest ?? digestOfFiles(walked ?? walk()), answer.mode]);
  const from = readContinuation(request, { question, files, isFromIndex, target, warnings });
  const outlineOf = opened?.outlineOf ?? ((): undefined => undefined);
  const page = new Page({ request, target, answer, symbols, outlineOf, from });
  const data = await page.render((next) => writeToken({ question, files, isFromIndex, ...next }));
  warnAboutUnreadable(answer.unreadableCount, warnings);
  if (symbols.failure !== undefined) warnings.push(`No symbols are known: ${symbols.failure}`);
  if (page.unparsedCount > 0)
    warnings.push(
      `Matches in ${page.unparsedCount} files have no context: a large answer leaves it out`,
    );
  return { data, warnings };
}

/** Tells whether anything matches: by structure where that is asked for, else as text or pattern. */
async function findAny(
  request: SearchRequest,
  {
    walk,
    narrow,
    filesHolding,
    warnings,
  }: Pick<Surroundings, "walk" | "narrow" | "filesHolding" | "warnings">,
): Promise<{ readonly isFound: boolean; readonly unreadableCount: number }> {
  const way = request.way ?? readQuery(request.query).way;
  if (way === "structural") {
    const found = await existsByStructure(request.query, { files: walk(), narrow, warnings });
    if (found.isFound || request.way !== null) return found;
  }
  const asText = way === "structural" ? { ...request, way: "literal" as const } : request;
  const scanner = scannerOf(asText, warnings);
  const groups = scanner.required.map((text) => [text]);
  return withinCost(request.query, () => hasMatch(filesHolding(groups), scanner));
}

/** @throws budget_exceeded for a payload of which nothing can be left out. */
async function requireBudget(data: object, budget: number | undefined): Promise<void> {
  if (budget === undefined) return;
  const countTokens = await loadTokenCounter();
  const needed = countTokens(JSON.stringify(data));
  if (needed > budget) throw new errors.budget_exceeded({ budget, needed });
}

function warnAboutUnreadable(count: number, warnings: string[]): void {
  if (count > 0) warnings.push(`${count} ${count === 1 ? "file" : "files"} could not be read`);
}

interface Position {
  readonly offset: number;
  readonly returned: readonly number[];
}

function readContinuation(
  request: SearchRequest,
  now: {
    readonly question: string;
    readonly files: string;
    readonly isFromIndex: boolean;
    readonly target: Target;
    readonly warnings: string[];
  },
): Position {
  if (request.continuationToken === undefined) return { offset: 0, returned: [] };
  const token = readToken(request.continuationToken);
  const refuse = (reason: string): Error =>
    new errors.invalid_argument({
      argument: `continue ${request.continuationToken?.slice(0, 60)}`,
      reason,
    });
  if (token === undefined) throw refuse("wanted the continuation_token of an earlier answer");
  if (token.question !== now.question)
    throw refuse("it continues another search: wanted the same query, path and mode as before");
  if (token.isFromIndex && !now.isFromIndex)
    throw new errors.index_missing({
      path: now.target.absolutePath,
      reason: "the answer before came from one that is gone; ask again without `continue`",
    });
  if (token.files !== now.files)
    now.warnings.push(
      "Files have changed since the answer before, or an index was made or removed: matches may repeat or be missing",
    );
  return token;
}

/** One page of an answer. */
class Page {
  readonly #request: SearchRequest;
  readonly #target: Target;
  readonly #answer: Answer;
  readonly #symbols: SymbolReader;
  readonly #outlineOf: OpenSearched["outlineOf"];
  readonly #from: Position;
  readonly #reader = new FileReader();
  #unparsedCount = 0;

  /** Files whose matches have no context, because too much had been parsed already. */
  get unparsedCount(): number {
    return this.#unparsedCount;
  }

  constructor(options: {
    readonly request: SearchRequest;
    readonly target: Target;
    readonly answer: Answer;
    readonly symbols: SymbolReader;
    readonly outlineOf: OpenSearched["outlineOf"];
    readonly from: Position;
  }) {
    this.#request = options.request;
    this.#target = options.target;
    this.#answer = options.answer;
    this.#symbols = options.symbols;
    this.#outlineOf = options.outlineOf;
    this.#from = options.from;
  }

  async render(
    writeNext: (next: Position) => string,
  ): Promise<{ readonly [key: string]: unknown }> {
    const { topK, budgetTokens } = this.#request;
    const items = await this.#present(topK + (budgetTokens === undefined ? 0 : spareCount));
    const { places, matchCount, mode } = this.#answer;
    const draw = (
      kept: readonly Item[],
      budgetUsed: number,
      isTruncated: boolean,
    ): { readonly [key: string]: unknown } => {
      const next = advance(
        this.#from,
        kept.map(({ index }) => index),
      );
      const hasMore = kept.length > 0 && next.offset < places.count;
      return {
        matches: this.#request.isHashed ? hashedOnce(kept) : kept.map(({ match }) => match),
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
        `${JSON.stringify(this.#request.isHashed ? { ...match, hash } : match)},`,
      keptCountMax: topK,
    });
    return { ...data };
  }

  /** The next places that were not returned yet, in their printed form. Files are opened once each. */
  async #present(countMax: number): Promise<Item[]> {
    const { offset } = this.#from;
    const returned = new Set(this.#from.returned);
    const places = await this.#answer.places.first(offset + returned.size + countMax);
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
        const captures = presented.captures?.get(place.line1);
        const shown = captures === undefined ? place : { ...place, captures };
        const match = presented.file.present(shown, this.#request.context);
        items.push({ index, match, hash: presented.hash });
      }
    }
    return items.sort((a, b) => a.index - b.index);
  }

  async #open(file: WalkedFile, lines: ReadonlySet<number>): Promise<OpenedFile | undefined> {
    const text = this.#reader.readText(file);
    if (text === undefined) return undefined;
    const hash = await contentHash(text);
    const symbols = this.#outlineOf(file.absolutePath, hash) ?? this.#parse(file, text);
    const captures = this.#answer.capturesIn?.(file, text, lines);
    await releaseTrees();
    const path = displayPath(this.#target, file.absolutePath);
    return { file: new PresentedFile({ text, displayPath: path, symbols }), hash, captures };
  }

  #parse(file: WalkedFile, text: Buffer): readonly ShownSymbol[] {
    const isParsed =
      this.#symbols.has(file) || this.#symbols.parsedBytes + text.length <= contextBytesMax;
    if (!isParsed) this.#unparsedCount += 1;
    return isParsed ? this.#symbols.symbolsOf(file, text) : [];
  }
}

interface OpenedFile {
  readonly file: PresentedFile;
  readonly hash: string;
  /** Of a search by structure, by line. */
  readonly captures: ReadonlyMap<number, readonly PrintedCapture[]> | undefined;
}

interface Item {
  readonly index: number;
  readonly match: PrintedMatch;
  /** Of its file. */
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
