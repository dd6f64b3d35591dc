import type { SyntaxNode } from "../../native/index.ts";
import type { Definition, Effect, Frame, Rule, RuleContext, Visibility } from "../rule.ts";
import { declaredBy } from "./c-declarators.ts";
import { writtenExtern } from "./c-repair.ts";

/** The rules C and C++ share; `cpp.ts` adds the kinds that only its grammar has. */

const aggregateKinds: { readonly [nodeKind: string]: "struct" | "class" | "enum" } = {
  struct_specifier: "struct",
  union_specifier: "struct",
  class_specifier: "class",
  enum_specifier: "enum",
};

/** `static` and anonymous namespaces hide at file level; in a class the section (`public:`) decides. */
function visibilityOf(node: SyntaxNode, context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  if (context.scope === "type") {
    const access = enclosing(context, (frame) => frame.marks.get("access"));
    return access === undefined || access === "public" ? "inherited" : "hidden";
  }
  const isAnonymous = enclosing(context, (frame) => frame.marks.get("anonymous")) !== undefined;
  return isAnonymous || isStatic(node, context) ? "hidden" : "exported";
}

/** Children are asked for only where the word is at all: each is a call into native code. */
function isStatic(node: SyntaxNode, { text, start, end }: RuleContext): boolean {
  if (!text.slice(start, end).includes("static")) return false;
  return node
    .children()
    .some((child) => child.kind() === "storage_class_specifier" && child.text() === "static");
}

