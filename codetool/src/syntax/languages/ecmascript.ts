import type { SyntaxNode } from "../../native/index.ts";
import type { Definition, Effect, Frame, Rule, RuleContext, Visibility } from "../rule.ts";

/** The rules JavaScript and TypeScript share; `typescript.ts` adds the kinds that only its grammar has. */

const functionKinds = new Set(["arrow_function", "function_expression", "generator_function"]);
const wrapperKinds = new Set([
  "as_expression",
  "non_null_expression",
  "parenthesized_expression",
  "satisfies_expression",
  "type_assertion",
]);

/** The value inside of parentheses, `as`, `satisfies` and `!`. */
function unwrapped(value: SyntaxNode | null): SyntaxNode | null {
  let inner = value;
  for (let depth = 0; inner !== null && depth < 16 && wrapperKinds.has(inner.kind()); depth++) {
    inner = inner.children().find((child) => child.isNamed() && child.kind() !== "comment") ?? null;
  }
  return inner;
}

/** A member's name as it is written where it is used: no quotes, `#` and `[…]` kept. */
function memberName(name: SyntaxNode | null): string | null {
  if (name === null) return null;
  const text = name.text();
  return name.kind() === "string" ? text.slice(1, -1) : text;
}

/** What is before the symbol decides: `#x` and `private x` are nobody else's. */
function memberVisibility(node: SyntaxNode, name: string): Visibility {
  if (name.startsWith("#")) return "hidden";
  const accessibility = node.children().find((child) => child.kind() === "accessibility_modifier");
  return accessibility !== undefined && accessibility.text() !== "public" ? "hidden" : "inherited";
}

function topVisibility(context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  return context.scope === "module" && isAmbient(context) ? "inherited" : "listed";
}

/** Inside of `declare module …`, where everything is exported without saying so. */
function isAmbient(context: RuleContext): boolean {
  let frame: Frame | null = context.parent;
  for (let depth = 0; frame !== null && depth < 8; depth++, frame = frame.parent) {
    if (frame.kind === "ambient_declaration" && frame.parent?.scope !== "function") return true;
  }
  return false;
}

/** UTF-16 offset after the decorators a node begins with. */
function afterDecorators(node: SyntaxNode, context: RuleContext): number {
  if (context.text[context.start] !== "@") return context.start;
  const first = node.children().find((child) => child.kind() !== "decorator");
  return first?.range().start.index ?? context.start;
}

/** A definition whose name and body are fields of the node. */
function declared(kind: Definition["kind"], scope?: Effect["scope"]): Rule {
  return (node, context) => {
    const name = node.field("name");
    if (name === null) return null;
    const isWrapped = context.parent.wraps !== null;
    return {
      ...(scope === undefined ? {} : { scope }),
      defines: [
        {
          name: memberName(name) ?? "",
          kind,
          visibility: topVisibility(context),
          body: node.field("body"),
          ...(isWrapped ? {} : { signatureStart: afterDecorators(node, context) }),
        },
      ],
    };
  };
}

function classExpression(node: SyntaxNode, context: RuleContext): Effect {
  if (context.parent.wraps?.remark !== "default")
    return { scope: "type", defines: ownNamed("class", node, context) };
  const name = node.field("name")?.text() ?? "default";
  return {
    scope: "type",
    defines: [{ name, kind: "class", visibility: "exported", body: node.field("body") }],
  };
}

function functionExpression(node: SyntaxNode, context: RuleContext): Effect {
  return { scope: "function", defines: ownNamed("function", node, context) };
}

/** What gives its value a name. */
const bindingKinds = new Set([
  "variable_declarator",
  "pair",
  "assignment_expression",
  "field_definition",
  "public_field_definition",
  "export_statement",
]);

/**
 * A named function or class expression that nothing around it names: an argument, an element, what is returned.
 * `const f = wrap(function f() {})` is one symbol too.
 */
function ownNamed(
  kind: "class" | "function",
  node: SyntaxNode,
  { parent }: RuleContext,
): readonly Definition[] {
  const name = node.field("name")?.text();
  if (name === undefined) return [];
  const bound = bindingKinds.has(parent.kind) ? parent.symbol : null;
  // A binding is of another kind than `const` only where this is its value.
  if (bound !== null && (bound.kind !== "const" || bound.name === name)) return [];
  return [{ name, kind, visibility: "hidden", body: node.field("body") }];
}

