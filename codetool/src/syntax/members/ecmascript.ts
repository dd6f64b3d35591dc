import { isField, type PathNode } from "../names/index.ts";
import { ecmascriptType } from "./ecmascript-text.ts";
import { readEcmascriptTypes, typeKinds } from "./ecmascript-types.ts";
import {
  childIn,
  keyOf,
  leafOf,
  type MemberRules,
  type Path,
  type SourceReader,
  textIn,
} from "./source-reader.ts";
import { type Expression, foreign, type MemberUse, type TypeText, unknown } from "./type-facts.ts";

/** Members of TypeScript and JavaScript. */
export const ecmascriptMembers: MemberRules = {
  readTypes: readEcmascriptTypes,
  expressionOf: ecmascriptExpression,
  useOf,
};

const literals: ReadonlySet<string> = new Set([
  "string",
  "template_string",
  "number",
  "regex",
  "true",
  "false",
  "array",
  "arrow_function",
  "function_expression",
  "binary_expression",
  "unary_expression",
]);

function ecmascriptExpression(path: Path, source: SourceReader): Expression {
  const { node, kind } = leafOf(path);
  switch (kind) {
    case "parenthesized_expression":
    case "non_null_expression":
    case "satisfies_expression": {
      const child = node.children().find((each) => each.isNamed() && each.kind() !== "comment");
      return child === undefined ? unknown : source.expressionOf(source.names.pathTo(child));
    }
    case "as_expression": {
      const [value, type] = node.children().filter((each) => each.isNamed());
      if (value === undefined) return unknown;
      if (type === undefined) return source.expressionOf(source.names.pathTo(value));
      return { kind: "typed", type: ecmascriptType(source.names.pathTo(type), source) };
    }
    case "this":
    case "super":
      return receiverAround(path, kind);
    case "identifier":
      return nameExpression(path, source);
    case "new_expression":
      return { kind: "new", callee: source.expressionIn(path, "constructor") };
    case "call_expression":
      return { kind: "call", callee: source.expressionIn(path, "function") };
    case "await_expression": {
      const child = node.children().find((each) => each.isNamed());
      if (child === undefined) return unknown;
      return { kind: "await", of: source.expressionOf(source.names.pathTo(child)) };
    }
    case "member_expression":
      return {
        kind: "member",
        object: source.expressionIn(path, "object"),
        name: textIn(leafOf(path), "property"),
      };
    case "subscript_expression":
      return { kind: "element", of: source.expressionIn(path, "object") };
    case "assignment_expression":
      return source.expressionIn(path, "right");
    case "class":
      return { kind: "type", key: keyOf(textIn(leafOf(path), "name"), leafOf(path), false) };
    default: {
      const isUnsure = kind === "binary_expression" && /^(?:\|\||&&|\?\?)$/.test(operatorOf(path));
      return literals.has(kind) && !isUnsure ? foreign : unknown;
    }
  }
}

function operatorOf(path: Path): string {
  return textIn(leafOf(path), "operator");
}

/** The class whose method or field a place is in, unless a function between them has another `this`. */
function receiverAround(path: Path, kind: "this" | "super"): Expression {
  for (let at = path.length - 1; at > 1; at -= 1) {
    const node = path[at] as PathNode;
    if (/^(?:function_declaration|function_expression|generator_function.*)$/.test(node.kind))
      return unknown;
    const isMember =
      /^(?:method_definition|public_field_definition|field_definition|class_static_block)$/.test(
        node.kind,
      );
    if (!isMember) continue;
    const owner = path[at - 2];
    if (path[at - 1]?.kind !== "class_body" || owner === undefined) return unknown;
    const isType =
      node.kind === "class_static_block" ||
      node.node.children().some((each) => each.kind() === "static");
    const key = typeKey(path.slice(0, at - 1));
    return { kind: kind === "this" ? "self" : "super", key, isType };
  }
  return unknown;
}

/** The key of the type at the end of a path. */
function typeKey(path: Path): string {
  const node = leafOf(path);
  const isOuter = node.kind !== "class" && isAtFileLevel(path);
  return keyOf(textIn(node, "name"), node, isOuter);
}

function isAtFileLevel(path: Path): boolean {
  return path
    .slice(1, -1)
    .every(({ kind }) => /^(?:export_statement|ambient_declaration)$/.test(kind));
}

function nameExpression(path: Path, source: SourceReader): Expression {
  const name = leafOf(path).node.text();
  const declared = source.names.declarationsOf(name, path);
  if (declared === undefined) return { kind: "name", name, isFree: true };
  const [first, second] = declared.places;
  if (first === undefined) return unknown;
  const above = first.path.at(-2) as PathNode;
  const isName =
    /^(?:import|namespace_import)/.test(above.kind) ||
    (declared.isOuter && /_declaration$|_signature$/.test(above.kind));
  if (isName) return { kind: "name", name };
  if (second !== undefined) return unknown;
  return source.follow(leafOf(first.path), () => declaredExpression(first.path, source));
}

