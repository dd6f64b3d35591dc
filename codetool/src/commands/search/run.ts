import { digestOf, SymbolReader, writeToken } from "../../search/index.ts";
import type { WalkedFile } from "../../files/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { remarksOnLeftOut } from "../left-out.ts";
import { isWithin } from "../locate.ts";
import { remarksOnFile } from "../open-file.ts";
import { answeringAhead, leavingDamageAside } from "../open-index.ts";
import { displayCommonRoot, displayPath } from "../paths.ts";
import {
  answerQuery,
  openSearched,
  projectWordsAt,
  readSearchRequest,
  resolvePlace,
  type SearchPlace,
  type SearchRequest,
} from "../query/index.ts";
import { readSettings } from "../settings.ts";
import { type Asked, questionOf, readContinuation } from "./continuation.ts";
import { answerExists } from "./exists.ts";
import type { SearchInput } from "./input.ts";
import { Page } from "./page.ts";
import type { SearchPayload } from "./payload.ts";
import { remarksOnUnreadable } from "./remarks-on-unreadable.ts";
import { searchedTree } from "./searched-tree.ts";

/** Runs `search`. */
export async function runSearch(
  input: SearchInput,
  context: CommandContext,
): Promise<CommandResult<SearchPayload>> {
  const request = readSearchRequest(input);
  return await leavingDamageAside(
    context,
    async (careful) =>
      await answeringAhead(careful, async (own) => await searchUntilShown(request, own)),
  );
}

async function searchUntilShown(
  request: SearchRequest,
  context: CommandContext,
): Promise<CommandResult<SearchPayload>> {
  for (let count = 1; ; count += 1) {
    const isLast = count === searchCountMax;
    const result = await answerSearch(request, context, { isLast });
    if (result !== undefined) return result;
  }
}

/** How often a search runs whose files change before they are shown. */
const searchCountMax = 3;

/**
 * Searches, and shows a page of what was found.
 *
 * @param options.isLast What is found no more is left out, and the answer says so.
 * @returns `undefined` where some of it was found no more when it was to be shown, and this is not the last try.
 */
async function answerSearch(
  request: SearchRequest,
  context: CommandContext,
  { isLast }: { readonly isLast: boolean },
): Promise<CommandResult<SearchPayload> | undefined> {
  const place = resolvePlace(request, context);
  const { around: target, targets } = place;
  const { chunkSizeCharacters, fileSizeBytesMax } = readSettings(context.environment);
  const warnings = targets.flatMap((each, index) =>
    remarksOnFile(each, request.paths[index] ?? "", context),
  );
  using opened = await openSearched(place, context);
  const tree = searchedTree(place, { opened, context, warnings });
  /** What was not searched: binary files only where nothing was found, because nobody looks for text in them else. */
  const remarksOnTree = (isAnyFound: boolean, withoutText?: readonly WalkedFile[]): string[] => {
    const { large, findBinary } = tree.leftOut();
    const shownPathOf = shownBy(place);
    const shown = ({ absolutePath }: WalkedFile): string => shownPathOf(absolutePath);
    // Of thousands few are shown.
    const left = { large, binary: isAnyFound ? [] : findBinary(withoutText) };
    return remarksOnLeftOut(left, fileSizeBytesMax, shown);
  };
  if (request.isExistsOnly)
    return await answerExists(request, { files: tree.files, warnings, remarksOnTree });
  const symbols = new SymbolReader(
    opened && ((file, size) => tree.symbolsOf(file.absolutePath, size)),
  );
  const answer = await answerQuery(request, {
    files: tree.files,
    ...(opened === undefined ? {} : { index: opened }),
    sizes: { chunkSizeCharacters, fileSizeBytesMax },
    projectWords: projectWordsAt(target),
    symbols,
    warnings,
  });
  const isFromIndex = opened !== undefined && !isScan.has(answer.mode);
  if (isFromIndex) warnings.push(...opened.warnings);
  const question = questionOf(request, place, chunkSizeCharacters);
  let digest: string | undefined;
  const filesDigest = (): string => (digest ??= digestOf([tree.digest(), answer.mode]));
  const { contents } = tree;
  const asked: Asked = { question, filesDigest, contents, isFromIndex };
  const from = readContinuation(request, { ...asked, target, warnings });
  const aroundIn = opened?.aroundIn ?? (async (): Promise<undefined> => undefined);
  const root = displayCommonRoot(targets);
  const shownPathOf = shownBy(place);
  const page = new Page({
    request,
    root,
    shownPathOf,
    answer,
    symbols,
    aroundIn,
    from,
    fileSizeBytesMax,
  });
  const data = await page.render((next) =>
    writeToken({ question, files: filesDigest(), ...contents(), isFromIndex, ...next }),
  );
  if (page.goneCount > 0 && !isLast) return undefined;
  warnings.push(...remarksOnUnreadable(answer.unreadableCount), ...remarksOn(symbols, page));
  warnings.push(...remarksOnTree(answer.matchCount > 0, answer.filesWithoutText));
  const { grepBytes } = answer;
  if (grepBytes === undefined) return { data, warnings };
  // With the first page grep has printed all of them.
  const sizeBytes = request.continuationToken === undefined ? grepBytes : 0;
  return { data, warnings, unixOutput: { way: "grep_rn", sizeBytes } };
}

/** Shows each file as the path does that it was found by. */
function shownBy({ targets, around }: SearchPlace): (absolutePath: string) => string {
  return (path) =>
    displayPath(targets.find(({ absolutePath }) => isWithin(path, absolutePath)) ?? around, path);
}

function remarksOnChanged({ goneCount, changedFiles }: Page): string[] {
  if (goneCount === 0) return [];
  const [files, were] =
    changedFiles.size === 1 ? ["1 file", "it was"] : [`${changedFiles.size} files`, "they were"];
  const matches = goneCount === 1 ? "1 match" : `${goneCount} matches`;
  return [
    `${files} kept changing while ${were} searched: ${matches} found in them before are left out`,
  ];
}

/** The modes that read files rather than an index. */
const isScan: ReadonlySet<string> = new Set(["literal", "structural"]);

function remarksOn({ failure }: SymbolReader, page: Page): string[] {
  const { unparsedCount } = page;
  return [
    ...remarksOnChanged(page),
    ...(failure === undefined ? [] : [`No symbols are known: ${failure}`]),
    ...(unparsedCount > 0
      ? [`Matches in ${unparsedCount} files have no context: a large answer leaves it out`]
      : []),
  ];
}
