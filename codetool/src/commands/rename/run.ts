import { errors } from "../../envelope/index.ts";
import type { ImportingFile } from "../../imports/index.ts";
import { hasNameRules, type NameUse, releaseTrees, usesOfName } from "../../syntax/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { editPlaces, type FilePlaces } from "../edit/index.ts";
import { leavingDamageAside } from "../open-index.ts";
import { resolveTarget } from "../paths.ts";
import { openProjectCorpus, type ProjectCorpus } from "../project/index.ts";
import { augmentations } from "./augmentations.ts";
import { findDefinition } from "./find-definition.ts";
import type { RenameInput } from "./input.ts";
import type { FoundPlaces, RenamePayload, UnresolvedPlace } from "./payload.ts";
import {
  embeddedFields,
  findMember,
  findMemberPlaces,
  readOld,
  withFields,
} from "./members/index.ts";
import { namedBeside, placesOf, textsBeside, unresolvedAt } from "./project-texts.ts";
import type { FileLinks } from "./file-links.ts";
import { findLinks, type Links } from "./providers.ts";
import { resolveUses } from "./resolve-uses.ts";
import { TakenNames } from "./taken-names.ts";

/** Places that are listed as unresolved. */
const unresolvedCountMax = 200;

/**
 * Renames a definition and the names that resolve to it.
 *
 * @throws invalid_argument for a name that is none, is not defined, is defined in several files, is a member of a type, is of a
 * language whose names are not read here, and where the new name is in use; what `edit` throws when files are written.
 */
export async function runRename(
  input: RenameInput,
  context: CommandContext,
): Promise<CommandResult<RenamePayload>> {
  return await leavingDamageAside(context, async (own) => await rename(input, own));
}

async function rename(
  input: RenameInput,
  context: CommandContext,
): Promise<CommandResult<RenamePayload>> {
  const { old, new: newName } = input;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(newName) || newName === old)
    throw new errors.invalid_argument({
      argument: `new ${newName}`,
      reason: "wanted another name: letters, digits and _",
    });
  const target = resolveTarget(input.path ?? ".", context);
  using project = await openProjectCorpus(target, context);
  const asked = { ...readOld(input), newName };
  const member = findMember(asked, project, context);
  const definition =
    member ?? findDefinition({ old: asked.name, inFile: asked.file, project, context });
  const found =
    member === undefined
      ? await findPlaces({ old, newName, definer: definition.file, project, context })
      : await findMemberPlaces(member, { old: asked.name, newName }, { project, context });
  const { data, warnings, plain } = await editPlaces(
    { places: found.places, isApplied: input.apply === true, budget: input.budget },
    context,
  );
  const { unresolved } = found;
  return {
    data: {
      ...data,
      definition: { file: project.shownPathOf(definition.file), line: definition.line1 },
      ...(found.members === undefined ? {} : { members: found.members }),
      unresolved: unresolved.slice(0, unresolvedCountMax),
      total_unresolved: unresolved.length,
    },
    warnings: [...project.warnings, ...(warnings ?? []), ...leftWarning(unresolved.length)],
    ...(unresolved.length > 0 || plain === undefined ? {} : { plain }),
  };
}

function leftWarning(count: number): string[] {
  if (count === 0) return [];
  const places = count === 1 ? "1 place was" : `${count} places were`;
  return [`${places} left as they are, because what they mean is not known: see "unresolved"`];
}

interface Search {
  readonly old: string;
  readonly newName: string;
  readonly definer: number;
  readonly project: ProjectCorpus;
  readonly context: CommandContext;
}

async function findPlaces(search: Search): Promise<FoundPlaces> {
  const { old, newName, definer, project, context } = search;
  const texts = textsBeside(definer, project);
  const { files, readText } = texts;
  const links: Links = findLinks(definer, {
    name: old,
    files,
    resolver: project.resolver(),
    readText,
  });
  const taken = new TakenNames({ old, newName }, { links, texts, project });
  taken.refuseBeside();
  const embedded = embeddedFields(definer, { old, newName }, { texts, project });
  const places: FilePlaces[] = [];
  const unresolved: UnresolvedPlace[] = [];
  for (const [number, file] of files.entries()) {
    const text = file === undefined ? "" : readText(number);
    const path = project.absolutePathOf(number);
    if (file?.language == null || !text.includes(old) || context.mayShow?.(path) === false)
      continue;
    const shown = project.shownPathOf(number);
    const lines = text.split("\n");
    const leave = (line1: number, reason: string): void => {
      unresolved.push(unresolvedAt(line1, reason, { shown, lines }));
    };
    const uses = hasNameRules(file.language) ? usesOfName(text, file.language, old) : null;
    if (uses === null) {
      if (links.has(number))
        leave(lines.findIndex((line) => line.includes(old)) + 1, "the file has errors of syntax");
      continue;
    }
    const named = resolveUses(uses, links.get(number), newName);
    const { edits, left } = withFields(named, embedded?.(number));
    for (const { line1, reason } of left) leave(line1, reason);
    for (const { use, reason } of [
      ...doubtfulImports(uses, links.get(number), { file, search }),
      ...augmentations(uses, text, { file, links, project }),
    ])
      leave(use.line1, reason);
    for (const { line1, reason } of links.has(number) || file.language === "python"
      ? namedBeside(edits, { name: old, language: file.language, text })
      : [])
      leave(line1, reason);
    if (edits.length > 0) {
      taken.refuseIn(number);
      places.push(await placesOf({ path, text, edits }, context));
    }
    await releaseTrees();
  }
  return { places, unresolved };
}

/** Imports of the name that lead nowhere in the tree, and may mean the file that defines it. */
function doubtfulImports(
  uses: readonly NameUse[],
  links: FileLinks | undefined,
  { file, search }: { readonly file: ImportingFile; readonly search: Search },
): { readonly use: NameUse; readonly reason: string }[] {
  const { project, definer } = search;
  const stem = stemOf(project.corpus.pathOf(definer));
  return uses.flatMap((use) => {
    const line1 = use.statementLine1 ?? 0;
    if (line1 === 0 || links?.importLines.has(line1) === true) return [];
    const reference = file.imports.find((each) => each.line1 === line1);
    if (reference === undefined || !reference.specifier.includes(stem)) return [];
    const isKnown = project.resolver().resolve(file, reference).length > 0;
    return isKnown ? [] : [{ use, reason: `"${reference.specifier}" is not found in the tree` }];
  });
}

function stemOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}
