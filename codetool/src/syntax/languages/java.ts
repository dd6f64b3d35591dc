import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, SymbolKind, Visibility } from "../rule.ts";

const interfaceBodies = new Set(["interface_declaration", "annotation_type_declaration"]);

/** `public` and `protected` are for others; members of interfaces and annotations are public without saying so. */
function visibilityOf(modifiers: SyntaxNode | null, context: RuleContext): Visibility {
  if (context.scope === "function" || context.parent.marks.has("local")) return "hidden";
  const words = modifiers?.children().map((child) => child.kind()) ?? [];
  const isPublic = words.includes("public") || words.includes("protected");
  const isInInterface = interfaceBodies.has(context.parent.kind) && !words.includes("private");
  if (!isPublic && !isInInterface) return "hidden";
  return context.scope === "file" ? "exported" : "inherited";
}

function modifiersOf(node: SyntaxNode): SyntaxNode | null {
  const first = node.child(0);
  return first?.kind() === "modifiers" ? first : null;
}

/** UTF-16 offset of the first character that is not an annotation. */
function afterAnnotations(node: SyntaxNode, modifiers: SyntaxNode | null): number {
  const isAnnotation = (child: SyntaxNode): boolean => /annotation$|comment$/.test(child.kind());
  const inside = modifiers?.children().find((child) => !isAnnotation(child));
  const outside = node.children().find((child) => child.kind() !== "modifiers");
  return (inside ?? outside ?? node).range().start.index;
}

function declared(kind: SymbolKind, scope: Effect["scope"]): Rule {
  return (node, context) => {
    const name = node.field("name")?.text();
    if (name === undefined || scope === undefined) return null;
    const modifiers = modifiersOf(node);
    return {
      scope,
      defines: [
        {
          name,
          kind,
          visibility: visibilityOf(modifiers, context),
          body: node.field("body"),
          ...(modifiers === null ? {} : { signatureStart: afterAnnotations(node, modifiers) }),
        },
      ],
    };
  };
}

/** Every variable of `int A = 1, B = 2;` */
const fields: Rule = (node, context) => {
  if (context.scope !== "type") return null;
  const modifiers = modifiersOf(node);
  const declarators = node.fieldChildren("declarator");
  const signatureStart = afterAnnotations(node, modifiers);
  const visibility = visibilityOf(modifiers, context);
  return {
    scope: "function",
    wraps: {},
    defines: declarators.map((declarator) => ({
      name: declarator.field("name")?.text() ?? "",
      kind: "const",
      visibility,
      body: null,
      ...(declarators.length === 1 ? {} : { node: declarator }),
      signatureStart,
      signatureEnd: "line",
    })),
  };
};

/** Java. A record is a class, an annotation type an interface; fields are constants. */
export const java: LanguageSyntax = {
  language: "java",
  parserName: "java",
  grammar: "java",
  ellipsis: "/*...*/",
  commentKinds: ["line_comment", "block_comment"],
  rules: {
    class_declaration: declared("class", "type"),
    record_declaration: declared("class", "type"),
    enum_declaration: declared("enum", "type"),
    interface_declaration: declared("interface", "type"),
    annotation_type_declaration: declared("interface", "type"),
    module_declaration: declared("module", "module"),
    method_declaration: declared("method", "function"),
    constructor_declaration: declared("method", "function"),
    compact_constructor_declaration: declared("method", "function"),
    annotation_type_element_declaration: declared("method", "function"),
    field_declaration: fields,
    constant_declaration: fields,
    // The body of an anonymous class in a method is as local as the method's variables.
    class_body: (_node, context) => ({
      scope: "type",
      marks: context.scope === "function" ? { local: "true" } : {},
    }),
    block: () => ({ scope: "function" }),
    lambda_expression: () => ({ scope: "function" }),
  },
};
