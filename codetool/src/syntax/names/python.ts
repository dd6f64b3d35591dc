import { isField, type NameRules, nearest, type PathNode, type ReadName } from "./name-rules.ts";

const comprehensions = [
  "list_comprehension",
  "set_comprehension",
  "dictionary_comprehension",
  "generator_expression",
];
const scopes: ReadonlySet<string> = new Set([
  "module",
  "function_definition",
  "lambda",
  "class_definition",
  ...comprehensions,
]);
const bodies: ReadonlySet<string> = new Set([
  "module",
  "function_definition",
  "lambda",
  "class_definition",
]);
const patterns: ReadonlySet<string> = new Set([
  "pattern_list",
  "tuple_pattern",
  "list_pattern",
  "list_splat_pattern",
]);

/** Names of Python. */
export const pythonNames: NameRules = {
  read(path) {
    const leaf = path.at(-1) as PathNode;
    const parent = path.at(-2);
    if (parent === undefined) return null;
    if (leaf.kind === "string_content") return isInAll(path) ? { role: "listed" } : null;
    if (leaf.kind !== "identifier") return null;
    if (parent.kind === "attribute" && isField(parent, "attribute", leaf))
      return { role: "member", qualifier: parent.node.field("object")?.text() ?? "" };
    if (parent.kind === "keyword_argument" && isField(parent, "name", leaf))
      return { role: "other" };
    const imported = importOf(path);
    if (imported !== undefined) return imported;
    if (/^(?:global|nonlocal)_statement$/.test(parent.kind)) {
      const undeclares = nearest(path, path.length - 2, bodies);
      return { role: "bare", ...(undeclares === undefined ? {} : { undeclares }) };
    }
    const scope = scopeOf(path);
    if (scope?.kind === "class_definition") return { role: "other", scope };
    return { role: "bare", ...(scope === undefined ? {} : { scope }) };
  },
  readsString,
  scopesAround(path) {
    const around = path.filter(({ kind }) => scopes.has(kind)).toReversed();
    // What a class declares is seen in its own statements, and not in its methods.
    return around.filter(({ kind }, index) => kind !== "class_definition" || index === 0);
  },
};

function importOf(path: readonly PathNode[]): ReadName | undefined {
  const at = path.findLastIndex(({ kind }) =>
    /^(?:import|import_from|future_import)_statement$/.test(kind),
  );
  const statement = path[at];
  if (statement === undefined) return undefined;
  const leaf = path.at(-1) as PathNode;
  const scope = nearest(path, at, bodies);
  const declared = scope === undefined ? {} : { scope };
  const aliased = path.findLast(({ kind }) => kind === "aliased_import");
  if (aliased !== undefined && isField(aliased, "alias", leaf))
    return { role: "bare", ...declared };
  const isName =
    statement.kind === "import_from_statement" &&
    path[at + 1] !== undefined &&
    isField(statement, "name", path[at + 1] as PathNode) &&
    (path.at(-2) as PathNode).end - (path.at(-2) as PathNode).start === leaf.end - leaf.start;
  if (!isName) return { role: "other" };
  const line = { statementLine1: statement.line1 };
  return aliased === undefined
    ? { role: "import", ...line, ...declared }
    : { role: "import", ...line, hasAlias: true };
}

function scopeOf(path: readonly PathNode[]): PathNode | undefined {
  const last = path.length - 1;
  const leaf = path[last] as PathNode;
  const parent = path[last - 1] as PathNode;
  if (/^(?:function|class)_definition$/.test(parent.kind))
    return isField(parent, "name", leaf) ? nearest(path, last - 1, bodies) : undefined;
  if (isParameter(path)) return nearest(path, last - 1, bodies);
  let at = last;
  while (at > 1 && patterns.has((path[at - 1] as PathNode).kind)) at -= 1;
  const child = path[at] as PathNode;
  const above = path[at - 1] as PathNode;
  const field = {
    assignment: "left",
    augmented_assignment: "left",
    for_statement: "left",
    for_in_clause: "left",
    named_expression: "name",
  }[above.kind];
  if (field !== undefined && isField(above, field, child))
    return nearest(path, at - 1, above.kind === "for_in_clause" ? scopes : bodies);
  const isCaught = above.kind === "as_pattern_target" || above.kind === "case_pattern";
  return isCaught ? nearest(path, at - 1, bodies) : undefined;
}

