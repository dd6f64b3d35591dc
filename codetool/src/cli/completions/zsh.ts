import type { CompletedCommand, CompletedFlag, CompletedValue } from "./completed-words.ts";

/**
 * Writes the completions for zsh: a file `_codetool` of `fpath`, or a text for `eval`.
 *
 * @param globals The flags that may be in front of a command.
 */
export function zshCompletions(
  commands: readonly CompletedCommand[],
  globals: readonly CompletedFlag[],
): string {
  const names = ["codetool", ...commands.map(({ name }) => `codetool-${name}`)];
  return [
    `#compdef ${names.join(" ")}`,
    '# Completions of codetool for zsh: in a folder of fpath as _codetool, or eval "$(codetool completions zsh)"',
    "_codetool() {",
    '  local curcontext="$curcontext" state line ret=1',
    "  typeset -A opt_args",
    "  if [[ $service == codetool-* ]]; then",
    "    _codetool_arguments ${service#codetool-}",
    "    return",
    "  fi",
    "  _arguments -C -S \\",
    ...globals.map((flag) => `    ${flagSpec(flag)} \\`),
    "    '1:command:_codetool_commands' '*::argument:->arguments' && ret=0",
    "  if [[ $state == arguments ]]; then",
    "    if [[ $words[1] == help ]]; then _codetool_commands && ret=0",
    "    else _codetool_arguments $words[1] && ret=0",
    "    fi",
    "  fi",
    "  return ret",
    "}",
    "_codetool_commands() {",
    "  local -a commands",
    "  commands=(",
    ...commands.map(
      ({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`,
    ),
    "    'help:show how commands are written'",
    "  )",
    "  _describe -t commands command commands",
    "}",
    "_codetool_arguments() {",
    "  case $1 in",
    ...commands.flatMap(({ name, flags, first }) => [
      `    ${name})`,
      "      _arguments -S \\",
      ...flags.map((flag) => `        ${flagSpec(flag)} \\`),
      `        ${argumentSpecs(first)} ;;`,
    ]),
    "  esac",
    "}",
    "if [[ ${funcstack[1]} == _codetool ]]; then",
    '  _codetool "$@"',
    "else",
    `  compdef _codetool ${names.join(" ")}`,
    "fi",
    "",
  ].join("\n");
}

function flagSpec({ spellings, summary, value, isRepeated }: CompletedFlag): string {
  const about = `[${summary.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
  const after = value.kind === "none" ? "" : `:value:${completing(value)}`;
  return spellings
    .map((spelling) => {
      const others = isRepeated ? "*" : spellings.length === 1 ? "" : `(${spellings.join(" ")})`;
      // A value may be the next word, or follow "=" in the same.
      const sign = value.kind === "none" ? "" : spelling.startsWith("--") ? "=" : "+";
      return quoted(`${others}${spelling}${sign}${about}${after}`);
    })
    .join(" ");
}

function argumentSpecs(first: CompletedValue): string {
  if (first.kind === "none") return "'*: : '";
  if (first.kind === "program") return "'(-)1:program:_command_names -e' '*::argument:_normal'";
  const rest = first.kind === "choice" ? "" : " '*:file:_files'";
  return `${quoted(`1:argument:${completing(first)}`)}${rest}`;
}

function completing(value: CompletedValue): string {
  switch (value.kind) {
    case "choice":
      return `(${value.choices.join(" ")})`;
    case "folder":
      return "_files -/";
    case "program":
      return "_command_names -e";
    case "file":
      return "_files";
    case "any":
    case "none":
      return " ";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
