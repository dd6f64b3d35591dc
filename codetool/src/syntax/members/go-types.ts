import { nodeOf, type PathNode } from "../names/index.ts";
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
import type {
  Expression,
  FileTypes,
  ImportedName,
  MemberDefinition,
  TypeDefinition,
  TypeText,
} from "./type-facts.ts";

const builtins: ReadonlySet<string> = new Set(
  (
    "bool byte complex64 complex128 float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 " +
    "uint64 uintptr"
  ).split(" "),
);

/** Reads a type of Go; a pointer is as good as what it points to. */
export function goType(path: Path, source: SourceReader): TypeText {
  const { node, kind } = leafOf(path);
  const inner = (field: string): TypeText => {
    const child = childIn(path, field);
    return child === undefined ? { kind: "unknown" } : goType(child, source);
  };
  switch (kind) {
    case "type_identifier":
    case "identifier":
      return namedType(path, source);
    case "qualified_type":
    case "selector_expression":
      return { kind: "named", path: node.text().split(".") };
    case "generic_type":
      return inner("type");
    case "pointer_type":
    case "parenthesized_type": {
      const [child] = childrenOf(path);
      return child === undefined ? { kind: "unknown" } : goType(child, source);
    }
    case "slice_type":
    case "array_type":
    case "implicit_length_array_type":
      return { kind: "list", of: inner("element") };
    case "map_type":
      return { kind: "list", of: inner("value") };
    case "function_type":
      return { kind: "foreign" };
    default:
      return { kind: "unknown" };
  }
}

function namedType(path: Path, source: SourceReader): TypeText {
  const name = leafOf(path).node.text();
  const declared = source.names.declarationsOf(name, path);
  if (declared === undefined && builtins.has(name)) return { kind: "foreign" };
  if (declared === undefined) return { kind: "named", path: [name], isFree: true };
  if (declared.isOuter) return { kind: "named", path: [name] };
  const above = declared.places[0]?.path.at(-2);
  return above?.kind === "type_spec"
    ? { kind: "local", key: keyOf(name, above, false) }
    : { kind: "unknown" };
}

/** Reads what a file of Go says of types. */
export function readGoTypes(source: SourceReader): FileTypes {
  const values = new Map<string, Expression>();
  const methods: { owner: string; member: MemberDefinition }[] = [];
  const imports: ImportedName[] = [];
  let packageName = "";
  for (const path of childrenOf([source.names.root])) {
    const { kind, node } = leafOf(path);
    if (kind === "package_clause") packageName = partsOf(node)[0]?.text() ?? "";
    if (kind === "function_declaration")
      values.set(textIn(leafOf(path), "name"), {
        kind: "function",
        result: resultOf(path, source),
      });
    if (kind === "var_declaration" || kind === "const_declaration")
      readVariables(path, values, source);
    if (kind === "method_declaration") {
      const receiver = childIn(path, "receiver");
      const [parameter] = receiver === undefined ? [] : childrenOf(receiver);
      const type = parameter === undefined ? undefined : childIn(parameter, "type");
      const owner = type === undefined ? undefined : goType(type, source);
      if (owner?.kind === "named")
        methods.push({ owner: owner.path.join("."), member: methodOf(path, source) });
    }
  }
  for (const path of source.pathsOf(["import_spec"])) readImport(leafOf(path), imports);
  const types = source.pathsOf(["type_spec", "type_alias"]).map((path) => readType(path, source));
  return { types, methods, values, imports, exports: new Map(), packageName };
}

function readVariables(path: Path, values: Map<string, Expression>, source: SourceReader): void {
  const specs = leafOf(path).node.findAll({
    rule: { any: [{ kind: "var_spec" }, { kind: "const_spec" }] },
  });
  for (const spec of specs) {
    const around = source.names.pathTo(spec);
    // What is inside of a function literal is no variable of the package.
    if (around.some(({ kind }) => kind === "func_literal")) continue;
    for (const name of spec.fieldChildren("name"))
      values.set(name.text(), source.expressionOf([...around, nodeOf(name)]));
  }
}

function readImport({ node, line1 }: PathNode, imports: ImportedName[]): void {
  const alias = node.field("name")?.text();
  if (alias === "_") return;
  // Without an alias it is the name of the package, which only its files say.
  imports.push({ local: alias ?? "", imported: "*", exported: undefined, line1 });
}

