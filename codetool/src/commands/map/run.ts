import { basename } from "node:path";
import { errors } from "../../envelope/index.ts";
import { classOfPath, type FileClass } from "../../files/index.ts";
import { importanceFor } from "../../imports/index.ts";
import { isDataFormat } from "../../syntax/index.ts";
import { loadTokenCounter } from "../../text/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { leavingDamageAside } from "../open-index.ts";
import { displayPath, displayRoot, resolveTarget, type Target } from "../paths.ts";
import { answerInOneState, type ProjectCorpus, SymbolUsers } from "../project/index.ts";
import type { MapInput } from "./input.ts";
import { type MapPayload, mapPayload } from "./payload.ts";
import { rankSymbols } from "./rank-symbols.ts";

/** The default budget: a part of what an agent holds that does not hurt. */
const budgetTokensDefault = 1000;

/** Where the answer comes from. */
interface Source {
  readonly target: Target;
  readonly focused: readonly Target[];
  readonly context: CommandContext;
  readonly project: ProjectCorpus;
  readonly readText: (file: number) => string | undefined;
}

/**
 * Maps a tree: its most important symbols.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a file in focus that the project does not have.
 */
export async function runMap(
  input: MapInput,
  context: CommandContext,
): Promise<CommandResult<MapPayload>> {
  return await leavingDamageAside(context, async (own) => {
    const target = resolveTarget(input.path ?? ".", own);
    const focused = (input.focus ?? []).map((each) => resolveTarget(each, own));
    return await answerInOneState(
      { target, context: own },
      async (project, readText) =>
        await mapTree(input, { target, focused, context: own, project, readText }),
    );
  });
}

async function mapTree(input: MapInput, source: Source): Promise<CommandResult<MapPayload>> {
  const { target, focused, project, readText } = source;
  const { importGraph } = project.corpus;
  const focus = focused.map((each) => numberOfFocus(each, project));
  // The root: else the ends of long chains of imports outweigh what most files use. From a focus, near is what counts.
  const ranks =
    focus.length === 0
      ? importGraph.importance.map((rank) => Math.sqrt(rank))
      : importanceFor(importGraph, focus);
  const files = filesOf(source, { hasTests: input.include_tests === true, focus });
  const users = new SymbolUsers(project, readText);
  const data = mapPayload(
    {
      head: {
        root: displayRoot(target),
        target: displayPath(target, target.absolutePath),
        ...(focused.length === 0
          ? {}
          : { focus: focused.map((each) => displayPath(each, each.absolutePath)) }),
      },
      symbols: rankSymbols(files, ranks, { project, users }),
      fileCount: files.length,
      pathOf: (file) => project.shownPathOf(file),
    },
    {
      budgetTokens: input.budget ?? budgetTokensDefault,
      countTokens: await loadTokenCounter(),
      isDefault: input.budget === undefined,
    },
  );
  return project.warnings.length === 0 ? { data } : { data, warnings: project.warnings };
}

function numberOfFocus(focused: Target, project: ProjectCorpus): number {
  const number = project.numberAt(focused.absolutePath);
  if (number !== undefined) return number;
  throw new errors.invalid_argument({
    argument: `focus ${displayPath(focused, focused.absolutePath)}`,
    reason: "it is not a file of the project",
  });
}

/** As paths are classed elsewhere, and `t/` and `test-lib.sh` are tests. */
function classOf(path: string): FileClass {
  return /(?:^|\/)(?:t\/|test[-_][^/]*$)/.test(path) ? "test" : classOfPath(path);
}

/** The files with code below the target: sources, and tests where they are asked for. */
function filesOf(
  { target, context, project }: Source,
  { hasTests, focus }: { readonly hasTests: boolean; readonly focus: readonly number[] },
): number[] {
  const { corpus, targetPath } = project;
  const open = new Set(focus);
  const wanted = new Set(
    hasTests ? ["source", "declarations", "test"] : ["source", "declarations"],
  );
  // A folder of tests or examples that is asked for is shown.
  const isOdd = [targetPath, basename(target.absolutePath)].some(
    (folder) => folder !== "" && classOfPath(`${folder}/a`) !== "source",
  );
  const isBelow = (path: string): boolean => targetPath === "" || path.startsWith(`${targetPath}/`);
  const files: number[] = [];
  for (let file = 0; file < corpus.fileCount; file += 1) {
    const path = corpus.pathOf(file);
    if (open.has(file) || (path !== targetPath && !isBelow(path))) continue;
    const { language, isText } = corpus.file(file);
    if (!isText || language === null || isDataFormat(language)) continue;
    if (target.isDirectory && !isOdd && !wanted.has(classOf(path))) continue;
    if (corpus.symbolCountOf(file) === 0) continue;
    if (context.mayShow?.(project.absolutePathOf(file)) === false) continue;
    files.push(file);
  }
  return files;
}