/** What is known of a name where it is declared. */
function declaredExpression(path: Path, source: SourceReader): Expression {
  const above = path.at(-2) as PathNode;
  const around = path.slice(0, -1);
  switch (above.kind) {
    case "variable_declarator":
      return declaratorExpression(path, source);
    case "required_parameter":
    case "optional_parameter":
    case "rest_pattern":
      return typedExpression(above.kind === "rest_pattern" ? around.slice(0, -1) : around, source);
    case "for_in_statement": {
      const isOf = above.node.field("operator")?.text() === "of";
      return isOf ? { kind: "element", of: source.expressionIn(around, "right") } : unknown;
    }
    case "object_pattern":
    case "pair_pattern":
      return patternExpression(path, source);
    case "class_declaration":
    case "abstract_class_declaration":
      return { kind: "type", key: typeKey(around) };
    case "function_declaration":
      return { kind: "function", result: resultOf(around, source) };
    default:
      return unknown;
  }
}

/** The type that a declaration has written down, else what its value gives. */
function typedExpression(path: Path, source: SourceReader): Expression {
  const type = childIn(path, "type");
  if (type !== undefined) return { kind: "typed", type: ecmascriptType(type, source) };
  return childIn(path, "value") === undefined ? unknown : source.expressionIn(path, "value");
}

function declaratorExpression(path: Path, source: SourceReader): Expression {
  const declarator = path.slice(0, -1);
  const isFixed =
    source.language !== "javascript" ||
    path.at(-3)?.node.field("kind")?.text() === "const" ||
    !isAssigned(leafOf(path).node.text(), source);
  return isFixed || childIn(declarator, "type") !== undefined
    ? typedExpression(declarator, source)
    : unknown;
}

function isAssigned(name: string, source: SourceReader): boolean {
  return source.names.placesOf(name).some(({ path }) => {
    const above = path.at(-2);
    return above?.kind === "assignment_expression" && isField(above, "left", leafOf(path));
  });
}

/** A name in `{ name }` or `{ key: name }`, directly in a declaration. */
function patternExpression(path: Path, source: SourceReader): Expression {
  const at = path.findLastIndex(({ kind }) => kind === "object_pattern");
  const leaf = leafOf(path);
  const above = path.at(-2) as PathNode;
  if (above.kind === "object_pattern")
    return { kind: "member", object: takenFrom(path, source), name: leaf.node.text() };
  if (at !== path.length - 3 || !isField(above, "value", leaf)) return unknown;
  return { kind: "member", object: takenFrom(path, source), name: textIn(above, "key") };
}

/** What the innermost pattern of a path takes apart. */
function takenFrom(path: Path, source: SourceReader): Expression {
  const at = path.findLastIndex(({ kind }) => kind === "object_pattern");
  const owner = path[at - 1];
  if (owner === undefined || !/^(?:variable_declarator|required_parameter)$/.test(owner.kind))
    return unknown;
  return typedExpression(path.slice(0, at), source);
}

function resultOf(path: Path, source: SourceReader): TypeText {
  const result = childIn(path, "return_type");
  return result === undefined ? { kind: "unknown" } : ecmascriptType(result, source);
}

const keyParents: ReadonlySet<string> = new Set(["pair", "method_definition", "jsx_attribute"]);

function useOf(
  path: Path,
  source: SourceReader,
): Omit<MemberUse, "start" | "end" | "line1"> | null {
  const leaf = leafOf(path);
  const above = path.at(-2);
  if (above === undefined) return null;
  if (leaf.kind === "shorthand_property_identifier") return { role: "key" };
  if (leaf.kind === "shorthand_property_identifier_pattern")
    return { role: "shorthand", receiver: takenFrom(path, source) };
  const isParameter =
    above.kind === "required_parameter" && path.at(-4)?.kind === "method_definition";
  if (isParameter && leaf.kind === "identifier") return null;
  if (leaf.kind !== "property_identifier") return null;
  if (above.kind === "member_expression" && isField(above, "property", leaf))
    return { role: "member", receiver: source.expressionIn(path.slice(0, -1), "object") };
  if (above.kind === "pair_pattern") return { role: "taken", receiver: takenFrom(path, source) };
  const owner = path.findLastIndex(({ kind }) => typeKinds.has(kind));
  const isInType =
    owner !== -1 &&
    owner === path.length - 4 &&
    /_body$|^object_type$/.test(path.at(-3)?.kind ?? "");
  if (isInType && isField(above, "name", leaf))
    return { role: "definition", owner: typeKey(path.slice(0, owner + 1)) };
  return keyParents.has(above.kind) || above.kind.endsWith("_signature") ? { role: "key" } : null;
}
