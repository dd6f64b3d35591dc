import { statSync } from "node:fs";
import { errors } from "../envelope/index.ts";
import type { CommandContext } from "./command.ts";
import { locate, realPathOf } from "./locate.ts";

/**
 * Finds the folder that a request names as its working directory.
 *
 * @param cwd From the working directory of the context, or absolute.
 * @returns Absolute.
 * @throws invalid_argument for what is not a folder.
 */
export function workingDirectoryAt(
  cwd: string,
  { workingDirectory }: Pick<CommandContext, "workingDirectory">,
): string {
  const folder = locate(cwd, realPathOf(workingDirectory));
  if (isFolder(folder)) return folder;
  throw new errors.invalid_argument({
    argument: `cwd ${cwd.slice(0, 200)}`,
    reason: "wanted a folder that is there",
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Nothing is there, or it may not be looked at.
    return false;
  }
}
