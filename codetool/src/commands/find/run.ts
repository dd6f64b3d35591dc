import { fitBudget, renderWithEstimate } from "../../envelope/index.ts";
import { PassingTexts } from "../../files/index.ts";
import type { ChangedTest } from "./changed-since.ts";
import type { CommandContext, CommandResult, UnixOutput } from "../command.ts";
import {
  buildFileTree,
  type ClosedFolder,
  leafOf,
  type TreeEntry,
  type TreeLeaf,
} from "./file-tree.ts";
import { listClosedFolders, type ListedFile, listFileNames, listFiles } from "./list-files.ts";
import { inspectFile, inspectKnown, loadSymbolCounter } from "./inspect-file.ts";
import { remarksOnFile } from "../open-file.ts";
import { leavingDamageAside } from "../open-index.ts";
import { displayPath, displayRoot, resolveTarget, type Target } from "../paths.ts";
import { readGlobArgument } from "../glob-argument.ts";
import type { FindInput } from "./input.ts";
import { nearestName } from "../nearest-name.ts";
import type { FindPayload, FoundFile, FoundFiles, ListedEntry, PlainView } from "./payload.ts";
import { type FindRequest, readFindRequest } from "./request.ts";
import type { RelatedFile } from "./related-files.ts";
import { compareBytes, loadTokenCounter } from "../../text/index.ts";
import { remarkOnSize } from "../large-answer.ts";
import { readSettings } from "../settings.ts";

/**
 * Runs `find`.
 *
 * @throws file_not_found, permission_denied; invalid_argument for what is not a pattern; git_error.
 */
export async function runFind(
  input: FindInput,
  context: CommandContext,
): Promise<CommandResult<FindPayload>> {
  return await leavingDamageAside(context, async (own) => await findBelow(input, own));
}

async function findBelow(
  given: FindInput,
  context: CommandContext,
): Promise<CommandResult<FindPayload>> {
  const glob = readGlobArgument(given.path ?? ".", context);
  const input =
    glob === undefined
      ? given
      : { ...given, path: glob.folder, pattern: [glob.pattern, ...(given.pattern ?? [])] };
  const target = resolveTarget(input.path ?? ".", context);
  const request = readFindRequest(input);
  const { depthMax, isMatch, budgetTokens } = request;
  const remarks: string[] = [];
  // Refuses a file that may not be read; a binary one is listed.
  remarksOnFile(target, request.path, context);
  const settings = readSettings(context.environment);
  // A file that the caller names may be larger than the files of walks.
  const fileSizeBytesMax = target.isDirectory ? settings.fileSizeBytesMax : Infinity;
  const frame = frameOf(target, request, context);
  if (context.isPlain === true && isListing(request, input) && target.isDirectory) {
    const names = listFileNames(target, context, { depthMax, isMatch });
    const named = names.paths.map((path) => ({ ...unlooked, path: `${frame.folder}${path}` }));
    const warnings = [...names.warnings, ...remarks];
    return { data: plainView(request, named, frame), warnings, unixOutput: listed(named) };
  }
  const { hasSymbols } = request;
  const listing = await listFiles(target, context, { fileSizeBytesMax, hasSymbols, depthMax });
  const isChanged = await changedTest(request, target, context);
  const wanted = listing.files.filter(
    (file) => isMatch(file.relativePath) && isChanged?.(file) !== false,
  );
  const related =
    request.query === undefined
      ? wanted.map((file) => ({ file, relevance: null }))
      : await relatedTo(request.query, wanted, { target, context, warnings: remarks });
  const countSymbols = hasSymbols ? await loadSymbolCounter(remarks) : undefined;
  const texts = new PassingTexts();
  const files: FoundFile[] = [];
  for (const { file, relevance } of related) {
    const path = target.isDirectory ? `${frame.folder}${file.relativePath}` : frame.folder;
    const told =
      inspectKnown(file) ?? (await inspectFile(file, { fileSizeBytesMax, countSymbols, texts }));
    if (told === undefined) continue;
    const { lines, symbols, language, unsearched } = told;
    const mark = unsearched === undefined ? {} : { unsearched };
    const found = { path, lines, symbols, language, relevance, ...mark };
    const modified = Math.floor(file.modifiedMs / 1000);
    files.push(isChanged === undefined ? found : { ...found, modified });
  }
  if (wanted.length === 0 && isChanged === undefined) {
    const names = listing.files.map(({ relativePath }) => `${frame.folder}${relativePath}`);
    remarks.push(...remarksOnNothing(input.pattern ?? [], names));
  }
  const warnings = [...listing.warnings, ...remarks];
  const below = { ...frame, folder: target.isDirectory ? frame.folder : "" };
  // No program finds files by what they are about.
  const unix = request.query === undefined ? { unixOutput: listed(files) } : {};
  if (context.isPlain === true && budgetTokens === undefined)
    return { data: plainView(request, files, below), warnings, ...unix };
  const data = await payloadOf(request, files, below);
  return { data, warnings: [...warnings, ...remarksOnSize(request, data)], ...unix };
}

