import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext } from "../rule.ts";
import { declared, ecmascriptRules, field, memberName, memberVisibility } from "./ecmascript.ts";

/** A member without body: of an interface, an abstract class, or an overload. Object types inside of others do not count. */
const signature: Rule = (node, context) => {
  if (!memberHolders.has(context.parent.kind)) return null;
  const name = memberName(node.field("name"));
  if (name === null || name === "") return null;
  const isMethod = node.kind() !== "property_signature";
  const visibility = memberVisibility(node, name);
  return { defines: [{ name, kind: isMethod ? "method" : "const", visibility, body: null }] };
};

const memberHolders = new Set(["interface_body", "class_body"]);

/** `namespace A.B {}`, `declare module "x" {}`: what is inside an ambient one is exported without saying so. */
function namespace(node: SyntaxNode, context: RuleContext): Effect {
  const name = memberName(node.field("name")) ?? "";
  const isAmbient = context.parent.wraps?.remark === "ambient";
  const isText = node.field("name")?.kind() === "string";
  return {
    scope: "module",
    defines: [
      {
        name,
        kind: "module",
        visibility: isText && isAmbient ? "exported" : isAmbient ? "inherited" : "listed",
        body: node.field("body"),
      },
    ],
  };
}

const typescriptRules: { readonly [nodeKind: string]: Rule } = {
  ...ecmascriptRules,
  abstract_class_declaration: declared("class", "type"),
  interface_declaration: declared("interface", "type"),
  interface_body: () => ({}),
  enum_declaration: declared("enum"),
  type_alias_declaration: (node, context) => {
    const found = declared("type")(node, context);
    return found === null ? null : { ...found, isOpaque: true };
  },
  function_signature: declared("function"),
  abstract_method_signature: signature,
  method_signature: signature,
  property_signature: signature,
  public_field_definition: field,
  internal_module: namespace,
  module: namespace,
  ambient_declaration: () => ({ wraps: { remark: "ambient" } }),
};

/** TypeScript. */
export const typescript: LanguageSyntax = {
  language: "typescript",
  parserName: "TypeScript",
  grammar: null,
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  // Translations of Qt have the same extension.
  isSenseless: (text) => /^\s*<(?:\?xml|!DOCTYPE)/.test(text),
  rules: typescriptRules,
};

/** TypeScript with JSX. */
export const tsx: LanguageSyntax = { ...typescript, language: "tsx", parserName: "Tsx" };
