import { folderOf, nameOf } from "./relative-path.ts";

const none: readonly number[] = [];

/** Files that end alike are listed up to this number; a name borne by more says nothing. */
const alikeCountMax = 200;

/**
 * The paths of a tree, by path, by folder and by ending. Built once, each table at its first use; no question goes over
 * all paths.
 */
export class PathIndex {
  readonly paths: readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #folders = new Map<string, number[]>();
  #byEnding: Map<string, number[]> | null = null;
  readonly #endings = new Map<string, readonly number[]>();

  constructor(paths: readonly string[]) {
    this.paths = paths;
    for (const [number, path] of paths.entries()) {
      this.#numbers.set(path, number);
      this.#addToFolder(path, number);
    }
  }

  #addToFolder(path: string, number: number): void {
    let folder = folderOf(path);
    const files = this.#folders.get(folder);
    if (files !== undefined) {
      files.push(number);
      return;
    }
    this.#folders.set(folder, [number]);
    // Folders that hold only folders are there too.
    while (folder !== "") {
      folder = folderOf(folder);
      if (this.#folders.has(folder)) return;
      this.#folders.set(folder, []);
    }
  }

  /** The number of a file, `undefined` when there is none of that path. */
  numberOf(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  /** The path of a file. */
  pathOf(number: number): string {
    return this.paths[number] ?? "";
  }

  /** The first of these paths that is a file. */
  firstOf(candidates: Iterable<string>): number | undefined {
    for (const path of candidates) {
      const number = this.#numbers.get(path);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Says whether a folder holds anything. */
  hasFolder(folder: string): boolean {
    return this.#folders.has(folder);
  }

  /** The files directly in a folder, in the order of the tree. */
  filesIn(folder: string): readonly number[] {
    return this.#folders.get(folder) ?? none;
  }

  /** All folders that hold a file or a folder. */
  folders(): Iterable<string> {
    return this.#folders.keys();
  }

  /**
   * Files whose path is the given one, or ends with it after a slash.
   *
   * @returns None when there are more than 200.
   */
  endingWith(ending: string): readonly number[] {
    const known = this.#endings.get(ending);
    if (known !== undefined) return known;
    this.#byEnding ??= this.#tableOfEndings();
    const alike = this.#byEnding.get(lastTwo(ending)) ?? none;
    const found =
      alike.length > alikeCountMax
        ? none
        : alike.filter((number) => endsWithPath(this.pathOf(number), ending));
    this.#endings.set(ending, found);
    return found;
  }

  /** By name, and by folder and name; a list that has grown too long is not grown further. */
  #tableOfEndings(): Map<string, number[]> {
    const table = new Map<string, number[]>();
    const add = (key: string, number: number): void => {
      const numbers = table.get(key);
      if (numbers === undefined) table.set(key, [number]);
      else if (numbers.length <= alikeCountMax) numbers.push(number);
    };
    for (const [number, path] of this.paths.entries()) {
      const name = nameOf(path);
      add(name, number);
      if (name.length < path.length) add(lastTwo(path), number);
    }
    return table;
  }
}

function lastTwo(path: string): string {
  const slash = path.lastIndexOf("/");
  if (slash <= 0) return path;
  return path.slice(path.lastIndexOf("/", slash - 1) + 1);
}

function endsWithPath(path: string, ending: string): boolean {
  if (!path.endsWith(ending)) return false;
  return path.length === ending.length || path[path.length - ending.length - 1] === "/";
}
