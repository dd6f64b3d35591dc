import { readdirSync } from "node:fs";
import { delimiter } from "node:path";
import { nearestName } from "../nearest-name.ts";

/** Of a shorter name, another one is as near as what was meant. */
const guessedLengthMin = 5;

/**
 * Finds the program that somebody most likely meant who named one that is not there: the same name with a version
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
  // What only begins with the name is another program.
  const near = programs.filter((program) => !program.startsWith(name));
  return nearestName(name, near);
}

function namesIn(folder: string): string[] {
  if (folder === "") return [];
  try {
    return readdirSync(folder).map((name) => name.replace(/\.(?:exe|cmd|bat|com)$/i, ""));
  } catch {
    // A folder of PATH that is not there, or closed to us, has no programs.
    return [];
  }
}

function lettersOf(name: string): string {
  return name.split("").sort().join("");
}
