import type { JsonObject, JsonValue } from "../../core/index.ts";
import type { SourcePosition } from "./problem.ts";

/** One value of the file with the place where it is. */
export type SourceNode = SourceMap | SourceList | SourceScalar;

/** A mapping. Keys are unique and never `__proto__`. */
export interface SourceMap {
  readonly kind: "map";
  readonly at: SourcePosition;
  readonly entries: ReadonlyMap<string, SourceEntry>;
}

/** One key of a mapping with its value. */
export interface SourceEntry {
  readonly at: SourcePosition;
  readonly value: SourceNode;
}

/** A sequence. */
export interface SourceList {
  readonly kind: "list";
  readonly at: SourcePosition;
  readonly items: readonly SourceNode[];
}

/** A string, number, boolean or null. */
export interface SourceScalar {
  readonly kind: "scalar";
  readonly at: SourcePosition;
  readonly value: string | number | boolean | null;
  /** The text of the file, where the value came from variables: no message says the value. */
  readonly written?: string;
}

/** Keys and indices from the root of the document. */
export type SourcePath = readonly (string | number)[];

/**
 * Reads a node as plain JSON. Objects have no prototype, so no key of the file can reach one.
 *
 * @param node The node.
 * @returns A fresh value.
 */
export function toPlain(node: SourceNode): JsonValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toPlain);
  const object = Object.create(null) as JsonObject;
  for (const [key, entry] of node.entries) object[key] = toPlain(entry.value);
  return object;
}

/**
 * Follows a path as far as the document goes.
 *
 * @param node Where the path starts.
 * @param path Keys and indices.
 * @returns The deepest node reached, the position of its key (or its own), and whether the whole path was there.
 */
export function locate(
  node: SourceNode,
  path: SourcePath,
): { readonly node: SourceNode; readonly keyAt: SourcePosition; readonly isWhole: boolean } {
  let current = node;
  let keyAt = node.at;
  for (const part of path) {
    const entry = current.kind === "map" ? current.entries.get(String(part)) : undefined;
    const item =
      current.kind === "list" && typeof part === "number" ? current.items[part] : undefined;
    const next = entry?.value ?? item;
    if (next === undefined) return { node: current, keyAt, isWhole: false };
    keyAt = entry?.at ?? next.at;
    current = next;
  }
  return { node: current, keyAt, isWhole: true };
}

/**
 * Renders a path as a reader would write it.
 *
 * @param path Keys and indices.
 * @returns For example `supervision.children[1].agent.type`.
 */
export function formatPath(path: SourcePath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[\w-]+$/.test(part)) text += text === "" ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

const shownLengthMax = 60;

/**
 * Describes what was found, for a message.
 *
 * @param node The node.
 * @returns For example `"abc"`, `-1`, `a list`, `nothing`.
 */
export function describeFound(node: SourceNode): string {
  if (node.kind === "map") return "a mapping";
  if (node.kind === "list") return node.items.length === 0 ? "an empty list" : "a list";
  if (node.written !== undefined) return shownText(node.written);
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") return shownText(node.value);
  return `${typeof node.value} ${String(node.value)}`;
}

function shownText(text: string): string {
  const isLong = text.length > shownLengthMax;
  return `${JSON.stringify(text.slice(0, shownLengthMax))}${isLong ? "…" : ""}`;
}
