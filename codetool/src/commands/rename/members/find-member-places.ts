import { errors } from "../../../envelope/index.ts";
import { hasWord, mayMention, releaseTrees } from "../../../syntax/index.ts";
import type { CommandContext } from "../../command.ts";
import type { FilePlaces } from "../../edit/index.ts";
import type { ProjectCorpus } from "../../project/index.ts";
import type { DefinitionPlace, FoundPlaces, UnresolvedPlace } from "../payload.ts";
import { MentionedLines, namesType } from "../mentions.ts";
import { namedForTools, placesOf, type ProjectTexts, unresolvedAt } from "../project-texts.ts";
import { defines, type Family, FamilyFault, findFamily } from "./family.ts";
import type { FoundMember } from "./find-member.ts";
import { resolveMembers } from "./resolve-members.ts";
import type { TypeGraph } from "./type-graph.ts";

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
  const { graph, sources } = member;
  const family = familyOf(member, names, () =>
    findFamily(member.type, { graph, sources, name: names.old }),
  );
  refuseTaken(family, names, { graph, project });
  const places: FilePlaces[] = [];
  const unresolved: UnresolvedPlace[] = [];
  const mentioned = new MentionedLines();
  for (const [file, known] of sources.files.entries()) {
    const text = known === undefined ? "" : sources.readText(file);
    const path = project.absolutePathOf(file);
    if (
      known?.language == null ||
      !mayMention(text, names.old) ||
      context.mayShow?.(path) === false
    )
      continue;
    const found = resolveFile(file, { names, graph, family, texts: sources });
    const lines = text.split("\n");
    const shown = project.shownPathOf(file);
    for (const { line1, reason } of found.left)
      unresolved.push(unresolvedAt(line1, reason, { shown, lines }));
    const isNear = found.isNear || found.edits.length > 0;
    mentioned.add({ ...found, shown, text, mentions: graph.mentionsIn(file), isNear });
    if (found.edits.length > 0)
      places.push(await placesOf(file, found.edits, { texts: sources, project, context }));
    await releaseTrees();
  }
  return {
    places,
    unresolved,
    mentions: mentioned.all,
    members: definitionsOf(family, names, project),
  };
}

function resolveFile(
  file: number,
  options: {
    readonly names: Names;
    readonly graph: TypeGraph;
    readonly family: Family;
    readonly texts: ProjectTexts;
  },
): ReturnType<typeof resolveMembers> & { readonly isNear: boolean } {
  const { names, graph, family, texts } = options;
  const text = texts.readText(file);
  const language = texts.files[file]?.language ?? "";
  const lines = text.split("\n");
  const isNear = namesType(text, family.types);
  const uses = graph.usesIn(file);
  if (uses === null) {
    const line1 = lines.findIndex((line) => hasWord(line, names.old)) + 1;
    const left = isNear ? [{ line1, reason: "the file has errors of syntax" }] : [];
    return { edits: [], left, isNear };
  }
  const own = { file, language, isNear, lineAt: (line1: number) => lines[line1 - 1] ?? "" };
  const { edits, left } = resolveMembers(uses, own, { graph, family, ...names });
  const known = new Set(left.map(({ line1 }) => line1));
  const named = namedForTools(names.old, language, lines).filter(({ line1 }) => !known.has(line1));
  return { edits, left: [...left, ...named], isNear };
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
