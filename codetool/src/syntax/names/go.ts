import { isField, type NameRules, nearest, type PathNode } from "./name-rules.ts";

const functions: ReadonlySet<string> = new Set([
  "function_declaration",
  "method_declaration",
  "func_literal",
  "function_type",
  "method_elem",
  "method_spec",
]);
const scopes: ReadonlySet<string> = new Set([
  ...functions,
  "source_file",
  "block",
  "if_statement",
  "for_statement",
  "expression_switch_statement",
  "type_switch_statement",
  "expression_case",
  "default_case",
  "type_case",
  "communication_case",
  "type_spec",
]);
const names: ReadonlySet<string> = new Set(["identifier", "type_identifier", "field_identifier"]);

/** Names of Go. */
export const goNames: NameRules = {
  read(path) {
    const leaf = path.at(-1) as PathNode;
    const parent = path.at(-2);
    if (parent === undefined || !names.has(leaf.kind)) return null;
    if (parent.kind === "selector_expression" && isField(parent, "field", leaf))
      return { role: "member", qualifier: parent.node.field("operand")?.text() ?? "" };
    if (parent.kind === "qualified_type" && isField(parent, "name", leaf))
      return { role: "member", qualifier: parent.node.field("package")?.text() ?? "" };
    if (leaf.kind === "field_identifier") return { role: "other" };
    const above = path.at(-3);
    if (parent.kind === "literal_element" && above?.kind === "keyed_element")
      if (above.start === parent.start) return { role: "doubtful" };
    const scope = scopeOf(path);
    return { role: "bare", ...(scope === undefined ? {} : { scope }) };
  },
  scopesAround: (path) => path.filter(({ kind }) => scopes.has(kind)).toReversed(),
};

function scopeOf(path: readonly PathNode[]): PathNode | undefined {
  const last = path.length - 1;
  const leaf = path[last] as PathNode;
  const parent = path[last - 1] as PathNode;
  if (parent.kind === "function_declaration")
    return isField(parent, "name", leaf) ? path[0] : undefined;
  if (/^(?:type_spec|type_alias|const_spec|var_spec)$/.test(parent.kind))
    return isField(parent, "name", leaf) ? nearest(path, last - 1, scopes) : undefined;
  if (/^(?:variadic_)?parameter_declaration$/.test(parent.kind))
    return isField(parent, "name", leaf) ? nearest(path, last - 1, functions) : undefined;
  if (parent.kind === "type_parameter_declaration")
    return isField(parent, "name", leaf) ? nearest(path, last - 1, scopes) : undefined;
  const above = path[last - 2];
  if (parent.kind !== "expression_list" || above === undefined) return undefined;
  const isDeclared =
    (above.kind === "short_var_declaration" && isField(above, "left", parent)) ||
    (/^(?:range_clause|receive_statement)$/.test(above.kind) &&
      isField(above, "left", parent) &&
      above.node.children().some((each) => each.kind() === ":=")) ||
    (above.kind === "type_switch_statement" && isField(above, "alias", parent));
  return isDeclared ? (nearest(path, last - 2, scopes) ?? undefined) : undefined;
}
