import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, SymbolKind, Visibility } from "../rule.ts";

const containerKinds: { readonly [nodeKind: string]: SymbolKind } = {
  struct_declaration: "struct",
  union_declaration: "struct",
  opaque_declaration: "struct",
  enum_declaration: "enum",
  error_set_declaration: "enum",
};

/** Values that can be nothing but types, whatever they name. */
const typeKind =
  /^(?:builtin_type|pointer_type|slice_type|array_type|nullable_type|error_union_type|function_signature)$/;

/** Only what says `pub` or `export` is seen from outside, and what is in it when that is. */
function visibilityOf(isPublic: boolean): Visibility {
  return isPublic ? "inherited" : "hidden";
}

/** `@"any text"` is the name in the quotes. */
function plainName(name: string): string {
  return name.startsWith('@"') ? name.slice(2, -1) : name;
}

/** A constant, a variable or a type. `const a = @import("a.zig")` brings in and defines nothing unless it is public. */
const variable: Rule = (node, context) => {
  const { name, value, isPublic } = partsOf(node);
  if (name === null) return null;
  const container = value === null ? undefined : containerKind(value);
  if (container !== undefined) {
    const body = value?.children().find((child) => child.kind() === "{") ?? null;
    return {
      defines: [
        { name: plainName(name), kind: container, visibility: visibilityOf(isPublic), body },
      ],
    };
  }
  if (context.scope === "function") return null;
  if (!isPublic && value !== null && isImport(value, context)) return null;
  const isType = value !== null && typeKind.test(value.kind());
  return {
    scope: "function",
    defines: [
      {
        name: plainName(name),
        kind: isType ? "type" : "const",
        visibility: visibilityOf(isPublic),
        body: null,
        signatureEnd: "line",
      },
    ],
  };
};

/** `error{A} || Other` is a set of errors too. */
function containerKind(value: SyntaxNode): SymbolKind | undefined {
  const kind = value.kind();
  const isJoined = kind === "binary_expression" && /^error\s*\{/.test(value.text().slice(0, 16));
  return isJoined ? "enum" : containerKinds[kind];
}

interface Parts {
  readonly name: string | null;
  readonly value: SyntaxNode | null;
  readonly isPublic: boolean;
}

/** What is in `pub const name: type = value;`. An assignment, which the grammar takes for one, has no name. */
function partsOf(node: SyntaxNode): Parts {
  let name: string | null = null;
  let isPublic = false;
  let isDeclared = false;
  let isValue = false;
  for (const child of node.children()) {
    const kind = child.kind();
    if (isValue && child.isNamed() && kind !== "comment") return { name, value: child, isPublic };
    if (kind === "pub" || kind === "export") isPublic = true;
    else if (kind === "const" || kind === "var") isDeclared = true;
    else if (kind === "identifier" && isDeclared) name ??= child.text();
    else if (kind === "=") isValue = true;
    if (isValue && name === null) break;
  }
  return { name, value: null, isPublic };
}

function isImport(value: SyntaxNode, context: RuleContext): boolean {
  const start = value.range().start.index;
  return /^@(?:import|cImport)\b/.test(context.text.slice(start, start + 12));
}

const callable: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "function" };
  const head = context.text.slice(context.start, context.start + 40);
  return {
    scope: "function",
    defines: [
      {
        name: plainName(name),
        kind: context.scope === "type" ? "method" : "function",
        visibility: visibilityOf(/^(?:pub|export)\b/.test(head)),
        body: node.field("body"),
      },
    ],
  };
};

/** `test "name" { … }` and `test name { … }`; one without a name is not found by any. */
const testBlock: Rule = (node) => {
  const children = node.children();
  const named = children.find((child) => /^(?:string|identifier)$/.test(child.kind()));
  const name = named?.text().replace(/^"|"$/g, "") ?? "";
  const body = children.find((child) => child.kind() === "block") ?? null;
  return {
    scope: "function",
    defines: [{ name, kind: "function", visibility: "hidden", body }],
  };
};

const container = (): Effect => ({ scope: "type" });

/** Zig. A union or an opaque type is a struct, a set of errors an enum, a test a function with its text for a name. */
export const zig: LanguageSyntax = {
  language: "zig",
  parserName: "zig",
  grammar: "zig",
  ellipsis: "// ...",
  commentKinds: ["comment"],
  rules: {
    variable_declaration: variable,
    function_declaration: callable,
    test_declaration: testBlock,
    struct_declaration: container,
    union_declaration: container,
    opaque_declaration: container,
    enum_declaration: container,
    comptime_declaration: () => ({ scope: "function" }),
  },
};
