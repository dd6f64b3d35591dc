import { parseArgs } from "node:util";
import {
  checkInput,
  globalFlags,
  familiarFlag,
  nearestName,
  type CommandDescription,
  type CommandInput,
  type FlagDefinition,
} from "../commands/index.ts";
import { UsageError } from "./usage-error.ts";

/** The flags that belong to the command line and not to a command. */
export interface GlobalValues {
  readonly isPlain: boolean;
  readonly isQuiet: boolean;
  /** `--no-fallback`: an internal failure is the answer, no other program answers instead. */
  readonly isFallbackOff: boolean;
  readonly isHelp: boolean;
  readonly isVersion: boolean;
}

/** A command line taken apart. */
export interface ParsedArguments {
  readonly globals: GlobalValues;
  /** Input of the command, with `budget` where it was given. */
  readonly input: CommandInput;
}

/** A word on the command line that `parseArgs` took for an option or a positional. */
type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/**
 * Finds the command in a command line: the first word that is not a flag. Only global flags may be before it.
 *
 * @returns The word and its place; no word when there are only flags.
 */
export function findCommandWord(argv: readonly string[]): {
  readonly word: string | undefined;
  readonly index: number;
} {
  const tokens = tokenize(argv, globalFlags);
  for (const token of tokens) {
    if (token.kind === "positional") return { word: token.value, index: token.index };
    if (token.kind === "option" && flagOf(token.name, globalFlags) === undefined)
      throw unknownFlag(token.rawName, globalFlags, undefined);
  }
  return { word: undefined, index: argv.length };
}

/**
 * Reads the flags that decide where errors go from a command line that could not be parsed.
 */
export function peekGlobals(argv: readonly string[]): GlobalValues {
  const end = argv.indexOf("--");
  const words = new Set(end === -1 ? argv : argv.slice(0, end));
  return {
    isPlain: words.has("--plain"),
    isQuiet: words.has("-q") || words.has("--quiet"),
    isFallbackOff: words.has("--no-fallback"),
    isHelp: words.has("-h") || words.has("--help"),
    isVersion: words.has("-V") || words.has("--version"),
  };
}

/**
 * Parses the words of a command line except the command itself.
 *
 * @throws UsageError for unknown flags, missing or bad values, and too many or too few arguments.
 */
export function parseCommandArguments(
  argv: readonly string[],
  description: CommandDescription,
): ParsedArguments {
  const flags = [...description.flags, ...globalFlags];
  const raw: { [name: string]: unknown } = {};
  const words: string[] = [];
  const tokens = tokenize(argv, flags);
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isValue = before !== undefined && isValueOf(token, before, flags);
    if (token.kind === "positional" && !isValue) {
      if (description.positionals[words.length]?.takesRest === true) {
        words.push(...argv.slice(token.index));
        break;
      }
      words.push(token.value);
    }
    if (token.kind !== "option") continue;
    const next = tokens[index + 1];
    const value = next !== undefined && isValueOf(next, token, flags) ? next.value : token.value;
    takeOption(raw, { ...token, value } as typeof token, { flags, description });
  }
  const globals: GlobalValues = {
    isPlain: raw["plain"] === true,
    isQuiet: raw["quiet"] === true,
    isFallbackOff: raw["no_fallback"] === true,
    isHelp: raw["help"] === true,
    isVersion: raw["version"] === true,
  };
  if (globals.isHelp || globals.isVersion) return { globals, input: {} };
  if (globals.isPlain && raw["json"] === true)
    throw new UsageError("--plain and --json exclude each other", { command: description.name });
  for (const name of ["json", "plain", "quiet", "no_fallback", "no_serve", "help", "version"])
    delete raw[name];
  takePositionals(raw, words, description);
  return { globals, input: check(raw, description) };
}

/** Tells whether a word is the value of the flag before it: `--syntax-check false`. Other booleans take no word. */
function isValueOf(
  token: Token,
  before: Token,
  flags: readonly FlagDefinition[],
): token is Extract<Token, { kind: "positional" }> {
  if (token.kind !== "positional" || before.kind !== "option") return false;
  const isBare = before.value === undefined && token.index === before.index + 1;
  const isBoolean = token.value === "true" || token.value === "false";
  return isBare && isBoolean && flagOf(before.name, flags)?.isOnByDefault === true;
}

function tokenize(argv: readonly string[], flags: readonly FlagDefinition[]): Token[] {
  const options: { [name: string]: { type: "boolean" | "string"; short?: string } } = {};
  for (const flag of flags) {
    const type = flag.kind === "boolean" ? "boolean" : "string";
    for (const name of spellingsOf(flag))
      options[kebab(name)] =
        flag.short === undefined || name !== flag.name ? { type } : { type, short: flag.short };
  }
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens;
}

function takeOption(
  raw: { [name: string]: unknown },
  token: Extract<Token, { kind: "option" }>,
  of: { readonly flags: readonly FlagDefinition[]; readonly description: CommandDescription },
): void {
  const { flags, description } = of;
  const flag = flagOf(token.name, flags);
  if (flag === undefined) throw unknownFlag(token.rawName, flags, description);
  const { rawName, value } = token;
  if (flag.kind === "boolean") {
    const isOn = booleanOf(rawName, value, description);
    raw[flag.name] = isNegation(token.name, flag) ? !isOn : isOn;
    return;
  }
  const isFlagInstead =
    value !== undefined && token.inlineValue === false && isKnownFlag(value, flags);
  if (value === undefined || isFlagInstead) {
    const found =
      value === undefined ? "the end" : `"${value}"; write ${rawName}=${value} if that is it`;
    throw new UsageError(`${rawName} needs ${flag.placeholder ?? "a value"}: found ${found}`, {
      command: description.name,
    });
  }
  if (flag.kind === "strings") {
    const before = raw[flag.name];
    raw[flag.name] = [...(Array.isArray(before) ? (before as string[]) : []), value];
    return;
  }
  if (raw[flag.name] !== undefined)
    throw new UsageError(`${rawName} is given twice`, { command: description.name });
  raw[flag.name] = flag.kind === "string" ? value : numberOf(value, { rawName, flag, description });
}

