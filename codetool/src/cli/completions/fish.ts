import type { CompletedCommand, CompletedFlag, CompletedValue } from "./completed-words.ts";

/**
 * Writes the completions for fish.
 *
 * @param globals The flags that may be in front of a command.
 */
export function fishCompletions(
  commands: readonly CompletedCommand[],
  globals: readonly CompletedFlag[],
): string {
  const lines = ["# Completions of codetool for fish: codetool completions fish | source"];
  const inFront = "__fish_use_subcommand";
  for (const flag of globals) lines.push(flagLine("codetool", flag, inFront));
  lines.push("complete -c codetool -n __fish_use_subcommand -f");
  for (const { name, summary } of commands)
    lines.push(`complete -c codetool -n ${inFront} -a ${name} -d ${quoted(summary)}`);
  lines.push(
    `complete -c codetool -n ${inFront} -a help -d 'show how commands are written'`,
    `complete -c codetool -n '__fish_seen_subcommand_from help' -f -a ${quoted(commands.map(({ name }) => name).join(" "))}`,
  );
  for (const { name, flags, first } of commands) {
    const after = `__fish_seen_subcommand_from ${name}`;
    for (const [program, condition] of [
      ["codetool", after],
      [`codetool-${name}`, undefined],
    ] as const) {
      lines.push(...argumentLines(program, first, condition));
      for (const flag of flags) lines.push(flagLine(program, flag, condition));
    }
  }
  return `${lines.join("\n")}\n`;
}

function flagLine(
  program: string,
  { spellings, summary, value }: CompletedFlag,
  condition: string | undefined,
): string {
  const names = spellings.map((spelling) =>
    spelling.startsWith("--") ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`,
  );
  return [start(program, condition), ...names, ...completing(value), `-d ${quoted(summary)}`].join(
    " ",
  );
}

function argumentLines(
  program: string,
  first: CompletedValue,
  condition: string | undefined,
): string[] {
  const line = start(program, condition);
  switch (first.kind) {
    case "choice":
      return [`${line} -f -a ${quoted(first.choices.join(" "))}`];
    case "program":
      return [
        `${line} -a '(__fish_complete_subcommand --fcs-skip=${condition === undefined ? 1 : 2})'`,
      ];
    case "none":
      return [`${line} -f`];
    default:
      // Files are fish's own answer.
      return [];
  }
}

function start(program: string, condition: string | undefined): string {
  return `complete -c ${program}${condition === undefined ? "" : ` -n ${quoted(condition)}`}`;
}

function completing(value: CompletedValue): string[] {
  switch (value.kind) {
    case "none":
      return [];
    case "choice":
      return ["-x", `-a ${quoted(value.choices.join(" "))}`];
    case "folder":
      return ["-x", "-a '(__fish_complete_directories)'"];
    case "file":
      return ["-r"];
    default:
      return ["-x"];
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
