import { nodeOf, type PathNode } from "../names/index.ts";
import { ecmascriptType } from "./ecmascript-text.ts";
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

/** Nodes that define a type. */
export const typeKinds: ReadonlySet<string> = new Set([
  "class_declaration",
  "abstract_class_declaration",
  "class",
  "interface_declaration",
  "type_alias_declaration",
]);

/** Reads what a file of TypeScript or JavaScript says of types. */
export function readEcmascriptTypes(source: SourceReader): FileTypes {
  const values = new Map<string, Expression>();
  const imports: ImportedName[] = [];
  const exports = new Map<string, string>();
  const { root } = source.names;
  for (const statement of childrenOf([root])) {
    const { kind } = leafOf(statement);
    if (kind === "import_statement") readImport(statement, imports);
    if (kind !== "export_statement") {
      readValue(statement, values, source);
      continue;
    }
    const declared = childIn(statement, "declaration");
    if (declared === undefined) readExport(statement, imports, exports);
    else {
      readValue(declared, values, source);
      const isDefault = leafOf(statement)
        .node.children()
        .some((each) => each.kind() === "default");
      if (isDefault) exports.set("default", textIn(leafOf(declared), "name"));
    }
  }
  // A grammar refuses to look for kinds that it does not have.
  const kinds = [...typeKinds].filter(
    (kind) => source.language !== "javascript" || kind.startsWith("class"),
  );
  const types = source.pathsOf(kinds).map((path) => readType(path, source));
  return { types, methods: [], values, imports, exports, packageName: "" };
}

function readValue(path: Path, values: Map<string, Expression>, source: SourceReader): void {
  const { kind } = leafOf(path);
  if (/^(?:generator_)?function_(?:declaration|signature)$/.test(kind)) {
    const name = textIn(leafOf(path), "name");
    const result = resultIn(path, source);
    // Overloads may give several types.
    values.set(name, values.has(name) ? unknown : { kind: "function", result });
    return;
  }
  if (!/^(?:lexical|variable)_declaration$/.test(kind)) return;
  for (const declarator of childrenOf(path)) {
    const name = childIn(declarator, "name");
    if (name !== undefined && leafOf(name).kind === "identifier")
      values.set(leafOf(name).node.text(), source.expressionOf(name));
  }
}

function resultIn(path: Path, source: SourceReader): TypeText {
  const result = childIn(path, "return_type");
  return result === undefined ? { kind: "unknown" } : ecmascriptType(result, source);
}

function readImport(path: Path, imports: ImportedName[]): void {
  const { node, line1 } = leafOf(path);
  const clause = node.children().find((each) => each.kind() === "import_clause");
  const add = (local: string, imported: string): void => {
    imports.push({ local, imported, exported: undefined, line1 });
  };
  for (const part of clause === undefined ? [] : partsOf(clause)) {
    if (part.kind() === "identifier") add(part.text(), "default");
    else if (part.kind() === "namespace_import") add(partsOf(part)[0]?.text() ?? "", "*");
    else
      for (const specifier of partsOf(part)) {
        const name = specifier.field("name")?.text() ?? "";
        add(specifier.field("alias")?.text() ?? name, name);
      }
  }
}

function readExport(path: Path, imports: ImportedName[], exports: Map<string, string>): void {
  const { node, line1 } = leafOf(path);
  const hasSource = node.field("source") !== null;
  const value = node.field("value");
  if (value?.kind() === "identifier") exports.set("default", value.text());
  const parts = partsOf(node);
  const namespace = parts.find((each) => each.kind() === "namespace_export");
  const clause = parts.find((each) => each.kind() === "export_clause");
  if (hasSource && namespace !== undefined)
    imports.push({
      local: undefined,
      imported: "*",
      exported: partsOf(namespace)[0]?.text() ?? "",
      line1,
    });
  else if (hasSource && clause === undefined)
    imports.push({ local: undefined, imported: "*", exported: "*", line1 });
  for (const specifier of clause === undefined ? [] : partsOf(clause)) {
    const name = specifier.field("name")?.text() ?? "";
    const exported = specifier.field("alias")?.text() ?? name;
    if (hasSource) imports.push({ local: undefined, imported: name, exported, line1 });
    else exports.set(exported, name);
  }
}

