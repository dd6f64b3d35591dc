import type { ImportGraph } from "./graph.ts";

/** A file that depends on another, directly or through others. */
export interface Dependent {
  /** Number of the file. */
  readonly file: number;
  /** Edges between the two; 1 for a file that imports the other itself. */
  readonly hops: number;
  /** The file one hop nearer to the other; the other itself at one hop. */
  readonly via: number;
  /** The product of the confidences along the surest of the shortest ways, above 0 to 1. */
  readonly confidence: number;
}

/** How far to look. */
export interface DependentsOptions {
  /** At least 1; default without bound. */
  readonly hopsMax?: number;
  /** Files found at most, the nearest ones; default 10 000. */
  readonly countMax?: number;
  /** Edges with less confidence are not followed, 0 to 1; default 0. */
  readonly confidenceMin?: number;
}

/**
 * Finds the files that depend on a file, nearest first, then by confidence, then in the order of the tree.
 *
 * @param file Number of the file; it is not among the dependents, whatever cycles there are.
 */
export function dependentsOf(
  { importers, fileCount }: ImportGraph,
  file: number,
  options: DependentsOptions = {},
): readonly Dependent[] {
  const { hopsMax = Number.POSITIVE_INFINITY, countMax = 10_000, confidenceMin = 0 } = options;
  const seen = new Uint8Array(fileCount);
  seen[file] = 1;
  const found: Dependent[] = [];
  let reached: readonly Dependent[] = [{ file, hops: 0, via: file, confidence: 1 }];
  for (let hops = 1; hops <= hopsMax && reached.length > 0 && found.length < countMax; hops += 1) {
    const next = new Map<number, Dependent>();
    for (const { file: via, confidence } of reached) {
      const end = importers.starts[via + 1] ?? 0;
      for (let at = importers.starts[via] ?? end; at < end; at += 1) {
        const source = importers.files[at] as number;
        const edge = (importers.percents[at] as number) / 100;
        if (seen[source] === 1 || edge < confidenceMin) continue;
        const known = next.get(source);
        if (known !== undefined && known.confidence >= confidence * edge) continue;
        next.set(source, { file: source, hops, via, confidence: confidence * edge });
      }
    }
    for (const source of next.keys()) seen[source] = 1;
    reached = [...next.values()].sort(
      (one, other) => other.confidence - one.confidence || one.file - other.file,
    );
    for (const each of reached) if (found.length < countMax) found.push(each);
  }
  return found;
}
