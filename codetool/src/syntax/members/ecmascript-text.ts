import { nodeOf } from "../names/index.ts";
import {
  childrenOf,
  keyOf,
  leafOf,
  type Path,
  partsOf,
  type SourceReader,
} from "./source-reader.ts";
import { eitherType, type TypeText } from "./type-facts.ts";

const transparent: ReadonlySet<string> = new Set([
  "type_annotation",
  "parenthesized_type",
  "readonly_type",
  "optional_type",
]);
const unwrapped: ReadonlySet<string> = new Set(["Readonly", "Required", "Partial", "NonNullable"]);
const lists: ReadonlySet<string> = new Set(["Array", "ReadonlyArray"]);
const typesOfAnything: ReadonlySet<string> = new Set(["any", "unknown", "object", "never"]);

/** Reads a type of TypeScript. */
export function ecmascriptType(path: Path, source: SourceReader): TypeText {
  const { node, kind } = leafOf(path);
  if (transparent.has(kind)) return firstChild(path, source);
  switch (kind) {
    case "type_identifier":
    case "identifier":
      return namedType(path, source);
    case "nested_type_identifier":
    case "member_expression":
      return /^[\w$.]+$/.test(node.text())
        ? { kind: "named", path: node.text().split(".") }
        : { kind: "unknown" };
    case "predefined_type":
      return typesOfAnything.has(node.text()) ? { kind: "unknown" } : { kind: "foreign" };
    case "literal_type": {
      const isNothing = /^(?:null|undefined)$/.test(node.text());
      return isNothing ? { kind: "nothing" } : { kind: "foreign" };
    }
    case "union_type":
      return eitherType(childrenOf(path).map((child) => ecmascriptType(child, source)));
    case "array_type":
      return { kind: "list", of: firstChild(path, source) };
    case "function_type":
    case "template_literal_type":
    case "type_predicate_annotation":
    case "asserts_annotation":
      return { kind: "foreign" };
    case "this_type":
      return { kind: "this" };
    case "type_query":
      return { kind: "class", of: firstChild(path, source) };
    case "generic_type":
      return genericType(path, source);
    default:
      return { kind: "unknown" };
  }
}

function firstChild(path: Path, source: SourceReader): TypeText {
  const [child] = childrenOf(path);
  return child === undefined ? { kind: "unknown" } : ecmascriptType(child, source);
}

function genericType(path: Path, source: SourceReader): TypeText {
  const [name, given] = childrenOf(path);
  if (name === undefined) return { kind: "unknown" };
  const word = leafOf(name).node.text();
  const [inner] = given === undefined ? [] : partsOf(leafOf(given).node);
  const readInner = (): TypeText =>
    given === undefined || inner === undefined
      ? { kind: "unknown" }
      : ecmascriptType([...given, nodeOf(inner)], source);
  if (source.names.declarationsOf(word, name) === undefined) {
    if (word === "Promise" || word === "PromiseLike") return { kind: "promise", of: readInner() };
    if (lists.has(word)) return { kind: "list", of: readInner() };
    if (unwrapped.has(word)) return readInner();
  }
  return ecmascriptType(name, source);
}

/** A name in a type may be a parameter of the type, of which nothing is known. */
function namedType(path: Path, source: SourceReader): TypeText {
  const name = leafOf(path).node.text();
  const declared = source.names.declarationsOf(name, path);
  if (declared === undefined) return { kind: "named", path: [name], isFree: true };
  if (declared.isOuter) return { kind: "named", path: [name] };
  for (const { path: place } of declared.places) {
    const above = place.at(-2);
    if (above !== undefined && /^(?:abstract_)?class_declaration$/.test(above.kind))
      return { kind: "local", key: keyOf(name, above, false) };
  }
  return { kind: "unknown" };
}
