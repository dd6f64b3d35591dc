import type { ImportReference } from "../../syntax/index.ts";
import { escaped } from "./escaped.ts";
import { type FileLinks, modulePartCountMax } from "./file-links.ts";

/** A statement that imports or exports again, and what its module has. */
interface ModuleStatement {
  readonly statement: string;
  /** All of the file. */
  readonly text: string;
  /** Of the definition. */
  readonly name: string;
  /** The module gives the definition under its name. */
  readonly isProvided: boolean;
  /** The names under which it gives modules that have the definition. */
  readonly namespaces: readonly string[];
}

/** Adds to what a file takes of a definition what one statement of JavaScript or TypeScript takes. */
export function linkEcmascript(
  own: FileLinks,
  reference: ImportReference,
  from: ModuleStatement,
): void {
  const isExport = /^\s*export\b/.test(from.statement);
  if (from.isProvided && isExport) exportAgain(own, reference, from);
  if (from.isProvided && !isExport) importName(own, reference, from);
  const isWhole = isLoadedWhole(reference, from.statement);
  if (!isExport && isWhole) own.isWhole = true;
  for (const [local, rest] of isExport || !isWhole ? modulesOf(reference, from) : []) {
    const parts = [local, ...rest];
    if (parts.length > modulePartCountMax) continue;
    const path = parts.join(".");
    if (isExport) own.namespaces.add(path);
    else {
      own.qualifiers.add(path);
      for (const exported of exportedNames(local, from.text))
        own.namespaces.add([exported, ...rest].join("."));
    }
  }
}

function exportAgain(
  own: FileLinks,
  { names, line1 }: ImportReference,
  { statement, name }: ModuleStatement,
): void {
  if (names.includes(name)) own.importLines.add(line1);
  const isStar = names.includes("*") && !/\*\s*as\b/.test(statement);
  if (isStar || (names.includes(name) && aliasOf(name, statement) === undefined))
    own.isProvider = true;
}

function importName(
  own: FileLinks,
  { names, line1 }: ImportReference,
  { statement, name }: ModuleStatement,
): void {
  if (!names.includes(name)) return;
  own.importLines.add(line1);
  // The file may export it again by a statement of its own.
  if (aliasOf(name, statement) === undefined) own.isBound = own.isProvider = true;
}

/** It is loaded in a way that leads to no name: `require`, `import()`. */
function isLoadedWhole({ names, kind }: ImportReference, statement: string): boolean {
  if (names.includes("*") && namespaceOf(statement) !== undefined) return false;
  return kind === "dynamic" || names.length === 0 || names.includes("*");
}

/** The modules with the definition that a statement gets: the name here, and the names behind it. */
function modulesOf(
  { names }: ImportReference,
  { statement, isProvided, namespaces }: ModuleStatement,
): (readonly [string, readonly string[]])[] {
  const found: (readonly [string, readonly string[]])[] = [];
  const whole = names.includes("*") ? namespaceOf(statement) : undefined;
  if (whole !== undefined && isProvided) found.push([whole, []]);
  for (const each of namespaces) {
    const [first = "", ...rest] = each.split(".");
    if (whole !== undefined) found.push([whole, [first, ...rest]]);
    else if (names.includes("*") && first !== "default") found.push([first, rest]);
    if (!names.includes(first)) continue;
    const isDefault = first === "default" && aliasOf(first, statement) === undefined;
    const alias = isDefault ? defaultOf(statement) : (aliasOf(first, statement) ?? first);
    if (alias !== undefined) found.push([alias, rest]);
  }
  return found;
}

/** The names under which others get what a file calls `local`. */
function exportedNames(local: string, text: string): string[] {
  const name = escaped(local);
  const found: string[] = [];
  for (const [, list = ""] of text.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}/g))
    for (const each of list.split(",")) {
      const [, alias] =
        new RegExp(`^\\s*(?:type\\s+)?${name}(?:\\s+as\\s+([^\\s]+))?\\s*$`).exec(each) ?? [];
      if (alias !== undefined) found.push(alias);
      else if (each.trim().replace(/^type\s+/, "") === local) found.push(local);
    }
  if (new RegExp(`\\bexport\\s+default\\s+${name}\\s*(?:;|$)`, "m").test(text))
    found.push("default");
  return found;
}

function aliasOf(name: string, statement: string): string | undefined {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_$])${escaped(name)}\\s+as\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)`,
    "u",
  ).exec(statement)?.[1];
}

/** `ns` of `* as ns`. */
function namespaceOf(statement: string): string | undefined {
  return /\*\s*as\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(statement)?.[1];
}

/** `a` of `import a, { b } from`. */
function defaultOf(statement: string): string | undefined {
  return /^\s*import\s+(?:type\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(statement)?.[1];
}
