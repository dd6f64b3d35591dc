import { existsSync } from "node:fs";
import { sep } from "node:path";
import type { CommandContext } from "./command.ts";
import { locate, realPathOf } from "./locate.ts";

/** A glob that was given in place of a path. */
export interface GlobArgument {
  /** The folder before the first placeholder, as it is given to a command in the working directory. */
  readonly folder: string;
  /** What is matched with the paths of files below it. */
  readonly pattern: string;
}

/**
 * Takes a glob that was given in place of a path apart: into the folder before its first placeholder, and a pattern
 * below that. Only a glob without any folder (`*.ts`) is about file names at every depth.
 *
 * @returns `undefined` for what has no placeholder, and for what is there by that very name.
 */
export function readGlobArgument(
  argument: string,
  { workingDirectory }: Pick<CommandContext, "workingDirectory">,
): GlobArgument | undefined {
  const isPlaceholder = /[*?[{]/;
  if (!isPlaceholder.test(argument)) return undefined;
  if (existsSync(locate(argument, realPathOf(workingDirectory)))) return undefined;
  const parts = (sep === "/" ? argument : argument.replaceAll(sep, "/")).split("/");
  const at = parts.findIndex((part) => isPlaceholder.test(part));
  const folder = parts.slice(0, at).join("/");
  const rest = parts.slice(at).join("/");
  if (at === 0) return { folder: ".", pattern: rest };
  return { folder: folder === "" ? "/" : folder, pattern: `/${rest}` };
}
