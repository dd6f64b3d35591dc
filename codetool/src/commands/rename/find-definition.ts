import { errors } from "../../envelope/index.ts";
import { hasNameRules, usesOfName } from "../../syntax/index.ts";
import type { CorpusSymbol } from "../../store/index.ts";
import type { CommandContext } from "../command.ts";
import { nearestName } from "../nearest-name.ts";
import { resolveTarget } from "../paths.ts";
import { definitionsOf, type ProjectCorpus } from "../project/index.ts";
import { readExactly } from "./project-texts.ts";

/** Where a name is defined. */
export interface Definition {
  /** Number in the project. */
  readonly file: number;
  readonly line1: number;
}

/**
 * Finds the one definition at file level that a name means.
 *
 * @throws invalid_argument where there is none, or several and no file is given; file_not_found for that file.
 */
export function findDefinition(options: {
  readonly old: string;
  readonly inFile: string | undefined;
  readonly project: ProjectCorpus;
  readonly context: CommandContext;
}): Definition {
  const { old, inFile, project, context } = options;
  const { corpus } = project;
  const refuse = (reason: string): Error =>
    new errors.invalid_argument({ argument: `old ${old.slice(0, 100)}`, reason });
  const onlyFile =
    inFile === undefined
      ? undefined
      : project.numberAt(resolveTarget(inFile, context).absolutePath);
  if (inFile !== undefined && onlyFile === undefined)
    throw refuse(`"${inFile}" is not a file of the project`);
  const named = corpus
    .symbolsNamed(old)
    .filter(({ name, file }) => name === old && (onlyFile === undefined || file === onlyFile));
  const alone = named.filter(({ file, name }) =>
    definitionsOf(corpus, file).some((each) => each.name === name && each.containers.length === 0),
  );
  const outer = alone.filter((each) => isNameOfFile(each, project));
  const files = [...new Set(outer.map(({ file }) => file))];
  const [first] = outer;
  if (first === undefined && alone.length > 0)
    throw refuse("it is a name inside of an expression or a block, which other files cannot use");
  if (first === undefined) throw refuse(reasonWithout(old, named.length > 0, project));
  if (files.length > 1) {
    const places = outer.map(
      ({ file, startLine1 }) => `${project.shownPathOf(file)}:${startLine1}`,
    );
    const shown = places.slice(0, 5).join(", ");
    throw refuse(`it is defined ${places.length} times, at ${shown}: name one with --in-file`);
  }
  const { language } = corpus.file(first.file);
  if (!hasNameRules(language))
    throw refuse(
      `names of ${language ?? "this file"} are not resolved here, only those of TypeScript, JavaScript, Python and Go`,
    );
  return { file: first.file, line1: first.startLine1 };
}

/**
 * Whether a definition is a name that the file has outside of it. A function that is an argument, or is inside of one
 * without a name, is not.
 */
function isNameOfFile(
  { file, name, startLine1, endLine1 }: CorpusSymbol,
  project: ProjectCorpus,
): boolean {
  const language = project.corpus.file(file).language ?? "";
  if (!hasNameRules(language)) return true;
  const uses = usesOfName(readExactly(project.absolutePathOf(file)), language, name);
  return (
    uses === null ||
    uses.some(
      ({ line1, role, binding, qualifier }) =>
        startLine1 <= line1 &&
        line1 <= endLine1 &&
        ((binding === "file" && role !== "member") ||
          (role === "member" && /^(?:module\.)?exports$/.test(qualifier ?? ""))),
    )
  );
}

function reasonWithout(old: string, isMember: boolean, { corpus }: ProjectCorpus): string {
  if (isMember)
    return `it is a member of a type: name it with the type, as in "Class.${old}", or with its place by --in-file FILE:LINE`;
  const names = new Set<string>();
  for (let file = 0; file < corpus.fileCount && names.size < 100_000; file += 1)
    for (const { name } of corpus.symbolsOf(file)) names.add(name);
  const nearest = nearestName(old, [...names]);
  return nearest === undefined
    ? "it is not defined in the project"
    : `it is not defined in the project; did you mean "${nearest}"`;
}
