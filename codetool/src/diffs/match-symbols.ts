import type { FileVersion } from "./file-version.ts";
import { forEachSymbol, type NamedSymbol } from "./named-symbol.ts";
import { essenceOf, type Essence, isSameSignature } from "./symbol-text.ts";

/** How an earlier and a later symbol were matched. */
export type MatchKind = "same" | "renamed" | "moved";

/** A symbol of the earlier version and its match in the later one. */
export interface SymbolMatch {
  readonly old: NamedSymbol;
  readonly new: NamedSymbol;
  readonly kind: MatchKind;
}

/** A symbol that is in only one version, and where. */
export interface LoneSymbol {
  readonly version: FileVersion;
  readonly named: NamedSymbol;
}

/** The matched and the unmatched symbols of two versions. */
export interface VersionMatches {
  readonly matches: readonly SymbolMatch[];
  /** The outermost ones that are gone. */
  readonly removed: readonly LoneSymbol[];
  readonly added: readonly LoneSymbol[];
}

/** A shorter body may be equal by chance, unless the signature is the same too. */
const tellingBodyLengthMin = 12;

/** The same inside of one file and in the same place. */
const shortBodyLengthMin = 4;

/**
 * Matches each symbol of a file with one of the next version: first symbols with the same name in the same place; then,
 * of the rest, symbols that are the same except for their name or their place in the file.
 */
export function matchVersions(
  old: FileVersion | undefined,
  next: FileVersion | undefined,
): VersionMatches {
  const matches: SymbolMatch[] = [];
  const removed: LoneSymbol[] = [];
  const added: LoneSymbol[] = [];
  const matchSiblings = (
    oldSiblings: readonly NamedSymbol[],
    newSiblings: readonly NamedSymbol[],
  ): void => {
    const { pairs, oldRest, newRest } = pairByName(oldSiblings, newSiblings, next?.language ?? "");
    for (const named of oldRest) if (old !== undefined) removed.push({ version: old, named });
    for (const named of newRest) if (next !== undefined) added.push({ version: next, named });
    const moved = outOfOrder(pairs);
    for (const pair of pairs) {
      matches.push({ ...pair, kind: moved.has(pair.new) ? "moved" : "same" });
      matchSiblings(pair.old.children, pair.new.children);
    }
  };
  matchSiblings(old?.symbols ?? [], next?.symbols ?? []);
  const { joined, oldRest, newRest } = joinLone(removed, added, { isOneFile: true });
  for (const { from, to } of joined) {
    const isSameName = from.named.symbol.name === to.named.symbol.name;
    matchWhole({ old: from.named, new: to.named }, isSameName ? "moved" : "renamed", matches);
  }
  return { matches, removed: oldRest, added: newRest };
}

/** Matches two symbols that are the same, and what is inside them. */
function matchWhole(pair: NamePair, kind: MatchKind, matches: SymbolMatch[]): void {
  matches.push({ ...pair, kind });
  for (const [index, child] of pair.old.children.entries()) {
    const other = pair.new.children[index];
    if (other !== undefined) matchWhole({ old: child, new: other }, "same", matches);
  }
}

interface NamePair {
  readonly old: NamedSymbol;
  readonly new: NamedSymbol;
}

/** Pairs symbols with the same name; of several, first those with the same signature, then in their order. */
function pairByName(
  oldSiblings: readonly NamedSymbol[],
  newSiblings: readonly NamedSymbol[],
  language: string,
): { pairs: NamePair[]; oldRest: readonly NamedSymbol[]; newRest: readonly NamedSymbol[] } {
  const open = new Map<string, NamedSymbol[]>();
  for (const named of oldSiblings) {
    const same = open.get(keyOf(named));
    if (same === undefined) open.set(keyOf(named), [named]);
    else same.push(named);
  }
  const pairs: NamePair[] = [];
  const take = (named: NamedSymbol, isFitting: (old: NamedSymbol) => boolean): boolean => {
    const candidates = open.get(keyOf(named)) ?? [];
    const index = candidates.findIndex(isFitting);
    const [old] = index === -1 ? [] : candidates.splice(index, 1);
    if (old !== undefined) pairs.push({ old, new: named });
    return old !== undefined;
  };
  const unsure = newSiblings.filter(
    (named) => !take(named, (old) => isSameSignature(old, named, language)),
  );
  const newRest = unsure.filter((named) => !take(named, () => true));
  const oldRest = [...open.values()].flat();
  pairs.sort((left, right) => left.new.symbol.startByte - right.new.symbol.startByte);
  return { pairs, oldRest, newRest };
}

