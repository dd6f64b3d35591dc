import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { TextEdit } from "../../edits/index.ts";
import { errors } from "../../envelope/index.ts";
import { type ImportingFile, languagesBeside } from "../../imports/index.ts";
import { hasNameRules, type NameUse, releaseTrees, usesOfName } from "../../syntax/index.ts";
import { contentHash, decodeExactly } from "../../text/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { editPlaces, type FilePlaces } from "../edit/index.ts";
import { leavingDamageAside } from "../open-index.ts";
import { resolveTarget } from "../paths.ts";
import { openProjectCorpus, type ProjectCorpus } from "../project/index.ts";
import { findDefinition } from "./find-definition.ts";
import type { RenameInput } from "./input.ts";
import type { RenamePayload, UnresolvedPlace } from "./payload.ts";
import { type FileLinks, findLinks, type Links } from "./providers.ts";
import { resolveUses } from "./resolve-uses.ts";

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
  const definition = findDefinition({ old, inFile: input.in_file, project, context });
  const found = await findPlaces({ old, newName, definer: definition.file, project, context });
  const { data, warnings, plain } = await editPlaces(
    { places: found.places, isApplied: input.apply === true, budget: input.budget },
    context,
  );
  const shown = project.shownPathOf(definition.file);
  return {
    data: {
      ...data,
      definition: { file: shown, line: definition.line1 },
      unresolved: found.unresolved.slice(0, unresolvedCountMax),
      total_unresolved: found.unresolved.length,
    },
    warnings: [...project.warnings, ...(warnings ?? [])],
    ...(found.unresolved.length > 0 || plain === undefined ? {} : { plain }),
  };
}

interface Search {
  readonly old: string;
  readonly newName: string;
  readonly definer: number;
  readonly project: ProjectCorpus;
  readonly context: CommandContext;
}

async function findPlaces(
  search: Search,
): Promise<{ readonly places: FilePlaces[]; readonly unresolved: UnresolvedPlace[] }> {
  const { old, newName, definer, project, context } = search;
  const { corpus } = project;
  const family = new Set(languagesBeside(corpus.file(definer).language ?? ""));
  const all = corpus.importingFiles();
  const files = all.map((file) => (family.has(file?.language ?? "") ? file : undefined));
  const texts = new Map<number, string>();
  const readText = (file: number): string => {
    let text = texts.get(file);
    if (text === undefined) texts.set(file, (text = readExactly(project.absolutePathOf(file))));
    return text;
  };
  const links: Links = findLinks(definer, {
    name: old,
    files,
    resolver: project.resolver(),
    readText,
  });
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
      unresolved.push({
        file: shown,
        line: line1,
        text: (lines[line1 - 1] ?? "").trim().slice(0, 200),
        reason,
      });
    };
    const uses = hasNameRules(file.language) ? usesOfName(text, file.language, old) : null;
    if (uses === null) {
      if (links.has(number))
        leave(lines.findIndex((line) => line.includes(old)) + 1, "the file has errors of syntax");
      continue;
    }
    const { edits, left } = resolveUses(uses, links.get(number), newName);
    for (const { use, reason } of left) leave(use.line1, reason);
    for (const { use, reason } of doubtfulImports(uses, links.get(number), { file, search }))
      leave(use.line1, reason);
    if (file.language === "python")
      for (const line1 of stringsWith(old, lines)) leave(line1, "it is named in a string");
    if (edits.length > 0) {
      refuseTaken(text, file.language, { newName, shown });
      places.push(await placesOf(path, edits, context.workingDirectory));
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

/** A new name that a file has already would mean two things. */
function refuseTaken(
  text: string,
  language: string,
  { newName, shown }: { readonly newName: string; readonly shown: string },
): void {
  const taken = usesOfName(text, language, newName)?.find(
    ({ role }) => role !== "member" && role !== "other",
  );
  if (taken === undefined) return;
  throw new errors.invalid_argument({
    argument: `new ${newName}`,
    reason: `"${shown}" has this name already, on line ${taken.line1}`,
  });
}

async function placesOf(
  path: string,
  edits: readonly TextEdit[],
  workingDirectory: string,
): Promise<FilePlaces> {
  const hash = await contentHash(readFileSync(path));
  return { argument: relative(workingDirectory, path), hash, edits };
}

/** Names in strings that tools take for code: `mock.patch("app.config.parse")`. */
function* stringsWith(name: string, lines: readonly string[]): Generator<number> {
  const pattern = new RegExp(`[\\w]\\.${name.replaceAll("$", "\\$")}["']`);
  for (const [index, line] of lines.entries()) if (pattern.test(line)) yield index + 1;
}

function readExactly(path: string): string {
  try {
    return decodeExactly(readFileSync(path)).text;
  } catch {
    // Gone since the index saw it: there is nothing to rename.
    return "";
  }
}

function stemOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}
