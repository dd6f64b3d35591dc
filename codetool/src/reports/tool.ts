import type { ParseOutput } from "./report.ts";

/** What kind of thing a tool does. */
export const toolFamilies = ["tests", "build", "lint", "coverage", "infrastructure"] as const;

/** A tool whose output can be read. */
export interface Tool {
  /** What `tool` of the payload says. */
  readonly id: string;
  /** For the documentation. */
  readonly title: string;
  readonly family: (typeof toolFamilies)[number];
  /** The command, with its subcommand where it has one: `"go test"`. */
  readonly commands: readonly string[];
  /** Tells by the arguments after those words, and which of `commands` they are, whether it is this tool; default it is. */
  readonly isMeant?: (args: readonly string[], command: string) => boolean;
  /** What only this tool prints: by it an output is known whose command does not tell. */
  readonly signature?: RegExp;
  /** It runs other tools: what one of those printed counts before its own words. */
  readonly isRunner?: true;
  readonly parse: ParseOutput;
  /** How it is made to print JSON. */
  readonly json?: {
    readonly flags: readonly string[];
    /** The commands that take them, where not all of `commands` do. */
    readonly commands?: readonly string[];
    /** An argument that decides on the output already. */
    readonly conflict: RegExp;
  };
}

/** A command found to be a tool. */
export interface FoundTool {
  readonly tool: Tool;
  /** The entry of `commands` that it is. */
  readonly command: string;
  /** Words up to and with the subcommand. */
  readonly matchedCount: number;
}

/** Finds the first tool of a table that a command is. */
export function findTool(table: readonly Tool[], words: readonly string[]): FoundTool | undefined {
  for (const tool of table) {
    for (const command of tool.commands) {
      const matchedCount = matchCommand(command, words);
      if (matchedCount === 0) continue;
      if (tool.isMeant?.(words.slice(matchedCount), command) === false) continue;
      return { tool, command, matchedCount };
    }
  }
  return undefined;
}

/**
 * Tells how many words a command's name and subcommands take; 0 when it is another one. Flags may be between, with a
 * value each.
 */
export function matchCommand(command: string, words: readonly string[]): number {
  const [name, ...subcommands] = command.split(" ");
  if (words[0] === undefined || programName(words[0]) !== name) return 0;
  let at = 1;
  for (const subcommand of subcommands) {
    let isAfterFlag = false;
    while (words[at] !== subcommand) {
      const word = words[at];
      if (word === undefined || word === "--") return 0;
      const isFlag = /^[-+]/.test(word);
      if (!isFlag && !isAfterFlag) return 0;
      isAfterFlag = isFlag && !word.includes("=") && !word.startsWith("+");
      at += 1;
    }
    at += 1;
  }
  return at;
}

/** The name of a program without its folder and the endings that systems add. */
export function programName(word: string): string {
  const name = word.replaceAll("\\", "/").split("/").at(-1) ?? "";
  return name.toLowerCase().replace(/\.(exe|cmd|bat|ps1)$/, "");
}
