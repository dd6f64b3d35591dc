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

const builtins: ReadonlySet<string> = new Set([
  "bool",
  "bytearray",
  "bytes",
  "complex",
  "dict",
  "float",
  "int",
  "memoryview",
  "range",
  "str",
]);
const lists: ReadonlySet<string> = new Set([
  "Iterable",
  "Iterator",
  "List",
  "Sequence",
  "Set",
  "frozenset",
  "list",
  "set",
]);
const unwrapped: ReadonlySet<string> = new Set(["Annotated", "ClassVar", "Final", "Required"]);

/** Reads an annotation of Python. */
export function pythonType(path: Path, source: SourceReader): TypeText {
  const { node, kind } = leafOf(path);
  switch (kind) {
    case "type": {
      const [child] = childrenOf(path);
      return child === undefined ? { kind: "unknown" } : pythonType(child, source);
    }
    case "none":
      return { kind: "nothing" };
    case "identifier":
      return namedType(path, source);
    case "attribute":
      return dottedType(node.text());
    case "string":
      return quotedType(node.text().slice(1, -1));
    case "binary_operator":
    case "union_type":
      return eitherType(childrenOf(path).map((child) => pythonType(child, source)));
    case "subscript":
    case "generic_type":
      return genericType(path, source);
    default:
      return { kind: "unknown" };
  }
}

function namedType(path: Path, source: SourceReader): TypeText {
  const name = leafOf(path).node.text();
  const declared = source.names.declarationsOf(name, path);
  if (declared === undefined) {
    if (builtins.has(name)) return { kind: "foreign" };
    const type = dottedType(name);
    return type.kind === "named" ? { ...type, isFree: true } : type;
  }
  const place = declared.places[0]?.path;
  const above = place?.at(-2);
  if (above?.kind === "class_definition" && !declared.isOuter)
    return { kind: "local", key: keyOf(name, above, false) };
  const isImport = place?.some((each) => each.kind.startsWith("import")) === true;
  return declared.isOuter || isImport ? dottedType(name) : { kind: "unknown" };
}

function dottedType(text: string): TypeText {
  const last = text.slice(text.lastIndexOf(".") + 1);
  if (last === "Self") return { kind: "this" };
  if (last === "Any" || last === "object") return { kind: "unknown" };
  return /^\w+(?:\.\w+)*$/.test(text)
    ? { kind: "named", path: text.split(".") }
    : { kind: "unknown" };
}

/** An annotation in quotes names what may be defined later. */
function quotedType(text: string): TypeText {
  const parts = text.split("|").map((each) => each.trim());
  return eitherType(
    parts.map((part): TypeText => {
      if (part === "None") return { kind: "nothing" };
      const inner = /^(?:\w+\.)?Optional\[([\w.]+)\]$/.exec(part)?.[1] ?? part;
      return builtins.has(inner) ? { kind: "foreign" } : dottedType(inner);
    }),
  );
}

function genericType(path: Path, source: SourceReader): TypeText {
  const children = childrenOf(path);
  const [base] = children;
  if (base === undefined) return { kind: "unknown" };
  const given = leafOf(path).kind === "generic_type" ? givenTypes(children[1]) : children.slice(1);
  const word = leafOf(base).node.text().replace(/^.*\./, "");
  const readAt = (index: number): TypeText => {
    const type = given[index];
    return type === undefined ? { kind: "unknown" } : pythonType(type, source);
  };
  if (word === "Optional") return readAt(0);
  if (word === "Union") return eitherType(given.map((each) => pythonType(each, source)));
  if (word === "type" || word === "Type") return { kind: "class", of: readAt(0) };
  if (unwrapped.has(word)) return readAt(0);
  if (lists.has(word)) return { kind: "list", of: readAt(0) };
  if (word === "tuple" || word === "Tuple")
    return { kind: "tuple", of: given.map((each) => pythonType(each, source)) };
  if (builtins.has(word) || word === "Dict") return { kind: "foreign" };
  if (word === "Awaitable") return { kind: "promise", of: readAt(0) };
  return pythonType(base, source);
}

function givenTypes(path: Path | undefined): Path[] {
  return path === undefined
    ? []
    : partsOf(leafOf(path).node).map((node): Path => [...path, nodeOf(node)]);
}
