import {
  globalFlags,
  type CommandDescription,
  type FlagDefinition,
  type PositionalDefinition,
} from "../commands/index.ts";
import { version } from "../envelope/index.ts";
import { kebab, spellingsOf } from "./parse-arguments.ts";

const footnote = [
  "Answers are one JSON envelope: version, command, status, tokens, data or error, warnings.",
  "With --budget tokens are counted exactly with o200k_base; without it tokens = bytes / 4.",
  "Exit codes: 0 answered, 1 error (in the envelope), 2 wrong usage.",
];

/** The variables that every command reads, and what each is for. */
export const environment: readonly (readonly [string, string])[] = [
  ["CODETOOL_MAX_FILE_SIZE", "skip larger files: bytes or 1MB (default 1MB)"],
  ["CODETOOL_CHUNK_SIZE", "target size of a search chunk in characters (default 1500)"],
  ["CODETOOL_STATS_FILE", "where calls are recorded (default ~/.codetool/stats.jsonl)"],
  ["CODETOOL_CACHE_DIR", "where unpacked parts are kept"],
  ["CODETOOL_LOG, RUST_LOG", "error, warn, info, debug or trace: log to standard error"],
];

/** Writes the help of the whole program. */
export function renderProgramHelp(descriptions: readonly CommandDescription[]): string {
  const examples = descriptions.flatMap((description) => description.examples.slice(0, 1));
  return lines([
    `codetool ${version}: explore code with JSON answers inside token budgets`,
    "",
    "Examples:",
    ...renderExamples(examples),
    "",
    "Usage: codetool [flags] <command> [flags] [arguments]",
    "",
    "Commands:",
    ...table(descriptions.map((description) => [description.name, description.summary])),
    "",
    "Flags of every command:",
    ...table(globalFlags.map(flagRow)),
    "",
    "Environment:",
    ...table(environment),
    "",
    ...footnote,
    "`codetool <command> --help` shows the flags of a command.",
  ]);
}

/** Writes the help of one command. */
export function renderCommandHelp(description: CommandDescription): string {
  const { positionals, flags } = description;
  return lines([
    `codetool ${description.name}: ${description.summary}`,
    "",
    "Examples:",
    ...renderExamples(description.examples),
    "",
    `Usage: ${renderUsage(description)}`,
    "",
    ...(positionals.length === 0
      ? []
      : ["Arguments:", ...table(positionals.map(positionalRow)), ""]),
    ...(flags.length === 0 ? [] : ["Flags:", ...table(flags.map(flagRow)), ""]),
    "Flags of every command:",
    ...table(globalFlags.map(flagRow)),
    "",
    ...footnote,
  ]);
}

/** Writes the one line that shows how a command is written. */
export function renderUsage(description: CommandDescription | undefined): string {
  if (description === undefined) return "codetool [flags] <command> [flags] [arguments]";
  const positionals = description.positionals.map((positional) => {
    const name = positional.isVariadic === true ? `${positional.name}...` : positional.name;
    return positional.isRequired ? `<${name}>` : `[${name}]`;
  });
  return ["codetool", description.name, "[flags]", ...positionals].join(" ");
}

function renderExamples(examples: CommandDescription["examples"]): string[] {
  return examples.flatMap((example) => [`  ${example.commandLine}`, `      ${example.remark}`]);
}

/** An argument as help shows it: its name, and what it is for. */
export function positionalRow({ name, summary, choices }: PositionalDefinition): [string, string] {
  return [name, choices === undefined ? summary : `${summary} (${choices.join(", ")})`];
}

/** A flag as help shows it: how it is written, and what it is for. */
export function flagRow(flag: FlagDefinition): [string, string] {
  const names = spellingsOf(flag).map((name) => `--${kebab(name)}`);
  if (flag.short !== undefined) names.unshift(`-${flag.short}`);
  const placeholder = flag.kind === "boolean" ? "" : ` ${flag.placeholder ?? "<value>"}`;
  const choices =
    flag.choices === undefined
      ? ""
      : ` (${[...flag.choices, ...(flag.isCountAllowed === true ? ["N"] : [])].join(", ")})`;
  return [`${names.join(", ")}${placeholder}`, `${flag.summary}${choices}`];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(26, Math.max(...rows.map(([name]) => name.length)));
  return rows.map(([name, text]) =>
    name.length > width
      ? `  ${name}\n  ${" ".repeat(width)}  ${text}`
      : `  ${name.padEnd(width)}  ${text}`,
  );
}

function lines(parts: readonly string[]): string {
  return `${parts.join("\n")}\n`;
}
