/** The folder of a path; `""` is the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The last part without its extension: `a/b.test.ts` gives `b.test`. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

/** Puts a name into a folder, where the root is `""`. */
export function inFolder(folder: string, name: string): string {
  if (folder === "") return name;
  return name === "" ? folder : `${folder}/${name}`;
}

/**
 * Follows a relative path from a folder.
 *
 * @returns `null` when it leaves the tree.
 */
export function joinPath(folder: string, path: string): string | null {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** A folder and those above it, nearest first, the root last. */
export function* upwards(folder: string): Generator<string> {
  let at = folder;
  for (;;) {
    yield at;
    if (at === "") return;
    at = folderOf(at);
  }
}

/** How many leading folders two folders share. */
export function sharedDepth(left: string, right: string): number {
  let depth = 0;
  const lengthMin = Math.min(left.length, right.length);
  for (let index = 0; index < lengthMin; index += 1) {
    if (left.charCodeAt(index) !== right.charCodeAt(index)) return depth;
    if (left.charCodeAt(index) === 0x2f) depth += 1;
  }
  const longer = left.length > right.length ? left : right;
  const isWhole = lengthMin > 0 && (longer.length === lengthMin || longer[lengthMin] === "/");
  return isWhole ? depth + 1 : depth;
}
