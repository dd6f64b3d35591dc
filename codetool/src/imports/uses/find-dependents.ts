import type { ImportingFile } from "../tree/index.ts";
import type { ImportGraph } from "../graph/index.ts";
import type { ImportResolver } from "../resolver.ts";
import { mentions, type OpenUse, openUseOf } from "./open-uses.ts";
import { type EdgeKind, importsOf, symbolUsesOf, type VisibleNames } from "./symbol-uses.ts";

/**
 * How sure it is that a file depends on another:
 *
 * - `resolved`: an import means it by the rules of the language;
 * - `likely`: an import means it by convention, or several files could be meant;
 * - `name`: no import is needed, or none is known: a name of it is in the code;
 * - `unknown`: it holds the module or type and a name of it, in a way that is not resolved.
 *
 * Over several hops the least sure one counts.
 */
export type Confidence = EdgeKind | "unknown";

/** A file that depends on another, and what for. */
export interface SymbolDependent {
  /** Number of the file. */
  readonly file: number;
  /** 1 for one that depends on the other itself. */
  readonly hops: number;
  /** The file one hop nearer; `undefined` at one hop. */
  readonly via: number | undefined;
  /** What of the target it uses; beyond the first hop only what came through files that offer it on. */
  readonly symbolsUsed: readonly string[];
  readonly confidence: Confidence;
}

/** What is asked about, and what is known of the tree. */
export interface FindDependentsOptions {
  readonly graph: ImportGraph;
  readonly resolver: ImportResolver;
  readonly fileOf: (file: number) => ImportingFile;
  readonly readText: (file: number) => string | undefined;
  /** Number of the file that is asked about. */
  readonly target: number;
  /** What others can name in it, as they name it. */
  readonly visible: VisibleNames;
  /** What its own package can name in it. */
  readonly visibleInPackage: VisibleNames;
  /** Only those who use the visible names count, and who depends on them; default all who depend on the file. */
  readonly isBySymbol: boolean;
  /** The visible names are members of types. */
  readonly isMember?: boolean;
  /** Files that use the target by name without an import, found otherwise, and what they use. */
  readonly byName?: ReadonlyMap<number, readonly string[]>;
  /** Default without bound. */
  readonly hopsMax?: number;
}

/** Dependents found at most. */
const dependentCountMax = 20_000;
/** How often a module may be passed on until its users are not looked for any more. */
const unknownHopsMax = 4;
/** Texts that are read to see which names they hold, at most. */
const readCountMax = 5000;

/** Who depends on a file. */
export interface FoundDependents {
  /** By hops, then those that use more first, then in the order of the tree. */
  readonly dependents: readonly SymbolDependent[];
  /** False when a bound ended the search. */
  readonly isComplete: boolean;
}

/** What is known of a file that was reached. */
interface Reached {
  readonly file: number;
  readonly hops: number;
  via: number;
  used: Set<string>;
  confidence: Confidence;
  /** It changes with the target, and who depends on it does. */
  isAffected: boolean;
  /** What it offers on. */
  carried: Map<string, string>;
}

/** Finds the files that depend on a file, or on some names of it, hop by hop. */
export function findDependents(options: FindDependentsOptions): FoundDependents {
  return new Search(options).run();
}

class Search {
  readonly #options: FindDependentsOptions;
  readonly #seen = new Map<number, Reached>();
  #readCount = 0;
  #isComplete = true;

  constructor(options: FindDependentsOptions) {
    this.#options = options;
  }

  run(): FoundDependents {
    const { target, visible, isBySymbol, hopsMax = Number.POSITIVE_INFINITY } = this.#options;
    const start: Reached = {
      file: target,
      hops: 0,
      via: target,
      used: new Set(),
      confidence: "resolved",
      isAffected: !isBySymbol,
      carried: new Map(visible),
    };
    this.#seen.set(target, start);
    let reached: readonly Reached[] = [start];
    for (let hops = 1; hops <= hopsMax && reached.length > 0; hops += 1) {
      const next = new Map<number, Reached>();
      for (const from of reached) this.#follow(from, hops, next);
      if (hops === 1) this.#addByName(next);
      reached = [...next.values()];
      for (const each of reached) this.#seen.set(each.file, each);
      if (this.#seen.size > dependentCountMax) {
        this.#isComplete = false;
        break;
      }
    }
    this.#seen.delete(target);
    if (isBySymbol) this.#addUnknown(hopsMax);
    return { dependents: this.#answer(), isComplete: this.#isComplete };
  }

  #follow(from: Reached, hops: number, next: Map<number, Reached>): void {
    const { starts, files } = this.#options.graph.importers;
    const end = starts[from.file + 1] ?? 0;
    for (let edge = starts[from.file] ?? end; edge < end; edge += 1) {
      const file = files[edge] as number;
      if (this.#seen.has(file)) continue;
      const found = this.#take(from, file);
      if (found === undefined) continue;
      const via = { file, hops, via: from.file };
      merge(next, { ...via, ...found, confidence: weaker(from.confidence, found.confidence) });
    }
  }

  /** What a file takes from one that was reached; `undefined` where it does not depend on it. */
  #take(from: Reached, file: number): Omit<Reached, "file" | "hops" | "via"> | undefined {
    const { fileOf, resolver, target, visibleInPackage, isMember = false } = this.#options;
    const { definedNames } = fileOf(from.file);
    const isTarget = from.file === target;
    const own = new Map(definedNames.map((name) => [name, name]));
    const uses = symbolUsesOf({
      dependent: fileOf(file),
      target: from.file,
      visible: from.carried,
      visibleInPackage: isTarget ? visibleInPackage : own,
      isMember,
      resolver,
      readText: () => this.#read(file),
    });
    const isUsed = uses.used.length > 0;
    // In a package a file is a dependent only for the names it uses; the graph knows them from comments, too.
    const isVain = uses.kind === "name" && !isUsed && this.#readCount < readCountMax;
    if (from.isAffected ? isVain : !isUsed && uses.carried.size === 0) return undefined;
    const isNamedHere = isTarget || uses.kind !== "name";
    return {
      used: new Set(isNamedHere ? uses.used : []),
      confidence: uses.kind,
      isAffected: from.isAffected || uses.isUsing,
      carried: new Map(uses.carried),
    };
  }

