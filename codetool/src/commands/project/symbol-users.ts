import {
  filesOfDocuments,
  offersOn,
  referenceTermOf,
  symbolUsesOf,
  type VisibleNames,
} from "../../imports/index.ts";
import { visibleNamesOf } from "./defined-symbols.ts";
import type { ProjectCorpus } from "./project-corpus.ts";

/** A name is followed through this many re-exports. */
const offersMax = 4;
/** How many files are read for one definition at most; a file that re-exports it counts as one. */
const reachMax = 20_000;

/** Finds the users of a project's definitions, also through files that re-export them (`export … from`). */
export class SymbolUsers {
  readonly #project: ProjectCorpus;
  readonly #readText: (file: number) => string | undefined;
  readonly #visible = new Map<number, VisibleNames>();
  readonly #reach = new Map<number, ReadonlySet<number>>();

  constructor(project: ProjectCorpus, readText: (file: number) => string | undefined) {
    this.#project = project;
    this.#readText = readText;
  }

  /** The files that may use a definition: they import its file, or one that re-exports it, and contain its name. */
  candidatesOf(name: string, definer: number): Uint32Array {
    const term = referenceTermOf(name);
    if (term === null) return new Uint32Array(0);
    const reach = this.#reachOf(definer);
    if (reach.size === 0) return new Uint32Array(0);
    const { corpus } = this.#project;
    const { documents } = corpus.postingsOf("body", term);
    const files = filesOfDocuments(documents, corpus.chunkStarts.subarray(1));
    return files.filter((file) => reach.has(file));
  }

  /**
   * Counts the files that use a definition by its name. Files that only re-export it are not users.
   *
   * @param candidates Those of `candidatesOf`.
   * @param spend Called before each file is read; if it returns false, the count ends.
   */
  count(
    name: string,
    definer: number,
    { candidates, spend }: { readonly candidates: Uint32Array; readonly spend: () => boolean },
  ): number {
    const wanted = new Set(candidates);
    const seen = new Set([definer]);
    let frontier = [{ file: definer, visible: this.#visibleOf(definer) }];
    let count = 0;
    for (let step = 0; step <= offersMax && frontier.length > 0; step += 1) {
      const next: typeof frontier = [];
      for (const { file, visible } of frontier)
        for (const user of this.#importersOf(file)) {
          if (seen.has(user) || !(wanted.has(user) || this.#offersOn(user))) continue;
          seen.add(user);
          if (!spend()) return count;
          const uses = this.#usesOf(user, file, visible);
          if (uses.used.includes(name) && uses.isUsing) count += 1;
          if (uses.carried.size > 0) next.push({ file: user, visible: uses.carried });
        }
      frontier = next;
    }
    return count;
  }

  #usesOf(dependent: number, target: number, visible: VisibleNames): UsesOf {
    const importing = this.#project.corpus.importingFileOf(dependent);
    if (importing === undefined) return { used: [], carried: new Map(), isUsing: false };
    return symbolUsesOf({
      dependent: importing,
      target,
      visible,
      resolver: this.#project.resolver(),
      readText: () => this.#readText(dependent),
    });
  }

  /** All exports of a file. An import of any other name is taken as an import of the whole file. */
  #visibleOf(file: number): VisibleNames {
    const known = this.#visible.get(file);
    if (known !== undefined) return known;
    const { visible } = visibleNamesOf(this.#project.corpus, file, this.#readText);
    this.#visible.set(file, visible);
    return visible;
  }

  #importersOf(file: number): Uint32Array {
    const { starts, files } = this.#project.corpus.importGraph.importers;
    return files.subarray(starts[file], starts[file + 1]);
  }

  /** Whether a file may re-export what it imports. */
  #offersOn(file: number): boolean {
    const importing = this.#project.corpus.importingFileOf(file);
    return importing !== undefined && offersOn(importing);
  }

  /** The files that import a file, or a file that may re-export it. */
  #reachOf(definer: number): ReadonlySet<number> {
    const known = this.#reach.get(definer);
    if (known !== undefined) return known;
    const reach = new Set<number>();
    let frontier = [definer];
    for (let step = 0; step <= offersMax && frontier.length > 0; step += 1) {
      const next: number[] = [];
      for (const file of frontier)
        for (const importer of this.#importersOf(file)) {
          if (importer === definer || reach.has(importer) || reach.size >= reachMax) continue;
          reach.add(importer);
          if (this.#offersOn(importer)) next.push(importer);
        }
      frontier = next;
    }
    this.#reach.set(definer, reach);
    return reach;
  }
}

type UsesOf = Pick<ReturnType<typeof symbolUsesOf>, "used" | "carried" | "isUsing">;
