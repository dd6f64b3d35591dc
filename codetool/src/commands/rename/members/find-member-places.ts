import { errors } from "../../../envelope/index.ts";
import { memberUses, releaseTrees } from "../../../syntax/index.ts";
import type { CommandContext } from "../../command.ts";
import type { FilePlaces } from "../../edit/index.ts";
import type { ProjectCorpus } from "../../project/index.ts";
import type { DefinitionPlace, FoundPlaces, UnresolvedPlace } from "../payload.ts";
import {
  namedForTools,
  placesOf,
  type ProjectTexts,
  textsBeside,
  unresolvedAt,
} from "../project-texts.ts";
import { defines, type Family, FamilyFault, findFamily } from "./family.ts";
import type { FoundMember } from "./find-member.ts";
import { resolveMembers } from "./resolve-members.ts";
import { TypeGraph } from "./type-graph.ts";

interface Names {
  readonly old: string;
  readonly newName: string;
}

interface Opened {
  readonly project: ProjectCorpus;
  readonly context: CommandContext;
}

/**
 * Finds the places that mean a member, and those that may.
 *
 * @throws invalid_argument where types from outside of the tree may have the member, or one of its types has the new name.
 */
export async function findMemberPlaces(
  member: FoundMember,
  names: Names,
  { project, context }: Opened,
): Promise<FoundPlaces> {
  const texts = textsBeside(member.file, project);
  const sources = { ...texts, resolver: project.resolver() };
  const graph = new TypeGraph(sources);
  const family = familyOf(member, names, () =>
    findFamily(member.type, { graph, sources, name: names.old }),
  );
  refuseTaken(family, names, { graph, project });
  const places: FilePlaces[] = [];
  const unresolved: UnresolvedPlace[] = [];
  for (const [file, known] of texts.files.entries()) {
    const text = known === undefined ? "" : texts.readText(file);
    const path = project.absolutePathOf(file);
    if (known?.language == null || !text.includes(names.old) || context.mayShow?.(path) === false)
      continue;
    const found = resolveFile(file, { names, graph, family, texts });
    const lines = text.split("\n");
    const shown = project.shownPathOf(file);
    for (const { line1, reason } of found.left)
      unresolved.push(unresolvedAt(line1, reason, { shown, lines }));
    if (found.edits.length > 0)
      places.push(await placesOf({ path, text, edits: found.edits }, context));
    await releaseTrees();
  }
  return { places, unresolved, members: definitionsOf(family, names, project) };
}

function resolveFile(
  file: number,
  options: {
    readonly names: Names;
    readonly graph: TypeGraph;
    readonly family: Family;
    readonly texts: ProjectTexts;
  },
): ReturnType<typeof resolveMembers> {
  const { names, graph, family, texts } = options;
  const text = texts.readText(file);
  const language = texts.files[file]?.language ?? "";
  const lines = text.split("\n");
  const isNear = [...family.types.values()].some(({ name }) => name !== "" && text.includes(name));
  const uses = memberUses(text, language, names.old);
  if (uses === null) {
    const line1 = lines.findIndex((line) => line.includes(names.old)) + 1;
    return { edits: [], left: isNear ? [{ line1, reason: "the file has errors of syntax" }] : [] };
  }
  const own = { file, language, isNear, lineAt: (line1: number) => lines[line1 - 1] ?? "" };
  const { edits, left } = resolveMembers(uses, own, { graph, family, ...names });
  const known = new Set(left.map(({ line1 }) => line1));
  const named = namedForTools(names.old, language, lines).filter(({ line1 }) => !known.has(line1));
  return { edits, left: [...left, ...named] };
}

function familyOf({ type }: FoundMember, { old }: Names, find: () => Family): Family {
  try {
    const family = find();
    for (const each of family.definers.values())
      for (const { member } of each.members)
        if (member.name === old && member.isParameter)
          throw new FamilyFault("it is a parameter of the constructor too");
        else if (member.name === old && member.isEmbedded === true)
          throw new FamilyFault("it is an embedded type: rename the type");
    return family;
  } catch (error) {
    if (!(error instanceof FamilyFault)) throw error;
    throw new errors.invalid_argument({
      argument: `old ${type.name}.${old}`,
      reason: error.message,
    });
  }
}

/** A new name that a type has already would mean two members. */
function refuseTaken(
  { types }: Family,
  { newName }: Names,
  { graph, project }: { readonly graph: TypeGraph; readonly project: ProjectCorpus },
): void {
  for (const type of types.values()) {
    const [taken] = graph.membersNamed(type, newName);
    if (taken === undefined) continue;
    const place = `${project.shownPathOf(taken.file)}:${taken.member.line1}`;
    throw new errors.invalid_argument({
      argument: `new ${newName}`,
      reason: `"${type.name}" has this member already, at ${place}`,
    });
  }
}

function definitionsOf(
  { definers }: Family,
  { old }: Names,
  project: ProjectCorpus,
): DefinitionPlace[] {
  return [...definers.values()]
    .filter((type) => defines(type, old))
    .flatMap(({ name, members }) =>
      members
        .filter(({ member }) => member.name === old)
        .map(({ file, member }) => ({
          file: project.shownPathOf(file),
          line: member.line1,
          type: name,
        })),
    );
}
