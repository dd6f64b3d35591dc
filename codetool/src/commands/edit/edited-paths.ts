import { existsSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { errors } from "../../envelope/index.ts";
import { walkFiles } from "../../files/index.ts";
import type { CommandContext } from "../command.ts";
import { compileFilePatterns } from "../file-pattern.ts";
import { locate, realPathOf } from "../locate.ts";
import { displayPath, resolveTarget } from "../paths.ts";
import { resolvePlace } from "../query/index.ts";
import { readSettings } from "../settings.ts";
import type { EditInput } from "./input.ts";

/** A file that an edit looks at. */
export interface EditedPath {
  /** As it is given to a command in the working directory. */
  readonly argument: string;
  /** False for one that a folder or glob brought: it is left out where nothing is found in it. */
  readonly isNamed: boolean;
}

/**
 * Lists the files of an edit: those that are named, and those below folders and of globs, by the rules of `search`.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a glob or language that does not exist, and for a glob
 * that no file matches.
 */
export function listEditedPaths(
  input: Pick<EditInput, "file" | "glob" | "type">,
  context: CommandContext,
): {
  readonly files: readonly EditedPath[];
  /** Whether a folder or glob is given: then the answer is a list, however many files it has. */
  readonly isOpen: boolean;
  /** Remarks of the walks. */
  readonly warnings: readonly string[];
} {
  const files = new Map<string, EditedPath>();
  const warnings: string[] = [];
  let isOpen = false;
  const add = (absolutePath: string, path: EditedPath): void => {
    const known = files.get(absolutePath);
    if (known === undefined || path.isNamed) files.set(absolutePath, path);
  };
  const { glob: globs = [], type: types = [] } = input;
  for (const argument of input.file) {
    const isGlob =
      /[*?[{]/.test(argument) &&
      !existsSync(locate(argument, realPathOf(context.workingDirectory)));
    const target = resolveTarget(isGlob ? "." : argument, context);
    if (!target.isDirectory) {
      add(target.absolutePath, { argument, isNamed: true });
      continue;
    }
    isOpen = true;
    const paths = [isGlob ? "." : argument];
    const { isWanted } = resolvePlace({ query: "", paths, globs, types }, context);
    const glob = isAbsolute(argument) ? relative(context.workingDirectory, argument) : argument;
    const matchesGlob = isGlob ? compileFilePatterns([glob], "file") : undefined;
    const { environment } = context;
    const sizeBytesMax = readSettings(environment).fileSizeBytesMax;
    const walked = walkFiles({ root: target.absolutePath, environment, sizeBytesMax });
    warnings.push(...walked.warnings);
    let count = 0;
    for (const file of walked.files) {
      if (isWanted?.(file) === false || matchesGlob?.(file.relativePath) === false) continue;
      count += 1;
      const path = isAbsolute(argument)
        ? file.absolutePath
        : displayPath(target, file.absolutePath);
      add(file.absolutePath, { argument: path, isNamed: false });
    }
    if (isGlob && count === 0)
      throw new errors.invalid_argument({ argument, reason: "no file matches this glob" });
  }
  return { files: [...files.values()], isOpen, warnings };
}
