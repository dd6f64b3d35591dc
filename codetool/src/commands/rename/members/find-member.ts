import { errors } from "../../../envelope/index.ts";
import { hasNameRules, usesOfName } from "../../../syntax/index.ts";
import type { CommandContext } from "../../command.ts";
import { resolveTarget } from "../../paths.ts";
import type { ProjectCorpus } from "../../project/index.ts";
import type { RenameInput } from "../input.ts";
import { type ProjectTexts, readExactly, textsBeside } from "../project-texts.ts";
import { type GraphSources, type ProjectType, TypeGraph } from "./type-graph.ts";

/** What is to be renamed, as it was asked for. */
export interface AskedName {
  /** Of the type, where one is named. */
  readonly owner: string | undefined;
  readonly name: string;
  readonly file: string | undefined;
  /** Where it is defined, from 1. */
  readonly line1: number | undefined;
  readonly newName: string;
}

/** A member that is to be renamed. */
export interface FoundMember {
  readonly type: ProjectType;
  readonly file: number;
  readonly line1: number;
  /** Of the files that may use it. */
  readonly graph: TypeGraph;
  readonly sources: ProjectTexts & GraphSources;
}

/** Reads `Class.member`, and `file:line`. */
export function readOld({ old, in_file: inFile }: RenameInput): Omit<AskedName, "newName"> {
  const [, owner, name] = /^(.+?)(?:\.|\/|#|::)([^./#:]+)$/.exec(old) ?? [];
  const [, file, line] = /^(.+):(\d+)$/.exec(inFile ?? "") ?? [];
  return {
    owner,
    name: name ?? old,
    file: file ?? inFile,
    line1: line === undefined ? undefined : Number(line),
  };
}

/**
 * Finds the member that is asked for.
 *
 * @returns `undefined` where no type and no line is named, and something at file level has the name.
 * @throws invalid_argument where there is no such member, or several.
 */
export function findMember(
  asked: AskedName,
  project: ProjectCorpus,
  context: CommandContext,
): FoundMember | undefined {
  const { owner, name, file, line1 } = asked;
  if (owner === undefined && line1 === undefined) return undefined;
  const wanted = owner === undefined ? name : `${owner}.${name}`;
  const refuse = (reason: string): Error =>
    new errors.invalid_argument({ argument: `old ${wanted.slice(0, 100)}`, reason });
  const onlyFile =
    file === undefined ? undefined : project.numberAt(resolveTarget(file, context).absolutePath);
  if (file !== undefined && onlyFile === undefined)
    throw refuse(`"${file}" is not a file of the project`);
  const types = candidatesOf(asked, onlyFile, project);
  const found = new Map<string, FoundMember>();
  for (const { type, file: own, graph, sources } of types)
    for (const { file: place, member } of type.members) {
      if (member.name !== name) continue;
      if (line1 !== undefined && (member.line1 !== line1 || place !== onlyFile)) continue;
      if (!found.has(type.id) && (onlyFile === undefined || own === onlyFile))
        found.set(type.id, { type, file: place, line1: member.line1, graph, sources });
    }
  const [first, second] = found.values();
  if (first !== undefined && second === undefined) return first;
  if (second !== undefined) {
    const places = [...found.values()].map(
      (each) => `${project.shownPathOf(each.file)}:${each.line1}`,
    );
    throw refuse(
      `it is defined ${places.length} times, at ${places.slice(0, 5).join(", ")}: name one with --in-file`,
    );
  }
  if (owner === undefined && isAtFileLevel(asked, onlyFile, project)) return undefined;
  throw refuse(unparsedOf(asked, onlyFile, project) ?? reasonWithout(asked, types, project));
}

/** A file that has the type and cannot be read for its members. */
function unparsedOf(
  { owner }: AskedName,
  onlyFile: number | undefined,
  project: ProjectCorpus,
): string | undefined {
  const { corpus } = project;
  const files =
    onlyFile === undefined ? corpus.symbolsNamed(owner ?? "").map(({ file }) => file) : [onlyFile];
  const file = files.find((each) => {
    const { language } = corpus.file(each);
    if (language === null || !hasNameRules(language)) return false;
    return usesOfName(readExactly(project.absolutePathOf(each)), language, "") === null;
  });
  return file === undefined
    ? undefined
    : `"${project.shownPathOf(file)}" has errors of syntax, as far as its parser knows the language`;
}

function isAtFileLevel(
  { name, line1 }: AskedName,
  file: number | undefined,
  { corpus }: ProjectCorpus,
): boolean {
  return corpus
    .symbolsNamed(name)
    .some((each) => each.name === name && each.file === file && each.startLine1 === line1);
}

type Candidate = Omit<FoundMember, "line1">;

/** The types with a name, or all of a file. */
function candidatesOf(
  { owner, name }: AskedName,
  onlyFile: number | undefined,
  project: ProjectCorpus,
): readonly Candidate[] {
  const { corpus } = project;
  const files =
    owner === undefined || onlyFile !== undefined
      ? [onlyFile ?? -1]
      : [...new Set(corpus.symbolsNamed(owner).map(({ file }) => file))];
  return files.flatMap((file): Candidate[] => {
    if (file < 0 || !hasNameRules(corpus.file(file).language)) return [];
    const sources = {
      ...textsBeside(file, name, project),
      resolver: project.resolver(),
      name,
    };
    const graph = new TypeGraph(sources);
    return (graph.factsOf(file)?.types ?? [])
      .filter((each) => owner === undefined || each.name === owner)
      .flatMap(({ key }): Candidate[] => {
        const type = graph.typeAt(file, key);
        return type === undefined ? [] : [{ type, file, graph, sources }];
      });
  });
}

function reasonWithout(
  { owner, name, line1 }: AskedName,
  types: readonly Candidate[],
  { corpus }: ProjectCorpus,
): string {
  if (owner === undefined) return `line ${line1} does not define a member "${name}"`;
  if (types.length > 0)
    return `"${owner}" does not define it; where it is inherited, name the type that defines it`;
  const isKnown = corpus.symbolsNamed(owner).length > 0;
  return isKnown
    ? `"${owner}" is not a type whose members are read here: wanted one of TypeScript, JavaScript, Python or Go`
    : `"${owner}" is not defined in the project`;
}
