import { isField, type NameRules, nearest, type PathNode, type ReadName } from "./name-rules.ts";

const functions = [
  "function_declaration",
  "generator_function_declaration",
  "function_expression",
  "generator_function",
  "arrow_function",
  "method_definition",
];
const functionScopes: ReadonlySet<string> = new Set([...functions, "program"]);
const blockScopes: ReadonlySet<string> = new Set([
  ...functions,
  "program",
  "statement_block",
  "for_statement",
  "for_in_statement",
  "switch_body",
  "catch_clause",
  "class",
  "class_static_block",
  "function_signature",
  "method_signature",
  "abstract_method_signature",
  "call_signature",
  "construct_signature",
  "function_type",
  "constructor_type",
]);
/** What has type parameters is their scope. */
const scopes: ReadonlySet<string> = new Set([
  ...blockScopes,
  "class_declaration",
  "abstract_class_declaration",
  "interface_declaration",
  "type_alias_declaration",
  "mapped_type_clause",
]);
const declarations: ReadonlySet<string> = new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_signature",
  "class_declaration",
  "abstract_class_declaration",
  "interface_declaration",
  "type_alias_declaration",
  "enum_declaration",
  "internal_module",
  "module",
]);
const patterns: ReadonlySet<string> = new Set([
  "array_pattern",
  "object_pattern",
  "pair_pattern",
  "rest_pattern",
  "assignment_pattern",
  "object_assignment_pattern",
  "required_parameter",
  "optional_parameter",
]);
const names: ReadonlySet<string> = new Set([
  "identifier",
  "type_identifier",
  "property_identifier",
  "shorthand_property_identifier",
  "shorthand_property_identifier_pattern",
]);

/** Names of TypeScript and JavaScript. */
export const ecmascriptNames: NameRules = {
  read(path) {
    const leaf = path.at(-1) as PathNode;
    const parent = path.at(-2);
    if (parent === undefined || !names.has(leaf.kind)) return null;
    const member = memberOf(parent, leaf);
    if (member !== undefined) return member;
    if (parent.kind === "pair_pattern" && isField(parent, "key", leaf))
      return { role: "taken", statementLine1: statementLineOf(path) };
    if (isExportedKey(path)) return { role: "listed" };
    if (leaf.kind === "property_identifier") return { role: "other" };
    if (parent.kind === "namespace_export") return { role: "alias" };
    if (parent.kind === "import_specifier" || parent.kind === "export_specifier")
      return specifier(path, parent, leaf);
    const scope = scopeOf(path);
    const space = spaceOf(path, scope !== undefined);
    const declared = {
      ...(scope === undefined ? {} : { scope }),
      ...(space === undefined ? {} : { space }),
    };
    if (leaf.kind === "shorthand_property_identifier_pattern")
      return {
        role: "taken",
        isShorthand: true,
        statementLine1: statementLineOf(path),
        ...declared,
      };
    const isShorthand = leaf.kind === "shorthand_property_identifier";
    return { role: isShorthand ? "shorthand" : "bare", ...declared };
  },
  scopesAround: (path) => path.filter(({ kind }) => scopes.has(kind)).toReversed(),
};

/** Declarations of values only; a class, an enumeration and an import are both. */
const valueDeclarations: ReadonlySet<string> = new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_signature",
  "function_expression",
  "generator_function",
]);
const typeDeclarations: ReadonlySet<string> = new Set([
  "interface_declaration",
  "type_alias_declaration",
  "type_parameter",
]);

/** A local value does not hide a type of its name, nor the reverse. */
function spaceOf(path: readonly PathNode[], isDeclared: boolean): "type" | "value" | undefined {
  const leaf = path.at(-1) as PathNode;
  const parent = path.at(-2) as PathNode;
  if (typeDeclarations.has(parent.kind) && isDeclared) return "type";
  if (isDeclared)
    return leaf.kind === "type_identifier" ||
      parent.kind === "import_clause" ||
      parent.kind === "namespace_import" ||
      (declarations.has(parent.kind) && !valueDeclarations.has(parent.kind))
      ? undefined
      : "value";
  // `extends Base` is written as a value, and is a type too.
  if (leaf.kind === "type_identifier") return "type";
  return parent.kind === "extends_type_clause" || parent.kind === "import_specifier"
    ? undefined
    : "value";
}

