import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, SymbolKind, Visibility } from "../rule.ts";

/** Bare `pub` leaves the crate; `pub(crate)` does not. Members of a trait and of its `impl` are as visible as it. */
function visibilityOf(context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  if (/^pub\b(?!\s*\()/.test(context.text.slice(context.start, context.start + 16))) {
    return "exported";
  }
  const holder = context.parent.marks.get("holder");
  return holder === "trait" ? "inherited" : holder === "impl" ? "exported" : "hidden";
}

function item(kind: SymbolKind, scope?: Effect["scope"]): Rule {
  return (node, context) => {
    const name = node.field("name")?.text();
    if (name === undefined || name === "") return scope === undefined ? null : { scope };
    const isMethod = kind === "function" && context.scope === "type";
    const visibility = visibilityOf(context);
    if (visibility === "exported" && kind !== "function") context.exportedNames.add(name);
    const body = node.field("body");
    return {
      ...(scope === undefined ? {} : { scope }),
      ...(kind === "trait" ? { marks: { holder: "trait" } } : {}),
      defines: [
        {
          name,
          kind: isMethod ? "method" : kind,
          visibility,
          // The fields of a tuple struct belong to its signature.
          body: body?.kind() === "ordered_field_declaration_list" ? null : body,
        },
      ],
    };
  };
}

/** Constants and statics count at file level, in modules, traits and `impl` blocks, not inside of functions. */
const constant: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined || name === "_" || context.scope === "function") return null;
  const visibility = visibilityOf(context);
  return { defines: [{ name, kind: "const", visibility, body: null, signatureEnd: "line" }] };
};

/** `impl Trait for Type {}` carries the type's name: its functions are the type's methods. */
function implementation(node: SyntaxNode, context: RuleContext): Effect {
  const name = typeName(node.field("type"));
  const isOfTrait = node.field("trait") !== null;
  if (name === "") return { scope: "type" };
  return {
    scope: "type",
    marks: { holder: isOfTrait ? "impl" : "type" },
    defines: [
      {
        name,
        kind: "class",
        visibility: context.scope === "function" ? "hidden" : "listed",
        body: node.field("body"),
      },
    ],
  };
}

/** `Foo` of `Foo<T>`, `a::Foo`, `&'a mut Foo`; other types as they are written. */
function typeName(type: SyntaxNode | null): string {
  let inner = type;
  for (let depth = 0; inner !== null && depth < 16; depth++) {
    const next =
      inner.kind() === "scoped_type_identifier"
        ? inner.field("name")
        : /^(?:generic|reference|pointer)_type$/.test(inner.kind())
          ? inner.field("type")
          : null;
    if (next === null) break;
    inner = next;
  }
  return inner?.text().replace(/\s+/g, " ") ?? "";
}

/** `#[macro_export]` before it makes a macro public. */
const macro: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return null;
  const before = context.text.slice(Math.max(0, context.start - 400), context.start);
  const attributes = /(?:#\[[^\]]*\]\s*|\/\/[^\n]*\n\s*)*$/.exec(before)?.[0] ?? "";
  const visibility = attributes.includes("macro_export") ? "exported" : "hidden";
  const rule = node.children().find((child) => /^[({[]$/.test(child.kind()));
  return {
    isOpaque: true,
    defines: [{ name, kind: "function", visibility, body: rule ?? null }],
  };
};

/** Rust. A macro of `macro_rules!` is a function; an `impl` block is a class with its type's name. */
export const rust: LanguageSyntax = {
  language: "rust",
  parserName: "rust",
  grammar: "rust",
  ellipsis: "/*...*/",
  commentKinds: ["line_comment", "block_comment"],
  rules: {
    attribute_item: () => ({ isLead: true, isOpaque: true }),
    function_item: item("function", "function"),
    function_signature_item: item("function"),
    struct_item: item("struct"),
    union_item: item("struct"),
    enum_item: item("enum"),
    trait_item: item("trait", "type"),
    impl_item: implementation,
    mod_item: item("module", "module"),
    type_item: item("type"),
    associated_type: item("type"),
    const_item: constant,
    static_item: constant,
    macro_definition: macro,
    closure_expression: () => ({ scope: "function" }),
  },
};