function method(node: SyntaxNode, context: RuleContext): Effect | null {
  const name = memberName(node.field("name"));
  if (name === null || name === "") return { scope: "function" };
  return {
    scope: "function",
    defines: [
      {
        name,
        kind: "method",
        visibility: memberVisibility(node, name),
        body: node.field("body"),
        signatureStart: afterDecorators(node, context),
      },
    ],
  };
}

function field(node: SyntaxNode, context: RuleContext): Effect | null {
  const name = memberName(node.field("name") ?? node.field("property"));
  if (name === null) return null;
  const value = unwrapped(node.field("value"));
  const isFunction = value !== null && functionKinds.has(value.kind());
  return {
    defines: [
      {
        name,
        kind: isFunction ? "method" : "const",
        visibility: memberVisibility(node, name),
        body: isFunction ? value.field("body") : null,
        signatureStart: afterDecorators(node, context),
        signatureEnd: "line",
      },
    ],
  };
}

/** What a name is bound to: a function, a class, an object with functions in it, or a plain value. */
function binding(
  name: string,
  value: SyntaxNode | null,
  options: { readonly visibility: Visibility; readonly isConstWanted: boolean },
): Definition | null {
  const { visibility } = options;
  const kind = value?.kind() ?? "";
  if (functionKinds.has(kind)) {
    return { name, kind: "function", visibility, body: value?.field("body") ?? null };
  }
  if (kind === "class") {
    return { name, kind: "class", visibility, body: value?.field("body") ?? null };
  }
  return options.isConstWanted
    ? { name, kind: "const", visibility, body: null, signatureEnd: "line" }
    : null;
}

