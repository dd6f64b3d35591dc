import { dirname, relative, sep } from "node:path";
import { errors } from "../../envelope/index.ts";
import { languageOfFile, shebangLanguages, type WalkedFile } from "../../files/index.ts";
import type { CommandContext } from "../command.ts";
import { compileFilePatterns, type FilePattern } from "../file-pattern.ts";
import { resolveTarget, type Target } from "../paths.ts";
import { askedLanguages } from "./asked-languages.ts";
import type { SearchRequest } from "./request.ts";

/** Finds the language of a file; `null` where it shows none. */
type FindLanguage = (file: WalkedFile) => WalkedFile["language"];

/** What a search runs over: the paths that were named, and which of their files count. */
export interface SearchPlace {
  /** The one path, or the nearest folder around all of them. */
  readonly around: Target;
  /** The paths, in the order in which they were named. */
  readonly targets: readonly Target[];
  /**
   * Absent where every file below `around` counts.
   *
   * @param findLanguage Called for a file of no known name, where its content can decide; default looks into the file.
   */
  readonly isWanted?: (file: WalkedFile, findLanguage?: FindLanguage) => boolean;
}

/** The place that is all of one path. */
export function wholePlace(target: Target): SearchPlace {
  return { around: target, targets: [target] };
}

/**
 * Finds the paths of a search on disk, with the globs and languages that narrow it. A glob is about the path below the
 * folder that was named; a file that was named counts whatever they say.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a glob or language that does not exist, and where words of a
 *   question were taken for paths.
 */
export function resolvePlace(
  { query, paths, globs, types }: Pick<SearchRequest, "query" | "paths" | "globs" | "types">,
  context: CommandContext,
): SearchPlace {
  const targets = resolveTargets(query, paths, context);
  const [first] = targets;
  if (first === undefined) throw new Error("a search has a path");
  const pattern = globs.length === 0 ? undefined : compileFilePatterns(globs, "glob");
  const languages = types.length === 0 ? undefined : askedLanguages(types);
  if (targets.length === 1 && pattern === undefined && languages === undefined)
    return wholePlace(first);
  const around =
    targets.length === 1
      ? first
      : {
          absolutePath: folderAround(targets),
          isDirectory: true,
          root: targets.every(({ root }) => root === first.root)
            ? first.root
            : context.workingDirectory,
          shownFrom: first.shownFrom,
        };
  const wanted = { targets, pattern, isOfLanguage: languages && languageTest(languages) };
  return {
    around,
    targets,
    isWanted: (file, findLanguage = (each) => languageOfFile(each) ?? null) =>
      isWanted(file, { ...wanted, findLanguage }),
  };
}

function resolveTargets(
  query: string,
  paths: readonly string[],
  context: CommandContext,
): readonly Target[] {
  const faults: unknown[] = [];
  const targets = paths.flatMap((path) => {
    try {
      return [resolveTarget(path, context)];
    } catch (error) {
      faults.push(error);
      return [];
    }
  });
  if (faults.length === 0) return targets;
  if (targets.length > 0 || paths.length === 1) throw faults[0];
  throw new errors.invalid_argument({
    argument: paths.join(" "),
    reason: `nothing of that is a file or folder; a query of several words is one argument: "${[query, ...paths].join(" ")}"`,
  });
}

interface Wanted {
  readonly targets: readonly Target[];
  readonly pattern: FilePattern | undefined;
  readonly isOfLanguage: ((file: WalkedFile, findLanguage: FindLanguage) => boolean) | undefined;
  readonly findLanguage: FindLanguage;
}

/** The name of a file comes before its content: only files of no known name are opened, and only where a `#!` can decide. */
function languageTest(languages: ReadonlySet<string>): Wanted["isOfLanguage"] {
  const isAnyShown = [...languages].some((language) => shebangLanguages.has(language));
  return (file, findLanguage) => {
    const language = file.language ?? (isAnyShown ? findLanguage(file) : null);
    return language !== null && languages.has(language);
  };
}

function isWanted(
  file: WalkedFile,
  { targets, pattern, isOfLanguage, findLanguage }: Wanted,
): boolean {
  return targets.some(({ absolutePath, isDirectory }) => {
    if (!isDirectory) return file.absolutePath === absolutePath;
    const folder = absolutePath.endsWith(sep) ? absolutePath : absolutePath + sep;
    if (!file.absolutePath.startsWith(folder)) return false;
    if (pattern?.(relative(absolutePath, file.absolutePath).replaceAll(sep, "/")) === false)
      return false;
    return isOfLanguage?.(file, findLanguage) ?? true;
  });
}

/** The nearest folder that holds all targets. */
function folderAround(targets: readonly Target[]): string {
  const [first, ...others] = targets.map(({ absolutePath, isDirectory }) =>
    isDirectory ? absolutePath : dirname(absolutePath),
  );
  let folder = first ?? sep;
  for (const other of others) while (!isBelow(other, folder)) folder = dirname(folder);
  return folder;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
