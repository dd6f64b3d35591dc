import type { JsonObject, JsonValue } from "../../core/index.ts";
import { type Difference, differenceOf, type DiffSection } from "./difference.ts";
import { formatPath } from "../source/index.ts";

/** What is compared, and where it is. */
export interface FieldsDiff {
  readonly section: DiffSection;
  readonly subject: string;
  readonly from: JsonObject;
  readonly to: JsonObject;
  /** For lists whose items are told apart by some of their keys: the list's key, and these. Others are compared whole. */
  readonly itemKeys?: { readonly [listKey: string]: readonly string[] };
}

/**
 * Compares the fields of two things that are the same thing in two files. A mapping or list right below that is not
 * written counts as empty.
 *
 * @param diff The two, and where they are.
 * @returns The differences: keys of the second in its order, then those that only the first has.
 */
export function diffFields(diff: FieldsDiff): Difference[] {
  return diffObjects(diff.from, diff.to, { diff, path: "", isTop: true });
}

interface Place {
  readonly diff: FieldsDiff;
  /** Printed path from the subject. */
  readonly path: string;
  /** True right below the subject. */
  readonly isTop: boolean;
}

function diffObjects(from: JsonObject, to: JsonObject, place: Place): Difference[] {
  const keys = new Set([...Object.keys(to), ...Object.keys(from)]);
  return [...keys].flatMap((key) => {
    const path = joinPath(place.path, key);
    const before = ownValue(from, key);
    const after = ownValue(to, key);
    if (isSameJson(before, after)) return [];
    const itemKeys = place.isTop ? place.diff.itemKeys?.[key] : undefined;
    if (itemKeys !== undefined)
      return diffItems(listOf(before), listOf(after), { ...place, path, itemKeys });
    const sample = before ?? after;
    const isEmptyTheSame = place.isTop && (before === undefined || after === undefined);
    if (isEmptyTheSame && Array.isArray(sample) && sample.length === 0) return [];
    if (isObject(sample)) {
      const isBoth = isObject(before) && isObject(after);
      const inner = { ...place, path, isTop: false };
      if (isBoth || isEmptyTheSame) return diffObjects(objectOf(before), objectOf(after), inner);
    }
    return [differenceAt(place.diff, path, { from: before, to: after })];
  });
}

function diffItems(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
  place: Place & { readonly itemKeys: readonly string[] },
): Difference[] {
  const idOf = (item: JsonValue): string =>
    place.itemKeys.map((key) => asWord(objectOf(item)[key])).join(" ");
  const before = byId(from, idOf);
  const after = byId(to, idOf);
  const found: Difference[] = [];
  for (const id of new Set([...after.keys(), ...before.keys()])) {
    const path = `${place.path}[${id}]`;
    const [old, now] = [before.get(id), after.get(id)];
    if (old !== undefined && now !== undefined)
      found.push(...diffObjects(objectOf(old), objectOf(now), { ...place, path, isTop: false }));
    else found.push(differenceAt(place.diff, path, { from: old, to: now }));
  }
  const order = orderDifference([...before.keys()], [...after.keys()]);
  if (order === undefined) return found;
  const { section, subject } = place.diff;
  return [
    ...found,
    Object.freeze({ section, change: "reordered", subject, field: place.path, ...order }),
  ];
}

/**
 * Gives every item a name; the second of the same name is `name #2`.
 *
 * @param items The items.
 * @param nameOf Names an item.
 * @returns The items by name, in their order.
 */
export function byId<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Map<string, Item> {
  const named = new Map<string, Item>();
  const counts = new Map<string, number>();
  for (const item of items) {
    const name = nameOf(item);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    named.set(count === 1 ? name : `${name} #${count}`, item);
  }
  return named;
}

/**
 * Compares the order of what two lists have in common.
 *
 * @param from Names, each once.
 * @param to Names, each once.
 * @returns The stretch that is ordered otherwise, as each has it; nothing when the order is the same.
 */
export function orderDifference(
  from: readonly string[],
  to: readonly string[],
): { readonly from: string[]; readonly to: string[] } | undefined {
  const [inFrom, inTo] = [new Set(from), new Set(to)];
  const before = from.filter((name) => inTo.has(name));
  const after = to.filter((name) => inFrom.has(name));
  const first = before.findIndex((name, index) => after[index] !== name);
  if (first < 0) return undefined;
  const end = before.findLastIndex((name, index) => after[index] !== name) + 1;
  return { from: before.slice(first, end), to: after.slice(first, end) };
}

/**
 * Compares JSON values; the order of keys says nothing.
 *
 * @param a A value, or nothing.
 * @param b A value, or nothing.
 * @returns True when they hold the same.
 */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  );
}

function differenceAt(
  { section, subject }: FieldsDiff,
  field: string,
  values: { from: JsonValue | undefined; to: JsonValue | undefined },
): Difference {
  return differenceOf({ section, subject, field }, values);
}

function joinPath(path: string, key: string): string {
  const part = formatPath([key]);
  return path === "" || part.startsWith("[") ? `${path}${part}` : `${path}.${part}`;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function asWord(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A key of the file, never one that the object inherits. */
function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
