import { estimateTokens, fitBudget, settleCount } from "../envelope/index.ts";
import { languageOfShebang, readTextBytes, walkFiles, type WalkedFile } from "../files/index.ts";
import { countLines, decodeText } from "../text/index.ts";
import type { ChangedTest } from "./changed-since.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { compileFilePattern } from "./file-pattern.ts";
import { buildFileTree, type TreeLeaf } from "./file-tree.ts";
import { remarksOnFile } from "./open-file.ts";
import { displayPath, resolveTarget, type Target } from "./paths.ts";
import { readSettings } from "./settings.ts";
import { loadTokenCounter } from "./token-counting.ts";

/** One file of the list. */
interface FoundFile {
  readonly path: string;
  readonly lines: number;
  /** `null` unless symbols are counted. */
  readonly symbols: number | null;
  readonly language: string | null;
  /** `null` without a query to be related to. */
  readonly relevance: null;
  /** Seconds since 1970, where it is asked what changed. */
  readonly modified?: number;
}

/** Makes the payload of `find`. */
export async function findFilesPayload(
  input: CommandInput,
  context: CommandContext,
): Promise<CommandResult> {
  const target = resolveTarget(String(input["path"] ?? "."), context);
  const pattern = input["pattern"] === undefined ? undefined : String(input["pattern"]);
  const isMatch = pattern === undefined ? () => true : compileFilePattern(pattern);
  const remarks = remarksOnFile(target, String(input["path"] ?? "."), context);
  const settings = readSettings(context.environment);
  // A file that is named may be larger than those of walks.
  const fileSizeBytesMax = target.isDirectory ? settings.fileSizeBytesMax : Infinity;
  const walked = walkFiles({
    root: target.absolutePath,
    environment: context.environment,
    sizeBytesMax: fileSizeBytesMax,
    ...(typeof input["depth"] === "number" ? { depthMax: input["depth"] } : {}),
  });
  const shown = displayPath(target, target.absolutePath);
  const folder = !target.isDirectory || shown === "" || shown.endsWith("/") ? shown : `${shown}/`;
  const countSymbols = input["outline"] === true ? await loadSymbolCounter(remarks) : undefined;
  const isChanged = await changedTest(input, target, context);
  const files: FoundFile[] = [];
  for (const file of walked.files) {
    if (!isMatch(file.relativePath) || isChanged?.(file) === false) continue;
    const path = target.isDirectory ? `${folder}${file.relativePath}` : shown;
    const found = await inspect(file, { path, fileSizeBytesMax, countSymbols });
    if (found === undefined) continue;
    const modified = Math.floor(file.modifiedMs / 1000);
    files.push(isChanged === undefined ? found : { ...found, modified });
  }
  const data = await payloadOf(input, files, target.isDirectory ? folder : "");
  return { data: { ...data }, warnings: [...walked.warnings, ...remarks] };
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

/** Counts symbols; `null` where the parser is not to be had. */
type CountSymbols = (text: string, language: string | null) => Promise<number | null>;

/**
 * @param remarks Told why no symbols can be counted, once.
 */
async function loadSymbolCounter(remarks: string[]): Promise<CountSymbols> {
  const { extractSymbols, releaseTrees } = await import("../syntax/index.ts");
  const { flattenSymbols } = await import("./flatten-symbols.ts");
  let isFailed = false;
  return async (text, language) => {
    if (isFailed) return null;
    if (language === null) return 0;
    try {
      const count = flattenSymbols(extractSymbols(text, language).symbols).length;
      await releaseTrees();
      return count;
    } catch (error) {
      isFailed = true;
      remarks.push(`No symbols are known: ${error instanceof Error ? error.message : "no parser"}`);
      return null;
    }
  };
}

/** Reads what a list tells about a file; `undefined` for a binary one and one that is gone. */
async function inspect(
  file: WalkedFile,
  options: {
    readonly path: string;
    readonly fileSizeBytesMax: number;
    readonly countSymbols: CountSymbols | undefined;
  },
): Promise<FoundFile | undefined> {
  const { absolutePath } = file;
  const bytes = readTextBytes(absolutePath, { sizeBytesMax: options.fileSizeBytesMax });
  if (bytes === undefined) return undefined;
  const language = file.language ?? languageOfShebang(bytes.toString("latin1", 0, 256));
  const { countSymbols } = options;
  const symbols = countSymbols && (await countSymbols(decodeText(bytes).text, language));
  return {
    path: options.path,
    lines: countLines(bytes),
    symbols: symbols ?? null,
    language,
    relevance: null,
  };
}

async function payloadOf(
  input: CommandInput,
  files: readonly FoundFile[],
  folder: string,
): Promise<object> {
  const isTreeAsked = input["tree"] === true;
  const isFlatAsked = input["flat"] === true;
  const hasTree = isTreeAsked || !isFlatAsked;
  const hasFlat = isFlatAsked || !isTreeAsked;
  const render = (
    kept: readonly FoundFile[],
    budgetUsed: number,
    isTruncated: boolean,
  ): { readonly [key: string]: unknown } => ({
    tree: hasTree ? buildFileTree(kept, folder) : null,
    flat: hasFlat ? kept : null,
    stats: { total_files: files.length, returned: kept.length, budget_used: budgetUsed },
    ...(isTruncated ? { truncated: true } : {}),
  });
  if (typeof input["budget"] !== "number") {
    const used = settleCount((candidate) =>
      estimateTokens(JSON.stringify(render(files, candidate, false))),
    );
    return render(files, used, false);
  }
  const openFolders = new Set<string>();
  const fit = fitBudget({
    items: files,
    budgetTokens: input["budget"],
    countTokens: await loadTokenCounter(),
    render,
    addedText: (file) => {
      const inTree = hasTree ? treeText(file, openFolders) : "";
      return hasFlat ? `${JSON.stringify(file)},${inTree}` : inTree;
    },
    onKept: (file) => {
      for (const above of foldersOf(file.path)) openFolders.add(above);
    },
  });
  return fit.data;
}

/** What a file adds to the tree: itself, and the folders that no file before it has opened. */
function treeText(file: FoundFile, openFolders: ReadonlySet<string>): string {
  const { path, lines, symbols, language } = file;
  const leaf: TreeLeaf = { lines, symbols, language };
  const name = path.slice(path.lastIndexOf("/") + 1);
  const opened = foldersOf(path)
    .filter((folder) => !openFolders.has(folder))
    .map((folder) => `${JSON.stringify(`${folder.slice(folder.lastIndexOf("/") + 1)}/`)}:{},`);
  return `${opened.join("")}${JSON.stringify(name)}:${JSON.stringify(leaf)},`;
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
    folders.push(path.slice(0, slash));
  return folders;
}