function statementLineOf(path: readonly PathNode[]): number {
  const statement = path.findLast(({ kind }) => /_declaration$|_statement$/.test(kind));
  return statement?.line1 ?? 0;
}

function memberOf(parent: PathNode, leaf: PathNode): ReadName | undefined {
  const [owner, own] =
    parent.kind === "member_expression"
      ? ["object", "property"]
      : parent.kind === "nested_type_identifier"
        ? ["module", "name"]
        : ["", ""];
  if (own === "" || !isField(parent, own, leaf)) return undefined;
  return { role: "member", qualifier: parent.node.field(owner)?.text() ?? "" };
}

/** `{ name }` and `{ name: name }` of `module.exports = …`. */
function isExportedKey(path: readonly PathNode[]): boolean {
  const leaf = path.at(-1) as PathNode;
  const parent = path.at(-2) as PathNode;
  const isShorthand = leaf.kind === "shorthand_property_identifier";
  const isKey = parent.kind === "pair" && isField(parent, "key", leaf);
  if (!isShorthand && !(isKey && parent.node.field("value")?.text() === leaf.node.text()))
    return false;
  const object = path.at(isShorthand ? -2 : -3);
  const assignment = path.at(isShorthand ? -3 : -4);
  if (object?.kind !== "object" || assignment?.kind !== "assignment_expression") return false;
  return /^(?:module\.)?exports$/.test(assignment.node.field("left")?.text() ?? "");
}

function specifier(path: readonly PathNode[], parent: PathNode, leaf: PathNode): ReadName {
  const statement = path.findLast(({ kind }) => /^(?:import|export)_statement$/.test(kind));
  const line = { statementLine1: statement?.line1 ?? leaf.line1 };
  const isAliased = parent.node.field("alias") !== null;
  const isName = isField(parent, "name", leaf);
  const alias = isAliased ? { hasAlias: true as const } : {};
  const root = path[0] as PathNode;
  if (parent.kind === "import_specifier") {
    if (!isName) return { role: "bare", scope: root };
    return { role: "import", ...line, ...alias, ...(isAliased ? {} : { scope: root }) };
  }
  if (!isName) return { role: "alias" };
  const hasSource = statement !== undefined && statement.node.field("source") !== null;
  return { role: hasSource ? "reexport" : "export", ...line, ...alias };
}

/** The scope in which a name is declared here; `undefined` where it is used. */
function scopeOf(path: readonly PathNode[]): PathNode | undefined {
  const last = path.length - 1;
  const leaf = path[last] as PathNode;
  const parent = path[last - 1] as PathNode;
  if (parent.kind === "import_clause" || parent.kind === "namespace_import") return path[0];
  if (declarations.has(parent.kind) && isField(parent, "name", leaf))
    return nearest(path, last - 1, blockScopes);
  if (/^(?:function_expression|generator_function|class)$/.test(parent.kind))
    return isField(parent, "name", leaf) ? parent : undefined;
  if (parent.kind === "type_parameter" && isField(parent, "name", leaf))
    return nearest(path, last - 1, scopes);
  return patternScope(path);
}

/** Follows the patterns around a name up to what they declare. */
function patternScope(path: readonly PathNode[]): PathNode | undefined {
  let at = path.length - 1;
  for (; at > 1; at -= 1) {
    const child = path[at] as PathNode;
    const above = path[at - 1] as PathNode;
    if (!patterns.has(above.kind)) break;
    const isOutside =
      (above.kind === "pair_pattern" && !isField(above, "value", child)) ||
      (above.kind.endsWith("assignment_pattern") && !isField(above, "left", child)) ||
      (above.kind.endsWith("_parameter") && !isField(above, "pattern", child));
    if (isOutside) return undefined;
  }
  const child = path[at] as PathNode;
  const above = path[at - 1] as PathNode;
  switch (above.kind) {
    case "variable_declarator": {
      if (!isField(above, "name", child)) return undefined;
      const isVar = path[at - 2]?.kind === "variable_declaration";
      return nearest(path, at - 1, isVar ? functionScopes : blockScopes);
    }
    case "formal_parameters":
      return nearest(path, at - 1, blockScopes);
    case "arrow_function":
      return isField(above, "parameter", child) ? above : undefined;
    case "catch_clause":
      return isField(above, "parameter", child) ? above : undefined;
    case "for_in_statement":
      return isField(above, "left", child) && above.node.field("kind") !== null ? above : undefined;
    default:
      return undefined;
  }
}
