import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, SymbolKind, Visibility } from "../rule.ts";

/** Everything is for others but `private` members and what is defined while a function runs. */
function visibilityOf(node: SyntaxNode, context: RuleContext): Visibility {
  if (context.scope === "function" || context.parent.marks.has("local")) return "hidden";
  if (context.scope !== "type") return "exported";
  const isPrivate = node.children().some((child) => child.text().toLowerCase() === "private");
  return isPrivate ? "hidden" : "inherited";
}

/** Attributes are inside of what they belong to; its signature begins after them. */
function signatureStartOf(node: SyntaxNode): number {
  const isSkipped = (child: SyntaxNode): boolean =>
    /^(?:attribute_list|comment)$/.test(child.kind());
  const first = node.children().find((child) => !isSkipped(child)) ?? node;
  return first.range().start.index;
}

function declared(kind: SymbolKind, scope: NonNullable<Effect["scope"]>): Rule {
  return (node, context) => {
    const name = node.field("name")?.text();
    if (name === undefined || name === "") return { scope };
    return {
      scope,
      defines: [
        {
          name,
          kind,
          visibility:
            kind === "method" || scope === "function" || context.scope === "function"
              ? visibilityOf(node, context)
              : "exported",
          body: node.field("body"),
          signatureStart: signatureStartOf(node),
        },
      ],
    };
  };
}

/** Without braces it reaches to the next one: what follows is next to it. */
const namespace: Rule = (node) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "module" };
  const body = node.field("body");
  return { scope: "module", defines: [{ name, kind: "module", visibility: "exported", body }] };
};

/** Every element of `const A = 1, B = 2;` and of `public $a, $b = 1;`, without the dollar. */
function values(elementKind: string): Rule {
  return (node, context) => {
    if (context.scope === "function") return null;
    const visibility = visibilityOf(node, context);
    const signatureStart = signatureStartOf(node);
    const elements = node.children().filter((child) => child.kind() === elementKind);
    return {
      scope: "function",
      wraps: {},
      defines: elements.flatMap((element) => {
        const name = (element.field("name") ?? element.child(0))?.text().replace(/^\$/, "") ?? "";
        if (name === "") return [];
        return [
          {
            name,
            kind: "const" as const,
            visibility,
            body: null,
            ...(elements.length === 1 ? {} : { node: element }),
            signatureStart,
            signatureEnd: "line" as const,
          },
        ];
      }),
    };
  };
}

/** `define("NAME", …)` outside of functions. */
const call: Rule = (_node, context) => {
  if (context.scope === "function" || context.scope === "type") return null;
  const text = context.text.slice(context.start, Math.min(context.end, context.start + 200));
  const name = /^\\?define\s*\(\s*(['"])([\w\\]+)\1/i.exec(text)?.[2];
  if (name === undefined) return null;
  return {
    defines: [{ name, kind: "const", visibility: "exported", body: null, signatureEnd: "line" }],
  };
};

const closure: Rule = () => ({ scope: "function" });

/** PHP. Properties are constants, named without their dollar; an anonymous class has no name. */
export const php: LanguageSyntax = {
  language: "php",
  parserName: "php",
  grammar: "php",
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  rules: {
    namespace_definition: namespace,
    class_declaration: declared("class", "type"),
    interface_declaration: declared("interface", "type"),
    trait_declaration: declared("trait", "type"),
    enum_declaration: declared("enum", "type"),
    function_definition: declared("function", "function"),
    method_declaration: declared("method", "function"),
    const_declaration: values("const_element"),
    property_declaration: values("property_element"),
    function_call_expression: call,
    anonymous_class: (_node, context) => ({
      scope: "type",
      marks: context.scope === "function" ? { local: "true" } : {},
    }),
    anonymous_function: closure,
    arrow_function: closure,
  },
};