/** What `find` prints, and `wc -l` where lines were counted: the number and a blank before each path. */
function listed(files: readonly ListedEntry[]): UnixOutput {
  let sizeBytes = 0;
  for (const { path, lines } of files)
    sizeBytes += path.length + 1 + (lines === null ? 0 : String(lines).length + 1);
  return { way: "find", sizeBytes };
}

function remarksOnSize(request: FindRequest, { stats }: FoundFiles): string[] {
  const { budgetTokens, depthMax, hasTree, hasList, query } = request;
  if (budgetTokens !== undefined) return [];
  return remarkOnSize(stats.budget_used, [
    ...(hasTree && hasList ? ["--flat or --tree for one of the two"] : []),
    ...(depthMax === undefined && query === undefined ? ["--depth 2 for the upper folders"] : []),
    "a folder or a glob for a part",
    "--budget 2000 for what fits",
  ]);
}

/** The remark on an answer without files: the name that was probably meant. */
function remarksOnNothing(patterns: readonly string[], names: readonly string[]): string[] {
  const [pattern] = patterns.filter((each) => !each.startsWith("!"));
  if (pattern === undefined || names.length === 0) return [];
  const nearest = nearestName(
    pattern.slice(pattern.lastIndexOf("/") + 1).replaceAll("*", ""),
    names.map((name) => name.slice(name.lastIndexOf("/") + 1)),
  );
  const path = names.find((name) => name === nearest || name.endsWith(`/${nearest}`));
  return path === undefined ? [] : [`No file matches "${pattern}"; the nearest is "${path}"`];
}

/** True where an answer depends only on which files there are. */
function isListing({ query }: FindRequest, input: FindInput): boolean {
  return query === undefined && !needsContent.some((flag) => flag in input);
}

/** Flags whose answers depend on more than the names of files. */
const needsContent = ["outline", "changed_since", "budget"];

/** The folder as its files' paths begin, or the path of a file, and the folders that are named and not entered. */
function frameOf(target: Target, request: FindRequest, context: CommandContext): TreeFrame {
  const { depthMax, isMatch, hasTree, changedSince, query } = request;
  const shown = displayPath(target, target.absolutePath);
  const folder = target.isDirectory ? prefixOf(shown) : shown;
  // Names do not decide which files are wanted.
  const isChosen = changedSince !== undefined || query !== undefined;
  const closed =
    depthMax === undefined || !hasTree || !target.isDirectory || isChosen
      ? []
      : listClosedFolders(target, context, { depthMax, isMatch });
  return {
    root: displayRoot(target),
    folder,
    closed: closed.map((path) => ({ path: `${folder}${path}` })),
  };
}

/** How the paths of files in a folder begin; empty for the working directory. */
function prefixOf(shown: string): string {
  if (shown === ".") return "";
  return shown.endsWith("/") ? shown : `${shown}/`;
}

