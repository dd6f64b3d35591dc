import type { ImportingFile } from "../../imports/index.ts";
import {
  hasNameRules,
  hasWord,
  mayMention,
  type NameUse,
  placesOfName,
  releaseTrees,
} from "../../syntax/index.ts";
import type { CommandContext } from "../command.ts";
import type { FilePlaces } from "../edit/index.ts";
import type { ProjectCorpus } from "../project/index.ts";
import { augmentations } from "./augmentations.ts";
import type { FileLinks } from "./file-links.ts";
import { embeddedFields, withFields } from "./members/index.ts";
import { MentionedLines } from "./mentions.ts";
import type { FoundPlaces, UnresolvedPlace } from "./payload.ts";
import { namedBeside, placesOf, textsBeside, unresolvedAt } from "./project-texts.ts";
import { findLinks, type Links } from "./providers.ts";
import { resolveUses } from "./resolve-uses.ts";
import { TakenNames } from "./taken-names.ts";

/** A definition at file level, and its new name. */
interface Search {
  readonly old: string;
  readonly newName: string;
  readonly definer: number;
  readonly project: ProjectCorpus;
  readonly context: CommandContext;
}

/**
 * Finds the places that mean a definition at file level, and those that may.
 *
 * @throws invalid_argument where the new name is taken.
 */
export async function findPlaces(search: Search): Promise<FoundPlaces> {
  const { old, newName, definer, project, context } = search;
  const texts = textsBeside(definer, old, project);
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
  const mentioned = new MentionedLines();
  for (const [number, file] of files.entries()) {
    const text = file === undefined ? "" : readText(number);
    const path = project.absolutePathOf(number);
    if (file?.language == null || !mayMention(text, old) || context.mayShow?.(path) === false)
      continue;
    const shown = project.shownPathOf(number);
    const lines = text.split("\n");
    const leave = (line1: number, reason: string): void => {
      unresolved.push(unresolvedAt(line1, reason, { shown, lines }));
    };
    const found = hasNameRules(file.language) ? placesOfName(text, file.language, old) : null;
    const own = links.get(number);
    if (found === null) {
      if (own !== undefined)
        leave(lines.findIndex((line) => hasWord(line, old)) + 1, "the file has errors of syntax");
      continue;
    }
    const { uses, mentions } = found;
    const { edits, left } = withFields(resolveUses(uses, own, newName), embedded?.(number));
    const doubtful = [
      ...doubtfulImports(uses, own, { file, search }),
      ...augmentations(uses, text, { file, links, project }),
    ].map(({ use, reason }) => ({ line1: use.line1, reason }));
    const isRead = own !== undefined || file.language === "python";
    const named = isRead ? namedBeside(edits, { name: old, language: file.language, text }) : [];
    const all = [...left, ...doubtful, ...named];
    for (const { line1, reason } of all) leave(line1, reason);
    mentioned.add({ shown, text, mentions, isNear: own !== undefined, edits, left: all });
    if (edits.length > 0) {
      taken.refuseIn(number);
      places.push(await placesOf(number, edits, { texts, project, context }));
    }
    await releaseTrees();
  }
  return { places, unresolved, mentions: mentioned.all };
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
