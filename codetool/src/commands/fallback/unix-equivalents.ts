import type { CommandInput } from "../command.ts";

/** A program with its arguments. */
export interface UnixCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Words of a question that are too short to be looked for alone. */
const wordCharactersMin = 4;
const definitionPattern =
  "^[[:space:]]*([a-z]+[[:space:]]+)*(fn|struct|impl|enum|trait|class|def|function|func|interface|type|module)[[:space:]]";

/**
 * The Unix command that answers in place of a command, as the specification maps them; `undefined` for a command that
 * has none. Nothing of the input is taken for an option, and no shell reads it.
 */
export function unixEquivalentOf(command: string, input: CommandInput): UnixCommand | undefined {
  return equivalents.get(command)?.(input);
}

type Equivalent = (input: CommandInput) => UnixCommand;

const equivalents: ReadonlyMap<string, Equivalent> = new Map<string, Equivalent>([
  ["search", searchEquivalent],
  ["read", readEquivalent],
  ["find", findEquivalent],
  ["exists", existsEquivalent],
  ["outline", outlineEquivalent],
  ["diff", diffEquivalent],
]);

const textFiles = ["-I", "--exclude-dir=.git", "--exclude-dir=.codetool"];

function searchEquivalent(input: CommandInput): UnixCommand {
  const query = text(input["query"]);
  const words = query.split(/\s+/).filter((word) => word.length >= wordCharactersMin);
  const isPattern = input["regex"] === true;
  const isText = isPattern || input["literal"] === true || words.length < 3;
  const wanted = isText ? ["-e", query] : ["-i", ...words.flatMap((word) => ["-e", word])];
  const args = ["-rn", ...textFiles, isPattern ? "-E" : "-F", ...wanted, "--", pathOf(input)];
  return { program: "grep", args };
}

function readEquivalent(input: CommandInput): UnixCommand {
  const file = text(input["file"]);
  const range = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text(input["lines"]).trim());
  if (range === null) return { program: "cat", args: ["--", file] };
  const [, start, end = start] = range;
  return { program: "sed", args: ["-n", `${start},${end}p`, "--", file] };
}

function findEquivalent(input: CommandInput): UnixCommand {
  const path = pathOf(input);
  const depth = input["depth"];
  const patterns = [input["pattern"] ?? []].flat().filter((each) => typeof each === "string");
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const unwanted = patterns.filter((pattern) => pattern.startsWith("!"));
  const args = [
    path.startsWith("-") ? `./${path}` : path,
    ...(typeof depth === "number" ? ["-maxdepth", String(depth)] : []),
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

function existsEquivalent(input: CommandInput): UnixCommand {
  const args = ["-rl", ...textFiles, "-F", "-e", text(input["pattern"]), "--", pathOf(input)];
  return { program: "grep", args };
}

function outlineEquivalent(input: CommandInput): UnixCommand {
  return {
    program: "grep",
    args: ["-rnE", ...textFiles, "-e", definitionPattern, "--", pathOf(input)],
  };
}

function diffEquivalent(input: CommandInput): UnixCommand {
  const since = text(input["since"]);
  const file = text(input["file"]);
  // What begins with a dash would be an option: git has no revision of such a name.
  const revision = since === "" || since.startsWith("-") ? "HEAD" : since;
  const args = [
    "--no-pager",
    "diff",
    "--no-color",
    "--no-ext-diff",
    ...(input["staged"] === true ? ["--staged"] : []),
    revision,
    "--",
    ...(file === "" ? [] : [file]),
  ];
  return { program: "git", args };
}

function pathOf(input: CommandInput): string {
  const path = text(input["path"]);
  return path === "" ? "." : path;
}

function text(value: CommandInput[string]): string {
  return typeof value === "string" ? value : "";
}
