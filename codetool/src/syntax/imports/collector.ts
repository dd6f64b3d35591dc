import type { FileImports, ImportReference } from "../import-reference.ts";
import type { ImportReader, ImportStatement, ImportSyntax } from "./syntax.ts";
import { usedNamesOf } from "./used-names.ts";

/** Imports of one file that are kept; the rest of a longer list is left out. */
export const importCountMax = 20_000;

const noNames = new Uint32Array(0);

/** Gathers the imports of one file while its tree is walked for symbols. */
export class ImportCollector {
  readonly #syntax: ImportSyntax;
  readonly #read: ImportReader;
  readonly #source: string;
  readonly #imports: ImportReference[] = [];
  readonly #namespaces = new Set<string>();
  readonly #kinds: ReadonlySet<string>;
  /** What to ask the native library for, besides the kinds that symbols need. */
  readonly queries: readonly object[];

  /**
   * @param source The text as parsed: offsets of nodes point into it.
   */
  constructor(syntax: ImportSyntax, source: string) {
    this.#syntax = syntax;
    this.#source = source;
    this.#read = syntax.begin(source);
    const matchers = syntax.matchers.filter(({ when }) => when === undefined || when.test(source));
    this.#kinds = new Set(matchers.map(({ kind }) => kind));
    this.queries = matchers.map(({ kind, rule }) =>
      rule === undefined ? { kind } : { all: [{ kind }, rule] },
    );
  }

  /** Says whether nodes of a kind are to be offered. */
  wants(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** Takes what a node says, if it is a statement of import. Nodes come in document order. */
  offer(node: Omit<ImportStatement, "text">): void {
    if (this.#imports.length >= importCountMax) return;
    const text = this.#source.slice(node.start, node.end);
    const effect = this.#read({ ...node, text });
    if (effect?.namespace !== undefined) this.#namespaces.add(effect.namespace);
    for (const found of effect?.imports ?? []) this.#add({ ...found, line1: node.line1 });
  }

  /**
   * Gives what was gathered.
   *
   * @param written The text before any repair, where the parsed one may lack lines.
   */
  finish(written: string): FileImports {
    for (const found of this.#syntax.scan?.(written) ?? []) this.#add(found);
    return {
      imports: this.#imports.sort((one, other) => one.line1 - other.line1),
      namespaces: [...this.#namespaces],
      usedNames:
        this.#syntax.usedNames === undefined
          ? noNames
          : usedNamesOf(written, this.#syntax.usedNames),
    };
  }

  #add(reference: ImportReference): void {
    if (reference.specifier === "" || reference.specifier.length > 1000) return;
    if (this.#imports.length >= importCountMax) return;
    const { specifier, names, line1, kind } = reference;
    this.#imports.push({ specifier: copied(specifier), names: names.map(copied), line1, kind });
  }
}

/** Its own string: a slice keeps the whole source in memory for as long as it lives. */
function copied(text: string): string {
  return text.length < sliceLengthMin ? text : `_${text}`.slice(1);
}

/** Shorter pieces are copied by every engine. */
const sliceLengthMin = 13;

/** What a file without known imports says. */
export const noImports: FileImports = { imports: [], namespaces: [], usedNames: noNames };
