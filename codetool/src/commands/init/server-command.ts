import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import type { CommandContext } from "../command.ts";
import type { ServerCommand } from "./frameworks.ts";
import type { Scope } from "./input.ts";
import type { Machine } from "./places.ts";

/**
 * Says how a framework is to start codetool's MCP server.
 *
 * In a project's files it is `codetool mcp`, found on the path: they are shared, and a place on this machine means nothing on
 * another. For a user it is an absolute path, because programs that are started from a desktop have another path than a
 * shell: the name on the path where that is this program, so that it outlives an update, else this program's file.
 *
 * @param program How this program is started; absent where that is not known.
 */
export function serverCommand(
  scope: Scope,
  machine: Machine,
  program: CommandContext["program"],
): ServerCommand & { readonly warning?: string } {
  const onPath = findProgram("codetool", machine);
  if (scope === "project") {
    const warning = "codetool is not on the PATH, where the written configuration looks for it";
    return { command: "codetool", args: ["mcp"], ...(onPath === undefined ? { warning } : {}) };
  }
  const file = program?.words.at(-1);
  if (program === undefined || file === undefined)
    return { command: onPath ?? "codetool", args: ["mcp"] };
  const suffix = machine.platform === "win32" ? ".exe" : "";
  const names = [onPath, join(dirname(file), `codetool${suffix}`)];
  const name = names.find((each) => each !== undefined && isSameFile(each, file));
  if (name !== undefined) return { command: name, args: ["mcp"] };
  const [command = file, ...rest] = program.words;
  // A link that is named after a command takes no other.
  const isLink = program.commandNames.some((each) => basename(file, suffix) === `codetool-${each}`);
  if (!isLink) return { command, args: [...rest, "mcp"] };
  const warning = `the program "${file}" is only a link for one command: the configuration needs "codetool" on the PATH`;
  return { command: "codetool", args: ["mcp"], warning };
}

/** Finds a program as a shell does; `undefined` where no folder of the path has it. Absolute. */
export function findProgram(
  name: string,
  { environment, platform, workingDirectory }: Machine,
): string | undefined {
  const endings = platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter);
  for (const folder of folders) {
    if (folder === "") continue;
    for (const ending of endings) {
      const path = join(resolve(workingDirectory, folder), name + ending);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether two names lead to one file. */
export function isSameFile(left: string, right: string): boolean {
  const [one, two] = [left, right].map((path) =>
    statSync(path, { throwIfNoEntry: false, bigint: true }),
  );
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}