/** The row of a file of which only the name is known. */
const unlooked: TreeLeaf = { lines: null, symbols: null, language: null };

function plainView(
  { hasList }: FindRequest,
  files: readonly ListedEntry[],
  { folder, closed }: TreeFrame,
): PlainView {
  return hasList
    ? { tree: null, flat: files }
    : { tree: buildFileTree(inOrder(files, closed), folder), flat: null };
}

/** What a tree has except files. */
interface TreeFrame {
  /** Of the payload. */
  readonly root: string;
  /** The folder that was listed, as its files' paths begin. */
  readonly folder: string;
  /** Folders that were not entered; their paths begin so too. */
  readonly closed: readonly ClosedFolder[];
}

/** Files keep their order when there are no folders to put between them. */
function inOrder<File extends TreeEntry>(
  files: readonly File[],
  closed: readonly ClosedFolder[],
): readonly (File | ClosedFolder)[] {
  if (closed.length === 0) return files;
  return [...files, ...closed].toSorted((left, right) => compareBytes(left.path, right.path));
}

async function relatedTo(
  query: string,
  files: readonly ListedFile[],
  at: {
    readonly target: Target;
    readonly context: CommandContext;
    readonly warnings: string[];
  },
): Promise<RelatedFile<ListedFile>[]> {
  const related = await import("./related-files.ts");
  return await related.relatedFiles(query, files, at);
}

async function changedTest(
  { changedSince }: FindRequest,
  target: Target,
  context: CommandContext,
): Promise<ChangedTest | undefined> {
  if (changedSince === undefined) return undefined;
  const { makeChangedTest } = await import("./changed-since.ts");
  return await makeChangedTest(changedSince, target, context);
}

async function payloadOf(
  { hasTree, hasList, budgetTokens }: FindRequest,
  files: readonly FoundFile[],
  { root, folder, closed }: TreeFrame,
): Promise<FoundFiles> {
  const items = inOrder(files, closed);
  const render = (
    kept: readonly (FoundFile | ClosedFolder)[],
    budgetUsed: number,
    isTruncated: boolean,
  ): FoundFiles => {
    const keptFiles = kept.filter(isFile);
    return {
      root,
      tree: hasTree ? buildFileTree(kept, folder) : null,
      flat: hasList ? keptFiles : null,
      stats: { total_files: files.length, returned: keptFiles.length, budget_used: budgetUsed },
      ...(isTruncated ? { truncated: true as const } : {}),
    };
  };
  if (budgetTokens === undefined) {
    const drawn = render(items, 0, false);
    return renderWithEstimate((count) => ({
      ...drawn,
      stats: { ...drawn.stats, budget_used: count },
    }));
  }
  const openFolders = new Set<string>();
  const fit = fitBudget({
    items,
    budgetTokens,
    countTokens: await loadTokenCounter(),
    render,
    addedText: (file) => {
      const inTree = hasTree ? treeText(file, openFolders) : "";
      return hasList && isFile(file) ? `${JSON.stringify(file)},${inTree}` : inTree;
    },
    onKept: (file) => {
      for (const above of foldersOf(file.path)) openFolders.add(above);
    },
  });
  return fit.data;
}

/** What a file adds to the tree: itself, and the folders that no file before it has opened. */
function treeText(file: FoundFile | ClosedFolder, openFolders: ReadonlySet<string>): string {
  const { path } = file;
  const opened = foldersOf(path)
    .filter((folder) => !openFolders.has(folder))
    .map((folder) => `${JSON.stringify(`${folder.slice(folder.lastIndexOf("/") + 1)}/`)}:{},`);
  if (!isFile(file)) return opened.join("");
  const leaf = leafOf(file);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `${opened.join("")}${JSON.stringify(name)}:${JSON.stringify(leaf)},`;
}

function isFile(entry: FoundFile | ClosedFolder): entry is FoundFile {
  return "lines" in entry;
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
    folders.push(path.slice(0, slash));
  return folders;
}
