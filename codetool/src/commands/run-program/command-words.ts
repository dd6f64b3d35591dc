import { errors } from "../../envelope/index.ts";

/**
 * Takes a command that was given as one string apart into its words, as a shell would: white space divides them, quotes
 * and backslashes hold them together. Nothing is expanded.
 *
 * @throws invalid_argument for a quote without its end, and for what only a shell understands: pipes, lists,
 *   redirections, variables, patterns of file names.
 */
export function commandWords(line: string): string[] {
  const words: string[] = [];
  let rest = line.trim();
  if (/^[A-Za-z_]\w*=/.test(rest)) throw needsShell(line, "a variable before the command");
  while (rest !== "") {
    const found = word.exec(rest)?.[0] ?? "";
    const next = rest[found.length];
    if (next === "'" || next === '"') throw refused(line, `its quote ${next} has no end`);
    if (next === "\\" || /"(?:[^"\\]|\\[^])*[$`]/.test(found.replaceAll(/'[^']*'/g, "")))
      throw needsShell(line, next === "\\" ? "a backslash at its end" : "a variable");
    if (next !== undefined && !/\s/.test(next)) throw needsShell(line, `"${next}"`);
    words.push(found.replaceAll(part, (quoted) => unquoted(quoted)));
    rest = rest.slice(found.length).trimStart();
  }
  return words;
}

/** Quoted and unquoted parts up to white space or a character that means something to a shell. */
const word = /^(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^\s'"\\|&;<>()$`*?])+/;
const part = /'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]/g;

function unquoted(quoted: string): string {
  if (quoted.startsWith("\\")) return quoted.slice(1);
  const inner = quoted.slice(1, -1);
  return quoted.startsWith("'") ? inner : inner.replaceAll(/\\(["\\$`])/g, "$1");
}

function needsShell(line: string, what: string): Error {
  return refused(line, `${what} is for a shell, and none reads it: run sh -c with it`);
}

function refused(line: string, reason: string): Error {
  return new errors.invalid_argument({ argument: line.slice(0, 100), reason });
}
