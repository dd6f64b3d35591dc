import type { ImportReference } from "../../syntax/index.ts";
import { codeWordsOf } from "./code-words.ts";
import type { VisibleNames } from "./symbol-uses.ts";

/** What a file can do with another one beyond the names that its imports give. */
export interface OpenUse {
  /** It holds the whole module, or a type: names of it may be used in ways that are not resolved. */
  readonly isOpen: boolean;
  /** It passes that on to those who import it, under another name. */
  readonly isPassedOn: boolean;
}

/** A file, and its imports of another one. */
export interface OpenUseQuestion {
  readonly path: string;
  readonly language: string | null;
  readonly references: readonly ImportReference[];
  /** What others can name in the imported file. */
  readonly visible: VisibleNames;
  readonly text: string;
}

/**
 * Tells whether a file may use names of another one in ways that no import tells: over an object that stands for the
 * module (`import * as all`, `import pkg`) or over a type, which both can be taken apart, passed on and asked by a text.
 */
export function openUseOf({ path, language, references, visible, text }: OpenUseQuestion): OpenUse {
  const isEcmascript = /^(?:javascript|typescript|tsx)$/.test(language ?? "");
  if (language === "python") {
    const isPassedOn = /(?:^|\/)__init__\.pyi?$/.test(path) && references.length > 0;
    return { isOpen: references.length > 0, isPassedOn };
  }
  if (!isEcmascript) return { isOpen: false, isPassedOn: false };
  const isWhole = ({ names, kind }: ImportReference): boolean =>
    kind === "dynamic" ||
    names.length === 0 ||
    names.some((name) => name === "*" || name === "default");
  const isType = ({ names }: ImportReference): boolean => names.some((name) => visible.has(name));
  const isOpen = references.some((reference) => isWhole(reference) || isType(reference));
  const isPassedOn = references.some(({ specifier }) => passesOn(text, specifier));
  return { isOpen, isPassedOn };
}

/** Tells whether a text has a name in its code, or as the whole of a quoted text. */
export function mentions(text: string, language: string | null, name: string): boolean {
  if (!text.includes(name)) return false;
  const quoted = ['"', "'", "`"].some((quote) => text.includes(quote + name + quote));
  return quoted || codeWordsOf(text, language, [name]).names.size > 0;
}

/** Whether a module gives out what it imports from a place: as a namespace, as its default, or under another name. */
function passesOn(text: string, specifier: string): boolean {
  const from = `["']${escaped(specifier)}["']`;
  const clauses = [
    ...text.matchAll(new RegExp(`import\\s+(?:type\\s+)?([^;"']*?)\\s+from\\s*${from}`, "g")),
    ...text.matchAll(
      new RegExp(
        `(?:const|let|var)\\s+([^=;]+?)\\s*=\\s*(?:await\\s+import|require)\\(\\s*${from}`,
        "g",
      ),
    ),
  ];
  return clauses.some(([, clause = ""]) =>
    localNamesOf(clause).some((name) => isExported(text, name)),
  );
}

/** The names that an import clause makes: of `a as b` and `a: b` the second. */
function localNamesOf(clause: string): string[] {
  return clause
    .replaceAll(/[{}*]/g, ",")
    .split(",")
    .flatMap((part) => /([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(part)?.[1] ?? []);
}

function isExported(text: string, name: string): boolean {
  const word = `${escaped(name)}(?![\\w$])`;
  return new RegExp(
    `export\\s+default\\s+${word}|export\\s*\\{[^}]*(?<![\\w$])${word}[^}]*\\}|export\\s+(?:const|let|var|class)\\s+[^=;{]+(?:=|extends)\\s*${word}|module\\.exports\\b[^;]*(?<![\\w$.])${word}`,
  ).test(text);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
