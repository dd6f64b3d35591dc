import type { TextEdit } from "../../../edits/index.ts";
import { errors } from "../../../envelope/index.ts";
import { hasWord } from "../../../syntax/index.ts";
import type { ProjectCorpus } from "../../project/index.ts";
import { namesType } from "../mentions.ts";
import type { ProjectTexts } from "../project-texts.ts";
import type { ResolvedUses } from "../resolve-uses.ts";
import type { Family } from "./family.ts";
import { resolveMembers } from "./resolve-members.ts";
import { type ProjectType, TypeGraph } from "./type-graph.ts";

interface Names {
  readonly old: string;
  readonly newName: string;
}

/** Places of a file that are renamed, and those that may be meant. */
interface Places {
  readonly edits: readonly TextEdit[];
  readonly left: readonly { readonly line1: number; readonly reason: string }[];
}

/** Places of a file that mean a field, or may. */
interface FieldPlaces extends Places {
  /** Where the keys of literals begin whose struct is known. */
  readonly keyStarts: ReadonlySet<number>;
}

/**
 * Finds the fields that a type of Go gives its name, by being embedded: they are renamed with it.
 *
 * @returns What says of a file which places mean such a field; `undefined` where there is none.
 * @throws invalid_argument where a struct that embeds the type has a member of the new name.
 */
export function embeddedFields(
  definer: number,
  { old, newName }: Names,
  { texts, project }: { readonly texts: ProjectTexts; readonly project: ProjectCorpus },
): ((file: number) => FieldPlaces) | undefined {
  if (texts.files[definer]?.language !== "go") return undefined;
  const graph = new TypeGraph({ ...texts, resolver: project.resolver(), name: old });
  const type = graph.typeAt(definer, old);
  if (type === undefined) return undefined;
  const types = embeddersOf(type, graph, texts);
  if (types.size === 0) return undefined;
  for (const each of types.values()) {
    const [taken] = graph.membersNamed(each, newName);
    if (taken === undefined) continue;
    const place = `${project.shownPathOf(taken.file)}:${taken.member.line1}`;
    throw new errors.invalid_argument({
      argument: `new ${newName}`,
      reason: `"${each.name}" embeds the type and has this member already, at ${place}`,
    });
  }
  const family = { definers: types, types, alike: [], isMethod: false, hasExternal: false };
  return (file) => fieldPlacesIn(file, { old, newName }, { graph, family, texts });
}

/** Adds the places that are fields to those that are names. */
export function withFields(named: ResolvedUses, fields: FieldPlaces | undefined): Places {
  const known = new Set(named.edits.map(({ start }) => start));
  const added = (fields?.edits ?? []).filter(({ start }) => !known.has(start));
  // The key of a literal is doubtful as a name alone.
  const left = [
    ...named.left
      .filter(({ use }) => fields?.keyStarts.has(use.start) !== true)
      .map(({ use, reason }) => ({ line1: use.line1, reason })),
    ...(fields?.left ?? []),
  ];
  return {
    edits: [...named.edits, ...added].toSorted((one, other) => one.start - other.start),
    left: [...new Map(left.map((each) => [each.line1, each])).values()],
  };
}

/** The structs that embed a type, and those that embed them. */
function embeddersOf(
  type: ProjectType,
  graph: TypeGraph,
  { files, readText }: ProjectTexts,
): ReadonlyMap<string, ProjectType> {
  const found = new Map<string, ProjectType>();
  const names = new Set([type.name]);
  for (let isGrowing = true; isGrowing;) {
    const count = found.size;
    for (const [file, known] of files.entries()) {
      if (known === undefined || ![...names].some((name) => hasWord(readText(file), name)))
        continue;
      for (const { key, isInterface } of graph.factsOf(file)?.types ?? []) {
        const each = isInterface ? undefined : graph.typeAt(file, key);
        if (each === undefined || each.id === type.id || found.has(each.id)) continue;
        if (!hasField(each, type, { graph, found })) continue;
        found.set(each.id, each);
        names.add(each.name);
      }
    }
    isGrowing = found.size > count;
  }
  return found;
}

function hasField(
  each: ProjectType,
  type: ProjectType,
  { graph, found }: { readonly graph: TypeGraph; readonly found: ReadonlyMap<string, ProjectType> },
): boolean {
  const own = each.members.filter(({ member }) => member.name === type.name);
  if (own.length > 0)
    return own.some(
      ({ file, member }) =>
        member.isEmbedded === true && typeIdOf(graph.evaluate(file, member.type)) === type.id,
    );
  return graph.supersOf(each).some((above) => found.has(typeIdOf(above) ?? ""));
}

function typeIdOf(value: ReturnType<TypeGraph["evaluate"]>): string | undefined {
  return value.kind === "instance" ? value.type.id : undefined;
}

function fieldPlacesIn(
  file: number,
  names: Names,
  {
    graph,
    family,
    texts,
  }: { readonly graph: TypeGraph; readonly family: Family; readonly texts: ProjectTexts },
): FieldPlaces {
  const text = texts.readText(file);
  const lines = text.split("\n");
  const isNear = namesType(text, family.types);
  const own = { file, language: "go", isNear, lineAt: (line1: number) => lines[line1 - 1] ?? "" };
  const uses = graph.usesIn(file) ?? [];
  const keys = uses.filter(({ role, receiver }) => {
    const value = role === "key" && receiver !== undefined ? graph.evaluate(file, receiver) : null;
    return value?.kind === "instance" && graph.membersNamed(value.type, names.old).length > 0;
  });
  const keyStarts = new Set(keys.map(({ start }) => start));
  return { ...resolveMembers(uses, own, { graph, family, ...names }), keyStarts };
}
