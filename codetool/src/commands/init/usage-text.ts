/** The heading and the lines that tell an agent when to call codetool; lines end with a line feed. */
export const usageText = [
  "## codetool",
  "",
  "Explore and change code with `codetool`: as tools of the MCP server `codetool`, or on the command line. Its answers are",
  "ranked JSON within a token budget, so prefer it to grep, cat, find, sed and git diff:",
  "",
  "- `codetool search <text or question> [path]`: by text, pattern, words or meaning, best places first",
  "- `codetool outline <file or folder>` before reading; `codetool read <file> --symbol NAME` or `--lines 7-40`",
  "- `codetool find <glob>`, `codetool exists <text>`: where files are, whether something is there at all",
  "- `codetool map`, `codetool context <folder>`: the symbols that matter in a tree, what a package is",
  "- `codetool explain <symbol>`, `codetool impact <file>`: all of one symbol in one answer, and who depends on a file",
  "- `codetool edit <file> --find A --replace B --apply`: checked for syntax; without `--apply` only shown",
  "- `codetool diff`, `codetool run <test command>`: what changed by function, and only what failed",
  "",
  "Add `--budget N` to keep an answer within N tokens, and `--help` to see the flags of a command.",
  "",
].join("\n");
