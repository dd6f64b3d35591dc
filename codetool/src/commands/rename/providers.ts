import type { ImportingFile, ImportResolver } from "../../imports/index.ts";
import type { ImportReference } from "../../syntax/index.ts";
import { type FileLinks, noLinks } from "./file-links.ts";
import { linkEcmascript } from "./link-ecmascript.ts";
import { linkPython } from "./link-python.ts";

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
    [
      definer,
      {
        ...noLinks(),
        qualifiers: new Set(
          isEcmascript(project.files[definer]) ? ["exports", "module.exports"] : [],
        ),
        isDefiner: true,
        isBound: true,
        isProvider: true,
      },
    ],
  ]);
  if (project.files[definer]?.language === "go") {
    linkGoPackage(definer, links, project);
    return links;
  }
  const importing = project.files.flatMap((file, number) => {
    if (file === undefined) return [];
    const imports = file.imports.map((reference) => ({
      reference,
      meant: project.resolver.resolve(file, reference).map((each) => each.file),
    }));
    const isInside = imports.some(({ meant }) => meant.length > 0);
    return isInside ? [{ number, language: file.language, imports }] : [];
  });
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const file of importing) if (linkFile(file, { links, project })) isGrowing = true;
  }
  return links;
}

/** A file with imports that lead to files of the project. */
interface LinkedFile {
  readonly number: number;
  readonly language: string | null;
  readonly imports: readonly {
    readonly reference: ImportReference;
    readonly meant: readonly number[];
  }[];
}

/** @returns Whether others can get more from the file than before. */
function linkFile(
  { number, language, imports }: LinkedFile,
  { links, project }: { readonly links: Map<number, FileLinks>; readonly project: Project },
): boolean {
  const own = links.get(number) ?? noLinks();
  const before = { isProvider: own.isProvider, namespaceCount: own.namespaces.size };
  let isLinked = false;
  for (const { reference, meant } of imports) {
    const providers = meant.filter((each) => links.get(each)?.isProvider === true);
    const namespaces = meant.flatMap((each) => [...(links.get(each)?.namespaces ?? [])]);
    if (providers.length === 0 && namespaces.length === 0) continue;
    isLinked = true;
    const statement = statementAt(project.readText(number), reference.line1);
    if (language === "python")
      linkPython(own, reference, {
        statement,
        name: project.name,
        paths: providers.map((each) => project.files[each]?.path ?? ""),
        namespaces,
      });
    else
      linkEcmascript(own, reference, {
        statement,
        text: project.readText(number),
        name: project.name,
        isProvided: providers.length > 0,
        namespaces,
      });
  }
  if (isLinked) links.set(number, own);
  return own.isProvider !== before.isProvider || own.namespaces.size > before.namespaceCount;
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

function isEcmascript(file: ImportingFile | undefined): boolean {
  return /^(?:javascript|typescript|tsx)$/.test(file?.language ?? "");
}
