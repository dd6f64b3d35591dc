import { errors } from "../envelope/index.ts";
import { compileGlob, expandBraces, type Glob } from "../files/index.ts";

/** Tests the path of a file, relative to the folder that is searched, with forward slashes. */
export type FilePattern = (relativePath: string) => boolean;

/**
 * Compiles the globs of `--pattern` or `--glob`: it accepts files that match one of them, or all files when none is given
 * without `!`; files that match a glob with `!` before it are left out.
 *
 * @param flag The flag that errors name.
 * @throws invalid_argument as `compileFilePattern`.
 */
export function compileFilePatterns(patterns: readonly string[], flag = "pattern"): FilePattern {
  const wanted = patterns
    .filter((pattern) => !pattern.startsWith("!"))
    .map((pattern) => compileFilePattern(pattern, flag));
  const unwanted = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => compileFilePattern(pattern.slice(1), flag));
  return (path) =>
    (wanted.length === 0 || wanted.some((test) => test(path))) &&
    !unwanted.some((test) => test(path));
}

/**
 * Compiles the glob of `--pattern`: `*`, `**`, `?`, `[…]` and `{a,b}`. Without a slash it is about file names at any
 * depth, with one about the path from the folder given; a slash at the end means everything below.
 *
 * @throws invalid_argument for an empty pattern, an unclosed bracket, a backslash at the end, or too many braces.
 */
function compileFilePattern(pattern: string, flag: string): FilePattern {
  const refuse = (reason: string): Error =>
    new errors.invalid_argument({ argument: `${flag} ${pattern.slice(0, 100)}`, reason });
  if (pattern === "") throw refuse("it is empty");
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) throw refuse("its braces stand for too many patterns");
  const tests = alternatives.map((alternative) => {
    const isRooted = /^\.?\//.test(alternative);
    const stripped = alternative.replace(/^(\.?\/)+/, "");
    const body = stripped.endsWith("/") ? `${stripped}**` : stripped;
    const glob = compileGlob(body);
    if (glob === undefined) throw refuse("a bracket is not closed, or a backslash ends it");
    return testOf(glob, isRooted);
  });
  return (relativePath) => tests.some((test) => test(relativePath));
}

function testOf(glob: Glob, isRooted: boolean): FilePattern {
  if (isRooted || glob.hasSlash) return (path) => glob.matchPath(path.split("/"), 0);
  return (path) => glob.matchName(path.slice(path.lastIndexOf("/") + 1));
}
