import { isField, type PathNode } from "../names/index.ts";
import { goType, readGoTypes } from "./go-types.ts";
import {
  childIn,
  childrenOf,
  keyOf,
  leafOf,
  type MemberRules,
  partsOf,
  type Path,
  type SourceReader,
  textIn,
} from "./source-reader.ts";
import { type Expression, foreign, type MemberUse, unknown } from "./type-facts.ts";

/** Members of Go: methods and fields. */
export const goMembers: MemberRules = {
  readTypes: readGoTypes,
  expressionOf: goExpression,
  useOf,
};

function goExpression(path: Path, source: SourceReader): Expression {
  const { node, kind } = leafOf(path);
  switch (kind) {
    case "parenthesized_expression": {
      const [child] = childrenOf(path);
      return child === undefined ? unknown : source.expressionOf(child);
    }
    case "unary_expression":
      return /^[&*]/.test(node.text()) ? source.expressionIn(path, "operand") : unknown;
    case "identifier":
      return nameExpression(path, source);
    case "selector_expression":
      return {
        kind: "member",
        object: source.expressionIn(path, "operand"),
        name: textIn(leafOf(path), "field"),
      };
    case "call_expression":
      return callExpression(path, source);
    case "composite_literal":
    case "type_assertion_expression":
    case "type_conversion_expression": {
      const type = childIn(path, "type");
      return type === undefined ? unknown : { kind: "typed", type: goType(type, source) };
    }
    case "index_expression":
      return { kind: "element", of: source.expressionIn(path, "operand") };
    case "slice_expression":
      return source.expressionIn(path, "operand");
    default:
      return kind.endsWith("_literal") ? foreign : unknown;
  }
}

function callExpression(path: Path, source: SourceReader): Expression {
  const called = textIn(leafOf(path), "function");
  if (called === "new" || called === "make") {
    const given = childIn(path, "arguments");
    const [type] = given === undefined ? [] : childrenOf(given);
    return type === undefined ? unknown : { kind: "typed", type: goType(type, source) };
  }
  if (called === "append") {
    const given = childIn(path, "arguments");
    const [list] = given === undefined ? [] : childrenOf(given);
    return list === undefined ? unknown : source.expressionOf(list);
  }
  return { kind: "call", callee: source.expressionIn(path, "function") };
}

function nameExpression(path: Path, source: SourceReader): Expression {
  const name = leafOf(path).node.text();
  const declared = source.names.declarationsOf(name, path);
  const place = declared?.places[0]?.path;
  if (declared === undefined || place === undefined) return { kind: "name", name, isFree: true };
  if (declared.isOuter && /^(?:function_declaration|type_)/.test(place.at(-2)?.kind ?? ""))
    return { kind: "name", name };
  return source.follow(leafOf(place), () => goDeclared(place, source));
}

/** What is known of a name where it is declared. */
function goDeclared(path: Path, source: SourceReader): Expression {
  const above = path.at(-2) as PathNode;
  const around = path.slice(0, -1);
  switch (above.kind) {
    case "parameter_declaration":
    case "variadic_parameter_declaration":
    case "var_spec":
    case "const_spec": {
      const type = childIn(around, "type");
      if (type === undefined) return assigned(path, { values: around, field: "value" }, source);
      const read = goType(type, source);
      const isList = above.kind === "variadic_parameter_declaration";
      return { kind: "typed", type: isList ? { kind: "list", of: read } : read };
    }
    case "type_spec":
      return { kind: "type", key: keyOf(textIn(above, "name"), above, false) };
    case "expression_list": {
      const statement = path.slice(0, -2);
      const { kind } = leafOf(statement);
      if (kind === "short_var_declaration")
        return assigned(path, { values: statement, field: "right" }, source);
      const isSecond = placeIn(above, leafOf(path)) === 1;
      if (kind !== "range_clause" || !isSecond) return unknown;
      return { kind: "element", of: source.expressionIn(statement, "right") };
    }
    default:
      return unknown;
  }
}

/** The value of a name in `a, b := f()` and `a, b := 1, 2`. */
function assigned(
  path: Path,
  { values, field }: { readonly values: Path; readonly field: string },
  source: SourceReader,
): Expression {
  const right = childIn(values, field);
  if (right === undefined) return unknown;
  const all = childrenOf(right);
  const index = placeIn(path.at(-2) as PathNode, leafOf(path));
  const [only] = all;
  if (only === undefined) return unknown;
  const isShared = all.length === 1 && namesIn(path.at(-2) as PathNode) > 1;
  if (!isShared) return all[index] === undefined ? unknown : source.expressionOf(all[index]);
  const { kind } = leafOf(only);
  if (kind === "call_expression") return { kind: "part", of: source.expressionOf(only), index };
  return index === 0 ? source.expressionOf(only) : foreign;
}

function placeIn(list: PathNode, leaf: PathNode): number {
  return namedIn(list).findIndex((each) => each === leaf.id);
}

function namesIn(list: PathNode): number {
  return namedIn(list).length;
}

function namedIn({ node, kind }: PathNode): number[] {
  const all = kind === "expression_list" ? partsOf(node) : node.fieldChildren("name");
  return all.filter((each) => each.isNamed()).map((each) => each.id());
}

function useOf(
  path: Path,
  source: SourceReader,
): Omit<MemberUse, "start" | "end" | "line1"> | null {
  const leaf = leafOf(path);
  const above = path.at(-2);
  if (above === undefined) return null;
  if (above.kind === "selector_expression" && isField(above, "field", leaf))
    return { role: "member", receiver: source.expressionIn(path.slice(0, -1), "operand") };
  if (above.kind === "method_declaration" && isField(above, "name", leaf))
    return { role: "definition", owner: receiverName(above) };
  if (leaf.kind === "field_identifier") {
    const at = path.findLastIndex(({ kind }) => kind === "type_spec");
    const depth = path.length - 1 - at;
    const isOwn = at !== -1 && depth <= (above.kind === "field_declaration" ? 4 : 3);
    if (!isOwn) return { role: "key" };
    const owner = path[at] as PathNode;
    const isOuter = path.slice(1, at).every(({ kind }) => kind === "type_declaration");
    return { role: "definition", owner: keyOf(textIn(owner, "name"), owner, isOuter) };
  }
  return keyOfLiteral(path, source);
}

/** `T{name: value}`. */
function keyOfLiteral(
  path: Path,
  source: SourceReader,
): Omit<MemberUse, "start" | "end" | "line1"> | null {
  const element = path.at(-3);
  const isKey =
    path.at(-2)?.kind === "literal_element" &&
    element?.kind === "keyed_element" &&
    element.start === leafOf(path).start;
  if (!isKey) return null;
  const literal = path.slice(0, -4);
  if (leafOf(literal).kind !== "composite_literal") return { role: "key" };
  return { role: "key", receiver: source.expressionOf(literal) };
}

/** The type of `func (t *T) name()`. */
function receiverName({ node }: PathNode): string {
  const text = node.field("receiver")?.text() ?? "";
  return /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\]\s*)?\)$/u.exec(text)?.[1] ?? "";
}
