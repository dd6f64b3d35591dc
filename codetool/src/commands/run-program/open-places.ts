import { existsSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { findProjectRoot, listNames } from "../../files/index.ts";
import type { Finding } from "../../reports/index.ts";
import type { CommandContext } from "../command.ts";
import { locate, realPathOf } from "../locate.ts";
import { PackageFolders } from "./package-folders.ts";

/**
 * Makes the places of findings paths that can be opened from the working directory. Tools name files from where they
 * ran: from a package of Go, a workspace of npm or cargo, a module of Maven or Gradle; a trace of Java names no folder at
 * all. A place that is there stays; another one is looked for in the tree, and where several files could be meant, the
 * package that the tool names and the heading above the finding decide. Where they do not, the place stays as it was
 * printed.
 *
 * @param printed The whole output, for the headings.
 */
export function openPlaces(
  findings: readonly Finding[],
  printed: string,
  context: Pick<CommandContext, "workingDirectory" | "environment">,
): readonly Finding[] {
  const places = new Places(printed, context);
  return findings.map((finding) => {
    const { name, location, message } = finding;
    const [, file = "", behind = ""] = /^(.*?)((?::\d+){0,2})$/s.exec(location ?? "") ?? [];
    if (file === "") return { name, location, message };
    return { name, location: places.pathOf(file, finding) + behind, message };
  });
}

class Places {
  readonly #folder: string;
  readonly #root: string;
  readonly #printed: string;
  readonly #environment: CommandContext["environment"];
  readonly #packages: PackageFolders;
  #byName: Map<string, string[]> | undefined;

  constructor(
    printed: string,
    { workingDirectory, environment }: Pick<CommandContext, "workingDirectory" | "environment">,
  ) {
    this.#folder = realPathOf(workingDirectory);
    this.#root = findProjectRoot(this.#folder) ?? this.#folder;
    this.#printed = printed;
    this.#environment = environment;
    this.#packages = new PackageFolders(this.#root, (name) => this.#names().get(name) ?? []);
  }

  /** The path of a file as the answer shows it. */
  pathOf(file: string, finding: Finding): string {
    const written = file.replaceAll("\\", sep);
    const path = locate(written, this.#folder);
    if (isAbsolute(written)) return this.#isInTree(path) ? this.#shown(path) : file;
    const isThere = existsSync(path);
    if (finding.origin === undefined && isThere) return this.#shown(path);
    const inPackage = this.#inPackage(written, finding);
    if (inPackage !== undefined) return this.#shown(inPackage);
    // A name alone is not yet a path from here.
    if (isThere && written.includes(sep)) return this.#shown(path);
    const found = this.#inTree(written, finding);
    return found === undefined && !isThere ? file : this.#shown(found ?? path);
  }

  #isInTree(path: string): boolean {
    return path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep);
  }

  #shown(path: string): string {
    return relative(this.#folder, path).replaceAll(sep, "/");
  }

  /** A file of the package or module that the tool names: from its folder, else the only one below it that is called so. */
  #inPackage(file: string, finding: Finding): string | undefined {
    if (finding.origin === undefined) return undefined;
    const folders = this.#packages.foldersOf(finding.origin);
    const there = folders.map((folder) => join(folder, file)).filter((path) => existsSync(path));
    const isAround = (path: string): boolean => path === locate(file, this.#folder);
    if (there.length > 0) return there.find(isAround) ?? there[0];
    const [below, ...others] = folders.flatMap((folder) => {
      const path = this.#inTree(file, finding, folder);
      return path === undefined ? [] : [path];
    });
    return others.length === 0 ? below : undefined;
  }

  /** The only file of the tree whose path ends so; of several, the one that the finding speaks of. */
  #inTree(file: string, finding: Finding, folder = this.#root): string | undefined {
    const parts = file.split(/[\\/]/).filter((part) => part !== "." && part !== "..");
    const ending = parts.join("/");
    const below = relative(this.#root, folder).replaceAll(sep, "/");
    const same = (this.#names().get(parts.at(-1) ?? "") ?? []).filter(
      (path) =>
        (path === ending || path.endsWith(`/${ending}`)) &&
        (below === "" || path.startsWith(`${below}/`)),
    );
    const only = same.length < 2 ? same[0] : this.#chosen(same, finding);
    return only === undefined ? undefined : join(this.#root, only);
  }

  #chosen(paths: readonly string[], finding: Finding): string | undefined {
    const named = wordsOf(`${finding.origin ?? ""} ${finding.name}`);
    const [best, second] = byWords(paths, new Set(named));
    if (best !== undefined && best.count > (second?.count ?? 0)) return best.path;
    const rivals = paths.filter((path) => countIn(path, new Set(named)) === best?.count);
    for (const heading of this.#headingsAbove(finding)) {
      const meant = rivals.filter((path) => heading.every((word) => wordsOf(path).includes(word)));
      if (meant.length === 1) return meant[0];
      if (meant.length > 1) return undefined;
    }
    return undefined;
  }

  /** What the tools said they were working on, nearest above the finding first. */
  *#headingsAbove({ location, name, message }: Finding): Generator<readonly string[]> {
    const marks = [location ?? "", name, message.split("\n", 1)[0] ?? ""].filter(
      (mark) => mark !== "",
    );
    const at = Math.max(...marks.map((mark) => this.#printed.indexOf(mark)));
    if (at < 0) return;
    for (const line of this.#printed.slice(0, at).split("\n").reverse()) {
      const heading = headings
        .map((pattern) => pattern.exec(line)?.[1])
        .find((said) => said !== undefined);
      const words = wordsOf(heading ?? "").filter(
        (word) => !/^(?:test|build|check|lint|run)$/.test(word),
      );
      if (words.length > 0) yield words.slice(-1);
    }
  }

  /** The files of the tree by their last name, paths from its root. */
  #names(): Map<string, string[]> {
    if (this.#byName !== undefined) return this.#byName;
    const names = new Map<string, string[]>();
    for (const path of listNames({ root: this.#root, environment: this.#environment }).paths) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const same = names.get(name);
      if (same === undefined) names.set(name, [path]);
      else same.push(path);
    }
    this.#byName = names;
    return names;
  }
}

/** Headings of npm, pnpm and yarn, of cargo, Maven and Gradle: what of them names a package, module or folder. */
const headings: readonly RegExp[] = [
  /^> (\S+?)@\S+ \S+/,
  /^(\S+) (?:test|build|lint|check)\S*(?:\$|:) /,
  /^ *(?:Compiling|Checking|Doc-tests|Testing) (\S+)/,
  /^ *Running .*\(.*?deps\/([\w-]+?)-[0-9a-f]{8,}\)/,
  /^\[INFO\] -+< \S+?:(\S+) >-+$/,
  /^\[INFO\] --- .* @ (\S+) ---$/,
  /^> Task :(\S+):\w+/,
  /: Entering directory '(.+)'$/,
];

function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_-]+/u)
    .flatMap((word) => (word === "" ? [] : [word.replaceAll("_", "-")]));
}

function countIn(path: string, words: ReadonlySet<string>): number {
  return wordsOf(path.slice(0, path.lastIndexOf("/") + 1)).filter((word) => words.has(word)).length;
}

function byWords(
  paths: readonly string[],
  words: ReadonlySet<string>,
): readonly { readonly path: string; readonly count: number }[] {
  return paths
    .map((path) => ({ path, count: countIn(path, words) }))
    .toSorted((one, other) => other.count - one.count);
}