function resultOf(path: Path, source: SourceReader): TypeText {
  const result = childIn(path, "result");
  if (result === undefined) return { kind: "foreign" };
  if (leafOf(result).kind !== "parameter_list") return goType(result, source);
  const of = childrenOf(result).flatMap((parameter): TypeText[] => {
    const type = childIn(parameter, "type");
    const read: TypeText = type === undefined ? { kind: "unknown" } : goType(type, source);
    const count = leafOf(parameter).node.fieldChildren("name").length;
    return Array.from({ length: Math.max(1, count) }, () => read);
  });
  const [first] = of;
  return of.length === 1 && first !== undefined ? first : { kind: "tuple", of };
}

function methodOf(path: Path, source: SourceReader): MemberDefinition {
  const name = childIn(path, "name") ?? path;
  const type: Expression = { kind: "typed", type: resultOf(path, source) };
  return { ...placeOf(leafOf(name)), isMethod: true, parameterCount: parameterCountOf(path), type };
}

function parameterCountOf(path: Path): number {
  const list = childIn(path, "parameters");
  const counts = (list === undefined ? [] : childrenOf(list)).map((parameter) =>
    leafOf(parameter).kind.endsWith("parameter_declaration")
      ? Math.max(1, leafOf(parameter).node.fieldChildren("name").length)
      : 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function placeOf({
  node,
  start,
  end,
  line1,
}: PathNode): Omit<MemberDefinition, "isMethod" | "type"> {
  return { name: node.text(), start, end, line1, isStatic: false, isParameter: false };
}

function readType(path: Path, source: SourceReader): TypeDefinition {
  const node = leafOf(path);
  const name = textIn(node, "name");
  const isOuter = path.slice(1, -1).every(({ kind }) => kind === "type_declaration");
  const value = childIn(path, "type");
  const kind = value === undefined ? "" : leafOf(value).kind;
  const common = { key: keyOf(name, node, isOuter), name, line1: node.line1, isOuter };
  if (value !== undefined && node.kind === "type_alias")
    return { ...common, isInterface: false, supers: [], members: [], alias: goType(value, source) };
  const parts = value === undefined ? [] : partsOfType(value);
  return {
    ...common,
    isInterface: kind === "interface_type",
    supers: parts.flatMap((part) => embeddedIn(part, source)),
    members: parts.flatMap((part) => membersOf(part, source)),
  };
}

function partsOfType(path: Path): Path[] {
  const { kind } = leafOf(path);
  if (kind === "interface_type") return childrenOf(path);
  if (kind !== "struct_type") return [];
  return childrenOf(path).flatMap((list) => childrenOf(list));
}

function embeddedIn(path: Path, source: SourceReader): TypeText[] {
  const { kind, node } = leafOf(path);
  const [first] = childrenOf(path);
  if (kind === "type_elem") return first === undefined ? [] : [goType(first, source)];
  const type = childIn(path, "type");
  const isEmbedded = kind === "field_declaration" && node.fieldChildren("name").length === 0;
  return isEmbedded && type !== undefined ? [goType(type, source)] : [];
}

function membersOf(path: Path, source: SourceReader): MemberDefinition[] {
  const { kind, node } = leafOf(path);
  if (kind === "method_elem" || kind === "method_spec") return [methodOf(path, source)];
  if (kind !== "field_declaration") return [];
  const written = childIn(path, "type");
  const type: Expression = {
    kind: "typed",
    type: written === undefined ? { kind: "unknown" } : goType(written, source),
  };
  const names = node.fieldChildren("name");
  if (names.length === 0 && written !== undefined)
    return [{ ...placeOf(nameOfType(leafOf(written))), isMethod: false, isEmbedded: true, type }];
  return names.map((name) => ({ ...placeOf(nodeOf(name)), isMethod: false, type }));
}

/** The name that a field gets from the type it embeds: `T` of `*p.T[int]`. */
function nameOfType(type: PathNode): PathNode {
  let { node } = type;
  for (let depth = 0; depth < 8; depth += 1) {
    const inner =
      node.field(node.kind() === "generic_type" ? "type" : "name") ??
      (node.kind() === "pointer_type" ? node.children().find((each) => each.isNamed()) : undefined);
    if (inner === null || inner === undefined) break;
    node = inner;
  }
  return nodeOf(node);
}
