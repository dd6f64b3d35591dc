import type { CompletedCommand, CompletedFlag, CompletedValue } from "./completed-words.ts";

/**
 * Writes the completions for bash 3.2 and later; the package bash-completion is not needed.
 *
 * @param globals The flags that may be in front of a command.
 */
export function bashCompletions(
  commands: readonly CompletedCommand[],
  globals: readonly CompletedFlag[],
): string {
  const names = ["codetool", ...commands.map(({ name }) => `codetool-${name}`)];
  return [
    '# Completions of codetool for bash: eval "$(codetool completions bash)"',
    "_codetool() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="" command="" first=0 index word',
    '  ((COMP_CWORD > 0)) && previous="${COMP_WORDS[COMP_CWORD - 1]}"',
    "  # --flag=value is three words.",
    '  if [[ $current == "=" ]]; then',
    '    current=""',
    '  elif [[ $previous == "=" ]] && ((COMP_CWORD > 1)); then',
    '    previous="${COMP_WORDS[COMP_CWORD - 2]}"',
    "  fi",
    "  COMPREPLY=()",
    '  word="${COMP_WORDS[0]##*/}"',
    '  word="${word%.exe}"',
    '  [[ $word == codetool-* ]] && command="${word#codetool-}"',
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    '    word="${COMP_WORDS[index]}"',
    "    case $command,$word in",
    "      ,--budget) ((index++)) ;;",
    "      *,-*) ;;",
    '      ,*) command="$word" ;;',
    "      *) ((first == 0)) && first=$index ;;",
    "    esac",
    "  done",
    '  [[ $command == help ]] && command=""',
    "  case $command,$previous in",
    ...commands.flatMap(({ name, flags }) => flags.flatMap((flag) => valueCase(name, flag))),
    ...globals.flatMap((flag) => valueCase("", flag)),
    "  esac",
    "  if [[ $current == -* ]]; then",
    "    case $command in",
    ...[{ name: '""', flags: globals }, ...commands].map(
      ({ name, flags }) =>
        `      ${name}) _codetool_words "${flags.flatMap(({ spellings }) => spellings).join(" ")}" ;;`,
    ),
    "    esac",
    "    return",
    "  fi",
    "  case $command in",
    `    "") _codetool_words "${[...commands.map(({ name }) => name), "help"].join(" ")}" ;;`,
    ...commands.flatMap(({ name, first }) => {
      const action = completing(first);
      return action === undefined ? [] : [`    ${name}) ((first == 0)) && ${action} ;;`];
    }),
    "  esac",
    "}",
    "_codetool_words() {",
    '  COMPREPLY=($(compgen -W "$1" -- "$current"))',
    "  # No files in place of words that are known.",
    "  type compopt >/dev/null 2>&1 && compopt +o default 2>/dev/null",
    "}",
    "_codetool_folders() {",
    "  local IFS=$'\\n'",
    '  COMPREPLY=($(compgen -d -- "$current"))',
    "  type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null",
    "}",
    `complete -o default -F _codetool ${names.join(" ")}`,
    "",
  ].join("\n");
}

/** What follows a flag that takes a value. */
function valueCase(command: string, { spellings, value }: CompletedFlag): string[] {
  if (value.kind === "none") return [];
  const patterns = spellings.map((spelling) => `${command},${spelling}`).join(" | ");
  const action = completing(value);
  // Files are bash's own answer where there is none.
  return [`    ${patterns}) ${action === undefined ? "" : `${action}; `}return ;;`];
}

function completing(value: CompletedValue): string | undefined {
  switch (value.kind) {
    case "choice":
      return `_codetool_words "${value.choices.join(" ")}"`;
    case "any":
    case "none":
      return '_codetool_words ""';
    case "folder":
      return "_codetool_folders";
    case "program":
      return 'COMPREPLY=($(compgen -c -- "$current"))';
    case "file":
      return undefined;
  }
}
