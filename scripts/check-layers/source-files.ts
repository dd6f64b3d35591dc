/** The source files of a package as the rules of `check-layers` see them: their imports, and whether they are tests. */
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** One import or re-export of a file. */
export interface Import {
  readonly specifier: string;
  readonly line1: number;
  /** Path below the root of the file that is meant; undefined for packages, and for files outside the root. */
  readonly target: string | undefined;
}

/** One source file. */
export interface SourceFile {
  /** Path below the root, for example `core/agents/agent.ts`. */
  readonly path: string;
  /** The root, for example `agentrt/src`. */
  readonly root: string;
  /** The text without comments. */
  readonly code: string;
  /** A test, or what tests share. */
  readonly isTest: boolean;
  readonly imports: readonly Import[];
}

/** One broken rule: where, and what was wanted. */
export interface Fault {
  readonly path: string;
  readonly line1: number;
  readonly message: string;
}

const importPattern =
  /^[ \t]*(?:import|export)\s+(?:type\s+)?(?:[\w*{][^;'"]*?from\s*)?["']([^"']+)["']|(?<!@)\bimport\(\s*["']([^"']+)["']/gm;

/** Tests, and what tests share: `test-support` folders. */
export function isOfTests(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("test-support/");
}

/**
 * Reads a file's text as the rules see it.
 *
 * @param root Root folder of the package's sources, for example `agentrt/src`.
 * @param path Path below the root.
 * @param text The file's text.
 */
export function readSource(root: string, path: string, text: string): SourceFile {
  const isTest = isOfTests(path);
  const code = withoutComments(text);
  // Tests hold programs as template strings, whose imports are not the test's own.
  const importing = isTest ? code.replace(/`[^`]*`/g, blank) : code;
  const imports = [...importing.matchAll(importPattern)].map((match): Import => {
    const specifier = match[1] ?? match[2] ?? "";
    const line1 = importing.slice(0, match.index).split("\n").length;
    const target = specifier.startsWith(".")
      ? posix.normalize(posix.join(posix.dirname(path), specifier))
      : undefined;
    return { specifier, line1, target: target?.startsWith("..") === true ? undefined : target };
  });
  return { path, root, code, isTest, imports };
}

/** Reads all source files of a root, fixtures apart, in the order of their paths. */
export function readRoot(repository: string, root: string): SourceFile[] {
  return globSync("**/*.ts", { cwd: join(repository, root) })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.includes("fixtures/"))
    .sort()
    .map((path) => readSource(root, path, readFileSync(join(repository, root, path), "utf8")));
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** Strips comments, so that a rule is not tripped by prose. Strings stay: none of ours break a rule. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|[^:])\/\/.*$/gm, "$1");
}
