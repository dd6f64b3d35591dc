import { errors, estimateTokens, fitBudget, settleCount } from "../../envelope/index.ts";
import { PassingTexts } from "../../files/index.ts";
import type { ChangedTest } from "./changed-since.ts";
import type { CommandContext, CommandInput, CommandResult } from "../command.ts";
import { compileFilePatterns } from "./file-pattern.ts";
import { buildFileTree, type ClosedFolder, type TreeEntry, type TreeLeaf } from "./file-tree.ts";
import { listClosedFolders, type ListedFile, listFileNames, listFiles } from "./list-files.ts";
import { inspectFile, type InspectedFile, loadSymbolCounter } from "./inspect-file.ts";
import { remarksOnFile } from "../open-file.ts";
import { leavingDamageAside } from "../open-index.ts";
import { displayPath, resolveTarget, type Target } from "../paths.ts";
import type { RelatedFile } from "./related-files.ts";
import { compareBytes, loadTokenCounter } from "../../text/index.ts";
import { readSettings } from "../settings.ts";

/** One file of the list. */
interface FoundFile extends InspectedFile {
  readonly path: string;
  /** 0 to 1; `null` without a query to be related to. */
  readonly relevance: number | null;
  /** Seconds since 1970, where it is asked what changed. */
  readonly modified?: number;
}

/**
 * Makes the payload of `find`.
 *
 * @throws file_not_found, permission_denied; invalid_argument for what is no pattern; git_error.
 */
export async function findFilesPayload(
  input: CommandInput,
  context: CommandContext,
): Promise<CommandResult> {
  return await leavingDamageAside(context, async (own) => await findBelow(input, own));
}

async function findBelow(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const argument = String(input["path"] ?? ".");
  const target = resolveTarget(argument, context);
  const query = queryOf(input);
  const patterns = (input["pattern"] ?? []) as readonly string[];
  const isMatch = patterns.length === 0 ? () => true : compileFilePatterns(patterns);
  const remarks = remarksOnFile(target, argument, context);
  const settings = readSettings(context.environment);
  // A file that is named may be larger than those of walks.
  const fileSizeBytesMax = target.isDirectory ? settings.fileSizeBytesMax : Infinity;
  const depthMax = typeof input["depth"] === "number" ? input["depth"] : undefined;
  const shown = displayPath(target, target.absolutePath);
  const folder = !target.isDirectory || shown === "" || shown.endsWith("/") ? shown : `${shown}/`;
  const closed =
    depthMax === undefined || !hasTreeOf(input) || !target.isDirectory || isChosen(input)
      ? []
      : listClosedFolders(target, context, { depthMax, isMatch }).map((path) => ({
          path: `${folder}${path}`,
        }));
  const isListingAlone =
    context.isPlain === true && query === undefined && !needsContent.some((flag) => flag in input);
  if (isListingAlone && target.isDirectory) {
    const names = listFileNames(target, context, { depthMax, fileSizeBytesMax, isMatch });
    const named = names.paths.map((path) => ({ ...unlooked, path: `${folder}${path}` }));
    return {
      data: plainView(input, named, { folder, closed }),
      warnings: [...names.warnings, ...remarks],
    };
  }
  const hasSymbols = input["outline"] === true;
  const listing = await listFiles(target, context, { fileSizeBytesMax, hasSymbols, depthMax });
  const isChanged = await changedTest(input, target, context);
  const wanted = listing.files.filter(
    (file) => isMatch(file.relativePath) && isChanged?.(file) !== false,
  );
  const related =
    query === undefined
      ? wanted.map((file) => ({ file, relevance: null }))
      : await relatedTo(query, wanted, { target, context, warnings: remarks });
  const countSymbols = hasSymbols ? await loadSymbolCounter(remarks) : undefined;
  const texts = new PassingTexts();
  const files: FoundFile[] = [];
  for (const { file, relevance } of related) {
    const path = target.isDirectory ? `${folder}${file.relativePath}` : shown;
    const told = await inspectFile(file, { fileSizeBytesMax, countSymbols, texts });
    if (told === undefined) continue;
    const { lines, symbols, language } = told;
    const found = { path, lines, symbols, language, relevance };
    const modified = Math.floor(file.modifiedMs / 1000);
    files.push(isChanged === undefined ? found : { ...found, modified });
  }
  const warnings = [...listing.warnings, ...remarks];
  const below = target.isDirectory ? folder : "";
  if (context.isPlain === true && typeof input["budget"] !== "number")
    return { data: plainView(input, files, { folder: below, closed }), warnings };
  const data = await payloadOf(input, files, { folder: below, closed });
  return { data: { ...data }, warnings };
}

