import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { listNames } from "../files/index.ts";
import type { CommandContext } from "./command.ts";
import { nearestName } from "./nearest-name.ts";

/** Files that are looked at for it: in a folder of the whole machine, an error must not take seconds. */
const fileCountMax = 100_000;
/** Paths that are named at most. */
const namedCountMax = 3;

/**
 * Finds the file or folder that a path which is not there was probably meant to be: the one with the most similar name in the
 * same folder, else those below the working directory whose paths end like it.
 *
 * @param argument A path, relative to the working directory or absolute.
 * @param folder The working directory, links resolved.
 * @returns The remedy of an error; nothing where there is none.
 */
export function nearestPath(
  argument: string,
  folder: string,
  context: Pick<CommandContext, "environment" | "mayShow">,
): { readonly remedy?: string } {
  const nearest = nameNextTo(argument, folder, context);
  const paths = nearest === undefined ? pathsEndingLike(argument, folder, context) : [nearest];
  if (paths.length === 0) return {};
  const named = paths.slice(0, namedCountMax).map((path) => `"${path}"`);
  const more =
    paths.length > namedCountMax ? `, or one of ${paths.length - namedCountMax} more` : "";
  return { remedy: `Did you mean ${named.join(", ")}${more}?` };
}

function nameNextTo(
  argument: string,
  workingDirectory: string,
  { mayShow }: Pick<CommandContext, "mayShow">,
): string | undefined {
  const folder = dirname(resolve(workingDirectory, argument));
  if (mayShow?.(folder) === false) return undefined;
  try {
    const names = readdirSync(folder).filter((name) => mayShow?.(join(folder, name)) ?? true);
    const nearest = nearestName(basename(argument), names);
    return nearest && join(dirname(argument), nearest).replaceAll(sep, "/");
  } catch {
    // The folder is not there either, or may not be listed.
    return undefined;
  }
}

/** The files and folders below the working directory whose paths end with as much of a path as any does. */
function pathsEndingLike(
  argument: string,
  workingDirectory: string,
  { environment, mayShow }: Pick<CommandContext, "environment" | "mayShow">,
): readonly string[] {
  const parts = argument.split(/[\\/]/).filter((part) => !/^\.{0,2}$/.test(part));
  if (parts.length === 0 || mayShow?.(workingDirectory) === false) return [];
  const { paths } = listNames({ root: workingDirectory, environment, fileCountMax });
  for (let from = 0; from < parts.length; from += 1) {
    const end = `/${parts.slice(from).join("/")}/`;
    const found = new Set<string>();
    for (const path of paths) {
      const at = `/${path}/`.indexOf(end);
      // The slashes around a path are not of it.
      if (at !== -1) found.add(path.slice(0, at + end.length - 2));
    }
    const shown = [...found].filter((path) => mayShow?.(join(workingDirectory, path)) ?? true);
    if (shown.length > 0) return shown;
  }
  return [];
}
