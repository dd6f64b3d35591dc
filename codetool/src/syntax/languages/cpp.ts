import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext } from "../rule.ts";
import { aggregate, cFamilyRules, declaration, visibilityOf } from "./c-family.ts";
import { repairPreprocessed } from "./c-repair.ts";

/** A namespace is a module; an anonymous one hides what is in it. */
function namespace(node: SyntaxNode): Effect {
  const name = node.field("name")?.text().replace(/\s+/g, "");
  if (name === undefined) return { scope: "module", marks: { anonymous: "true" } };
  return {
    scope: "module",
    defines: [{ name, kind: "module", visibility: "exported", body: node.field("body") }],
  };
}

/** `public:` opens a section of the class it is in; before a base class it is something else. */
function accessSection(_node: SyntaxNode, context: RuleContext): null {
  const { text, start, end, parent } = context;
  if (/^\s*(?:\w+\s*)?:(?!:)/.test(text.slice(end, end + 40)) && parent.marks.has("access")) {
    parent.marks.set("access", text.slice(start, end));
  }
  return null;
}

const type: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return null;
  const visibility = visibilityOf(node, context);
  return { isOpaque: true, defines: [{ name, kind: "type", visibility, body: null }] };
};

/** C++. */
export const cpp: LanguageSyntax = {
  language: "cpp",
  parserName: "cpp",
  grammar: "cpp",
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  repair: (text) => repairPreprocessed(text, { isCpp: true }),
  rules: {
    ...cFamilyRules,
    class_specifier: aggregate,
    namespace_definition: namespace,
    template_declaration: () => ({ wraps: {} }),
    friend_declaration: () => ({}),
    field_declaration: declaration,
    access_specifier: accessSection,
    alias_declaration: type,
    concept_definition: type,
    lambda_expression: () => ({ scope: "function" }),
    template_instantiation: () => ({ isOpaque: true }),
  },
};
