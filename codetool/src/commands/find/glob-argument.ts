import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { CommandContext } from "../command.ts";
import type { FindInput } from "./input.ts";

/**
 * Takes a glob that was given in place of the folder apart: into the folder before its first placeholder, and a pattern
 * below that. What is there by that very name is not a glob.
 */
export function readGlobArgument(
  input: FindInput,
  { workingDirectory }: CommandContext,
): FindInput {
  const { path = "." } = input;
  const absolutePath = resolve(workingDirectory, path);
  if (!/[*?[{]/.test(path) || existsSync(absolutePath)) return input;
  // Over MCP a path is absolute however it was given.
  const below = relative(workingDirectory, absolutePath).replaceAll(sep, "/");
  const isBelow = below !== ".." && !below.startsWith("../") && !isAbsolute(below);
  const isFolder = path.endsWith("/");
  const parts = `${isBelow ? below : path}${isFolder && isBelow ? "/" : ""}`.split("/");
  const at = parts.findIndex((part) => /[*?[{]/.test(part));
  const folder = parts.slice(0, at).join("/");
  const rest = parts.slice(at).join("/");
  const { pattern = [] } = input;
  return {
    ...input,
    path: folder === "" && at > 0 ? "/" : folder || ".",
    // Below a folder that is named, a pattern without a slash is about that folder.
    pattern: [at === 0 ? rest : `/${rest}`, ...pattern],
  };
}