function isParameter(path: readonly PathNode[]): boolean {
  const leaf = path.at(-1) as PathNode;
  const parent = path.at(-2) as PathNode;
  const above = path.at(-3);
  if (/^(?:lambda_)?parameters$/.test(parent.kind)) return true;
  if (/^(?:typed_)?default_parameter$/.test(parent.kind)) return isField(parent, "name", leaf);
  if (parent.kind === "typed_parameter") return parent.start === leaf.start;
  const isSplat = /^(?:list|dictionary)_splat_pattern$/.test(parent.kind);
  return isSplat && /^(?:(?:lambda_)?parameters|typed_parameter)$/.test(above?.kind ?? "");
}

/** The types of `typing` that take no types, and what is not one. */
const withoutTypes = /^(?:\w+\.)*Literal\s*\[/;
const annotated = /^(?:\w+\.)*Annotated\s*\[/;

/** An annotation in quotes, also of `cast("T", x)`; what is in brackets elsewhere may be one or a key. */
function readsString(path: readonly PathNode[]): "code" | "doubtful" | "text" {
  const leaf = path.at(-1) as PathNode;
  const at = path.findLastIndex(({ kind }) => kind === "string");
  if (leaf.kind !== "string_content" || at < 1) return "text";
  const string = path[at] as PathNode;
  if (
    /^[a-z]*[bf]/i.test(
      string.node
        .text()
        .slice(0, 3)
        .replace(/["'].*$/s, ""),
    )
  )
    return "text";
  let isInBrackets = false;
  for (let index = at - 1; index >= 0; index -= 1) {
    const { node, kind } = path[index] as PathNode;
    const child = path[index + 1] as PathNode;
    if (kind === "type") {
      const above = path[index - 1]?.kind;
      // What is in brackets is a type for the grammar; whose brackets they are is said further out.
      if (above !== "type_parameter") return "code";
    } else if (kind === "generic_type" || kind === "subscript") {
      const text = node.text();
      if (withoutTypes.test(text)) return "text";
      if (annotated.test(text) && !isFirstArgument(path, index)) return "text";
      isInBrackets = true;
    } else if (kind === "argument_list") {
      const call = path[index - 1];
      if (isTypeArgument(call, { list: path[index] as PathNode, child })) return "code";
      return isInBrackets ? "doubtful" : "text";
    } else if (kind === "assignment") {
      const isAlias = /(?:^|\.)TypeAlias$/.test(node.field("type")?.text() ?? "");
      return isAlias ? "code" : isInBrackets ? "doubtful" : "text";
    } else if (/_statement$|_definition$|^(?:module|block|lambda)$/.test(kind)) {
      return isInBrackets ? "doubtful" : "text";
    }
  }
  return "text";
}

/** Whether the way from brackets to a string goes through the first of what is in them. */
function isFirstArgument(path: readonly PathNode[], index: number): boolean {
  const [brackets, list, inner] = path.slice(index) as [PathNode, PathNode, PathNode | undefined];
  if (list.kind !== "type_parameter")
    return brackets.node.fieldChildren("subscript")[0]?.id() === list.id;
  return (
    list.node
      .children()
      .find((each) => each.isNamed())
      ?.id() === inner?.id
  );
}

/** `cast("T", x)`, `TypeVar("A", "T")`, `TypeVar("A", bound="T")`. */
function isTypeArgument(
  call: PathNode | undefined,
  { list, child }: { readonly list: PathNode; readonly child: PathNode },
): boolean {
  const called = call?.node.field("function")?.text() ?? "";
  const given = list.node.children().filter((each) => each.isNamed());
  const index = given.findIndex((each) => each.id() === child.id);
  if (/(?:^|\.)cast$/.test(called)) return index === 0;
  if (!/(?:^|\.)TypeVar$/.test(called)) return false;
  if (child.kind !== "keyword_argument") return index > 0;
  return child.node.field("name")?.text() === "bound";
}

/** `__all__ = ["name"]` and `__all__ += ["name"]`. */
function isInAll(path: readonly PathNode[]): boolean {
  const assignment = path.findLast(({ kind }) => /^(?:augmented_)?assignment$/.test(kind));
  return assignment?.node.field("left")?.text() === "__all__";
}
