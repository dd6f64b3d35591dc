/** Lines of a file that a label names; 1-based, both included. */
interface LabelledSpan {
  readonly startLine1: number;
  readonly endLine1: number;
}

/** A query and what a person wants to see for it. */
export interface LabelledQuery {
  readonly query: string;
  /** For example `semantic`, `architecture`, `symbol`. */
  readonly category: string;
  /** Empty when nothing should be found. */
  readonly targets: readonly {
    /** With forward slashes. */
    readonly path: string;
    /** 1 to 3; labels without grades have 1. */
    readonly grade: number;
    /** Where labels name lines: some of them must be shown. */
    readonly spans: readonly LabelledSpan[];
  }[];
}

/** Labelled queries over one repository. */
export interface Dataset {
  /** A name to show: `name`, else `repo`, else the name that the caller gives. */
  readonly name: string;
  readonly repository: string | null;
  readonly commit: string | null;
  readonly language: string | null;
  /** The folder to search, relative to the top of the repository; empty for all of it. */
  readonly benchmarkRoot: string;
  /** Where the tree lies, as the dataset says; relative to the dataset's file. */
  readonly root: string | null;
  /** NDCG@10 that the dataset says was reached before. */
  readonly baselineNdcg10: number | null;
  readonly queries: readonly LabelledQuery[];
}

/** What is wrong with a dataset, for one line to the caller. */
export interface DatasetFault {
  readonly fault: string;
}

type JsonObject = { readonly [key: string]: unknown };

/**
 * Reads a dataset of any of the dialects.
 *
 * @param text JSON: an object with `queries` (or `tasks`), or the list of queries itself.
 * @param nameDefault Used when the dataset does not name itself.
 */
export function readDataset(text: string, nameDefault: string): Dataset | DatasetFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { fault: `it is not JSON: ${error.message}` };
  }
  const head: JsonObject = isObject(value) ? value : {};
  const list = Array.isArray(value) ? value : (head["queries"] ?? head["tasks"]);
  if (!Array.isArray(list)) return { fault: 'it has no list "queries"' };
  const queries: LabelledQuery[] = [];
  for (const [index, entry] of (list as readonly unknown[]).entries()) {
    const query = readQuery(entry);
    if (typeof query === "string") return { fault: `query ${index + 1}: ${query}` };
    queries.push(query);
  }
  if (queries.length === 0) return { fault: "it has no queries" };
  const repository = textOf(head, "repo") ?? textOf(head, "repository");
  return {
    name: textOf(head, "name") ?? repository ?? nameDefault,
    repository,
    commit: textOf(head, "commit") ?? textOf(head, "revision"),
    language: textOf(head, "language"),
    benchmarkRoot: cleanPath(textOf(head, "benchmark_root") ?? ""),
    root: textOf(head, "root"),
    baselineNdcg10: typeof head["baseline_ndcg10"] === "number" ? head["baseline_ndcg10"] : null,
    queries,
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : null;
}

function cleanPath(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.?\/)+|\/+$/g, "")
    .replace(/^\.$/, "");
}

/** @returns The query, or what is wrong with it. */
function readQuery(entry: unknown): LabelledQuery | string {
  if (!isObject(entry)) return "wanted an object";
  const query = textOf(entry, "query");
  if (query === null) return 'wanted a text as "query"';
  const lists = ["relevant_files", "relevant", "secondary"].map((key) => entry[key]);
  const isNegative = entry["negative"] === true;
  if (!isNegative && lists.every((list) => list === undefined))
    return 'wanted a list "relevant_files" or "relevant"';
  const targets = new Map<string, { grade: number; spans: LabelledSpan[] }>();
  for (const list of lists) {
    if (list === undefined || list === null) continue;
    const items = isObject(list)
      ? Object.entries(list).map(([path, relevance]) => ({ path, relevance }))
      : list;
    if (!Array.isArray(items)) return "wanted a list of relevant files";
    for (const item of items as readonly unknown[]) {
      const fault = addTarget(item, targets);
      if (fault !== null) return fault;
    }
  }
  addSpans(entry["spans"], targets);
  return {
    query,
    category: textOf(entry, "category") ?? textOf(entry, "query_type") ?? "semantic",
    targets: isNegative
      ? []
      : [...targets].map(([path, { grade, spans }]) => ({ path, grade, spans })),
  };
}

function addTarget(
  item: unknown,
  targets: Map<string, { grade: number; spans: LabelledSpan[] }>,
): string | null {
  const object: JsonObject = typeof item === "string" ? { path: item } : isObject(item) ? item : {};
  const path = textOf(object, "path") ?? textOf(object, "file");
  if (path === null) return "a relevant file has no path";
  const graded = object["relevance"] ?? object["grade"] ?? 1;
  if (typeof graded !== "number" || !(graded >= 0 && graded <= 10))
    return `the grade of "${path}" is not a number from 0 to 10`;
  if (graded === 0) return null;
  const key = cleanPath(path);
  const known = targets.get(key) ?? { grade: 0, spans: [] };
  known.grade = Math.max(known.grade, graded);
  targets.set(key, known);
  addSpans([object], targets);
  return null;
}

/** Adds the spans of a list to the targets of their paths. */
function addSpans(list: unknown, targets: Map<string, { spans: LabelledSpan[] }>): void {
  if (!Array.isArray(list)) return;
  for (const item of list as readonly unknown[]) {
    if (!isObject(item)) continue;
    const path = textOf(item, "path") ?? textOf(item, "file");
    const { start_line: startLine1, end_line: endLine1 } = item;
    if (path === null || typeof startLine1 !== "number" || typeof endLine1 !== "number") continue;
    targets.get(cleanPath(path))?.spans.push({ startLine1, endLine1 });
  }
}
