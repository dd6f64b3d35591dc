import { errors, fitBudget } from "../../envelope/index.ts";
import { classOfPath } from "../../files/index.ts";
import {
  findTravels,
  type Hunk,
  joinChanges,
  type LineChange,
  type LineSpan,
  semanticNotes,
  travelled,
} from "../../diffs/index.ts";
import type { ComparedFile } from "./compare.ts";
import { changedFunctions, type FunctionEntry } from "./changed-functions.ts";
import type { DiffInput } from "./input.ts";
import { notedFile } from "./noted-file.ts";
import { loadTokenCounter } from "../../text/index.ts";

/** A piece of the diff as it is printed. */
export interface HunkEntry {
  readonly file: string;
  /** The function or method, or outside of these another symbol: names from the outermost on, joined by slashes. */
  readonly function: string | null;
  readonly old_range: LineSpan;
  readonly new_range: LineSpan;
  /** One of each run of additions, of deletions and of modifications, its lines joined by line feeds. */
  readonly changes: readonly LineChange[];
  /** True when this piece has the last line of that version, and it ends without a line feed. */
  readonly old_without_newline?: true;
  readonly new_without_newline?: true;
}

/** The payload of `diff`. */
export type DiffPayload = {
  readonly root: string;
  readonly summary: string;
  readonly stats: {
    readonly additions: number;
    readonly deletions: number;
    readonly files_changed: number;
    /** `file:Class/method`. */
    readonly functions_changed: readonly string[];
    /** How many there are, when not all are listed. */
    readonly functions_total?: number;
  };
  /** Of a file each: its path, and what changed. */
  readonly semantic_notes: readonly string[];
  /** By path, what happened and how many lines came and went: `modified +3 -1`. Absent with `--stat-only`. */
  readonly files?: { readonly [path: string]: string };
  /** With `--functions`. */
  readonly functions?: readonly FunctionEntry[];
  readonly hunks: readonly HunkEntry[] | null;
  readonly truncated?: true;
};

/** Functions that `--stat-only` names. */
const statFunctionCountMax = 3;

/** What may be left out for a budget, the most useful first. */
type Part =
  | { readonly kind: "function_name"; readonly value: string }
  | { readonly kind: "note"; readonly value: string }
  | { readonly kind: "file"; readonly path: string; readonly value: string }
  | { readonly kind: "function"; readonly value: FunctionEntry }
  | { readonly kind: "hunk"; readonly value: HunkEntry };

/**
 * Makes the payload of `diff`, within the budget where there is one.
 *
 * @throws budget_exceeded when not even the counts fit.
 */
export async function diffPayload(
  files: readonly ComparedFile[],
  input: Pick<DiffInput, "stat_only" | "functions" | "budget"> & { readonly root: string },
): Promise<DiffPayload> {
  const isStatOnly = input.stat_only === true;
  const isFunctions = input.functions === true;
  const noted = files.map(notedFile);
  const travels = findTravels(noted);
  const functions = changedFunctions(files, travelled(travels));
  const names = functions.map((entry) => `${entry.file}:${entry.function}`);
  const isCut = isStatOnly && names.length > statFunctionCountMax;
  const shownNames = isCut ? namesOfMostChanged(functions, { names, files }) : names;
  const head: Part[] = [];
  if (!isStatOnly) {
    for (const file of files) head.push({ kind: "file", path: file.path, value: outlineOf(file) });
    for (const value of semanticNotes(noted, travels)) head.push({ kind: "note", value });
  }
  for (const value of shownNames) head.push({ kind: "function_name", value });
  const body: Part[] = isStatOnly
    ? []
    : isFunctions
      ? functions.map((value) => ({ kind: "function", value }))
      : files.flatMap((file) =>
          file.hunks.map((hunk): Part => ({ kind: "hunk", value: entryOf(file, hunk) })),
        );
  const render = (parts: readonly Part[], isTruncated: boolean): DiffPayload =>
    renderParts(parts, {
      root: input.root,
      files,
      names,
      isStatOnly,
      isFunctions,
      isTruncated,
      functionsTotal: isCut ? names.length : undefined,
    });
  if (input.budget === undefined) return render([...head, ...body], false);
  return await withinBudget({ head, body, budgetTokens: input.budget, render });
}

/** The head gets half of the budget at most, unless there is nothing else. */
async function withinBudget(options: {
  readonly head: readonly Part[];
  readonly body: readonly Part[];
  readonly budgetTokens: number;
  readonly render: (parts: readonly Part[], isTruncated: boolean) => DiffPayload;
}): Promise<DiffPayload> {
  const { head, body, budgetTokens, render } = options;
  const countTokens = await loadTokenCounter();
  const addedText = (part: Part): string =>
    part.kind === "file"
      ? `${JSON.stringify(part.path)}:${JSON.stringify(part.value)},`
      : `${JSON.stringify(part.value)},`;
  const fit = (
    items: readonly Part[],
    limit: number,
  ): ReturnType<typeof fitBudget<Part, DiffPayload>> =>
    fitBudget({
      items,
      budgetTokens: limit,
      countTokens,
      addedText,
      render: (kept, _used, isTruncated) => render(kept, isTruncated),
    });
  const headLimit = body.length === 0 ? budgetTokens : Math.floor(budgetTokens / 2);
  const first = fit(head, headLimit);
  const whole = fit([...first.kept, ...body], budgetTokens);
  const isTruncated = whole.isTruncated || first.isTruncated;
  const data = render(whole.kept, isTruncated);
  const needed = countTokens(JSON.stringify(data));
  if (needed <= budgetTokens) return data;
  // With the remark that something was left out, what is kept no longer fits.
  const last = render(fit(whole.kept.slice(0, -1), budgetTokens).kept, true);
  const least = countTokens(JSON.stringify(last));
  if (least <= budgetTokens) return last;
  throw new errors.budget_exceeded({ budget: budgetTokens, needed: least });
}

