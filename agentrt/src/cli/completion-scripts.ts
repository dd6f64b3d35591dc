import type { CommandSpec } from "./command.ts";

/** One word that may come next, and what it does. */
interface Entry {
  readonly word: string;
  readonly summary: string;
}

/** What may come after some words. */
interface Level {
  /** The words before, each with a space in front: `` or ` topology show`. */
  readonly typed: string;
  readonly entries: readonly Entry[];
  /** True when arguments follow, so that files are offered where no flag is begun. */
  readonly isLeaf: boolean;
}

const helpEntry: Entry = { word: "--help", summary: "print help" };

/**
 * Makes the script that teaches a shell to complete `agentrt`.
 *
 * @param shell Which shell.
 * @param commands The table of commands.
 * @returns The script, to be evaluated by the shell.
 */
export function completionScript(
  shell: "bash" | "zsh" | "fish",
  commands: readonly CommandSpec[],
): string {
  const levels = levelsOf(commands);
  switch (shell) {
    case "bash":
      return bashScript(levels);
    case "zsh":
      return zshScript(levels);
    case "fish":
      return fishScript(levels);
    default:
      return shell satisfies never;
  }
}

function levelsOf(commands: readonly CommandSpec[]): Level[] {
  const top = new Map<string, Entry>();
  const groups = new Map<string, Entry[]>();
  const leaves: Level[] = [];
  for (const { words, summary, flags, arguments: positional } of commands) {
    const [first, second] = words;
    top.set(first, { word: first, summary: second === undefined ? summary : `${first} commands` });
    if (second !== undefined)
      groups.set(first, [...(groups.get(first) ?? []), { word: second, summary }]);
    const entries = (flags ?? []).map((flag) => ({
      word: `--${flag.name}`,
      summary: flag.summary,
    }));
    const choices = (positional?.[0]?.choices ?? []).map((word) => ({ word, summary: "" }));
    leaves.push({
      typed: ` ${words.join(" ")}`,
      entries: [...choices, ...entries, helpEntry],
      isLeaf: choices.length === 0,
    });
  }
  const version = { word: "--version", summary: "print the version" };
  return [
    { typed: "", entries: [...top.values(), helpEntry, version], isLeaf: false },
    ...[...groups].map(([word, entries]) => ({
      typed: ` ${word}`,
      entries: [...entries, helpEntry],
      isLeaf: false,
    })),
    ...leaves,
  ];
}

function bashScript(levels: readonly Level[]): string {
  const cases = levels.map(({ typed, entries, isLeaf }) => {
    const words = entries.map(({ word }) => word).join(" ");
    return `    ${quote(typed)}${isLeaf ? "*" : ""}) list=${quote(words)}; leaf=${isLeaf ? 1 : 0} ;;`;
  });
  return `# bash completion of agentrt: eval "$(agentrt completion bash)"
_agentrt() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="" list="" leaf=1 word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) typed="$typed $word" ;; esac
  done
  case "$typed" in
${cases.join("\n")}
  esac
  COMPREPLY=()
  if [[ $leaf == 0 || $current == -* ]]; then
    COMPREPLY=($(compgen -W "$list" -- "$current"))
  fi
}
complete -o default -F _agentrt agentrt
`;
}

function zshScript(levels: readonly Level[]): string {
  const cases = levels.map(({ typed, entries, isLeaf }) => {
    const words = entries.map(({ word, summary }) =>
      quote(`${word}:${summary.replaceAll(":", "\\:")}`),
    );
    return `    (${quote(typed)}${isLeaf ? "*" : ""}) entries=(${words.join(" ")}); leaf=${isLeaf ? 1 : 0} ;;`;
  });
  return `#compdef agentrt
# zsh completion of agentrt: eval "$(agentrt completion zsh)"
_agentrt() {
  local -a entries
  local typed="" leaf=1 word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || typed="$typed $word"
  done
  case "$typed" in
${cases.join("\n")}
  esac
  if [[ $leaf == 0 || $words[CURRENT] == -* ]]; then
    _describe agentrt entries
  else
    _files
  fi
}
compdef _agentrt agentrt
`;
}

function fishScript(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ typed, entries, isLeaf }) => {
    const words = typed
      .trim()
      .split(" ")
      .filter((word) => word !== "");
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const deeper = levels
      .filter(
        (level) =>
          level.typed.startsWith(`${typed} `) && level.typed.split(" ").length === words.length + 2,
      )
      .map((level) => level.typed.split(" ").at(-1));
    const condition = [
      ...seen,
      ...(isLeaf ? [] : [`not __fish_seen_subcommand_from ${deeper.join(" ")}`]),
    ].join("; and ");
    return entries.map(({ word, summary }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c agentrt -n ${quote(condition)} ${what} -d ${quote(summary)}`;
    });
  });
  return `# fish completion of agentrt: agentrt completion fish | source\n${lines.join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
