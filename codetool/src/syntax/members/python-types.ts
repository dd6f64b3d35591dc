import { nodeOf, type PathNode } from "../names/index.ts";
import { pythonType } from "./python-text.ts";
import {
  childIn,
  childrenOf,
  keyOf,
  leafOf,
  partsOf,
  type Path,
  type SourceReader,
  textIn,
} from "./source-reader.ts";
import {
  type Expression,
  type FileTypes,
  type ImportedName,
  type MemberDefinition,
  type TypeDefinition,
  type TypeText,
  unknown,
} from "./type-facts.ts";

/** Reads what a file of Python says of types. */
export function readPythonTypes(source: SourceReader): FileTypes {
  const types = source.pathsOf(["class_definition"]).map((path) => readType(path, source));
  const values = new Map<string, Expression>();
  for (const statement of childrenOf([source.names.root])) readValue(statement, values, source);
  const imports: ImportedName[] = [];
  for (const path of source.pathsOf(["import_statement", "import_from_statement"]))
    readImport(leafOf(path), imports);
  return { types, methods: [], values, imports, exports: new Map(), packageName: "" };
}

function readValue(path: Path, values: Map<string, Expression>, source: SourceReader): void {
  const { kind } = leafOf(path);
  const add = (name: string, value: Expression): void => {
    values.set(name, values.has(name) ? unknown : value);
  };
  if (kind === "function_definition") {
    add(textIn(leafOf(path), "name"), { kind: "function", result: resultOf(path, source) });
  } else if (kind === "decorated_definition") {
    // What a decorator makes of a function is not known.
    const definition = childIn(path, "definition");
    if (definition !== undefined && leafOf(definition).kind === "function_definition")
      add(textIn(leafOf(definition), "name"), unknown);
  } else if (kind === "expression_statement") {
    const [assignment] = childrenOf(path);
    if (assignment === undefined || leafOf(assignment).kind !== "assignment") return;
    const left = childIn(assignment, "left");
    if (left !== undefined && leafOf(left).kind === "identifier")
      add(leafOf(left).node.text(), assignedExpression(assignment, source));
  }
}

function assignedExpression(path: Path, source: SourceReader): Expression {
  const type = childIn(path, "type");
  return type === undefined
    ? source.expressionIn(path, "right")
    : { kind: "typed", type: pythonType(type, source) };
}

function resultOf(path: Path, source: SourceReader): TypeText {
  const result = childIn(path, "return_type");
  if (result === undefined) return { kind: "unknown" };
  const type = pythonType(result, source);
  const isAsync = leafOf(path)
    .node.children()
    .some((each) => each.kind() === "async");
  return isAsync ? { kind: "promise", of: type } : type;
}

function readImport({ node, kind, line1 }: PathNode, imports: ImportedName[]): void {
  const add = (local: string, imported: string, rest: Partial<ImportedName> = {}): void => {
    imports.push({ local, imported, exported: local, line1, ...rest });
  };
  for (const name of node.fieldChildren("name")) {
    const isAliased = name.kind() === "aliased_import";
    const written = (isAliased ? name.field("name")?.text() : name.text()) ?? "";
    const alias = isAliased ? name.field("alias")?.text() : undefined;
    if (kind === "import_from_statement") add(alias ?? written, written);
    else if (alias !== undefined || !written.includes(".")) add(alias ?? written, "*");
    else {
      const path = written.split(".");
      add(path[0] ?? "", "*", { path });
    }
  }
  if (partsOf(node).some((each) => each.kind() === "wildcard_import"))
    imports.push({ local: undefined, imported: "*", exported: "*", line1 });
}

function readType(path: Path, source: SourceReader): TypeDefinition {
  const node = leafOf(path);
  const name = textIn(node, "name");
  const isOuter = !path
    .slice(0, -1)
    .some(({ kind }) => /^(?:function|class)_definition$/.test(kind));
  const supers = childIn(path, "superclasses");
  const body = childIn(path, "body");
  return {
    key: keyOf(name, node, isOuter),
    name,
    line1: node.line1,
    isOuter,
    isInterface: false,
    supers: (supers === undefined ? [] : childrenOf(supers))
      .filter((each) => leafOf(each).kind !== "keyword_argument")
      .map((each) => pythonType(each, source)),
    members: (body === undefined ? [] : childrenOf(body)).flatMap((each) =>
      membersOf(each, [], source),
    ),
  };
}

/** A statement of a class may define a member, and a method more of them by `self.name = value`. */
function membersOf(
  path: Path,
  decorators: readonly string[],
  source: SourceReader,
): MemberDefinition[] {
  const node = leafOf(path);
  if (node.kind === "decorated_definition") {
    const definition = childIn(path, "definition");
    const names = partsOf(node.node)
      .filter((each) => each.kind() === "decorator")
      .map((each) => each.text());
    return definition === undefined ? [] : membersOf(definition, names, source);
  }
  if (/^(?:if|try|else|with)_(?:statement|clause)$|^block$/.test(node.kind))
    return childrenOf(path).flatMap((each) => membersOf(each, [], source));
  if (node.kind === "function_definition")
    return [methodOf(path, decorators, source), ...assignedIn(path, source)];
  if (node.kind !== "expression_statement") return [];
  const [assignment] = childrenOf(path);
  const left = assignment === undefined ? undefined : childIn(assignment, "left");
  if (assignment === undefined || left === undefined || leafOf(left).kind !== "identifier")
    return [];
  const flags = { isMethod: false, isStatic: false, isParameter: false };
  return [{ ...placeOf(leafOf(left)), ...flags, type: assignedExpression(assignment, source) }];
}

function methodOf(
  path: Path,
  decorators: readonly string[],
  source: SourceReader,
): MemberDefinition {
  const isProperty = decorators.some((each) => /^@(?:\w+\.)?(?:cached_)?property$/.test(each));
  const isSetter = decorators.some((each) => /^@\w+\.(?:setter|deleter)$/.test(each));
  const isPlain = decorators.every(
    (each) =>
      /^@(?:\w+\.)?(?:classmethod|staticmethod|abstractmethod|overload|override|final|(?:cached_)?property)$/.test(
        each,
      ) || isSetter,
  );
  const name = childIn(path, "name") ?? path;
  const type: Expression = isSetter
    ? { kind: "typed", type: { kind: "nothing" } }
    : { kind: "typed", type: isPlain ? resultOf(path, source) : { kind: "unknown" } };
  return {
    ...placeOf(leafOf(name)),
    isMethod: !isProperty && !isSetter,
    isStatic: decorators.some((each) => /^@(?:static|class)method$/.test(each)),
    isParameter: false,
    type,
  };
}

function assignedIn(path: Path, source: SourceReader): MemberDefinition[] {
  const parameters = leafOf(path).node.field("parameters");
  const self = (parameters === null ? [] : partsOf(parameters))[0]?.text();
  const found = leafOf(path).node.findAll({ rule: { kind: "assignment" } });
  return found.flatMap((node) => {
    const left = node.field("left");
    const attribute = left?.kind() === "attribute" ? left.field("attribute") : null;
    if (attribute == null || left?.field("object")?.text() !== self) return [];
    const flags = { isMethod: false, isStatic: false, isParameter: false };
    const type = assignedExpression(source.names.pathTo(node), source);
    return [{ ...placeOf(nodeOf(attribute)), ...flags, type }];
  });
}

function placeOf({
  node,
  start,
  end,
  line1,
}: PathNode): Pick<MemberDefinition, "name" | "start" | "end" | "line1"> {
  return { name: node.text(), start, end, line1 };
}
