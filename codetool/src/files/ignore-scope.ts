import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { readGlobalExcludes, readInfoExclude, type GitEnvironment } from "./git-excludes.ts";
import { compileIgnoreRules, type IgnoreRules, type IgnoreVerdict } from "./ignore-rules.ts";
import { readSmallFile } from "./project-root.ts";

/** An ignore file that is larger is not read: a rule file of this size is a mistake. */
const ignoreFileSizeBytesMax = 4 * 1024 * 1024;

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
    readonly directory: string;
    readonly offset: number;
    readonly globalRules: IgnoreRules | undefined;
  }) {
    this.#parent = options.parent;
    this.#offset = options.offset;
    this.#globalRules = options.globalRules;
    this.#ownRules = readRules(join(options.directory, ".codetoolignore"));
    this.#gitRules = readRules(join(options.directory, ".gitignore"));
    this.#isGitRoot = existsSync(join(options.directory, ".git"));
    this.#excludeRules = this.#isGitRoot ? readInfoExclude(options.directory) : undefined;
  }

  /**
   * Makes the scope of a walk's root, with the rules of all folders from `base` down to it.
   *
   * @param options.base The git work tree's root, or the walk's root itself.
   * @param options.parts Names that lead from `base` to the walk's root.
   */
  static forRoot(options: {
    readonly base: string;
    readonly parts: readonly string[];
    readonly gitRoot: string | undefined;
    readonly environment: GitEnvironment;
  }): IgnoreScope {
    const globalRules = readGlobalExcludes(options.gitRoot, options.environment);
    let scope = new IgnoreScope({
      parent: undefined,
      directory: options.base,
      offset: 0,
      globalRules,
    });
    for (const [index] of options.parts.entries()) {
      const directory = join(options.base, ...options.parts.slice(0, index + 1));
      scope = scope.enter(directory, index + 1);
    }
    return scope;
  }

  /** Makes the scope of a folder below this one, `offset` names deep. */
  enter(directory: string, offset: number): IgnoreScope {
    return new IgnoreScope({
      parent: this,
      directory,
      offset,
      globalRules: this.#globalRules,
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

  /** Asks the folders upwards to the root of the work tree, and then what stands outside of its folders. */
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

/** Reads an ignore file that is a plain file: as in git, a link is not followed. */
function readRules(path: string): IgnoreRules | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > ignoreFileSizeBytesMax) return undefined;
  return compileIgnoreRules(readSmallFile(path) ?? "");
}
