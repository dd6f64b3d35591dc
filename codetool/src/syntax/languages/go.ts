import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, Visibility } from "../rule.ts";

/** A name that begins with an upper-case letter is exported, at file level and as a member. */
function visibilityOf(name: string, context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  if (!/^\p{Lu}/u.test(name)) return "hidden";
  return context.scope === "type" ? "inherited" : "exported";
}

const callable: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "function" };
  return {
    scope: "function",
    defines: [
      {
        name,
        kind: "function",
        visibility: visibilityOf(name, context),
        body: node.field("body"),
      },
    ],
  };
};

/** A method is outside of its type: the receiver tells which. */
const method: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "function" };
  const receiver = node.field("receiver")?.text() ?? "";
  const type = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^)]*\])?\s*,?\s*\)$/u.exec(receiver)?.[1];
  return {
    scope: "function",
    defines: [
      {
        name,
        kind: "method",
        visibility: visibilityOf(name, context),
        body: node.field("body"),
        ...(type === undefined ? {} : { container: type }),
      },
    ],
  };
};

const typeKinds: { readonly [nodeKind: string]: "struct" | "interface" } = {
  struct_type: "struct",
  interface_type: "interface",
};

const type: Rule = (node, context) => {
  const name = node.field("name")?.text();
  const definition = node.field("type");
  if (name === undefined || name === "_") return null;
  const kind = typeKinds[definition?.kind() ?? ""] ?? "type";
  return {
    scope: "type",
    defines: [
      {
        name,
        kind,
        visibility: visibilityOf(name, context),
        body: kind === "type" ? null : bracesOf(definition),
      },
    ],
  };
};

/** What follows `struct` or `interface`. */
function bracesOf(definition: SyntaxNode | null): SyntaxNode | null {
  const fields = definition?.children() ?? [];
  return fields.find((child) => /^(?:field_declaration_list|\{)$/.test(child.kind())) ?? null;
}

/** A method of an interface; those of interfaces inside of function types do not count. */
const interfaceMethod: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined || context.parent.symbol?.kind !== "interface") return null;
  return {
    defines: [{ name, kind: "method", visibility: visibilityOf(name, context), body: null }],
  };
};

/** One line of `const (…)` or `var (…)` may name several; a variable that holds a function is a function. */
const values: Rule = (node, context) => {
  if (context.scope !== "file") return null;
  const names = node.fieldChildren("name").filter((name) => name.kind() === "identifier");
  const assigned = node.field("value")?.child(0) ?? null;
  const isFunction = names.length === 1 && assigned?.kind() === "func_literal";
  const defines = names
    .filter((name) => name.text() !== "_")
    .map((each) => {
      const name = each.text();
      const visibility = visibilityOf(name, context);
      if (isFunction) {
        return { name, kind: "function" as const, visibility, body: assigned.field("body") };
      }
      return {
        name,
        kind: "const" as const,
        visibility,
        body: null,
        ...(names.length === 1 ? {} : { node: each, signatureStart: context.start }),
        signatureEnd: "line" as const,
      };
    });
  return { defines };
};

/** A declaration of one name begins at its keyword; a group in parentheses is not a wrapper. */
const declaration: Rule = (_node, context): Effect => {
  const isGroup = /^\w+\s*\(/.test(context.text.slice(context.start, context.start + 64));
  return isGroup ? {} : { wraps: {} };
};

/** Go. */
export const go: LanguageSyntax = {
  language: "go",
  parserName: "go",
  grammar: "go",
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  rules: {
    function_declaration: callable,
    method_declaration: method,
    type_declaration: declaration,
    type_spec: type,
    type_alias: type,
    method_elem: interfaceMethod,
    const_declaration: declaration,
    var_declaration: declaration,
    const_spec: values,
    var_spec: values,
    func_literal: () => ({ scope: "function" }),
  },
};
