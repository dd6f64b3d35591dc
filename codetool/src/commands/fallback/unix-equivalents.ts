import type { UnixCommand } from "../command.ts";
import { splitLineSuffix } from "../line-suffix.ts";

/** Shorter words of a question are not searched for: each is a pattern by itself, and these match too much. */
const wordCharactersMin = 4;
const definitionPattern =
  "^[[:space:]]*([a-z]+[[:space:]]+)*(fn|struct|impl|enum|trait|class|def|function|func|interface|type|module)[[:space:]]";

const textFiles = ["-I", "--exclude-dir=.git", "--exclude-dir=.codetool"];

/** `grep` in place of `search`. No input can act as an option, and no shell reads it; so in the functions below. */
export function searchEquivalent(input: {
  readonly query: string;
  readonly path?: readonly string[] | undefined;
  readonly glob?: readonly string[] | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly word?: boolean | undefined;
  readonly regex?: boolean | undefined;
  readonly literal?: boolean | undefined;
}): UnixCommand {
  const { query } = input;
  const words = query.split(/\s+/).filter((word) => word.length >= wordCharactersMin);
  const isPattern = input.regex === true;
  const isText = isPattern || input.literal === true || words.length < 3;
  const wanted = isText ? ["-e", query] : ["-i", ...words.flatMap((word) => ["-e", word])];
  const { path: paths = [] } = input;
  const args = [
    "-rn",
    ...textFiles,
    isPattern ? "-E" : "-F",
    ...(input.ignore_case === true ? ["-i"] : []),
    ...(input.word === true ? ["-w"] : []),
    ...(input.glob ?? []).flatMap(included),
    ...wanted,
    "--",
    ...(paths.length === 0 ? ["."] : paths),
  ];
  return { program: "grep", args };
}

/** For grep a glob is about names; one about paths is left out. */
function included(glob: string): string[] {
  const name = glob.replace(/^!/, "");
  if (name.includes("/")) return [];
  return [`${name === glob ? "--include" : "--exclude"}=${name}`];
}

/** `cat`, or `sed` for a range of lines, in place of `read`. */
export function readEquivalent(input: {
  readonly file: string;
  readonly lines?: string | undefined;
}): UnixCommand {
  const placed = splitLineSuffix(input.file);
  const { file } = placed;
  const lines = placed.lines ?? input.lines ?? "";
  const range = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(lines.trim());
  if (range === null) return { program: "cat", args: ["--", file] };
  const [, start, end = start] = range;
  return { program: "sed", args: ["-n", `${start},${end}p`, "--", file] };
}

/** `find` in place of `find`. */
export function findEquivalent(input: {
  readonly path?: string | undefined;
  readonly depth?: number | undefined;
  readonly pattern?: readonly string[] | undefined;
}): UnixCommand {
  const path = pathOf(input.path);
  const { depth, pattern: patterns = [] } = input;
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const unwanted = patterns.filter((pattern) => pattern.startsWith("!"));
  const args = [
    path.startsWith("-") ? `./${path}` : path,
    ...(depth === undefined ? [] : ["-maxdepth", String(depth)]),
    "-type",
    "f",
    "-not",
    "-path",
    "*/.git/*",
    ...(wanted.length === 0 ? [] : ["(", ...wanted.flatMap(eitherNamed), ")"]),
    ...unwanted.flatMap((pattern) => ["-not", ...named(pattern.slice(1))]),
  ];
  return { program: "find", args };
}

function eitherNamed(pattern: string, index: number): string[] {
  return index === 0 ? named(pattern) : ["-o", ...named(pattern)];
}

/** A pattern with a slash is about the path, any other about the name. */
function named(pattern: string): string[] {
  if (!pattern.includes("/")) return ["-name", pattern];
  return ["-path", `*/${pattern.replaceAll("**", "*").replace(/^\/+/, "")}`];
}

/** `grep` in place of `exists`. */
export function existsEquivalent(input: {
  readonly pattern: string;
  readonly path?: string | undefined;
}): UnixCommand {
  const args = ["-rl", ...textFiles, "-F", "-e", input.pattern, "--", pathOf(input.path)];
  return { program: "grep", args };
}

/** `grep` for what looks like a definition, in place of `outline`. */
export function outlineEquivalent(input: { readonly path: string }): UnixCommand {
  return {
    program: "grep",
    args: ["-rnE", ...textFiles, "-e", definitionPattern, "--", pathOf(input.path)],
  };
}

/** `git diff` in place of `diff`. */
export function diffEquivalent(input: {
  readonly since?: string | undefined;
  readonly file?: string | undefined;
  readonly staged?: boolean | undefined;
}): UnixCommand {
  const { since = "", file = "" } = input;
  // A word that begins with a dash would be an option; git has no revision with such a name.
  const revision = since === "" || since.startsWith("-") ? "HEAD" : since;
  const args = [
    "--no-pager",
    "diff",
    "--no-color",
    "--no-ext-diff",
    ...(input.staged === true ? ["--staged"] : []),
    revision,
    "--",
    ...(file === "" ? [] : [file]),
  ];
  return { program: "git", args };
}

function pathOf(path: string | undefined): string {
  return path === undefined || path === "" ? "." : path;
}