function booleanOf(
  rawName: string,
  value: string | undefined,
  description: CommandDescription,
): boolean {
  if (value === undefined || value === "true") return true;
  if (value === "false") return false;
  throw new UsageError(`${rawName} takes no value: found "${value}"`, {
    command: description.name,
  });
}

function numberOf(
  value: string,
  of: {
    readonly rawName: string;
    readonly flag: FlagDefinition;
    readonly description: CommandDescription;
  },
): number {
  const { rawName, flag, description } = of;
  const pattern = flag.kind === "integer" ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  if (pattern.test(value)) return Number(value);
  const wanted = flag.kind === "integer" ? "a whole number" : "a number";
  throw new UsageError(`${rawName} needs ${wanted}: found "${value}"`, {
    command: description.name,
  });
}

function takePositionals(
  raw: { [name: string]: unknown },
  words: readonly string[],
  description: CommandDescription,
): void {
  let taken = 0;
  for (const positional of description.positionals) {
    if (positional.isVariadic === true) {
      if (taken < words.length) raw[positional.name] = words.slice(taken);
      taken = words.length;
    } else if (taken < words.length) {
      raw[positional.name] = words[taken];
      taken += 1;
    } else if (positional.isRequired)
      throw new UsageError(`<${positional.name}> is missing: ${positional.summary}`, {
        command: description.name,
      });
  }
  if (taken < words.length)
    throw new UsageError(
      `"${words[taken] ?? ""}" is one argument too many: quote one with spaces`,
      {
        command: description.name,
      },
    );
}

/** Ranges and choices are checked by the table's own check; on the command line a fault there is wrong usage. */
function check(raw: { [name: string]: unknown }, description: CommandDescription): CommandInput {
  try {
    return checkInput(description, raw);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(asWritten(message, description), { command: description.name });
  }
}

/** Names a flag as it is written on the command line: the table's check quotes it first, as in `"top_k 0"`. */
function asWritten(message: string, description: CommandDescription): string {
  return message.replace(/"([a-z_]+)(?=[ "])/, (quoted, name: string) => {
    const isFlag = [...description.flags, ...globalFlags].some((flag) => flag.name === name);
    return isFlag ? `"--${kebab(name)}` : quoted;
  });
}

function flagOf(name: string, flags: readonly FlagDefinition[]): FlagDefinition | undefined {
  return flags.find((flag) => spellingsOf(flag).some((known) => kebab(known) === name));
}

/** How a flag may be written, snake_case. */
export function spellingsOf(flag: FlagDefinition): readonly string[] {
  const negation = flag.isOnByDefault === true ? [`no_${flag.name}`] : [];
  return [flag.name, ...(flag.aliases ?? []), ...negation];
}

function isNegation(name: string, flag: FlagDefinition): boolean {
  return flag.isOnByDefault === true && name === `no-${kebab(flag.name)}`;
}

function isKnownFlag(word: string, flags: readonly FlagDefinition[]): boolean {
  if (word.startsWith("--"))
    return flagOf(word.slice(2).split("=", 1)[0] ?? "", flags) !== undefined;
  return /^-[a-zA-Z]$/.test(word) && flags.some((flag) => flag.short === word[1]);
}

function unknownFlag(
  rawName: string,
  flags: readonly FlagDefinition[],
  description: CommandDescription | undefined,
): UsageError {
  const where = description === undefined ? "before the command" : `of ${description.name}`;
  const hint = hintOn(rawName, flags, description);
  return new UsageError(`${rawName} is not a flag ${where}${hint}`, { command: description?.name });
}

function hintOn(
  rawName: string,
  flags: readonly FlagDefinition[],
  description: CommandDescription | undefined,
): string {
  const name = rawName.replace(/^-+/, "");
  const familiar = description && familiarFlag(description.name, snake(name).toLowerCase());
  if (familiar !== undefined)
    return familiar.startsWith("-") ? `; did you mean ${familiar}` : `: ${familiar}`;
  const names = flags.flatMap((flag) => spellingsOf(flag).map(kebab));
  const nearest = rawName.startsWith("--") ? nearestName(name, names) : undefined;
  if (nearest !== undefined) return `; did you mean --${nearest}`;
  if (description === undefined || description.positionals.length === 0) return "";
  const known = description.flags.map((flag) => `--${kebab(flag.name)}`).join(", ");
  const isLikeFlag = known !== "" && /^--?[a-z][a-z-]*$/i.test(rawName);
  const dash = "write -- before an argument that begins with a dash";
  return isLikeFlag ? `; it takes ${known}; ${dash}` : `; ${dash}`;
}

function snake(name: string): string {
  return name.replaceAll("-", "_");
}

/** The spelling of a name on the command line. */
export function kebab(name: string): string {
  return name.replaceAll("_", "-");
}
