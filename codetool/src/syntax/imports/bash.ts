import type { ImportReader, ImportSyntax } from "./syntax.ts";

const sourcing = /^(?:source|\.)[ \t]+(?:--[ \t]+)?/;

/** What means the folder of the script itself, in the ways this is usually written. */
const ownFolder =
  /^(?:\$\(\s*(?:cd\s[^)]*)?dirname\s[^)]*\)(?:"?\s*(?:>\s*\S+\s*)?&&\s*pwd[^)]*\))?|\$\{(?:BASH_SOURCE(?:\[0\])?|0)%\/\*\})(?=\/)/;

/** `source a.sh`, `. "$(dirname "$0")/a.sh"`; a path without a fixed end is nothing. */
const read: ImportReader = ({ text }) => {
  const head = sourcing.exec(text);
  if (head === null) return null;
  const path = firstWord(text.slice(head[0].length)).replace(ownFolder, ".");
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "" || /[$`(){}*?]/.test(name)) return null;
  return { imports: [{ specifier: path, names: [], kind: "include" }] };
};

/** The first word of a command's rest, without its quotes; expansions stay whole. */
function firstWord(rest: string): string {
  let depth = 0;
  let isQuoted = false;
  let word = "";
  for (let index = 0; index < Math.min(rest.length, 1000); index++) {
    const letter = rest[index] ?? "";
    if (/[({]/.test(letter)) depth += 1;
    else if (/[)}]/.test(letter)) depth -= 1;
    if (depth <= 0 && (letter === '"' || letter === "'")) {
      isQuoted = !isQuoted;
      continue;
    }
    if (depth <= 0 && !isQuoted && /[\s;&|<>]/.test(letter)) break;
    word += letter;
  }
  return word;
}

/** Bash. */
export const bashImports: ImportSyntax = {
  languages: ["bash"],
  matchers: [{ kind: "command", when: /(?:^|[\s;&|({])(?:source|\.)[ \t]+\S/ }],
  begin: () => read,
};
