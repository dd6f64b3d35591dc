import { errors } from "../../envelope/index.ts";
import { usesOfName } from "../../syntax/index.ts";
import { definitionsOf, type ProjectCorpus } from "../project/index.ts";
import type { FileLinks } from "./file-links.ts";
import type { ProjectTexts } from "./project-texts.ts";
import type { Links } from "./providers.ts";

interface Names {
  readonly old: string;
  readonly newName: string;
}

interface Place {
  readonly file: number;
  readonly line1: number;
}

/** Refuses new names that files have already, and names that a module gives from two files. */
export class TakenNames {
  readonly #names: Names;
  readonly #links: Links;
  readonly #texts: ProjectTexts;
  readonly #project: ProjectCorpus;

  constructor(
    names: Names,
    from: { readonly links: Links; readonly texts: ProjectTexts; readonly project: ProjectCorpus },
  ) {
    this.#names = names;
    this.#links = from.links;
    this.#texts = from.texts;
    this.#project = from.project;
  }

  /**
   * Looks at the files that see the definition, or give it to others.
   *
   * @throws invalid_argument where the new name would mean two things, or the old one does.
   */
  refuseBeside(): void {
    for (const [file, own] of this.#links) {
      const language = this.#languageOf(file);
      if (language === "go" || language === "python") {
        if (own.isOpen || own.isBound) this.#refuseDeclared(file, language);
      } else if (own.isProvider) {
        this.#refuseExported(file, own);
      }
    }
  }

  /**
   * Looks at a file in which places are renamed.
   *
   * @throws invalid_argument where it uses the new name.
   */
  refuseIn(file: number): void {
    const { newName } = this.#names;
    const taken = usesOfName(this.#texts.readText(file), this.#languageOf(file), newName)?.find(
      ({ role }) => !/^(?:member|other|alias|quoted)$/.test(role),
    );
    if (taken !== undefined)
      throw this.#refused(newName, { file, line1: taken.line1 }, "has this name already");
  }

  /** A package of Go has each name once in all of its files; a star import of Python brings the name in. */
  #refuseDeclared(file: number, language: string): void {
    const { newName } = this.#names;
    const text = this.#texts.readText(file);
    if (!text.includes(newName)) return;
    const declared = usesOfName(text, language, newName)?.find(
      ({ role, binding }) => binding === "file" && /^(?:bare|import)$/.test(role),
    );
    if (declared !== undefined)
      throw this.#refused(newName, { file, line1: declared.line1 }, "has this name already");
    if (language !== "go") return;
    const imports = this.#texts.files[file]?.imports ?? [];
    const lines = text.split("\n");
    const taken = imports.find(({ specifier, line1 }) => {
      const alias = /([\p{L}_][\p{L}\p{N}_]*)\s+["`]/u.exec(
        (lines[line1 - 1] ?? "").replace(/^\s*import\b/, ""),
      )?.[1];
      return (alias ?? specifier.replace(/^.*\//, "")) === newName;
    });
    if (taken !== undefined)
      throw this.#refused(newName, { file, line1: taken.line1 }, "imports a package of this name");
  }

  #refuseExported(file: number, own: FileLinks): void {
    const { old, newName } = this.#names;
    const taken = this.#exportPlace(file, newName, new Set());
    if (taken !== undefined) {
      const where =
        taken.file === file ? "" : `, which "${this.#project.shownPathOf(file)}" exports too`;
      throw this.#refused(newName, taken, `exports this name already${where}`);
    }
    if (own.isDefiner) return;
    const other = this.#exportPlace(file, old, new Set());
    if (other === undefined) return;
    const { file: at, line1 } = other;
    throw new errors.invalid_argument({
      argument: `old ${old.slice(0, 100)}`,
      reason: `"${this.#project.shownPathOf(file)}" exports two things of this name, the other from ${this.#project.shownPathOf(at)}:${line1}`,
    });
  }

  /** Where others get a name that is not the definition from a file. */
  #exportPlace(file: number, name: string, seen: Set<number>): Place | undefined {
    const text = this.#texts.readText(file);
    if (seen.has(file)) return undefined;
    seen.add(file);
    const isDefinition = (meant: number): boolean =>
      name === this.#names.old && this.#links.get(meant)?.isProvider === true;
    const own = this.#ownExport(file, name, text);
    if (own !== undefined) return own;
    const known = this.#texts.files[file];
    if (known === undefined) return undefined;
    for (const reference of known.imports) {
      const { kind, names, line1 } = reference;
      const line = text.split("\n", line1).at(-1) ?? "";
      if (!/^\s*export\b/.test(line) || (kind !== "reexport" && kind !== "type")) continue;
      const meant = this.#project.resolver().resolve(known, reference);
      for (const { file: target } of meant) {
        if (isDefinition(target) || !names.includes("*") || /\*\s*as\b/.test(line)) continue;
        const found = this.#exportPlace(target, name, seen);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** What a file says itself to export: a definition, an alias, a name from another file. */
  #ownExport(file: number, name: string, text: string): Place | undefined {
    if (!text.includes(name)) return undefined;
    const isOld = name === this.#names.old;
    if (!(isOld && this.#links.get(file)?.isDefiner === true)) {
      const corpus = this.#project.corpus;
      const at = definitionsOf(corpus, file).findIndex(
        (each) => each.name === name && each.isExported && each.containers.length === 0,
      );
      // What is declared for another module is not exported from here.
      if (at !== -1 && corpus.symbolsOf(file)[at]?.parent === null)
        return { file, line1: corpus.symbolsOf(file)[at]?.startLine1 ?? 1 };
    }
    const lines = this.#links.get(file)?.importLines;
    const found = usesOfName(text, this.#languageOf(file), name)?.find(
      ({ role, hasAlias, statementLine1 = 0 }) =>
        role === "alias" ||
        ((role === "reexport" || (role === "export" && !isOld)) &&
          hasAlias !== true &&
          !(isOld && lines?.has(statementLine1) === true)),
    );
    return found === undefined ? undefined : { file, line1: found.line1 };
  }

  #languageOf(file: number): string {
    return this.#texts.files[file]?.language ?? "";
  }

  #refused(name: string, { file, line1 }: Place, what: string): Error {
    return new errors.invalid_argument({
      argument: `new ${name}`,
      reason: `"${this.#project.shownPathOf(file)}" ${what}, on line ${line1}`,
    });
  }
}
