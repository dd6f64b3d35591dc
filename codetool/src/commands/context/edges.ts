import type { GraphDirection } from "../../imports/index.ts";
import type { ContextFile } from "./files.ts";
import type { ProjectCorpus } from "../project/index.ts";
import type { SymbolPairs } from "./symbol-pairs.ts";

/** A file outside that the files shown depend on, or that depends on them. */
export interface ContextEdge {
  readonly file: string;
  /** The names that one file uses of the other, as they are defined. */
  readonly symbols: readonly string[];
}

/** One hop from the files shown, both ways. */
export interface ContextEdges {
  /** Files outside that import files shown. */
  readonly importsIn: readonly ContextEdge[];
  /** Files outside that files shown import. */
  readonly importsOut: readonly ContextEdge[];
}

/** Edges that are shown at most each way. */
const edgeCountMax = 10;
/** Files outside that are looked at, and pairs with files shown for each. */
const lookCountMax = 30;
const pairCountMax = 40;
/** Names of an edge that are shown at most. */
const symbolCountMax = 20;

/** Finds the edges, those with most files first. */
export function contextEdgesOf(
  files: readonly ContextFile[],
  project: ProjectCorpus,
  options: { readonly pairs: SymbolPairs; readonly isShown: (file: number) => boolean },
): ContextEdges {
  const { pairs, isShown } = options;
  const inside = new Set(files.map(({ file }) => file));
  const graph = project.corpus.importGraph;
  const outward = (direction: GraphDirection, isIn: boolean): ContextEdge[] => {
    const ends = new Map<number, number[]>();
    for (const file of inside) {
      for (const other of direction.files.subarray(
        direction.starts[file],
        direction.starts[file + 1],
      )) {
        if (inside.has(other) || !isShown(other)) continue;
        const list = ends.get(other);
        if (list === undefined) ends.set(other, [file]);
        else list.push(file);
      }
    }
    const most = [...ends].sort(([a, one], [b, other]) => other.length - one.length || a - b);
    const edges: ContextEdge[] = [];
    for (const [other, shown] of most.slice(0, lookCountMax)) {
      if (edges.length === edgeCountMax) break;
      const symbols = new Set<string>();
      let isImport = false;
      for (const file of shown.slice(0, pairCountMax)) {
        const { used, passedOn, kind } = isIn
          ? pairs.usesOf(other, file)
          : pairs.usesOf(file, other);
        if (kind !== "name") isImport = true;
        for (const name of used) symbols.add(name);
        for (const name of passedOn) symbols.add(name);
      }
      // Files of one package see each other without an import: they are related only if one uses a name of the other.
      if (!isImport && symbols.size === 0) continue;
      const names = [...symbols].sort().slice(0, symbolCountMax);
      edges.push({ file: project.shownPathOf(other), symbols: names });
    }
    return edges;
  };
  return { importsIn: outward(graph.importers, true), importsOut: outward(graph.imports, false) };
}