function renderParts(
  parts: readonly Part[],
  options: {
    readonly root: string;
    readonly files: readonly ComparedFile[];
    readonly names: readonly string[];
    readonly isStatOnly: boolean;
    readonly isFunctions: boolean;
    readonly isTruncated: boolean;
    readonly functionsTotal: number | undefined;
  },
): DiffPayload {
  const { root, files, names, isStatOnly, isFunctions, isTruncated, functionsTotal } = options;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const hasLines = !isStatOnly && !isFunctions;
  return {
    root,
    summary: summaryOf({ files, names, additions, deletions, isStatOnly }),
    stats: {
      additions,
      deletions,
      files_changed: files.length,
      functions_changed: parts.flatMap((part) =>
        part.kind === "function_name" ? [part.value] : [],
      ),
      ...(functionsTotal === undefined ? {} : { functions_total: functionsTotal }),
    },
    semantic_notes: parts.flatMap((part) => (part.kind === "note" ? [part.value] : [])),
    ...(isStatOnly
      ? {}
      : {
          files: Object.fromEntries(
            parts.flatMap((part) => (part.kind === "file" ? [[part.path, part.value]] : [])),
          ),
        }),
    ...(isFunctions
      ? { functions: parts.flatMap((part) => (part.kind === "function" ? [part.value] : [])) }
      : {}),
    hunks: hasLines ? parts.flatMap((part) => (part.kind === "hunk" ? [part.value] : [])) : null,
    ...(isTruncated ? { truncated: true } : {}),
  };
}

function summaryOf(options: {
  readonly files: readonly ComparedFile[];
  readonly names: readonly string[];
  readonly additions: number;
  readonly deletions: number;
  readonly isStatOnly: boolean;
}): string {
  const { files, names, additions, deletions, isStatOnly } = options;
  if (files.length === 0) return "no changes";
  const noun = files.length === 1 ? "file" : "files";
  const counts = `${files.length} ${noun} changed, +${additions} -${deletions}`;
  if (names.length === 0 || isStatOnly) return counts;
  return `${counts}, ${names.length} ${names.length === 1 ? "function" : "functions"}`;
}

/**
 * The few names that say best where the changes are, in the order of all: of each file the function with the most changed
 * lines, of the file with the most of them first, tests after others; then of each the second.
 */
function namesOfMostChanged(
  functions: readonly FunctionEntry[],
  of: { readonly names: readonly string[]; readonly files: readonly ComparedFile[] },
): readonly string[] {
  const isTestOf = new Map(
    of.files.map(({ path, treePath }) => [path, classOfPath(treePath) === "test"]),
  );
  const sizeOf = ({ additions, deletions }: FunctionEntry): number => additions + deletions;
  const entries = functions.map((entry, at) => ({ entry, at, size: sizeOf(entry) }));
  const ranked = [...Map.groupBy(entries, ({ entry }) => entry.file)].flatMap(([file, own]) => {
    const fileSize = own.reduce((sum, { size }) => sum + size, 0);
    const isTest = isTestOf.get(file) === true;
    return own
      .toSorted((left, right) => right.size - left.size)
      .map(({ at }, place) => ({ at, key: [Number(isTest), place, -fileSize] }));
  });
  const difference = (left: readonly number[], right: readonly number[]): number =>
    left.map((value, at) => value - (right[at] ?? 0)).find((value) => value !== 0) ?? 0;
  return ranked
    .toSorted((left, right) => difference(left.key, right.key))
    .slice(0, statFunctionCountMax)
    .toSorted((left, right) => left.at - right.at)
    .map(({ at }) => of.names[at] as string);
}

function outlineOf({ change, additions, deletions, oldPath }: ComparedFile): string {
  const from = oldPath === undefined ? "" : ` from ${oldPath}`;
  const counts = change.isBinary ? "binary" : `+${additions} -${deletions}`;
  return `${change.status}${from} ${counts}`;
}

function entryOf(file: ComparedFile, hunk: Hunk): HunkEntry {
  return {
    file: file.path,
    function: hunk.owner?.path ?? null,
    old_range: hunk.old,
    new_range: hunk.new,
    changes: joinChanges(hunk.changes),
    ...(hunk.isOldUnended ? { old_without_newline: true } : {}),
    ...(hunk.isNewUnended ? { new_without_newline: true } : {}),
  };
}
