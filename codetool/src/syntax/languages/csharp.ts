import { repairCsharp } from "./csharp-repair.ts";
import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, SymbolKind, Visibility } from "../rule.ts";

/** `public` and `protected` are for others; members of interfaces are public without saying so. */
function visibilityOf(words: readonly string[], context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  const isPublic = words.includes("public") || words.includes("protected");
  const isImplied =
    context.parent.kind === "interface_declaration" &&
    !words.includes("private") &&
    !words.includes("internal");
  return isPublic || isImplied ? "inherited" : "hidden";
}

/** The modifiers of a declaration, and where it begins after its attributes. */
function headOf(node: SyntaxNode): { words: string[]; signatureStart: number } {
  const words: string[] = [];
  let signatureStart: number | null = null;
  for (const child of node.children()) {
    const kind = child.kind();
    if (kind === "attribute_list" || kind === "comment" || kind.startsWith("preproc_")) continue;
    signatureStart ??= child.range().start.index;
    if (kind !== "modifier") break;
    words.push(child.text());
  }
  return { words, signatureStart: signatureStart ?? node.range().start.index };
}

/** An accessor list, a block or `=> …`; an initial value is not a body. */
function bodyOf(node: SyntaxNode): SyntaxNode | null {
  const body = node.field("body") ?? node.field("accessors");
  if (body !== null) return body;
  const value = node.field("value");
  return value?.kind() === "arrow_expression_clause" ? value : null;
}

interface Declared {
  readonly kind: SymbolKind;
  readonly scope?: Effect["scope"];
  readonly nameOf?: (node: SyntaxNode) => string | undefined;
}

function declared({ kind, scope, nameOf = plainName }: Declared): Rule {
  return (node, context) => {
    const name = nameOf(node);
    if (name === undefined || name === "") return scope === undefined ? null : { scope };
    const { words, signatureStart } = headOf(node);
    const visibility = visibilityOf(words, context);
    return {
      ...(scope === undefined ? {} : { scope }),
      defines: [{ name, kind, visibility, body: bodyOf(node), signatureStart }],
    };
  };
}

function plainName(node: SyntaxNode): string | undefined {
  return node.field("name")?.text();
}

function operatorName(node: SyntaxNode): string | undefined {
  const operator = node.field("operator") ?? node.field("type");
  return operator === null ? undefined : `operator ${operator.text()}`;
}

/** `record struct` is a struct. */
const record: Rule = (node, context) => {
  const isStruct = node.children().some((child) => child.kind() === "struct");
  return declared({ kind: isStruct ? "struct" : "class", scope: "type" })(node, context);
};

/** A namespace of the whole file holds no node: what follows is next to it. */
const namespace: Rule = (node) => {
  const name = plainName(node);
  if (name === undefined) return { scope: "module" };
  const body = node.field("body");
  return { scope: "module", defines: [{ name, kind: "module", visibility: "exported", body }] };
};

/** Every variable of `int a = 1, b;`, of fields and of events. */
const fields: Rule = (node, context) => {
  if (context.scope !== "type") return null;
  const { words, signatureStart } = headOf(node);
  const visibility = visibilityOf(words, context);
  const declaration = node.children().find((child) => child.kind() === "variable_declaration");
  const names = (declaration?.children() ?? []).filter(
    (child) => child.kind() === "variable_declarator",
  );
  return {
    scope: "function",
    wraps: {},
    defines: names.map((each) => ({
      name: plainName(each) ?? each.text(),
      kind: "const",
      visibility,
      body: null,
      ...(names.length === 1 ? {} : { node: each }),
      signatureStart,
      signatureEnd: "line",
    })),
  };
};

const type = (kind: SymbolKind): Rule => declared({ kind, scope: "type" });
const method = declared({ kind: "method", scope: "function" });
const value = declared({ kind: "const", scope: "function" });
const operator = declared({ kind: "method", scope: "function", nameOf: operatorName });

/** C#. A record is a class or a struct, a delegate a type; properties, fields and events are constants. */
export const csharp: LanguageSyntax = {
  language: "csharp",
  parserName: "csharp",
  grammar: "csharp",
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  repair: repairCsharp,
  rules: {
    namespace_declaration: namespace,
    file_scoped_namespace_declaration: namespace,
    class_declaration: type("class"),
    struct_declaration: type("struct"),
    record_declaration: record,
    interface_declaration: type("interface"),
    enum_declaration: type("enum"),
    delegate_declaration: declared({ kind: "type" }),
    method_declaration: method,
    constructor_declaration: method,
    destructor_declaration: declared({
      kind: "method",
      scope: "function",
      nameOf: (node) => `~${plainName(node) ?? ""}`,
    }),
    operator_declaration: operator,
    conversion_operator_declaration: operator,
    indexer_declaration: declared({ kind: "method", scope: "function", nameOf: () => "this" }),
    property_declaration: value,
    event_declaration: value,
    field_declaration: fields,
    event_field_declaration: fields,
    local_function_statement: declared({ kind: "function", scope: "function" }),
    lambda_expression: () => ({ scope: "function" }),
    anonymous_method_expression: () => ({ scope: "function" }),
  },
};