/** `require("x")` and `await import("x")` bring names in; they define nothing. */
function isImport(value: SyntaxNode | null, context: RuleContext): boolean {
  if (value === null) return false;
  const { index } = value.range().start;
  return /^(?:await\s+import|require)\s*\(\s*["'`]/.test(context.text.slice(index, index + 40));
}

function isFileLevel(context: RuleContext): boolean {
  return context.scope === "file" || context.scope === "module";
}

function variable(node: SyntaxNode, context: RuleContext): Effect | null {
  const name = node.field("name");
  const value = unwrapped(node.field("value"));
  if (name === null || isImport(value, context)) return null;
  const isConstWanted = isFileLevel(context);
  const visibility = topVisibility(context);
  if (name.kind() === "identifier") {
    const found = binding(name.text(), value, { visibility, isConstWanted });
    return found === null ? null : { defines: [found] };
  }
  if (!isConstWanted) return null;
  const names = name.findAll({
    rule: {
      any: ["shorthand_property_identifier_pattern", "identifier"].map((kind) => ({ kind })),
    },
  });
  return {
    defines: names.map((each) => ({
      name: each.text(),
      node: each,
      kind: "const",
      visibility,
      body: null,
      signatureStart: context.start,
      signatureEnd: "line",
    })),
  };
}

const objectHolders = new Set(["return_statement", "assignment_expression"]);

/** Members of an object: its functions are methods of what the object is bound to. */
function pair(node: SyntaxNode, context: RuleContext): Effect | null {
  if (context.scope === "function" && !objectHolders.has(context.parent.kind)) return null;
  const value = unwrapped(node.field("value"));
  if (value === null || !functionKinds.has(value.kind())) return null;
  const name = memberName(node.field("key"));
  if (name === null || name === "") return null;
  const container = context.parent.marks.get("container");
  return {
    defines: [
      {
        name,
        kind: "method",
        visibility: container === undefined ? "inherited" : "listed",
        body: value.field("body"),
        ...(container === undefined ? {} : { container }),
      },
    ],
  };
}

const exportsTarget = /^(?:module\s*\.\s*)?exports(?:\s*\.\s*([\w$]+))?$/;
const memberTarget = /^(this|[\w$.]+?)(\.prototype)?\.([\w$]+)$/;

/** `exports.x = …`, `module.exports = …`, `A.prototype.f = …`, `a.f = function …`. */
function assignment(node: SyntaxNode, context: RuleContext): Effect | null {
  const left = node.field("left");
  if (left === null || left.kind() === "identifier") return null;
  const { start, end } = left.range();
  if (end.index - start.index > 200) return null;
  const target = context.text.slice(start.index, end.index);
  const value = unwrapped(node.field("right"));
  const exported = exportsTarget.exec(target);
  if (exported !== null) return exportsAssignment(exported[1] ?? null, value, context);
  const member = memberTarget.exec(target);
  if (member === null || value === null) return null;
  const [, object = "", prototype, name = ""] = member;
  if (!functionKinds.has(value.kind())) {
    const isPrototype = name === "prototype" && value.kind() === "object";
    return isPrototype ? { marks: { container: object } } : null;
  }
  const isDefinition =
    context.scope !== "function" || prototype !== undefined || /^(?:this$|[A-Z_$])/.test(object);
  if (!isDefinition) return null;
  return {
    defines: [
      {
        name,
        kind: "method",
        visibility: object === "this" ? "inherited" : "listed",
        body: value.field("body"),
        ...(object === "this" ? {} : { container: object }),
      },
    ],
  };
}

function exportsAssignment(
  name: string | null,
  value: SyntaxNode | null,
  context: RuleContext,
): Effect | null {
  const kind = value?.kind() ?? "";
  if (kind === "identifier") {
    context.exportedNames.add(value?.text() ?? "");
    return null;
  }
  if (kind === "object" && name === null) {
    for (const child of value?.children() ?? []) {
      if (child.kind() === "shorthand_property_identifier") context.exportedNames.add(child.text());
      const aliased = child.kind() === "pair" ? child.field("value") : null;
      if (aliased?.kind() === "identifier") context.exportedNames.add(aliased.text());
    }
  }
  if (isImport(value, context) || kind === "undefined" || kind === "unary_expression") return null;
  const ownName = value?.field("name")?.text();
  const found = binding(name ?? ownName ?? "module.exports", value, {
    visibility: "exported",
    isConstWanted: isFileLevel(context),
  });
  return found === null ? null : { defines: [found] };
}

function exportStatement(node: SyntaxNode, context: RuleContext): Effect {
  const children = node.children();
  const keyword = children.find((child) => child.kind() === "export");
  const signatureStart =
    context.text[context.start] === "@"
      ? (keyword?.range().start.index ?? context.start)
      : context.start;
  const isDefault = children.some((child) => child.kind() === "default");
  const value = isDefault ? unwrapped(node.field("value")) : null;
  if (value === null) {
    const equals = children.findIndex((child) => child.kind() === "=");
    if (equals >= 0) context.exportedNames.add(children[equals + 1]?.text() ?? "");
    return { wraps: { isExported: true, signatureStart } };
  }
  const kind = value.kind();
  if (kind === "identifier") context.exportedNames.add(value.text());
  if (functionKinds.has(kind) || kind === "object") {
    const found = binding(value.field("name")?.text() ?? "default", value, {
      visibility: "exported",
      isConstWanted: true,
    });
    return { defines: found === null ? [] : [{ ...found, signatureStart }] };
  }
  return kind === "class" ? { wraps: { isExported: true, signatureStart, remark: "default" } } : {};
}

/** `export { a, b as c }`: the definitions of `a` and `b` are exported; with `from` they are elsewhere. */
function exportSpecifier(node: SyntaxNode, context: RuleContext): null {
  context.exportedNames.add(node.field("name")?.text() ?? "");
  return null;
}

/** A returned object is the interface of what a factory makes: its functions count. */
function returnStatement(node: SyntaxNode): Effect | null {
  const value = unwrapped(node.child(1));
  return value?.kind() === "object" ? {} : null;
}

const bodyOfModule = new Set(["internal_module", "module"]);

const transparent: Rule = () => ({});
const inFunction: Rule = () => ({ scope: "function" });
const statement: Rule = () => ({ wraps: {} });
/** A block at file level that is not a module: its functions count, its variables do not. */
const block: Rule = (_node, context) => {
  // declare global { … }
  if (context.parent.kind === "ambient_declaration") return { scope: "module" };
  return isFileLevel(context) && !bodyOfModule.has(context.parent.kind) ? { scope: "block" } : {};
};

/** Rules for the kinds both grammars have. */
export const ecmascriptRules: { readonly [nodeKind: string]: Rule } = {
  export_statement: exportStatement,
  export_specifier: exportSpecifier,
  lexical_declaration: statement,
  variable_declaration: statement,
  variable_declarator: variable,
  function_declaration: declared("function", "function"),
  generator_function_declaration: declared("function", "function"),
  class_declaration: declared("class", "type"),
  class: classExpression,
  class_body: transparent,
  class_static_block: inFunction,
  method_definition: method,
  arrow_function: inFunction,
  function_expression: functionExpression,
  generator_function: functionExpression,
  pair,
  assignment_expression: assignment,
  statement_block: block,
  for_statement: block,
  for_in_statement: block,
  return_statement: returnStatement,
  decorator: () => ({ isLead: true }),
};

export { declared, field, memberName, memberVisibility };
