import type { ImportingFile, ImportResolver } from "../../imports/index.ts";

/** What a file takes of the definition by its imports. */
export interface FileLinks {
  /** Lines of the statements that import the name, from 1. */
  readonly importLines: Set<number>;
  /** Texts before a dot behind which the name is the definition: `config`, `a.b`. */
  readonly qualifiers: Set<string>;
  readonly isDefiner: boolean;
  /** The name at file level is the definition. */
  isBound: boolean;
  /** The name is the definition where the file declares no other: a star import. */
  isOpen: boolean;
  /** It loads the whole module in a way that leads to no name. */
  isWhole: boolean;
  /** Others that import from the file get the definition under its name. */
  isProvider: boolean;
}

/** The files that can name a definition, by number. */
export type Links = ReadonlyMap<number, FileLinks>;

interface Project {
  readonly name: string;
  readonly files: readonly (ImportingFile | undefined)[];
  readonly resolver: ImportResolver;
  readonly readText: (file: number) => string;
}

/**
 * Follows a definition through imports and re-exports, to all files that can name it.
 *
 * @param definer Number of the file that defines it.
 */
export function findLinks(definer: number, project: Project): Links {
  const links = new Map<number, FileLinks>([
    [definer, { ...noLinks(), isDefiner: true, isBound: true, isProvider: true }],
  ]);
  if (project.files[definer]?.language === "go") {
    linkGoPackage(definer, links, project);
    return links;
  }
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [number, file] of project.files.entries())
      if (file !== undefined && linkFile(number, file, { links, project })) isGrowing = true;
  }
  return links;
}

function noLinks(): FileLinks {
  return {
    importLines: new Set(),
    qualifiers: new Set(),
    isDefiner: false,
    isBound: false,
    isOpen: false,
    isWhole: false,
    isProvider: false,
  };
}

/** @returns Whether the file became one from which the name can be imported. */
function linkFile(
  number: number,
  file: ImportingFile,
  { links, project }: { readonly links: Map<number, FileLinks>; readonly project: Project },
): boolean {
  const own = links.get(number) ?? noLinks();
  const before = own.isProvider;
  let isLinked = false;
  for (const reference of file.imports) {
    const meant = project.resolver.resolve(file, reference).map((each) => each.file);
    const providers = meant.filter((each) => links.get(each)?.isProvider === true);
    if (providers.length === 0) continue;
    isLinked = true;
    const statement = statementAt(project.readText(number), reference.line1);
    if (file.language === "python")
      linkPython(own, reference, {
        statement,
        name: project.name,
        paths: providers.map((each) => project.files[each]?.path ?? ""),
      });
    else linkEcmascript(own, reference, { statement, name: project.name });
  }
  if (isLinked) links.set(number, own);
  return own.isProvider && !before;
}

type Reference = ImportingFile["imports"][number];

function linkEcmascript(
  own: FileLinks,
  { names, kind, line1 }: Reference,
  { statement, name }: { readonly statement: string; readonly name: string },
): void {
  const isAliased = new RegExp(`\\b${escaped(name)}\\s+as\\s`).test(statement);
  if (kind === "reexport") {
    if (names.includes(name)) own.importLines.add(line1);
    const isStar = names.includes("*") && !/\*\s*as\b/.test(statement);
    if (isStar || (names.includes(name) && !isAliased)) own.isProvider = true;
    return;
  }
  if (names.includes(name)) {
    own.importLines.add(line1);
    // The file may export it again by a statement of its own.
    if (!isAliased) own.isBound = own.isProvider = true;
  }
  const namespace = /\*\s*as\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(statement)?.[1];
  if (names.includes("*") && namespace !== undefined) own.qualifiers.add(namespace);
  else if (kind === "dynamic" || names.length === 0 || names.includes("*")) own.isWhole = true;
}

function linkPython(
  own: FileLinks,
  { specifier, names, line1 }: Reference,
  {
    statement,
    name,
    paths,
  }: { readonly statement: string; readonly name: string; readonly paths: readonly string[] },
): void {
  const aliasOf = (imported: string): string | undefined =>
    new RegExp(`(?<![\\w.])${escaped(imported)}\\s+as\\s+(\\w+)`).exec(statement)?.[1];
  if (/^\s*import\b/.test(statement)) {
    const whole = [specifier, ...names.filter((each) => each !== "*")]
      .filter((each) => each !== "")
      .join(".");
    own.qualifiers.add(aliasOf(whole) ?? whole);
    return;
  }
  if (names.includes("*")) own.isOpen = own.isProvider = true;
  if (names.includes(name)) {
    own.importLines.add(line1);
    if (aliasOf(name) === undefined) own.isBound = own.isProvider = true;
  }
  for (const imported of names) {
    const isModule = paths.some((path) =>
      new RegExp(`(?:^|/)${escaped(imported)}(?:/__init__)?\\.pyi?$`).test(path),
    );
    if (imported !== name && isModule) own.qualifiers.add(aliasOf(imported) ?? imported);
  }
}

/** The files of the package, and those that import it. */
function linkGoPackage(
  definer: number,
  links: Map<number, FileLinks>,
  { files, resolver, readText }: Project,
): void {
  const folder = folderOf(files[definer]?.path ?? "");
  const packageName = packageOf(readText(definer));
  for (const [number, file] of files.entries()) {
    if (file === undefined) continue;
    const text = folderOf(file.path) === folder ? readText(number) : "";
    if (text !== "" && packageOf(text) === packageName) {
      links.set(number, { ...noLinks(), isBound: true, isOpen: true });
      continue;
    }
    for (const reference of file.imports) {
      const isMeant = resolver
        .resolve(file, reference)
        .some((each) => folderOf(files[each.file]?.path ?? "") === folder);
      if (!isMeant) continue;
      const line = readText(number).split("\n")[reference.line1 - 1] ?? "";
      const alias = /(?:^|\s)([\p{L}_][\p{L}\p{N}_]*|\.)\s+["`]/u.exec(
        line.replace(/^\s*import\s+/, " "),
      )?.[1];
      const own = links.get(number) ?? noLinks();
      if (alias === ".") own.isOpen = true;
      else own.qualifiers.add(alias ?? packageName);
      links.set(number, own);
    }
  }
}

/** The lines of a statement that begins on a line, up to its end. */
function statementAt(text: string, line1: number): string {
  const lines = text.split("\n").slice(line1 - 1, line1 + 199);
  const first = lines[0] ?? "";
  const isOpened = /[({]/.test(first) && !/[)}]/.test(first);
  if (!isOpened) return first.trim().endsWith("\\") ? lines.slice(0, 10).join("\n") : first;
  const end = lines.findIndex((line) => /[)}]/.test(line));
  return lines.slice(0, end === -1 ? 1 : end + 1).join("\n");
}

function packageOf(text: string): string {
  return /^package\s+(\w+)/m.exec(text)?.[1] ?? "";
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function escaped(name: string): string {
  return name.replace(/[$.*+?()[\]{}|\\^]/g, "\\$&");
}