/** A function that became a constant that holds a function is still the same symbol. */
function keyOf(named: NamedSymbol): string {
  return named.path.slice((named.parent?.path.length ?? -1) + 1);
}

/** The symbols that changed places with others: all but the longest run that kept its order. */
function outOfOrder(pairs: readonly NamePair[]): ReadonlySet<NamedSymbol> {
  const starts = pairs.map(({ old }) => old.symbol.startByte);
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, start] of starts.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[tails[middle] ?? 0] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) kept.add(at);
  return new Set(pairs.filter((_pair, index) => !kept.has(index)).map((pair) => pair.new));
}

/** Two symbols that match. */
export interface JoinedSymbols {
  readonly from: LoneSymbol;
  readonly to: LoneSymbol;
}

/**
 * Matches removed with added symbols that are the same except for name and place. Each is matched once, in order, those
 * with the same name first.
 *
 * @param options.isOneFile Both lists are of one file, where less likeness is enough.
 */
export function joinLone(
  removed: readonly LoneSymbol[],
  added: readonly LoneSymbol[],
  options: { readonly isOneFile: boolean },
): {
  readonly joined: readonly JoinedSymbols[];
  readonly oldRest: readonly LoneSymbol[];
  readonly newRest: readonly LoneSymbol[];
} {
  if (removed.length === 0 || added.length === 0)
    return { joined: [], oldRest: removed, newRest: added };
  const essences = new Map<LoneSymbol, Essence>();
  for (const lone of [...removed, ...added])
    essences.set(lone, essenceOf(lone.version, lone.named));
  const joined: JoinedSymbols[] = [];
  const openOld = new Set(removed);
  const openNew = new Set(added);
  const joinBy = (keyOfLone: (lone: LoneSymbol, essence: Essence) => string | undefined): void => {
    const byKey = new Map<string, LoneSymbol[]>();
    for (const lone of openOld) {
      const key = keyOfLone(lone, essences.get(lone) as Essence);
      if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), lone]);
    }
    for (const to of openNew) {
      const key = keyOfLone(to, essences.get(to) as Essence);
      const from = key === undefined ? undefined : byKey.get(key)?.shift();
      if (from === undefined) continue;
      joined.push({ from, to });
      openOld.delete(from);
      openNew.delete(to);
    }
  };
  const isTelling = ({ bodyLength }: Essence): boolean => bodyLength >= tellingBodyLengthMin;
  joinBy((lone, essence) => `${lone.named.symbol.name}\u0000${essence.whole}`);
  joinBy((lone, essence) =>
    isTelling(essence) ? `${lone.named.symbol.name}\u0000${essence.body}` : undefined,
  );
  joinBy((_lone, essence) => (isTelling(essence) ? essence.whole : undefined));
  joinBy((lone, essence) =>
    options.isOneFile && lone.named.isCallable && essence.bodyLength >= shortBodyLengthMin
      ? `${lone.named.parent?.path ?? ""}\u0000${essence.whole}`
      : undefined,
  );
  joinBy((_lone, essence) => (isTelling(essence) ? essence.body : undefined));
  return { joined, oldRest: [...openOld], newRest: [...openNew] };
}

/** Lists a symbol and all inside it. */
export function withInner(named: NamedSymbol): readonly NamedSymbol[] {
  const all: NamedSymbol[] = [];
  forEachSymbol([named], (symbol) => all.push(symbol));
  return all;
}
