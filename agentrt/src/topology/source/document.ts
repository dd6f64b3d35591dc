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
  type Scalar,
  type YAMLError,
} from "yaml";
import type { ProblemLog, SourcePosition } from "./problem.ts";
import type { SourceEntry, SourceNode } from "./source-node.ts";
import type { Variables } from "./substitution.ts";

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

/** One of the files that a topology is made of. */
export interface SourcePart {
  readonly fileName: string;
  readonly text: string;
}

/** What reading a document needs next to its text. */
export interface DocumentContext {
  readonly log: ProblemLog;
  /** Whether positions carry the file's name: where there are several files. */
  readonly hasSeveralParts?: boolean;
  /** What `${NAME}` reads; without it such a text is left as it is. */
  readonly variables?: Variables | undefined;
}

/**
 * Parses YAML text into values with positions. Faults go to the log, one a file: what follows a syntax fault is
 * mostly its consequence. Of variables that are not set, all are logged.
 *
 * @param part The file.
 * @param context Takes the fault, and gives variables.
 * @returns The root value, or `undefined` when there was a fault or nothing in the file.
 */
export function readDocument(
  { fileName, text }: SourcePart,
  context: DocumentContext,
): SourceNode | undefined {
  const { log } = context;
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
    refuseFault(document, { lines, text, hasVariables: context.variables !== undefined });
    if (document.contents === null) throw new DocumentFault(firstPosition, "the file is empty");
    return convertDocument(document, { ...context, lines, fileName });
  } catch (fault) {
    log.problem({
      check: "yaml-syntax",
      path: "",
      fileName,
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

function refuseFault(
  document: Document,
  { lines, text, hasVariables }: { lines: LineCounter; text: string; hasVariables: boolean },
): void {
  const fault: YAMLError | undefined = document.errors[0] ?? document.warnings[0];
  if (fault === undefined) return;
  const at = positionOf(fault.pos[0], lines);
  if (fault.code === "RESOURCE_EXHAUSTION")
    throw new DocumentFault(at, `values are nested deeper than ${nestingDepthMax} levels`);
  if (fault.code === "MULTIPLE_DOCS")
    throw new DocumentFault(at, "a topology file holds one document, and a second one starts here");
  const open = /^Flow |flow collection/.test(fault.message)
    ? openBracket(text, fault.pos[0])
    : undefined;
  if (open !== undefined && !hasVariables)
    throw new DocumentFault(positionOf(open, lines), `this ${text[open]} is not closed`);
  const line = text.split("\n")[at.line1 - 1] ?? "";
  const hint =
    hasVariables && /[{[,][^"']*\$\{/.test(line)
      ? ": inside { } and [ ] a variable cannot be without quotes; write this mapping with a line for each key"
      : "";
  const message = fault.message.split("\n", 1)[0] ?? fault.code;
  const isEnvTag = /^Unresolved tag: !env/i.test(message);
  throw new DocumentFault(at, isEnvTag ? `${message}; ${environmentHint}` : `${message}${hint}`);
}

const environmentHint =
  "keys that end with _env take the name of a variable, such as api_key_env, and --substitute-env reads ${NAME}";

/** The last bracket before a place that is not closed there, texts in quotes and comments left out. */
function openBracket(text: string, end: number): number | undefined {
  const open: number[] = [];
  const pattern = /"(?:[^"\\]|\\.)*"|'[^']*'|(?<=^|\s)#.*|[{}[\]]/gm;
  for (const { 0: token, index } of text.slice(0, end).matchAll(pattern)) {
    if (token === "{" || token === "[") open.push(index);
    else if (token === "}" || token === "]") open.pop();
  }
  return open.at(-1);
}

function positionOf(offset: number | undefined, lines: LineCounter): SourcePosition {
  const { line, col } = lines.linePos(offset ?? 0);
  return line === 0 ? firstPosition : { line1: line, column1: col };
}

interface Conversion extends DocumentContext {
  readonly lines: LineCounter;
  readonly fileName: string;
}

/** Converts nodes of the parser to ours; counts, bounds the depth, resolves aliases and refuses bad keys. */
function convertDocument(document: Document, conversion: Conversion): SourceNode {
  return new Converter(conversion).convert(document.contents, { at: firstPosition, depth: 0 });
}

/** The place of a node that has none itself, and how deep it is. */
interface Surroundings {
  readonly at: SourcePosition;
  readonly depth: number;
}

class Converter {
  readonly #conversion: Conversion;
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #nodeCount = 0;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  convert(node: Node | null | undefined, { at: fallback, depth }: Surroundings): SourceNode {
    const at = node?.range ? this.#position(node.range[0]) : this.#inFile(fallback);
    this.#count(at, depth);
    if (node === null || node === undefined) return { kind: "scalar", at, value: null };
    if (isAlias(node)) return this.convert(this.#targetOf(node.source, at), { at, depth });
    if (isScalar(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      return this.#scalar(node, at);
    }
    if ("anchor" in node && typeof node.anchor === "string") this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    const inner = { at, depth: depth + 1 };
    const converted = isSeq(node)
      ? {
          kind: "list" as const,
          at,
          items: node.items.map((item) => this.convert(item as Node, inner)),
        }
      : { kind: "map" as const, at, entries: this.#entries(node, inner) };
    this.#open.delete(node);
    return converted;
  }

  #count(at: SourcePosition, depth: number): void {
    this.#nodeCount += 1;
    if (this.#nodeCount > nodeCountMax)
      throw new DocumentFault(
        at,
        `the file holds more than ${nodeCountMax} values, each alias counted as what it stands for`,
      );
    if (depth > nestingDepthMax)
      throw new DocumentFault(at, `values are nested deeper than ${nestingDepthMax} levels`);
  }

  #targetOf(name: string, at: SourcePosition): Node {
    const target = this.#anchors.get(name);
    if (target === undefined)
      throw new DocumentFault(at, `the alias *${name} has no anchor before it`);
    if (this.#open.has(target)) throw new DocumentFault(at, `the alias *${name} holds itself`);
    return target;
  }

  #entries(node: Node, around: Surroundings): Map<string, SourceEntry> {
    const entries = new Map<string, SourceEntry>();
    const merged: SourceNode[] = [];
    if (!isMap(node))
      throw new DocumentFault(around.at, "this is neither a mapping, a list nor a value");
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const at = pair.key.range ? this.#position(pair.key.range[0]) : around.at;
      const key = keyOf(pair.key, at);
      const value = this.convert(pair.value, { ...around, at });
      if (key === "<<" && isPlain(pair.key)) {
        merged.push(value);
        continue;
      }
      const first = entries.get(key);
      if (first !== undefined)
        throw new DocumentFault(
          at,
          `the key "${key}" is twice in one mapping; first at line ${first.at.line1}`,
        );
      entries.set(key, { at, value });
    }
    for (const value of merged) mergeKeys(entries, value);
    return entries;
  }

  #scalar(node: Scalar, at: SourcePosition): SourceNode {
    const { value } = node;
    const { variables, log, fileName } = this.#conversion;
    if (variables === undefined || typeof value !== "string" || !value.includes("${"))
      return { kind: "scalar", at, value: scalarValue(value, at) };
    const read = variables.read(value, {
      isPlain: isPlain(node) && node.tag === undefined,
      refuse: (message) => log.problem({ check: "variables", path: "", fileName, ...at, message }),
    });
    const written = read.isChanged ? { written: value } : {};
    return { kind: "scalar", at, value: scalarValue(read.value, at), ...written };
  }

  #position(offset: number): SourcePosition {
    return this.#inFile(positionOf(offset, this.#conversion.lines));
  }

  #inFile(at: SourcePosition): SourcePosition {
    const { hasSeveralParts, fileName } = this.#conversion;
    return hasSeveralParts === true ? { ...at, fileName } : at;
  }
}

function isPlain(node: Node): boolean {
  return isScalar(node) && node.type === "PLAIN";
}

/** `<<`: the keys of another mapping, or of several, where the mapping does not have them itself. */
function mergeKeys(entries: Map<string, SourceEntry>, from: SourceNode): void {
  const sources = from.kind === "list" ? from.items : [from];
  for (const source of sources) {
    if (source.kind !== "map")
      throw new DocumentFault(source.at, 'the value of "<<" must be a mapping, or a list of them');
    for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
  }
}

function keyOf(key: Node, at: SourcePosition): string {
  if (!isScalar(key) || typeof key.value !== "string")
    throw new DocumentFault(at, "a key must be a string: put it in quotes");
  if (key.value === "__proto__") throw new DocumentFault(at, 'the key "__proto__" is not allowed');
  return key.value;
}

/** A number that is not finite stays one: the check of values refuses it, with its path. */
function scalarValue(value: unknown, at: SourcePosition): string | number | boolean | null {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  )
    return value;
  throw new DocumentFault(at, "this kind of value is not allowed");
}
