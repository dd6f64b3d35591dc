import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Pair,
  type YAMLError,
} from "yaml";
import type { ProblemLog, SourcePosition } from "./problem.ts";
import type { SourceEntry, SourceNode } from "./source-node.ts";

/** Largest topology file in bytes; a tree of some ten thousand agents fits. */
export const fileSizeBytesMax = 1_048_576;
/** Deepest nesting of mappings and lists. */
export const nestingDepthMax = 64;
/** Most values in one document, counted after aliases are resolved. */
export const nodeCountMax = 20_000;
/** Most characters that could begin or end a value, counted before the parser spends time and memory on them. */
export const structureCountMax = 40_000;

/** A fault met while the document is converted; carries its place. */
class DocumentFault extends Error {
  readonly at: SourcePosition;

  constructor(at: SourcePosition, message: string) {
    super(message);
    this.at = at;
  }
}

const unitsOf = (text: string): ReadonlySet<number> =>
  new Set(Array.from(text, (character) => character.charCodeAt(0)));
const structureUnits = unitsOf("\n\r,[]{}\"'&*!");
/** These mean something only before a space. */
const spacedUnits = unitsOf("-?:#%|>");

const firstPosition: SourcePosition = Object.freeze({ line1: 1, column1: 1 });

/**
 * Parses YAML text into values with positions. Faults go to the log, one a file: what follows a syntax fault is
 * mostly its consequence.
 *
 * @param text The file's text.
 * @param log Takes the fault.
 * @returns The root value, or `undefined` when there was a fault or nothing in the file.
 */
export function readDocument(text: string, log: ProblemLog): SourceNode | undefined {
  const lines = new LineCounter();
  try {
    refuseUnreadable(text);
    const document = parseDocument(text, {
      lineCounter: lines,
      // Its duplicate check takes quadratic time; the conversion below does its own.
      uniqueKeys: false,
      prettyErrors: false,
      keepSourceTokens: false,
      version: "1.2",
      schema: "core",
      merge: false,
    });
    refuseFault(document, lines);
    if (document.contents === null) throw new DocumentFault(firstPosition, "the file is empty");
    return convertDocument(document, lines);
  } catch (fault) {
    log.problem({
      check: "yaml-syntax",
      path: "",
      ...(fault instanceof DocumentFault
        ? { ...fault.at, message: fault.message }
        : {
            ...firstPosition,
            message: `cannot be read: ${String(fault).split("\n", 1)[0] ?? ""}`,
          }),
    });
    return undefined;
  }
}

/** Refuses, before the parser spends time on it, text that no topology file can be. */
function refuseUnreadable(text: string): void {
  if (Buffer.byteLength(text) > fileSizeBytesMax)
    throw new DocumentFault(firstPosition, `the file is larger than ${fileSizeBytesMax} bytes`);
  let structureCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 37 && (index === 0 || text[index - 1] === "\n"))
      throw new DocumentFault(
        positionIn(text, index),
        "a line that begins with % is a YAML directive, and a topology file has none",
      );
    if (structureUnits.has(unit)) structureCount += 1;
    else if (spacedUnits.has(unit) && text.charCodeAt(index + 1) === 32) structureCount += 1;
    else if ((unit < 32 && unit !== 9 && unit !== 13) || unit === 127 || unit === 0xfffe)
      throw new DocumentFault(
        positionIn(text, index),
        `the control character U+${unit.toString(16).padStart(4, "0").toUpperCase()} is not allowed in YAML`,
      );
  }
  if (structureCount > structureCountMax)
    throw new DocumentFault(firstPosition, `the file holds more than ${nodeCountMax} values`);
}

function positionIn(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset).split("\n");
  return { line1: before.length, column1: (before.at(-1)?.length ?? 0) + 1 };
}

function refuseFault(document: Document, lines: LineCounter): void {
  const fault: YAMLError | undefined = document.errors[0] ?? document.warnings[0];
  if (fault === undefined) return;
  const at = positionOf(fault.pos[0], lines);
  if (fault.code === "RESOURCE_EXHAUSTION")
    throw new DocumentFault(at, `values are nested deeper than ${nestingDepthMax} levels`);
  if (fault.code === "MULTIPLE_DOCS")
    throw new DocumentFault(at, "a topology file holds one document, and a second one starts here");
  throw new DocumentFault(at, fault.message.split("\n", 1)[0] ?? fault.code);
}

function positionOf(offset: number | undefined, lines: LineCounter): SourcePosition {
  const { line, col } = lines.linePos(offset ?? 0);
  return line === 0 ? firstPosition : { line1: line, column1: col };
}

/** Converts nodes of the parser to ours; counts, bounds the depth, resolves aliases and refuses bad keys. */
function convertDocument(document: Document, lines: LineCounter): SourceNode {
  let nodeCount = 0;
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();

  function convert(
    node: Node | null | undefined,
    fallback: SourcePosition,
    depth: number,
  ): SourceNode {
    const at = node?.range ? positionOf(node.range[0], lines) : fallback;
    nodeCount += 1;
    if (nodeCount > nodeCountMax)
      throw new DocumentFault(
        at,
        `the file holds more than ${nodeCountMax} values, each alias counted as what it stands for`,
      );
    if (depth > nestingDepthMax)
      throw new DocumentFault(at, `values are nested deeper than ${nestingDepthMax} levels`);
    if (node === null || node === undefined) return { kind: "scalar", at, value: null };
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined)
        throw new DocumentFault(at, `the alias *${node.source} has no anchor before it`);
      if (open.has(target)) throw new DocumentFault(at, `the alias *${node.source} holds itself`);
      return convert(target, at, depth);
    }
    if (isScalar(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      return { kind: "scalar", at, value: scalarValue(node.value, at) };
    }
    if ("anchor" in node && typeof node.anchor === "string") anchors.set(node.anchor, node);
    open.add(node);
    const converted = isSeq(node)
      ? {
          kind: "list" as const,
          at,
          items: node.items.map((item) => convert(item as Node, at, depth + 1)),
        }
      : { kind: "map" as const, at, entries: convertEntries(node, at, depth) };
    open.delete(node);
    return converted;
  }

  function convertEntries(node: Node, at: SourcePosition, depth: number): Map<string, SourceEntry> {
    const entries = new Map<string, SourceEntry>();
    if (!isMap(node)) throw new DocumentFault(at, "this is neither a mapping, a list nor a value");
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const keyAt = pair.key.range ? positionOf(pair.key.range[0], lines) : at;
      const key = keyOf(pair.key, keyAt);
      const first = entries.get(key);
      if (first !== undefined)
        throw new DocumentFault(
          keyAt,
          `the key "${key}" is twice in one mapping; first at line ${first.at.line1}`,
        );
      entries.set(key, { at: keyAt, value: convert(pair.value, keyAt, depth + 1) });
    }
    return entries;
  }

  return convert(document.contents, firstPosition, 0);
}

function keyOf(key: Node, at: SourcePosition): string {
  if (!isScalar(key) || typeof key.value !== "string")
    throw new DocumentFault(at, "a key must be a string: put it in quotes");
  if (key.value === "__proto__") throw new DocumentFault(at, 'the key "__proto__" is not allowed');
  return key.value;
}

function scalarValue(value: unknown, at: SourcePosition): string | number | boolean | null {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new DocumentFault(at, "a number must be finite");
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  )
    return value;
  throw new DocumentFault(at, "this kind of value is not allowed");
}
