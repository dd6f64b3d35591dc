import type { FileTree, ImportingFile, ResolvedFile } from "../tree/index.ts";
import { ImportResolver } from "../resolver.ts";

/** One direction of the graph: of file `f` the edges from `starts[f]` to `starts[f + 1]`. */
export interface GraphDirection {
  /** One longer than there are files. */
  readonly starts: Uint32Array;
  /** The files at the other end, ascending within one file's edges. */
  readonly files: Uint32Array;
  /** How sure each edge is, in percent, 1 to 100. */
  readonly percents: Uint8Array;
}

/** Which files of a tree depend on which. Numbers are places in `FileTree.paths`. */
export interface ImportGraph {
  readonly fileCount: number;
  /** From the importing file to what it imports. */
  readonly imports: GraphDirection;
  /** From the imported file to those that import it. */
  readonly importers: GraphDirection;
  /** How much of the tree depends on a file, above 0 to 1; the highest is 1. */
  readonly importance: Float32Array;
}

/** How many edges a file may have; beyond it, those with the least confidence are left out. */
const edgesOfFileMax = 2000;

/**
 * Builds the graph of a tree.
 *
 * @param tree The files; edges only lead to files in it.
 * @param files What is known of them; their order does not count.
 * @returns The same for the same files, whatever their order.
 */
export function buildImportGraph(tree: FileTree, files: readonly ImportingFile[]): ImportGraph {
  const resolver = new ImportResolver(tree, files);
  const edges: FileEdges[] = Array.from({ length: tree.paths.length });
  for (const file of files) {
    const number = resolver.numberOf(file.path);
    if (number !== undefined) edges[number] = edgesOf(resolver, file);
  }
  return graphOf(edges);
}

/** A file's edges, `undefined` if nothing is known of the file. */
type FileEdges = readonly ResolvedFile[] | undefined;

function graphOf(edges: readonly FileEdges[]): ImportGraph {
  const imports = directionOf(edges);
  const importers = reversed(imports);
  const importance = importanceOf({ imports, importers });
  return { fileCount: edges.length, imports, importers, importance };
}

/**
 * Brings a graph up to date after the content of some files changed, in the time of those and of copying the rest.
 * The tree must hold the same paths and manifests as before, else build it again.
 *
 * @param files All files as they are now.
 * @param change.before What was known of the changed files, in the order of `change.after`.
 * @param change.after What is known of them now.
 * @returns The same as `buildImportGraph(tree, files)`. Where a changed file defines other names than before, or in
 *   another namespace, all files of the languages that look for names are resolved again.
 */
export function updateImportGraph(
  graph: ImportGraph,
  { tree, files }: { readonly tree: FileTree; readonly files: readonly ImportingFile[] },
  change: { readonly before: readonly ImportingFile[]; readonly after: readonly ImportingFile[] },
): ImportGraph {
  const isSaidBefore = (file: ImportingFile, index: number): boolean =>
    saysTheSame(file, change.before[index]);
  if (change.after.every(isSaidBefore)) return graph;
  const resolver = new ImportResolver(tree, files);
  const areNamesKept = change.after.every((file, index) =>
    definesTheSame(file, change.before[index]),
  );
  const asked = areNamesKept ? change.after : [...change.after, ...files.filter(looksForNames)];
  const found = new Map<number, readonly ResolvedFile[]>();
  for (const file of asked) {
    const number = resolver.numberOf(file.path);
    if (number !== undefined) found.set(number, edgesOf(resolver, file));
  }
  if ([...found].every(([file, edges]) => hasEdges(graph.imports, file, edges))) return graph;
  const edges = edgeListsOf(graph.imports);
  for (const [file, own] of found) edges[file] = own;
  return graphOf(edges);
}

function hasEdges(
  { starts, files, percents }: GraphDirection,
  file: number,
  edges: readonly ResolvedFile[],
): boolean {
  const start = starts[file] as number;
  return (
    (starts[file + 1] as number) - start === edges.length &&
    edges.every(
      (edge, index) =>
        edge.file === files[start + index] && percentOf(edge) === percents[start + index],
    )
  );
}

/** True when everything that edges are made from is the same; the lines of the imports do not count. */
function saysTheSame(after: ImportingFile, before: ImportingFile | undefined): boolean {
  if (!definesTheSame(after, before) || before === undefined) return false;
  return (
    areAlike(after.usedNames, before.usedNames) &&
    after.imports.length === before.imports.length &&
    after.imports.every((reference, index) => {
      const other = before.imports[index];
      return (
        reference.specifier === other?.specifier &&
        reference.kind === other.kind &&
        areAlike(reference.names, other.names)
      );
    })
  );
}

function areAlike<Item>(one: ArrayLike<Item>, other: ArrayLike<Item>): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

function definesTheSame(after: ImportingFile, before: ImportingFile | undefined): boolean {
  return (
    before !== undefined &&
    before.language === after.language &&
    areAlike(before.definedNames, after.definedNames) &&
    areAlike(before.namespaces, after.namespaces)
  );
}

/** True for languages in which edges depend on what other files define, not only on their paths. */
function looksForNames({ language }: ImportingFile): boolean {
  return !/^(?:javascript|typescript|tsx|python|rust|c|cpp|bash|lua|zig)$/.test(language ?? "");
}

/** The edges of each file, as they were found. */
function edgeListsOf({ starts, files, percents }: GraphDirection): FileEdges[] {
  return Array.from({ length: starts.length - 1 }, (_, file) => {
    const own: ResolvedFile[] = [];
    for (let at = starts[file] as number; at < (starts[file + 1] as number); at += 1) {
      own.push({ file: files[at] as number, confidence: (percents[at] as number) / 100 });
    }
    return own;
  });
}

