import { nameHash } from "../../text/index.ts";
import { nearest } from "./choose.ts";
import type { ImportingFile, ResolvedFile } from "./file-tree.ts";
import type { PathIndex } from "./path-index.ts";

const none: readonly number[] = [];

/** Files that define the same name in the same namespace are listed up to this number. */
const definingCountMax = 32;

/** One namespace: its files, and which of them define a name. */
interface Namespace {
  readonly files: number[];
  /** Files by hash of the name they define. */
  readonly definers: Map<number, number[]>;
}

/** Which files belong to which package or namespace, and which of them define which name. */
export class NamespaceIndex {
  readonly #paths: PathIndex;
  readonly #namespaces = new Map<string, Namespace>();

  constructor(paths: PathIndex) {
    this.#paths = paths;
  }

  /** Adds a file of the tree to a namespace. Files come in the order of the tree. */
  add(key: string, { path, definedNames }: Pick<ImportingFile, "path" | "definedNames">): void {
    const number = this.#paths.numberOf(path);
    if (number === undefined) return;
    let namespace = this.#namespaces.get(key);
    if (namespace === undefined) {
      namespace = { files: [], definers: new Map() };
      this.#namespaces.set(key, namespace);
    }
    if (namespace.files.at(-1) !== number) namespace.files.push(number);
    for (const name of definedNames) {
      const hash = nameHash(name);
      const files = namespace.definers.get(hash);
      if (files === undefined) namespace.definers.set(hash, [number]);
      else if (files.at(-1) !== number && files.length < definingCountMax) {
        files.push(number);
      }
    }
  }

  has(key: string): boolean {
    return this.#namespaces.has(key);
  }

  filesOf(key: string): readonly number[] {
    return this.#namespaces.get(key)?.files ?? none;
  }

  /** The files of a namespace that define a name. */
  defining(key: string, name: string): readonly number[] {
    return this.#namespaces.get(key)?.definers.get(nameHash(name)) ?? none;
  }

  /**
   * The files of a namespace that define what a file uses; of several that define one name, those that are nearest.
   *
   * @param from The using file; names that it defines itself in the namespace mean nothing else.
   * @param confidence For a name that one file defines; several share it.
   */
  using(
    key: string,
    from: Pick<ImportingFile, "path" | "usedNames">,
    confidence: number,
  ): readonly ResolvedFile[] {
    const namespace = this.#namespaces.get(key);
    if (namespace === undefined) return [];
    const own = this.#paths.numberOf(from.path) ?? -1;
    const best = new Map<number, number>();
    const take = (files: readonly number[]): void => {
      if (files.includes(own)) return;
      for (const found of nearest(files, { paths: this.#paths, from: from.path, confidence })) {
        best.set(found.file, Math.max(best.get(found.file) ?? 0, found.confidence));
      }
    };
    const { definers } = namespace;
    if (definers.size < from.usedNames.length) {
      for (const [hash, files] of definers) if (includesHash(from.usedNames, hash)) take(files);
    } else {
      for (const hash of from.usedNames) {
        const files = definers.get(hash);
        if (files !== undefined) take(files);
      }
    }
    return [...best]
      .map(([file, certainty]) => ({ file, confidence: certainty }))
      .sort((one, other) => other.confidence - one.confidence || one.file - other.file);
  }
}

/** Binary search. */
function includesHash(ascending: Uint32Array, hash: number): boolean {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = ascending[middle] as number;
    if (value === hash) return true;
    if (value < hash) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
