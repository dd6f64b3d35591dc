import type { ImportGraph } from "../graph/index.ts";
import type { ImportingFile } from "../tree/index.ts";
import type { ImportResolver } from "../resolver.ts";
import type { Confidence } from "./find-dependents.ts";
import { offersOn } from "./offers-on.ts";
import { mentions, openUseOf } from "./open-uses.ts";
import { importsOf, symbolUsesOf, type VisibleNames } from "./symbol-uses.ts";

/** A file that uses a symbol itself. */
export interface SymbolUser {
  /** Number of the file. */
  readonly file: number;
  readonly confidence: Confidence;
  /** The file that it has the symbol from: the one that defines it, or one that offers it on. */
  readonly from: number;
  /** How the symbol is named there: other than its own name where it is offered under another one. */
  readonly names: readonly string[];
}

/** Which symbol, and what is known of the tree. */
export interface FindUsersOptions {
  readonly graph: ImportGraph;
  readonly resolver: ImportResolver;
  readonly fileOf: (file: number) => ImportingFile | undefined;
  readonly readText: (file: number) => string | undefined;
  /** False for a file that surely has none of some names: it is not read. */
  readonly mayHold: (file: number, names: Iterable<string>) => boolean;
  /** Number of the file that defines it. */
  readonly target: number;
  /** As in `findDependents`. */
  readonly visible: VisibleNames;
  readonly visibleInPackage: VisibleNames;
  readonly isMember: boolean;
}

/** A name is followed through this many files that offer it on. */
const offersMax = 4;
/** Files that are read at most. */
const readCountMax = 5000;

/**
 * Finds the files that use a symbol themselves: not those that only offer it on, and not those that depend on users.
 * Files that the index says do not have the name are not read, so that it takes the time of the users.
 *
 * @returns By confidence, then in the order of the tree; what the file that defines it does is not among them.
 */
export function findUsers(options: FindUsersOptions): readonly SymbolUser[] {
  const { target, visible, isMember, mayHold, fileOf, readText } = options;
  const users = new Map<number, SymbolUser>();
  const offering = new Set([target]);
  let readCount = 0;
  let reached = [{ file: target, visible }];
  for (let step = 0; step <= offersMax && reached.length > 0; step += 1) {
    const next: typeof reached = [];
    for (const from of reached) {
      const names = isMember ? new Set(visible.values()) : [...from.visible.keys()];
      for (const file of importersOf(options.graph, from.file)) {
        const dependent = fileOf(file);
        if (dependent === undefined || offering.has(file) || isSure(users.get(file))) continue;
        if (!mayHold(file, names) && !offersOn(dependent)) continue;
        readCount += 1;
        if (readCount > readCountMax) return inOrder(users);
        const text = readText(file);
        const found = useOf(options, { from, file, dependent, text });
        if (found.user !== undefined && (isSure(found.user) || !users.has(file)))
          users.set(file, found.user);
        if (found.carried.size === 0) continue;
        offering.add(file);
        next.push({ file, visible: found.carried });
      }
    }
    reached = next;
  }
  return inOrder(users);
}

function useOf(
  options: FindUsersOptions,
  at: {
    readonly from: { readonly file: number; readonly visible: VisibleNames };
    readonly file: number;
    readonly dependent: ImportingFile;
    readonly text: string | undefined;
  },
): { readonly user?: SymbolUser; readonly carried: VisibleNames } {
  const { target, resolver, visible, visibleInPackage, isMember } = options;
  const { from, file, dependent, text } = at;
  const uses = symbolUsesOf({
    dependent,
    target: from.file,
    visible: from.visible,
    ...(from.file === target ? { visibleInPackage } : {}),
    isMember,
    resolver,
    readText: () => text,
  });
  const { carried } = uses;
  const names = [...from.visible.keys()];
  if (uses.used.length > 0 && uses.isUsing)
    return { user: { file, confidence: uses.kind, from: from.file, names }, carried };
  if (carried.size > 0 || text === undefined) return { carried };
  const { path, language } = dependent;
  const references = importsOf({ dependent, target: from.file, resolver }).map(
    ({ reference }) => reference,
  );
  const { isOpen } = openUseOf({ path, language, references, visible: from.visible, text });
  const isMentioned = new Set(visible.values());
  const isUnknown = isOpen && [...isMentioned].some((name) => mentions(text, language, name));
  return isUnknown
    ? { user: { file, confidence: "unknown", from: from.file, names }, carried }
    : { carried };
}

/** It is known what the file uses, so that no other way to it needs a look. */
function isSure(user: SymbolUser | undefined): boolean {
  return user !== undefined && user.confidence !== "unknown";
}

function importersOf({ importers }: ImportGraph, file: number): Uint32Array {
  return importers.files.subarray(importers.starts[file] ?? 0, importers.starts[file + 1] ?? 0);
}

const order: readonly Confidence[] = ["resolved", "likely", "name", "unknown"];

function inOrder(users: ReadonlyMap<number, SymbolUser>): SymbolUser[] {
  return [...users.values()].sort(
    (one, other) =>
      order.indexOf(one.confidence) - order.indexOf(other.confidence) || one.file - other.file,
  );
}