  /**
   * Adds the files that hold the module or type, over files that pass it on, and have the symbol's name in a way that is
   * not resolved: taken apart, asked by a text, behind an object of another name.
   */
  #addUnknown(hopsMax: number): void {
    const { target } = this.#options;
    const visited = new Set([target]);
    let reached: readonly number[] = [target];
    for (let hops = 1; hops <= Math.min(hopsMax, unknownHopsMax) && reached.length > 0; hops += 1) {
      const next: number[] = [];
      for (const from of reached)
        for (const file of this.#importersOf(from)) {
          if (visited.has(file)) continue;
          const use = this.#openUse(from, file);
          if (use === undefined || !use.isOpen) continue;
          visited.add(file);
          if (use.isPassedOn) next.push(file);
          if (!use.isMentioned || this.#isListed(file)) continue;
          const known = { file, hops, via: from, used: new Set<string>(), carried: new Map() };
          this.#seen.set(file, { ...known, confidence: "unknown", isAffected: false });
        }
      reached = next;
    }
  }

  #openUse(from: number, file: number): (OpenUse & { readonly isMentioned: boolean }) | undefined {
    const { fileOf, resolver, target, visible } = this.#options;
    const dependent = fileOf(file);
    const found = importsOf({ dependent, target: from, resolver });
    const text = found.length === 0 ? undefined : this.#read(file);
    if (text === undefined) return undefined;
    const { path, language } = dependent;
    const references = found.map(({ reference }) => reference);
    const use = openUseOf({ path, language, references, visible, text });
    const names = [...new Set(visible.values())];
    return {
      // What passes the module on does so under another name.
      isOpen: use.isOpen || from !== target,
      isPassedOn: use.isPassedOn,
      isMentioned: names.some((name) => mentions(text, language, name)),
    };
  }

  #importersOf(file: number): Uint32Array {
    const { starts, files } = this.#options.graph.importers;
    return files.subarray(starts[file] ?? 0, starts[file + 1] ?? 0);
  }

  /** True for a file that the answer has, by what it is known to use. */
  #isListed(file: number): boolean {
    const known = this.#seen.get(file);
    return known !== undefined && isShown(known);
  }

  #addByName(next: Map<number, Reached>): void {
    const { byName, target } = this.#options;
    for (const [file, names] of byName ?? []) {
      if (file === target || next.has(file)) continue;
      merge(next, {
        file,
        hops: 1,
        via: target,
        used: new Set(names),
        confidence: "name",
        isAffected: true,
        carried: new Map(),
      });
    }
  }

  #read(file: number): string | undefined {
    if (this.#readCount >= readCountMax) {
      this.#isComplete = false;
      return undefined;
    }
    this.#readCount += 1;
    return this.#options.readText(file);
  }

  #answer(): SymbolDependent[] {
    const { isBySymbol } = this.#options;
    return [...this.#seen.values()]
      .filter((reached) => !isBySymbol || isShown(reached))
      .map(({ file, hops, via, used, confidence }) => ({
        file,
        hops,
        via: hops === 1 ? undefined : via,
        symbolsUsed: [...used],
        confidence,
      }))
      .sort(
        (one, other) =>
          one.hops - other.hops ||
          other.symbolsUsed.length - one.symbolsUsed.length ||
          one.file - other.file,
      );
  }
}

/** Whether an answer about a symbol has a file. */
function isShown({ isAffected, used, confidence }: Reached): boolean {
  return isAffected || used.size > 0 || confidence === "unknown";
}

const order: readonly Confidence[] = ["resolved", "likely", "name", "unknown"];

function weaker(one: Confidence, other: Confidence): Confidence {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}

function merge(next: Map<number, Reached>, found: Reached): void {
  const known = next.get(found.file);
  if (known === undefined) {
    next.set(found.file, found);
    return;
  }
  for (const name of found.used) known.used.add(name);
  for (const [name, original] of found.carried) known.carried.set(name, original);
  known.isAffected ||= found.isAffected;
  if (order.indexOf(found.confidence) < order.indexOf(known.confidence)) {
    known.confidence = found.confidence;
    known.via = found.via;
  }
}