/** What is said of a file of which the name alone is known. */
const unlooked: TreeLeaf = { lines: null, symbols: null, language: null };

/** Without a budget plain text is made of the tree or of the list, never of both, and of no count. */
function plainView(
  input: CommandInput,
  files: readonly (TreeLeaf & { readonly path: string })[],
  { folder, closed }: TreeFrame,
): CommandResult["data"] {
  const isTreeAlone = input["tree"] === true && input["flat"] !== true;
  return isTreeAlone
    ? { tree: buildFileTree(inOrder(files, closed), folder), flat: null }
    : { tree: null, flat: files };
}

/** What a tree has beside files. */
interface TreeFrame {
  /** The folder that was listed, as its files' paths begin. */
  readonly folder: string;
  /** Folders that were not entered; their paths begin so too. */
  readonly closed: readonly ClosedFolder[];
}

/** Files keep their order where there are no folders to put between them. */
function inOrder<File extends TreeEntry>(
  files: readonly File[],
  closed: readonly ClosedFolder[],
): readonly (File | ClosedFolder)[] {
  if (closed.length === 0) return files;
  return [...files, ...closed].toSorted((left, right) => compareBytes(left.path, right.path));
}

function hasTreeOf(input: CommandInput): boolean {
  return input["tree"] === true || input["flat"] !== true;
}

/** True where more than their names says which files are wanted. */
function isChosen(input: CommandInput): boolean {
  return input["changed_since"] !== undefined || input["related_to"] !== undefined;
}

/** Flags whose answers depend on more than which files there are. */
const needsContent = ["outline", "changed_since", "budget"];

/** @throws invalid_argument for an empty query. */
function queryOf(input: CommandInput): string | undefined {
  if (input["related_to"] === undefined) return undefined;
  const query = String(input["related_to"]);
  if (query.trim() === "")
    throw new errors.invalid_argument({ argument: "related_to", reason: "it is empty" });
  return query;
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
  input: CommandInput,
  target: Target,
  context: CommandContext,
): Promise<ChangedTest | undefined> {
  const value = input["changed_since"];
  if (value === undefined) return undefined;
  const { makeChangedTest } = await import("./changed-since.ts");
  return await makeChangedTest(String(value), target, context);
}

async function payloadOf(
  input: CommandInput,
  files: readonly FoundFile[],
  { folder, closed }: TreeFrame,
): Promise<object> {
  const hasTree = hasTreeOf(input);
  const hasFlat = input["flat"] === true || input["tree"] !== true;
  const items = inOrder(files, closed);
  const render = (
    kept: readonly (FoundFile | ClosedFolder)[],
    budgetUsed: number,
    isTruncated: boolean,
  ): { readonly [key: string]: unknown } => {
    const keptFiles = kept.filter(isFile);
    return {
      tree: hasTree ? buildFileTree(kept, folder) : null,
      flat: hasFlat ? keptFiles : null,
      stats: { total_files: files.length, returned: keptFiles.length, budget_used: budgetUsed },
      ...(isTruncated ? { truncated: true } : {}),
    };
  };
  if (typeof input["budget"] !== "number") {
    const used = settleCount((candidate) =>
      estimateTokens(JSON.stringify(render(items, candidate, false))),
    );
    return render(items, used, false);
  }
  const openFolders = new Set<string>();
  const fit = fitBudget({
    items,
    budgetTokens: input["budget"],
    countTokens: await loadTokenCounter(),
    render,
    addedText: (file) => {
      const inTree = hasTree ? treeText(file, openFolders) : "";
      return hasFlat && isFile(file) ? `${JSON.stringify(file)},${inTree}` : inTree;
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
  const { lines, symbols, language } = file;
  const leaf: TreeLeaf = { lines, symbols, language };
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
