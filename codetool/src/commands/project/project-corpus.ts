import { dirname, join, relative, sep } from "node:path";
import { walkFiles, type WalkedFile } from "../../files/index.ts";
import { hasSymbols } from "../../syntax/index.ts";
import {
  type IndexedCorpus,
  indexInMemory,
  pathsBelow,
  resolverOfTree,
} from "../../store/index.ts";
import type { ImportResolver } from "../../imports/index.ts";
import type { CommandContext } from "../command.ts";
import { openIndexOf } from "../open-index.ts";
import { remarksOnLeftOut } from "../left-out.ts";
import { displayPath, type Target } from "../paths.ts";
import { readSettings } from "../settings.ts";

/** The project around a target, as its files depend on each other now. */
export interface ProjectCorpus extends Disposable {
  readonly corpus: IndexedCorpus;
  /** Absolute path of the folder that the corpus covers. */
  readonly root: string;
  readonly absolutePathOf: (file: number) => string;
  /** The path of a file as the answer shows it. */
  readonly shownPathOf: (file: number) => string;
  /** The number of a file by its absolute path; `undefined` where the project does not have it. */
  readonly numberAt: (absolutePath: string) => number | undefined;
  /** The path of the target in the corpus, forward slashes; empty for its root. */
  readonly targetPath: string;
  /** Says which files single imports mean; made when it is first asked for. */
  readonly resolver: () => ImportResolver;
  readonly warnings: readonly string[];
}

/**
 * Opens the project of a target: its index where there is one, with what changed since on top, else one made in memory.
 *
 * @throws IndexFault when the index is damaged; later reads may throw it too.
 */
export async function openProjectCorpus(
  target: Target,
  context: CommandContext,
): Promise<ProjectCorpus> {
  const found = await openIndexOf(target, context);
  if (found !== undefined) {
    const { root, open } = found;
    const project = projectOf(target, root, {
      corpus: open.corpus,
      warnings: [...open.warnings, ...remarksOn(open.leftOut, target, context)],
      close: () => open[Symbol.dispose](),
    });
    if (hasTarget(project)) return project;
    project[Symbol.dispose]();
    return await projectInMemory(target, folderOf(target), context);
  }
  const project = await projectInMemory(target, target.root, context);
  return hasTarget(project) || target.root === folderOf(target)
    ? project
    : await projectInMemory(target, folderOf(target), context);
}

/** The project does not contain ignored files; an ignored target that the caller names is read all the same. */
function hasTarget({ corpus, targetPath, numberAt, root }: ProjectCorpus): boolean {
  if (targetPath === "") return corpus.fileCount > 0;
  const first = corpus.firstFrom(`${targetPath}/`);
  const isFolder = first < corpus.fileCount && corpus.pathOf(first).startsWith(`${targetPath}/`);
  return isFolder || numberAt(join(root, targetPath)) !== undefined;
}

async function projectInMemory(
  target: Target,
  root: string,
  context: CommandContext,
): Promise<ProjectCorpus> {
  const settings = readSettings(context.environment);
  const { fileSizeBytesMax, chunkSizeCharacters } = settings;
  const { environment } = context;
  const walked = walkFiles({ root, environment, sizeBytesMax: fileSizeBytesMax });
  const corpus = await indexInMemory(walked.files, {
    fileSizeBytesMax,
    chunkSizeCharacters,
    isWithoutMeaning: true,
  });
  const remark = "No index: the import graph was built in memory, nothing was written";
  return projectOf(target, root, {
    corpus,
    warnings: [remark, ...walked.warnings, ...remarksOn(walked.leftOut, target, context)],
    close: () => undefined,
  });
}

function projectOf(
  target: Target,
  root: string,
  parts: {
    readonly corpus: IndexedCorpus;
    readonly warnings: readonly string[];
    readonly close: () => void;
  },
): ProjectCorpus {
  const { corpus, warnings, close } = parts;
  const below = pathsBelow(root);
  const pathAt = (absolutePath: string): string =>
    relative(root, absolutePath).replaceAll(sep, "/");
  const absolutePathOf = (file: number): string => below(corpus.pathOf(file));
  let resolver: ImportResolver | undefined;
  return {
    corpus,
    root,
    warnings,
    absolutePathOf,
    shownPathOf: (file) => displayPath(target, absolutePathOf(file)),
    numberAt: (absolutePath) => corpus.numberOf(pathAt(absolutePath)),
    targetPath: pathAt(target.absolutePath),
    resolver: () =>
      (resolver ??= resolverOfTree({ files: corpus.importingFiles(), absolutePathOf: below })),
    [Symbol.dispose]: close,
  };
}

/** Large files of code that may depend on others, or others on them. */
function remarksOn(
  large: readonly WalkedFile[],
  target: Target,
  { environment, mayShow }: CommandContext,
): string[] {
  const shown = large
    .filter(
      ({ language, absolutePath }) => hasSymbols(language) && mayShow?.(absolutePath) !== false,
    )
    .map(({ absolutePath }) => displayPath(target, absolutePath));
  return remarksOnLeftOut({ large: shown, binary: [] }, readSettings(environment).fileSizeBytesMax);
}

function folderOf({ isDirectory, absolutePath }: Target): string {
  return isDirectory ? absolutePath : dirname(absolutePath);
}
