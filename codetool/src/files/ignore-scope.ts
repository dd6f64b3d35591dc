import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { readGlobalExcludes, readInfoExclude, type GitEnvironment } from "./git-excludes.ts";
import { compileIgnoreRules, type IgnoreRules, type IgnoreVerdict } from "./ignore-rules.ts";
import { readSmallFile } from "./project-root.ts";

/** An ignore file that is larger is not read: a rule file of this size is a mistake. */
const ignoreFileSizeBytesMax = 4 * 1024 * 1024;

/** Names that change the rules of the folder they are in. */
export const ruleFileNames = [".git", ".gitignore", ".codetoolignore"] as const;

/** The ignore rules that hold in one folder: its own and those of the folders above it. */
export class IgnoreScope {
  readonly #parent: IgnoreScope | undefined;
  /** Count of the names that lead to this folder. */
  readonly #offset: number;
  readonly #ownRules: IgnoreRules | undefined;
  readonly #gitRules: IgnoreRules | undefined;
  readonly #isGitRoot: boolean;
  readonly #excludeRules: IgnoreRules | undefined;
  readonly #globalRules: IgnoreRules | undefined;

  private constructor(options: {
    readonly parent: IgnoreScope | undefined;
    readonly offset: number;
    readonly globalRules: IgnoreRules | undefined;
    readonly ownRules?: IgnoreRules | undefined;
    readonly gitRules?: IgnoreRules | undefined;
    readonly isGitRoot?: boolean;
    readonly excludeRules?: IgnoreRules | undefined;
  }) {
    this.#parent = options.parent;
    this.#offset = options.offset;
    this.#globalRules = options.globalRules;
    this.#ownRules = options.ownRules;
    this.#gitRules = options.gitRules;
    this.#isGitRoot = options.isGitRoot ?? false;
    this.#excludeRules = options.excludeRules;
  }

  /**
   * Makes the scope above a walk's root, with the rules of the folders from `base` down to it.
   *
   * @param options.base The git work tree's root, or the walk's root itself.
   * @param options.parts Names that lead from `base` to the walk's root.
   */
  static above(options: {
    readonly base: string;
    readonly parts: readonly string[];
    readonly gitRoot: string | undefined;
    readonly environment: GitEnvironment;
  }): IgnoreScope {
    const { base, parts, gitRoot, environment } = options;
    let scope = new IgnoreScope({
      parent: undefined,
      offset: 0,
      globalRules: readGlobalExcludes(gitRoot, environment),
    });
    for (const [offset] of parts.entries())
      scope = scope.enter(join(base, ...parts.slice(0, offset)), { offset });
    return scope;
  }

  /**
   * Makes the scope of a folder below this one.
   *
   * @param options.offset Count of the names that lead from the base to it.
   * @param options.names What is in the folder, if known: it saves asking for files that are not there.
   */
  enter(
    directory: string,
    options: { readonly offset: number; readonly names?: ReadonlySet<string> },
  ): IgnoreScope {
    const { offset, names } = options;
    const mayHave = (name: string): boolean => names === undefined || names.has(name);
    const hasRules = ruleFileNames.some(mayHave);
    // Most folders have no ignore file: they use the scope above, which knows its own offset.
    if (!hasRules) return this;
    const isGitRoot = mayHave(".git") && existsSync(join(directory, ".git"));
    return new IgnoreScope({
      parent: this,
      offset,
      globalRules: this.#globalRules,
      ownRules: mayHave(".codetoolignore")
        ? readRules(join(directory, ".codetoolignore"))
        : undefined,
      gitRules: mayHave(".gitignore") ? readRules(join(directory, ".gitignore")) : undefined,
      isGitRoot,
      excludeRules: isGitRoot ? readInfoExclude(directory) : undefined,
    });
  }

  /** Tells whether an entry of this folder is left out; `parts` are the names that lead to it from the base. */
  isIgnored(parts: readonly string[], isDirectory: boolean): boolean {
    const verdict =
      this.#ownVerdict(parts, isDirectory) ?? this.#gitVerdict(parts, isDirectory) ?? "include";
    return verdict === "ignore";
  }

  #ownVerdict(parts: readonly string[], isDirectory: boolean): IgnoreVerdict {
    const verdict = this.#ownRules?.verdict(parts, this.#offset, isDirectory);
    if (verdict !== undefined || this.#parent === undefined) return verdict;
    return this.#parent.#ownVerdict(parts, isDirectory);
  }

  /** Asks the rules of each folder up to the root of the work tree, then the rules outside of its folders. */
  #gitVerdict(parts: readonly string[], isDirectory: boolean): IgnoreVerdict {
    const verdict = this.#gitRules?.verdict(parts, this.#offset, isDirectory);
    if (verdict !== undefined) return verdict;
    if (!this.#isGitRoot && this.#parent !== undefined)
      return this.#parent.#gitVerdict(parts, isDirectory);
    return (
      this.#excludeRules?.verdict(parts, this.#offset, isDirectory) ??
      this.#globalRules?.verdict(parts, this.#offset, isDirectory)
    );
  }
}

function readRules(path: string): IgnoreRules | undefined {
  return compileIgnoreRules(ignoreFileAt(path));
}

/** The text of an ignore file that is a plain file: as in git, a link is not followed; empty where there is none. */
export function ignoreFileAt(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > ignoreFileSizeBytesMax) return "";
  return readSmallFile(path) ?? "";
}
