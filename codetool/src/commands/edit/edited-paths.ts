import { errors } from "../../envelope/index.ts";
import { walkFiles, type WalkedFile } from "../../files/index.ts";
import type { CommandContext } from "../command.ts";
import { compileFilePatterns } from "../file-pattern.ts";
import { type GlobArgument, readGlobArgument } from "../glob-argument.ts";
import { remarksOnLeftOut } from "../left-out.ts";
import { displayPath, resolveTarget, type Target } from "../paths.ts";
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
  for (const argument of input.file) {
    const glob = readGlobArgument(argument, context);
    const target = resolveTarget(glob?.folder ?? argument, context);
    if (glob === undefined && !target.isDirectory) {
      add(target.absolutePath, { argument, isNamed: true });
      continue;
    }
    isOpen = true;
    const below = listBelow(target, { argument, glob, input }, context);
    warnings.push(...below.warnings);
    for (const { absolutePath } of below.files)
      add(absolutePath, { argument: displayPath(target, absolutePath), isNamed: false });
  }
  return { files: [...files.values()], isOpen, warnings };
}

/** The files of a folder or glob. Large ones are not edited, and a remark names them. */
function listBelow(
  target: Target,
  asked: {
    readonly argument: string;
    readonly glob: GlobArgument | undefined;
    readonly input: Pick<EditInput, "glob" | "type">;
  },
  context: CommandContext,
): { readonly files: readonly WalkedFile[]; readonly warnings: readonly string[] } {
  const { argument, glob, input } = asked;
  const { glob: globs = [], type: types = [] } = input;
  const paths = [glob?.folder ?? argument];
  const { isWanted } = resolvePlace({ query: "", paths, globs, types }, context);
  const matches = glob === undefined ? undefined : compileFilePatterns([glob.pattern], "file");
  const isAsked = (file: WalkedFile): boolean =>
    isWanted?.(file) !== false && matches?.(file.relativePath) !== false;
  const { environment } = context;
  const sizeBytesMax = readSettings(environment).fileSizeBytesMax;
  const walked = target.isDirectory
    ? walkFiles({ root: target.absolutePath, environment, sizeBytesMax })
    : { files: [], leftOut: [], warnings: [] };
  const files = walked.files.filter(isAsked);
  const large = walked.leftOut.filter(isAsked);
  if (glob !== undefined && files.length + large.length === 0)
    throw new errors.invalid_argument({ argument, reason: "no file matches this glob" });
  const names = large.map(({ absolutePath }) => displayPath(target, absolutePath));
  const remarks = remarksOnLeftOut({ large: names, binary: [] }, sizeBytesMax);
  return { files, warnings: [...walked.warnings, ...remarks] };
}
