import { isField, type PathNode } from "../names/index.ts";
import { pythonType } from "./python-text.ts";
import { readPythonTypes } from "./python-types.ts";
import {
  childIn,
  childrenOf,
  keyOf,
  leafOf,
  type MemberRules,
  type Path,
  type SourceReader,
  textIn,
} from "./source-reader.ts";
import { type Expression, foreign, type MemberUse, unknown } from "./type-facts.ts";

/** Members of Python. */
export const pythonMembers: MemberRules = {
  readTypes: readPythonTypes,
  expressionOf: pythonExpression,
  useOf,
};

const literals: ReadonlySet<string> = new Set([
  "string",
  "concatenated_string",
  "integer",
  "float",
  "true",
  "false",
  "list",
  "dictionary",
  "set",
  "tuple",
  "list_comprehension",
  "dictionary_comprehension",
  "set_comprehension",
  "comparison_operator",
  "not_operator",
]);

function pythonExpression(path: Path, source: SourceReader): Expression {
  const { kind } = leafOf(path);
  switch (kind) {
    case "parenthesized_expression": {
      const [child] = childrenOf(path);
      return child === undefined ? unknown : source.expressionOf(child);
    }
    case "identifier":
      return nameExpression(path, source);
    case "attribute":
      return {
        kind: "member",
        object: source.expressionIn(path, "object"),
        name: textIn(leafOf(path), "attribute"),
      };
    case "call":
      return callExpression(path, source);
    case "await": {
      const [child] = childrenOf(path);
      return child === undefined ? unknown : { kind: "await", of: source.expressionOf(child) };
    }
    case "subscript":
      return { kind: "element", of: source.expressionIn(path, "value") };
    case "named_expression":
      return source.expressionIn(path, "value");
    case "conditional_expression": {
      const [left, , right] = childrenOf(path);
      if (left === undefined || right === undefined) return unknown;
      return { kind: "either", of: [source.expressionOf(left), source.expressionOf(right)] };
    }
    case "none":
      return { kind: "typed", type: { kind: "nothing" } };
    default:
      return literals.has(kind) ? foreign : unknown;
  }
}

function callExpression(path: Path, source: SourceReader): Expression {
  const called = textIn(leafOf(path), "function");
  if (called === "super") return superAround(path);
  if (/^(?:\w+\.)?cast$/.test(called)) {
    const given = childIn(path, "arguments");
    const [type] = given === undefined ? [] : childrenOf(given);
    return type === undefined ? unknown : { kind: "typed", type: pythonType(type, source) };
  }
  return { kind: "call", callee: source.expressionIn(path, "function") };
}

function superAround(path: Path): Expression {
  const at = path.findLastIndex(({ kind }) => kind === "class_definition");
  if (at === -1) return unknown;
  return { kind: "super", key: typeKey(path.slice(0, at + 1)), isType: false };
}

/** The key of the class at the end of a path. */
function typeKey(path: Path): string {
  const node = leafOf(path);
  return keyOf(textIn(node, "name"), node, isAtFileLevel(path));
}

function isAtFileLevel(path: Path): boolean {
  return !path.slice(0, -1).some(({ kind }) => /^(?:function|class)_definition$/.test(kind));
}

function nameExpression(path: Path, source: SourceReader): Expression {
  const name = leafOf(path).node.text();
  const declared = source.names.declarationsOf(name, path);
  if (declared === undefined) return { kind: "name", name, isFree: true };
  const isName = declared.places.every(({ path: place }) => {
    const isImport = place.some(({ kind }) => kind.startsWith("import"));
    const isDefinition = /^(?:function|class)_definition$/.test(place.at(-2)?.kind ?? "");
    return isImport || (isDefinition && declared.isOuter);
  });
  if (isName) return { kind: "name", name };
  const typed = declared.places.find(({ path: place }) => {
    const above = place.at(-2);
    return above?.kind === "assignment" && above.node.field("type") !== null;
  });
  const places = typed === undefined ? declared.places : [typed];
  const all = places.map(({ path: place }) =>
    source.follow(leafOf(place), () => declaredExpression(place, source)),
  );
  const [first] = all;
  return all.length === 1 && first !== undefined ? first : { kind: "either", of: all };
}

