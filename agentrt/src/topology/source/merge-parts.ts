import type {
  SourceEntry,
  SourceList,
  SourceMap,
  SourceNode,
  SourceScalar,
} from "./source-node.ts";

/** A value that is not merged with what was there before: it takes its place. */
interface Replacing {
  readonly isReplacing?: true;
}
/** What an overlay says of a value; a null of an overlay removes, and is there until the end. */
type Overlay = (OverlayMap | OverlayChildren | SourceList | SourceScalar | Removed) & Replacing;
type OverlayMap = Omit<SourceMap, "entries"> & {
  readonly entries: ReadonlyMap<
    string,
    { readonly at: SourceEntry["at"]; readonly value: Overlay }
  >;
};
interface Removed {
  readonly kind: "removed";
  readonly at: SourceNode["at"];
}
/** The children of a supervisor, which are told apart by their names. */
interface OverlayChildren {
  readonly kind: "children";
  readonly at: SourceNode["at"];
  readonly items: readonly Child[];
}
interface Child {
  /** Nothing for an item that cannot be told apart: it is kept as it is. */
  readonly name: string | undefined;
  /** The key that the child is under; nothing where its keys are in the item itself. */
  readonly wrapper: { readonly key: string; readonly at: SourceNode["at"] } | undefined;
  readonly value: Overlay;
}

const childrenKey = "children";
const wrapperKeys = ["supervisor", "agent"];

/** Gives a node without a name the name that it has by its type. */
export type DefaultName = (type: string) => string | undefined;

/**
 * Merges the documents of a topology, each over those before. Mappings merge key by key, children by name; other lists
 * and values replace. A null of a later document removes the key. The item `name: null` among children removes the child.
 * Merging is associative: documents may be merged in any grouping, as long as their order is kept.
 *
 * @param parts The documents, the first one at the bottom.
 * @param defaultName Names nodes without a name.
 * @returns One document, whose values know the file that they are in.
 */
export function mergeParts(
  [base, ...overlays]: readonly [SourceNode, ...SourceNode[]],
  defaultName: DefaultName,
): SourceNode {
  if (overlays.length === 0) return base;
  const bottom = toOverlay(base, { defaultName, isBottom: true });
  const merged = overlays
    .map((part) => toOverlay(part, { defaultName, isBottom: false }))
    .reduce(mergeOverlays, bottom);
  return toSource(merged) ?? { kind: "scalar", at: base.at, value: null };
}

interface Reading {
  readonly defaultName: DefaultName;
  /** True for the document under all others, whose nulls are values as in a single file. */
  readonly isBottom: boolean;
  /** True below `config`, whose lists are never lists of nodes. */
  readonly isConfig?: boolean;
}

/**
 * Reads a document as what it says over those before.
 *
 * @param node The document.
 * @param reading How nodes without a name are called, and whether this is the one at the bottom.
 */
export function toOverlay(node: SourceNode, reading: Reading, key?: string): Overlay {
  if (node.kind === "scalar")
    return node.value === null && !reading.isBottom ? { kind: "removed", at: node.at } : node;
  if (node.kind === "list")
    return key === childrenKey && reading.isConfig !== true
      ? { kind: "children", at: node.at, items: node.items.map((item) => childOf(item, reading)) }
      : node;
  const entries = new Map<string, { at: SourceEntry["at"]; value: Overlay }>();
  const inner = key === "config" ? { ...reading, isConfig: true } : reading;
  for (const [name, { at, value }] of node.entries)
    entries.set(name, { at, value: toOverlay(value, inner, name) });
  return { kind: "map", at: node.at, entries };
}

function childOf(item: SourceNode, reading: Reading): Child {
  const value = toOverlay(item, reading);
  if (item.kind !== "map") return { name: undefined, wrapper: undefined, value };
  for (const key of wrapperKeys) {
    const entry = item.entries.get(key);
    if (entry?.value.kind !== "map" || item.entries.size > 1) continue;
    const wrapper = { key, at: entry.at };
    return { name: nameOf(entry.value, reading), wrapper, value: toOverlay(entry.value, reading) };
  }
  const [only, second] = [...item.entries];
  const isRemoval = only?.[1].value.kind === "scalar" && only[1].value.value === null;
  if (only !== undefined && second === undefined && isRemoval && !reading.isBottom)
    return { name: only[0], wrapper: undefined, value: { kind: "removed", at: only[1].at } };
  return { name: nameOf(item, reading), wrapper: undefined, value };
}

function nameOf(body: SourceMap, { defaultName }: Reading): string | undefined {
  const read = (key: string): string | undefined => {
    const value = body.entries.get(key)?.value;
    return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
  };
  return read("name") ?? defaultName(read("type") ?? "");
}

/**
 * Merges what two documents say; the second goes first.
 *
 * @param under What was there.
 * @param over What is put over it.
 */
export function mergeOverlays(under: Overlay, over: Overlay): Overlay {
  if (over.isReplacing === true) return over;
  const inherited = under.isReplacing === true ? { isReplacing: true as const } : {};
  if (under.kind === "map" && over.kind === "map") {
    const entries = new Map(under.entries);
    for (const [key, entry] of over.entries) {
      const before = entries.get(key);
      entries.set(
        key,
        before === undefined
          ? entry
          : { at: entry.at, value: mergeOverlays(before.value, entry.value) },
      );
    }
    return { ...under, entries, ...inherited };
  }
  if (under.kind === "children" && over.kind === "children")
    return { ...under, items: mergeChildren(under.items, over.items), ...inherited };
  return { ...over, isReplacing: true };
}

/** Children keep their places; new ones follow in their own order. */
function mergeChildren(under: readonly Child[], over: readonly Child[]): Child[] {
  const waiting = new Map<string, Child>();
  const added: Child[] = [];
  const known = new Set(under.map((child) => child.name));
  for (const child of over) {
    const isMerged = child.name !== undefined && known.has(child.name) && !waiting.has(child.name);
    if (isMerged && child.name !== undefined) waiting.set(child.name, child);
    else added.push(child);
  }
  const merged = under.map((child) => {
    const own = child.name === undefined ? undefined : waiting.get(child.name);
    if (own === undefined || child.name === undefined) return child;
    waiting.delete(child.name);
    return {
      name: child.name,
      wrapper: own.wrapper ?? child.wrapper,
      value: mergeOverlays(child.value, own.value),
    };
  });
  return [...merged, ...added];
}

/** What is left when nothing more is put over it; nothing for what was removed. */
export function toSource(value: Overlay): SourceNode | undefined {
  if (value.kind === "removed") return undefined;
  const { isReplacing: _, ...plain } = value;
  if (plain.kind === "map") {
    const entries = new Map<string, SourceEntry>();
    for (const [key, entry] of plain.entries) {
      const kept = toSource(entry.value);
      if (kept !== undefined) entries.set(key, { at: entry.at, value: kept });
    }
    return { kind: "map", at: plain.at, entries };
  }
  if (plain.kind !== "children") return plain;
  return { kind: "list", at: plain.at, items: plain.items.flatMap((child) => itemOf(child) ?? []) };
}

function itemOf({ wrapper, value }: Child): SourceNode | undefined {
  const body = toSource(value);
  if (body === undefined || wrapper === undefined) return body;
  const entries = new Map([[wrapper.key, { at: wrapper.at, value: body }]]);
  return { kind: "map", at: body.at, entries };
}
