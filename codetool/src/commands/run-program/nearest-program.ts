import { readdirSync } from "node:fs";
import { delimiter } from "node:path";
import { nearestName } from "../nearest-name.ts";

/** For a shorter name, unrelated names are as near as the one that was meant. */
const guessedLengthMin = 5;

/**
 * Finds the program that the caller most likely meant when the one named does not exist: the same name with a version
 * (`python3` for `python`), with letters in another order (`npm` for `nmp`), or, of five letters and more, the nearest.
 *
 * @param name As it was given; a path has no neighbours.
 * @param searchPath The folders of `PATH`.
 * @returns `undefined` where none is near.
 */
export function nearestProgram(name: string, searchPath: string): string | undefined {
  if (/[\\/]/.test(name)) return undefined;
  const programs = [...new Set(searchPath.split(delimiter).flatMap(namesIn))].sort();
  const isVersion = (program: string): boolean =>
    program.startsWith(name) && /^[\d.]+$/.test(program.slice(name.length));
  const letters = lettersOf(name);
  const found =
    programs.find(isVersion) ?? programs.find((program) => lettersOf(program) === letters);
  if (found !== undefined || name.length < guessedLengthMin) return found;
  // A longer name that only begins with the same letters is another program.
  const near = programs.filter((program) => !program.startsWith(name));
  return nearestName(name, near);
}

function namesIn(folder: string): string[] {
  if (folder === "") return [];
  try {
    return readdirSync(folder).map((name) => name.replace(/\.(?:exe|cmd|bat|com)$/i, ""));
  } catch {
    // A folder of PATH that does not exist or may not be read has no programs.
    return [];
  }
}

function lettersOf(name: string): string {
  return name.split("").sort().join("");
}
