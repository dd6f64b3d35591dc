import type { ImportReference } from "../../syntax/index.ts";
import { escaped } from "./escaped.ts";
import { type FileLinks, modulePartCountMax } from "./file-links.ts";

/** A statement of import, and what its module has. */
interface ImportStatement {
  readonly statement: string;
  /** Of the definition. */
  readonly name: string;
  /** The files that give the definition under its name. */
  readonly paths: readonly string[];
  /** The names under which the module gives modules that have the definition. */
  readonly namespaces: readonly string[];
}

/** Adds to what a file takes of a definition what one statement of Python takes. */
export function linkPython(
  own: FileLinks,
  reference: ImportReference,
  from: ImportStatement,
): void {
  if (/^\s*import\b/.test(from.statement)) importModule(own, reference, from);
  else importNames(own, reference, from);
  // What a module imports is a name of it.
  for (const each of own.qualifiers) own.namespaces.add(each);
}

function importModule(
  own: FileLinks,
  { specifier, names }: ImportReference,
  { statement, paths, namespaces }: ImportStatement,
): void {
  const whole = [specifier, ...names.filter((each) => each !== "*")]
    .filter((each) => each !== "")
    .join(".");
  const local = aliasOf(whole, statement) ?? whole;
  if (paths.length > 0) own.qualifiers.add(local);
  for (const each of namespaces) addModule(own, `${local}.${each}`);
}

function importNames(
  own: FileLinks,
  { names, line1 }: ImportReference,
  { statement, name, paths, namespaces }: ImportStatement,
): void {
  const isProvided = paths.length > 0;
  if (isProvided && names.includes("*")) own.isOpen = own.isProvider = true;
  if (isProvided && names.includes(name)) {
    own.importLines.add(line1);
    if (aliasOf(name, statement) === undefined) own.isBound = own.isProvider = true;
  }
  for (const imported of names) {
    const isModule = paths.some((path) =>
      new RegExp(`(?:^|/)${escaped(imported)}(?:/__init__)?\\.pyi?$`).test(path),
    );
    const local = aliasOf(imported, statement) ?? imported;
    if (imported !== name && isModule) own.qualifiers.add(local);
    for (const each of namespaces) {
      const [first, ...rest] = each.split(".");
      if (first === imported) addModule(own, [local, ...rest].join("."));
      else if (imported === "*") addModule(own, each);
    }
  }
}

function addModule(own: FileLinks, name: string): void {
  if (name.split(".").length <= modulePartCountMax) own.qualifiers.add(name);
}

function aliasOf(imported: string, statement: string): string | undefined {
  return new RegExp(`(?<![\\w.])${escaped(imported)}\\s+as\\s+(\\w+)`).exec(statement)?.[1];
}
