import { commandDescriptions } from "../codetool/src/cli/descriptions.ts";
import { environment, flagRow, positionalRow, renderUsage } from "../codetool/src/cli/help.ts";
import { globalFlags } from "../codetool/src/commands/global-flags.ts";
import type { CommandDescription } from "../codetool/src/commands/command.ts";
import { version } from "../codetool/src/system/index.ts";

const exitCodes = [
  ["0", "answered"],
  ["1", "an error, which the envelope names"],
  ["2", "wrong usage"],
] as const;

/** Writes `docs/reference/codetool.md` from the command table: every command with its arguments, flags and examples. */
export function renderCodetoolReference(): string {
  return [
    "# codetool: commands and flags",
    "",
    "Generated from the command table, as `--help`, the completions and the man page are. What the commands are for is in",
    "[codetool's README](../../codetool/README.md) and its guides; the errors are [on a page for themselves](../../codetool/docs/errors.md).",
    "",
    "Commands: " +
      commandDescriptions()
        .map(({ name }) => `[\`${name}\`](#${name})`)
        .join(" · "),
    "",
    "## Every command",
    "",
    ...markdownTable(["flag", "what it does"], globalFlags.map(flagRow)),
    ...markdownTable(["environment", "what it sets"], environment),
    ...markdownTable(["exit code", "what it means"], exitCodes),
    ...commandDescriptions().flatMap(markdownCommand),
  ].join("\n");
}

function markdownCommand(description: CommandDescription): string[] {
  const { name, summary, positionals, flags, examples } = description;
  return [
    `## ${name}`,
    "",
    `\`${renderUsage(description)}\`: ${summary}`,
    "",
    ...(positionals.length === 0
      ? []
      : markdownTable(["argument", "what it is"], positionals.map(positionalRow))),
    ...(flags.length === 0 ? [] : markdownTable(["flag", "what it does"], flags.map(flagRow))),
    ...markdownTable(
      ["example", "what it does"],
      examples.map(({ commandLine, remark }) => [commandLine, remark] as const),
    ),
  ];
}

function markdownTable(
  head: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): string[] {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  return [
    `| ${head[0]} | ${head[1]} |`,
    "|---|---|",
    ...rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`),
    "",
  ];
}

/** Writes `codetool/man/codetool.1` from the command table, for man. */
export function renderManPage(): string {
  const descriptions = commandDescriptions();
  return [
    '.\\" Generated from the command table: npm run gen',
    `.TH CODETOOL 1 "" "codetool ${version}" "User Commands"`,
    ".SH NAME",
    "codetool \\- explore code with JSON answers inside token budgets",
    ".SH SYNOPSIS",
    ".B codetool",
    "[flags] <command> [flags] [arguments]",
    ".SH DESCRIPTION",
    "Coding agents call codetool in place of grep, cat, find, sed and diff.",
    "Every command prints one line of JSON, the envelope: version, command, status, tokens, data or error, warnings.",
    "With",
    ".B \\-\\-plain",
    "it prints text for people, and",
    ".B \\-\\-budget",
    "keeps the data within a number of tokens.",
    ".PP",
    "A link that is named after a command, such as",
    ".BR codetool-search ,",
    "is that command;",
    ".B codetool init \\-\\-links",
    "makes them.",
    ".SH FLAGS OF EVERY COMMAND",
    ...globalFlags.map(flagRow).flatMap(manRow),
    ".SH COMMANDS",
    ...descriptions.flatMap(manCommand),
    ".SH ENVIRONMENT",
    ...environment.flatMap(manRow),
    ".SH EXIT STATUS",
    ...exitCodes.flatMap(manRow),
    ".SH FILES",
    ...manRow([".codetool/index/", "the index of a project, made by codetool index"]),
    ...manRow([".codetool/init/", "what codetool init has written, in the home or in a project"]),
    ...manRow([
      "~/.codetool/errors.jsonl",
      "internal failures after which another program answered",
    ]),
    "",
  ].join("\n");
}

function manCommand(description: CommandDescription): string[] {
  const { name, summary, positionals, flags, examples } = description;
  return [
    `.SS ${manText(name)}`,
    `.B ${manText(renderUsage(description))}`,
    ".PP",
    manText(`${summary}.`),
    ...positionals.map(positionalRow).flatMap(manRow),
    ...flags.map(flagRow).flatMap(manRow),
    ...examples.flatMap(({ commandLine, remark }) => [
      ".PP",
      ".nf",
      `    ${manText(commandLine)}`,
      ".fi",
      ".RS 8",
      manText(remark),
      ".RE",
    ]),
  ];
}

function manRow([name, text]: readonly [string, string]): string[] {
  return [".TP", `.B ${manText(name)}`, manText(text)];
}

/** Text as troff shows it: a backslash and a dash are written in another way, and no line begins a request. */
function manText(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll('"', "\\(dq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll(
      /[^\n\x20-\x7e]/gu,
      (character) =>
        `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0") ?? ""}]`,
    );
  return escaped.startsWith(".") ? `\\&${escaped}` : escaped;
}