function readType(path: Path, source: SourceReader): TypeDefinition {
  const node = leafOf(path);
  const name = textIn(node, "name");
  const isOuter =
    node.kind !== "class" &&
    path.slice(1, -1).every(({ kind }) => /^(?:export_statement|ambient_declaration)$/.test(kind));
  const common = { key: keyOf(name, node, isOuter), name, line1: node.line1, isOuter };
  if (node.kind === "type_alias_declaration") {
    const value = childIn(path, "value");
    const isObject = value !== undefined && leafOf(value).kind === "object_type";
    return {
      ...common,
      isInterface: true,
      supers: [],
      members: isObject ? membersIn(value, source) : [],
      ...(value === undefined || isObject ? {} : { alias: ecmascriptType(value, source) }),
    };
  }
  const body = childIn(path, "body");
  const members = body === undefined ? [] : membersIn(body, source);
  return {
    ...common,
    isInterface: node.kind === "interface_declaration",
    supers: supersOf(path, source),
    members: [
      ...members,
      ...(source.language === "javascript" ? assignedFields(path, source) : []),
    ],
  };
}

function supersOf(path: Path, source: SourceReader): TypeText[] {
  const found: TypeText[] = [];
  for (const clause of clausesOf(path))
    for (const child of childrenOf(clause))
      if (leafOf(child).kind !== "type_arguments") found.push(superType(child, source));
  return found;
}

function superType(path: Path, source: SourceReader): TypeText {
  const { node } = leafOf(path);
  return node.kind() === "undefined" || node.kind() === "null"
    ? { kind: "nothing" }
    : ecmascriptType(path, source);
}

/** `extends` and `implements`; JavaScript has what is extended without a clause. */
function clausesOf(path: Path): Path[] {
  return childrenOf(path).flatMap((child) => {
    const { kind } = leafOf(child);
    if (kind === "extends_type_clause") return [child];
    if (kind !== "class_heritage") return [];
    const clauses = childrenOf(child).filter((each) => leafOf(each).kind.endsWith("_clause"));
    return clauses.length === 0 ? [child] : clauses;
  });
}

function membersIn(body: Path, source: SourceReader): MemberDefinition[] {
  return childrenOf(body).flatMap((path) => {
    const node = leafOf(path);
    const name = node.node.field("name") ?? node.node.field("property");
    if (name === null || !/^(?:private_)?property_identifier$/.test(name.kind())) return [];
    const words = new Set(node.node.children().map((each) => each.kind()));
    const isCallable = /^(?:method_|abstract_method_)/.test(node.kind);
    const isMethod = isCallable && !words.has("get") && !words.has("set");
    const member = {
      ...placeOf(nodeOf(name)),
      isMethod,
      isStatic: words.has("static"),
      isParameter: false,
      type: memberType(path, { isCallable, isSetter: words.has("set") }, source),
    };
    return name.text() === "constructor" ? parameterFields(path, source) : [member];
  });
}

function memberType(
  path: Path,
  { isCallable, isSetter }: { readonly isCallable: boolean; readonly isSetter: boolean },
  source: SourceReader,
): Expression {
  if (isSetter) return { kind: "typed", type: { kind: "nothing" } };
  if (isCallable) return { kind: "typed", type: resultIn(path, source) };
  const type = childIn(path, "type");
  if (type !== undefined) return { kind: "typed", type: ecmascriptType(type, source) };
  return childIn(path, "value") === undefined ? unknown : source.expressionIn(path, "value");
}

/** `constructor(private readonly store: Store)`. */
function parameterFields(path: Path, source: SourceReader): MemberDefinition[] {
  const parameters = childIn(path, "parameters");
  return (parameters === undefined ? [] : childrenOf(parameters)).flatMap((parameter) => {
    const isField = leafOf(parameter)
      .node.children()
      .some((each) => /^(?:accessibility_modifier|readonly|override_modifier)$/.test(each.kind()));
    const pattern = childIn(parameter, "pattern");
    if (!isField || pattern === undefined) return [];
    const type = memberType(parameter, { isCallable: false, isSetter: false }, source);
    const flags = { isMethod: false, isStatic: false, isParameter: true };
    return [{ ...placeOf(leafOf(pattern)), ...flags, type }];
  });
}

/** Fields that a class of JavaScript has only by `this.name = value`. */
function assignedFields(path: Path, source: SourceReader): MemberDefinition[] {
  const found = leafOf(path).node.findAll({ rule: { kind: "assignment_expression" } });
  return found.flatMap((node) => {
    const left = node.field("left");
    const property = left?.kind() === "member_expression" ? left.field("property") : null;
    if (property == null || left?.field("object")?.kind() !== "this") return [];
    const flags = { isMethod: false, isStatic: false, isParameter: false };
    const value = source.expressionIn(source.names.pathTo(node), "right");
    return [{ ...placeOf(nodeOf(property)), ...flags, type: value }];
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