/** The nearest answer of a frame on the way up. */
function enclosing(
  context: RuleContext,
  ask: (frame: Frame) => string | undefined,
): string | undefined {
  let frame: Frame | null = context.parent;
  for (let depth = 0; frame !== null && depth < 64; depth++, frame = frame.parent) {
    const answer = ask(frame);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** `A::f` belongs to `A`. */
function containerOf(name: string): { readonly container?: string } {
  const operator = name.indexOf("operator");
  const last = (operator < 0 ? name : name.slice(0, operator)).lastIndexOf("::");
  return last > 0 ? { container: name.slice(0, last) } : {};
}

/** Words that are not the name of a function, whatever is around them. */
const statementWords = /^(?:if|else|for|while|do|switch|catch|return|sizeof|foreach)$/;

const testMacro = /^(?:TYPED_)?TEST(?:_[FP])?$/;

/** A function with its body. Macros before it, or in place of its type, do not matter. */
export const functionDefinition: Rule = (node, context) => {
  const declarator = node.field("declarator");
  const found = declaredBy(declarator);
  const type = node.field("type");
  if (found === null) return { scope: "function" };
  let { name } = found;
  // `foreach (…) {` in a body, and an `else if` that the preprocessor cut off, look like functions.
  const isUntyped = context.scope === "function" && node.field("type") === null;
  if (isUntyped || statementWords.test(name)) return { scope: "function" };
  if (testMacro.test(name)) {
    const written = /\(([^()]*)\)/.exec(declarator?.text() ?? "")?.[1] ?? "";
    name = written.replace(/\s*,\s*/g, ".").trim() || name;
  }
  const body = node.field("body");
  const bodyStart = body?.range().start.index ?? context.end;
  const initializers = context.text.slice(context.start, bodyStart).includes(":")
    ? node.children().find((child) => child.kind() === "field_initializer_list")
    : undefined;
  const { container } = containerOf(name);
  const isFriend = context.parent.kind === "friend_declaration";
  const isMethod = container !== undefined || (context.scope === "type" && !isFriend);
  const definition: Definition = {
    name,
    kind: isMethod ? "method" : "function",
    visibility: isFriend ? "inherited" : visibilityOf(node, context),
    body: initializers ?? body,
    ...(container === undefined ? {} : { container }),
  };
  // `struct S { … } f() { … }` is not written; a type with a body here is a broken text's.
  return type !== null && type.kind() in aggregateKinds && type.field("body") !== null
    ? { scope: "function" }
    : { scope: "function", defines: [definition] };
};

/** The struct, union or enum a declaration defines on the way: `struct S { … } a, *b;` */
function aggregateOf(node: SyntaxNode): { type: SyntaxNode; body: SyntaxNode } | null {
  const type = node.field("type");
  if (type === null || !(type.kind() in aggregateKinds)) return null;
  const body = type.field("body");
  return body === null ? null : { type, body };
}

/** Variables and prototypes of one statement, and the aggregate before them. */
export const declaration: Rule = (node, context) => {
  if (context.parent.kind === "friend_declaration") return null;
  const isInFunction = context.scope === "function";
  // Of a function's own variables only lambdas count.
  if (isInFunction && !context.text.slice(context.start, context.end).includes("[")) return null;
  const visibility = visibilityOf(node, context);
  const declarators = node.fieldChildren("declarator");
  const aggregate = isInFunction ? null : aggregateOf(node);
  const defines: Definition[] = [];
  const isWritten = context.text.startsWith(writtenExtern, context.start);
  const signatureStart = context.start + (isWritten ? writtenExtern.length : 0);
  if (aggregate !== null) {
    const name = aggregateName(aggregate.type);
    const kind = aggregateKinds[aggregate.type.kind()];
    if (name !== null && kind !== undefined) {
      defines.push({ name, kind, visibility, body: aggregate.body });
    }
  }
  for (const declarator of declarators) {
    const found = declaredBy(declarator);
    if (found === null) continue;
    const isLambda = found.value?.kind() === "lambda_expression";
    if (isInFunction && !isLambda) continue;
    // Of the data of a class only what belongs to the class itself counts.
    if (context.scope === "type" && !found.isFunction && !isStatic(node, context)) continue;
    const { container } = containerOf(found.name);
    const isMethod = found.isFunction && (context.scope === "type" || container !== undefined);
    const isWhole = declarators.length === 1 && aggregate === null;
    defines.push({
      name: found.name,
      kind: isMethod ? "method" : found.isFunction || isLambda ? "function" : "const",
      visibility,
      body: isLambda ? (found.value?.field("body") ?? null) : null,
      ...(isWhole ? {} : { node: declarator }),
      ...(isWhole && !isWritten ? {} : { signatureStart }),
      ...(container === undefined ? {} : { container }),
      signatureEnd: found.isFunction ? "whole" : "line",
    });
  }
  if (defines.length === 0) return null;
  return {
    defines,
    ...(aggregate === null ? {} : { marks: { aggregate: "named" } }),
  };
};

/** The same in C, where nothing that a function declares counts: it has no lambdas. */
export const plainDeclaration: Rule = (node, context) =>
  context.scope === "function" ? null : declaration(node, context);

/** `typedef struct { … } T;` defines the struct T; other names are types. */
export const typeDefinition: Rule = (node, context) => {
  const aggregate = aggregateOf(node);
  const visibility: Visibility =
    context.scope === "function" ? "hidden" : context.scope === "type" ? "inherited" : "exported";
  const declarators = node
    .fieldChildren("declarator")
    .map((declarator) => ({ declarator, name: declaredBy(declarator)?.name ?? "" }))
    .filter(({ name }) => name !== "");
  const defines: Definition[] = [];
  if (aggregate !== null) {
    const kind = aggregateKinds[aggregate.type.kind()];
    const tag = aggregateName(aggregate.type);
    const name = tag ?? declarators[0]?.name;
    if (name !== undefined && kind !== undefined) {
      const keyword = aggregate.type.child(0)?.text() ?? kind;
      const signature = tag === null ? { signature: `typedef ${keyword} ${name}` } : {};
      defines.push({ name, kind, visibility, body: aggregate.body, ...signature });
    }
  }
  for (const { declarator, name } of declarators) {
    if (name === defines[0]?.name) continue;
    const isWhole = declarators.length === 1 && aggregate === null;
    defines.push({
      name,
      kind: "type",
      visibility,
      body: null,
      ...(isWhole ? {} : { node: declarator }),
      signatureStart: aggregate === null ? context.start : declarator.range().start.index,
    });
  }
  return { defines, ...(aggregate === null ? {} : { marks: { aggregate: "named" } }) };
};

function aggregateName(type: SyntaxNode): string | null {
  const name = type.field("name");
  if (name === null) return null;
  return declaredBy(name)?.name ?? name.text();
}

/** A struct, union, class or enum with a body; without one it is only mentioned. */
export const aggregate: Rule = (node, context): Effect | null => {
  const body = node.field("body");
  if (body === null) return null;
  const nodeKind = node.kind();
  const kind = aggregateKinds[nodeKind];
  const marks = { access: nodeKind === "class_specifier" ? "private" : "public" };
  const name = aggregateName(node);
  const isDefinedByParent = context.parent.marks.get("aggregate") === "named";
  if (name === null || kind === undefined || isDefinedByParent) {
    return { scope: "type", marks };
  }
  const visibility = visibilityOf(node, context);
  return {
    scope: "type",
    marks,
    defines: [{ name, kind, visibility, body, ...containerOf(name) }],
  };
};

/** A macro with parameters is a function, one with a value a constant; an include guard is neither. */
export const macro: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return null;
  const isFunction = node.kind() === "preproc_function_def";
  if (!isFunction && node.field("value") === null) {
    const before = context.text.slice(Math.max(0, context.start - 200), context.start);
    const guarded = /#\s*if(?:ndef\s+|\s*!\s*defined\s*\(?\s*)(\w+)[^\n]*\n\s*$/.exec(before)?.[1];
    if (guarded === name) return null;
  }
  return {
    defines: [
      {
        name,
        kind: isFunction ? "function" : "const",
        visibility: "exported",
        body: isFunction ? node.field("value") : null,
        signatureEnd: "line",
      },
    ],
  };
};

/** `extern "C"` before one declaration belongs to it; around a block it is nothing. */
export const linkage: Rule = (node) =>
  node.field("body")?.kind() === "declaration_list" ? null : { wraps: {} };

/** Rules for the kinds both grammars have. */
export const cFamilyRules: { readonly [nodeKind: string]: Rule } = {
  function_definition: functionDefinition,
  declaration,
  type_definition: typeDefinition,
  struct_specifier: aggregate,
  union_specifier: aggregate,
  enum_specifier: aggregate,
  preproc_def: macro,
  preproc_function_def: macro,
  linkage_specification: linkage,
};

export { visibilityOf };
