import { delimiter, dirname } from "node:path";
import process from "node:process";
import { createTemporaryFolder, runProgram } from "testkit";

/** Asks a shell what it offers at the end of a line of words. The last word is the one that is completed. */
export interface ShellCompletion {
  readonly shell: "bash" | "zsh" | "fish";
  /** Of the completions: what `codetool completions` printed. */
  readonly script: string;
  readonly words: readonly string[];
}

const bashAsk = `
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_codetool
printf '%s\\n' "\${COMPREPLY[@]}"
`;

const fishAsk = `
source $argv[1]
complete -C (string join ' ' -- $argv[2..-1]) | string replace -r '\\t.*' ''
`;

/** zsh completes only on a terminal: one of zpty's, in which what is offered goes to a file. */
const zshAsk = `
zmodload zsh/zpty
export SCRIPT=$1 HITS=$2; shift 2
zpty z zsh -f -i
zpty -w z 'PROMPT= RPROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -D -u; source $SCRIPT
compadd () {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a found; builtin compadd -A found "$@"; (( $#found )) && print -rl -- $found >> $HITS; return 1
}
_ask () { _main_complete; print "ASKED""IT" }
zle -C ask complete-word _ask; bindkey "^X" ask; print "SET""UP"'
zpty -r z line '*SETUP*'
zpty -n -w z "\${(j: :)@}"$'\\x18'
zpty -r z line '*ASKEDIT*'
zpty -d z
cat $HITS
`;

/** Runs the shell; sorted words without white space at their ends. */
export async function completionsIn({ shell, script, words }: ShellCompletion): Promise<string[]> {
  using folder = createTemporaryFolder({ script, hits: "", "sub/file.ts": "" });
  const asks = { bash: bashAsk, fish: fishAsk, zsh: zshAsk };
  const path =
    shell === "zsh" ? [`${folder.path}/script`, `${folder.path}/hits`] : [`${folder.path}/script`];
  const lead =
    shell === "fish"
      ? ["--no-config", "-c", asks.fish]
      : shell === "zsh"
        ? ["-f", "-c", asks.zsh, "ask"]
        : ["--norc", "-c", asks.bash, "ask"];
  const exit = await runProgram(shell, [...lead, ...path, ...words], {
    workingDirectory: folder.path,
    environment: {
      HOME: folder.path,
      TERM: "dumb",
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    },
  });
  if (exit.code !== 0 && exit.stdout === "")
    throw new Error(`${shell} ended with ${exit.code}: ${exit.stderr}`);
  return exit.stdout
    .split("\n")
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .toSorted();
}