/** What is known of a name where it is declared. */
function declaredExpression(path: Path, source: SourceReader): Expression {
  const leaf = leafOf(path);
  const above = path.at(-2) as PathNode;
  const around = path.slice(0, -1);
  switch (above.kind) {
    case "assignment": {
      const type = childIn(around, "type");
      if (type !== undefined) return { kind: "typed", type: pythonType(type, source) };
      return source.expressionIn(around, "right");
    }
    case "named_expression":
      return source.expressionIn(around, "value");
    case "parameters":
      return selfParameter(path) ?? unknown;
    case "typed_parameter":
    case "typed_default_parameter": {
      const type = childIn(around, "type");
      return type === undefined || leaf.start !== above.start
        ? unknown
        : { kind: "typed", type: pythonType(type, source) };
    }
    case "for_statement":
    case "for_in_clause":
      return isField(above, "left", leaf)
        ? { kind: "element", of: source.expressionIn(around, "right") }
        : unknown;
    case "as_pattern_target":
      return entered(path, source);
    case "class_definition":
      return { kind: "type", key: typeKey(around) };
    default:
      return unknown;
  }
}

/** `with value as name`: what the object gives when it is entered. */
function entered(path: Path, source: SourceReader): Expression {
  const pattern = path.slice(0, -2);
  if (path.at(-4)?.kind !== "with_item") return unknown;
  const [value] = childrenOf(pattern);
  if (value === undefined) return unknown;
  const callee = { kind: "member", object: source.expressionOf(value), name: "__enter__" } as const;
  return { kind: "call", callee };
}

/** The first parameter of a method is the object, or the class. */
function selfParameter(path: Path): Expression | undefined {
  const leaf = leafOf(path);
  const parameters = path.at(-2) as PathNode;
  const [first] = parameters.node.children().filter((each) => each.isNamed());
  if (first?.id() !== leaf.id) return undefined;
  const at = path.findLastIndex(({ kind }) => kind === "class_definition");
  const method = path.length - 3;
  const isDecorated = path[method - 1]?.kind === "decorated_definition";
  if (at === -1 || method - at !== (isDecorated ? 3 : 2)) return undefined;
  const definition = path[method] as PathNode;
  const decorators = isDecorated
    ? (path[method - 1] as PathNode).node
        .children()
        .filter((each) => each.kind() === "decorator")
        .map((each) => each.text())
    : [];
  if (decorators.includes("@staticmethod")) return undefined;
  const name = textIn(definition, "name");
  const isType =
    decorators.includes("@classmethod") || /^__(?:new|init_subclass|class_getitem)__$/.test(name);
  return { kind: "self", key: typeKey(path.slice(0, at + 1)), isType };
}

function useOf(
  path: Path,
  source: SourceReader,
): Omit<MemberUse, "start" | "end" | "line1"> | null {
  const leaf = leafOf(path);
  const above = path.at(-2);
  if (leaf.kind !== "identifier" || above === undefined) return null;
  if (above.kind === "attribute" && isField(above, "attribute", leaf))
    return { role: "member", receiver: source.expressionIn(path.slice(0, -1), "object") };
  if (above.kind === "keyword_argument" && isField(above, "name", leaf)) {
    const call = path.slice(0, -3);
    return { role: "key", receiver: source.expressionIn(call, "function") };
  }
  // What a class declares, and what its own statements say of it: `@name.setter`.
  const name = leaf.node.text();
  const place = source.names.placesOf(name).find(({ path: each }) => leafOf(each).id === leaf.id);
  const scope = place?.read.scope ?? source.names.declarationsOf(name, path)?.places[0]?.read.scope;
  if (scope?.kind !== "class_definition") return null;
  const at = path.findLastIndex(({ id }) => id === scope.id);
  return at === -1 ? null : { role: "definition", owner: typeKey(path.slice(0, at + 1)) };
}
