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
  /** True when the first argument is the name of an agent: those that run are offered. */
  readonly namesAgents: boolean;
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
      namesAgents: positional?.[0]?.isAgent === true,
    });
  }
  const version = { word: "--version", summary: "print the version" };
  return [
    {
      typed: "",
      entries: [...top.values(), helpEntry, version],
      isLeaf: false,
      namesAgents: false,
    },
    ...[...groups].map(([word, entries]) => ({
      typed: ` ${word}`,
      entries: [...entries, helpEntry],
      isLeaf: false,
      namesAgents: false,
    })),
    ...leaves,
  ];
}

function bashScript(levels: readonly Level[]): string {
  const cases = levels.map(({ typed, entries, isLeaf, namesAgents }) => {
    const words = entries.map(({ word }) => word).join(" ");
    const names = namesAgents ? "; agents=1" : "";
    return `    ${pattern(typed, isLeaf)}) list=${quote(words)}; leaf=${isLeaf ? 1 : 0}${names} ;;`;
  });
  return `# bash completion of agentrt: eval "$(agentrt completion bash)"
_agentrt() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="" list="" leaf=1 agents=0 before="" word
  local -a topology=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$before" in -t|--topology) topology+=(-t "$word") ;; esac
    before="$word"
    case "$word" in -*) ;; *) typed="$typed $word" ;; esac
  done
  case "$typed" in
${cases.join("\n")}
  esac
  COMPREPLY=()
  if [[ $leaf == 0 || $current == -* ]]; then
    COMPREPLY=($(compgen -W "$list" -- "$current"))
  elif [[ $agents == 1 ]]; then
    COMPREPLY=($(compgen -W "$(agentrt completion agents "\${topology[@]}" 2>/dev/null)" -- "$current"))
  fi
}
complete -o default -F _agentrt agentrt
`;
}

function zshScript(levels: readonly Level[]): string {
  const cases = levels.map(({ typed, entries, isLeaf, namesAgents }) => {
    const words = entries.map(({ word, summary }) =>
      quote(`${word}:${summary.replaceAll(":", "\\:")}`),
    );
    const names = namesAgents ? "; agents=1" : "";
    return `    (${pattern(typed, isLeaf)}) entries=(${words.join(" ")}); leaf=${isLeaf ? 1 : 0}${names} ;;`;
  });
  return `#compdef agentrt
# zsh completion of agentrt: eval "$(agentrt completion zsh)"
_agentrt() {
  local -a entries topology names
  local typed="" leaf=1 agents=0 before="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $before == -t || $before == --topology ]] && topology+=(-t $word)
    before=$word
    [[ $word == -* ]] || typed="$typed $word"
  done
  case "$typed" in
${cases.join("\n")}
  esac
  if [[ $leaf == 0 || $words[CURRENT] == -* ]]; then
    _describe agentrt entries
  elif [[ $agents == 1 ]]; then
    names=("\${(@f)$(agentrt completion agents $topology 2>/dev/null)}")
    compadd -a names
  else
    _files
  fi
}
compdef _agentrt agentrt
`;
}

function fishScript(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ typed, entries, isLeaf, namesAgents }) => {
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
    const names = namesAgents
      ? [
          `complete -c agentrt -n ${quote(condition)} -f -a '(agentrt completion agents 2>/dev/null)'`,
        ]
      : [];
    const own = entries.map(({ word, summary }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c agentrt -n ${quote(condition)} ${what} -d ${quote(summary)}`;
    });
    return [...names, ...own];
  });
  return `# fish completion of agentrt: agentrt completion fish | source\n${lines.join("\n")}\n`;
}

/** What was typed, and what follows it; `top` is not `topology`. */
function pattern(typed: string, isLeaf: boolean): string {
  return isLeaf ? `${quote(typed)}|${quote(`${typed} `)}*` : quote(typed);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