/** All files that a file depends on, ascending. */
function edgesOf(resolver: ImportResolver, file: ImportingFile): readonly ResolvedFile[] {
  const best = new Map<number, number>();
  const take = (found: readonly ResolvedFile[]): void => {
    for (const each of found) {
      if (each.confidence > (best.get(each.file) ?? 0)) best.set(each.file, each.confidence);
    }
  };
  for (const reference of file.imports) take(resolver.resolve(file, reference));
  take(resolver.implicit(file));
  let edges = [...best].map(([number, confidence]) => ({ file: number, confidence }));
  if (edges.length > edgesOfFileMax) {
    edges.sort((one, other) => other.confidence - one.confidence || one.file - other.file);
    edges = edges.slice(0, edgesOfFileMax);
  }
  return edges.sort((one, other) => one.file - other.file);
}

function directionOf(edges: readonly FileEdges[]): GraphDirection {
  const starts = new Uint32Array(edges.length + 1);
  for (const [file, own] of edges.entries()) {
    starts[file + 1] = (starts[file] ?? 0) + (own?.length ?? 0);
  }
  const count = starts[edges.length] ?? 0;
  const files = new Uint32Array(count);
  const percents = new Uint8Array(count);
  let at = 0;
  for (const own of edges) {
    for (const edge of own ?? []) {
      files[at] = edge.file;
      percents[at] = percentOf(edge);
      at += 1;
    }
  }
  return { starts, files, percents };
}

function percentOf({ confidence }: ResolvedFile): number {
  return Math.max(1, Math.min(100, Math.round(confidence * 100)));
}

function reversed({ starts, files, percents }: GraphDirection): GraphDirection {
  const back = new Uint32Array(starts.length);
  for (const target of files) back[target + 1] = (back[target + 1] ?? 0) + 1;
  for (let file = 1; file < back.length; file += 1) {
    back[file] = (back[file] as number) + (back[file - 1] as number);
  }
  const next = back.slice();
  const sources = new Uint32Array(files.length);
  const backPercents = new Uint8Array(files.length);
  for (let source = 0; source + 1 < starts.length; source += 1) {
    for (let edge = starts[source] as number; edge < (starts[source + 1] as number); edge += 1) {
      const target = files[edge] as number;
      const at = next[target] as number;
      sources[at] = source;
      backPercents[at] = percents[edge] as number;
      next[target] = at + 1;
    }
  }
  return { starts: back, files: sources, percents: backPercents };
}

/** How many files import a file. */
export function importerCountOf(graph: ImportGraph, file: number): number {
  const { starts } = graph.importers;
  return (starts[file + 1] ?? 0) - (starts[file] ?? 0);
}

/** Share of the weight that edges pass on, and the number of rounds until the ranking is stable enough. */
const damping = 0.85;
const roundCount = 20;

/** The share of the weight that begins at the files in focus; the rest begins anywhere. */
const focusShare = 0.8;

/**
 * How much of what some files depend on, directly or through others, is a file: the importance of a graph in which most of
 * the weight begins at these files.
 *
 * @param focus Numbers of files; at least one.
 */
export function importanceFor(graph: ImportGraph, focus: readonly number[]): Float32Array {
  const count = graph.fileCount;
  const starts = new Float64Array(count).fill((1 - focusShare) / count);
  for (const file of focus) starts[file] = (starts[file] as number) + focusShare / focus.length;
  return importanceOf(graph, starts);
}

/**
 * The weight of files by PageRank: each file passes its weight on to the files that it imports, in proportion to the
 * confidence of the edges; a file without imports passes it on to all equally. Divided by the largest, which becomes 1.
 *
 * @param starts The share of the weight that begins at each file; default equal ones.
 */
function importanceOf(
  { imports, importers }: Pick<ImportGraph, "imports" | "importers">,
  starts?: Float64Array,
): Float32Array {
  const count = imports.starts.length - 1;
  const importance = new Float32Array(count);
  if (count === 0) return importance;
  const outWeights = new Float64Array(count);
  for (let file = 0; file < count; file += 1) {
    for (let edge = imports.starts[file] as number; edge < (imports.starts[file + 1] as number);) {
      outWeights[file] = (outWeights[file] as number) + (imports.percents[edge] as number);
      edge += 1;
    }
  }
  let ranks = new Float64Array(count).fill(1 / count);
  for (let round = 0; round < roundCount; round += 1) {
    ranks = nextRanks(ranks, { outWeights, importers, starts });
  }
  let highest = 0;
  for (const rank of ranks) highest = Math.max(highest, rank);
  for (let file = 0; file < count; file += 1) importance[file] = (ranks[file] as number) / highest;
  return importance;
}

function nextRanks(
  ranks: Float64Array,
  edges: {
    readonly outWeights: Float64Array;
    readonly importers: GraphDirection;
    readonly starts: Float64Array | undefined;
  },
): Float64Array<ArrayBuffer> {
  const { outWeights, importers, starts } = edges;
  const count = ranks.length;
  let loose = 0;
  for (let file = 0; file < count; file += 1) {
    if (outWeights[file] === 0) loose += ranks[file] as number;
  }
  const loosened = 1 - damping + damping * loose;
  const next = new Float64Array(count);
  for (let file = 0; file < count; file += 1) {
    let sum = 0;
    for (
      let edge = importers.starts[file] as number;
      edge < (importers.starts[file + 1] as number);
      edge += 1
    ) {
      const source = importers.files[edge] as number;
      const share = (importers.percents[edge] as number) / (outWeights[source] as number);
      sum += (ranks[source] as number) * share;
    }
    const base = starts === undefined ? loosened / count : loosened * (starts[file] as number);
    next[file] = base + damping * sum;
  }
  return next;
}
