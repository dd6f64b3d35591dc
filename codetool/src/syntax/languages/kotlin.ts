import type { SyntaxNode } from "../../native/index.ts";
import type {
  Effect,
  LanguageSyntax,
  RepairedText,
  Rule,
  RuleContext,
  SymbolKind,
  Visibility,
} from "../rule.ts";

/** Everything is public that does not say otherwise; `protected` is for others too. */
function visibilityOf(words: readonly string[], context: RuleContext): Visibility {
  if (context.scope === "function" || context.parent.marks.has("local")) return "hidden";
  return words.includes("private") || words.includes("internal") ? "hidden" : "inherited";
}

interface Head {
  /** Modifiers and keywords before the name: `private`, `enum`, `class`. */
  readonly words: readonly string[];
  readonly name: SyntaxNode | null;
  readonly body: SyntaxNode | null;
  /** The type that an extension is of. */
  readonly receiver: string | undefined;
  readonly signatureStart: number;
}

const nameKinds = new Set(["simple_identifier", "type_identifier"]);
const bodyKinds = /^(?:class_body|enum_class_body|function_body)$/;

/** The grammar names no fields, so the children are read in their order. */
function headOf(node: SyntaxNode): Head {
  const words: string[] = [];
  let name: SyntaxNode | null = null;
  let body: SyntaxNode | null = null;
  let receiver: string | undefined;
  let signatureStart: number | null = null;
  let last: SyntaxNode | null = null;
  for (const child of node.children()) {
    const kind = child.kind();
    if (kind === "modifiers") {
      const spoken = child.children().filter((each) => each.kind() !== "annotation");
      words.push(...spoken.map((each) => each.text()));
      signatureStart = spoken[0]?.range().start.index ?? null;
      continue;
    }
    if (!kind.endsWith("comment")) signatureStart ??= child.range().start.index;
    if (name === null && nameKinds.has(kind)) name = child;
    else if (name === null && !child.isNamed() && /^\w+$/.test(kind)) words.push(kind);
    // `fun String.half()`: the type is before the dot.
    if (name === null && kind === "." && last !== null) receiver = typeName(last);
    if (bodyKinds.test(kind)) body = child;
    last = child;
  }
  return {
    words,
    name,
    body,
    receiver,
    signatureStart: signatureStart ?? node.range().start.index,
  };
}

/** `List` of `List<T>?`. */
function typeName(type: SyntaxNode): string {
  return type
    .text()
    .replace(/<[^]*$|\?$/g, "")
    .replace(/^.*\./s, "")
    .trim();
}

const classLike: Rule = (node, context) => {
  const { words, name, body, signatureStart } = headOf(node);
  if (name === null) return { scope: "type" };
  const kind: SymbolKind = words.includes("interface")
    ? "interface"
    : words.includes("enum")
      ? "enum"
      : "class";
  const visibility = visibilityOf(words, context);
  return {
    scope: "type",
    defines: [{ name: name.text(), kind, visibility, body, signatureStart }],
  };
};

/** Without a name a companion is `Companion`. */
const companion: Rule = (node, context) => {
  const { words, name, body, signatureStart } = headOf(node);
  const visibility = visibilityOf(words, context);
  const spoken = name?.text() ?? "Companion";
  return {
    scope: "type",
    defines: [{ name: spoken, kind: "class", visibility, body, signatureStart }],
  };
};

const callable: Rule = (node, context) => {
  const { words, name, body, receiver, signatureStart } = headOf(node);
  if (name === null) return { scope: "function" };
  return {
    scope: "function",
    defines: [
      {
        name: name.text(),
        kind: context.scope === "type" ? "method" : "function",
        visibility: visibilityOf(words, context),
        body,
        signatureStart,
        ...(receiver === undefined ? {} : { container: receiver }),
      },
    ],
  };
};

const constructor: Rule = (node, context) => {
  const { words, signatureStart } = headOf(node);
  const body = node.children().find((child) => child.kind() === "{") ?? null;
  const visibility = visibilityOf(words, context);
  return {
    scope: "function",
    defines: [{ name: "constructor", kind: "method", visibility, body, signatureStart }],
  };
};

/** A property, with the accessors on the lines after it, which the grammar takes for its neighbours. */
const property: Rule = (node, context) => {
  if (context.scope === "function") return null;
  const { words, receiver, signatureStart } = headOf(node);
  const children = node.children();
  const single = children.filter((child) => child.kind() === "variable_declaration");
  const several = children.find((child) => child.kind() === "multi_variable_declaration");
  const names = several?.children().filter((child) => child.isNamed()) ?? single;
  const visibility = visibilityOf(words, context);
  const accessor = children.find((child) => /^[gs]etter$/.test(child.kind())) ?? null;
  return {
    scope: "function",
    defines: names.map((each) => ({
      name: (each.child(0) ?? each).text(),
      kind: "const",
      visibility,
      body: null,
      ...(names.length === 1 ? lastOf(node, context) : { node: each }),
      ...(accessor === null ? {} : { body: accessor }),
      signatureStart,
      signatureEnd: "line",
      ...(receiver === undefined ? {} : { container: receiver }),
    })),
  };
};

function lastOf(node: SyntaxNode, context: RuleContext): { last?: SyntaxNode; body?: SyntaxNode } {
  const after = context.text.slice(context.end, context.end + 200);
  if (!/^[\s;]*(?:@[\w.]+\s+|[a-z]+\s+)*(?:get|set)\b/.test(after)) return {};
  const accessors: SyntaxNode[] = [];
  for (let next = node.next(); next !== null; next = next.next()) {
    if (/^[gs]etter$/.test(next.kind())) accessors.push(next);
    else if (next.isNamed()) break;
  }
  const [body] = accessors;
  const last = accessors.at(-1);
  return body === undefined || last === undefined ? {} : { body, last };
}

/** `val` or `var` among the parameters of a class makes a property of it. */
const parameter: Rule = (node, context) => {
  const { words, name, signatureStart } = headOf(node);
  const isProperty = node.children().some((child) => child.kind() === "binding_pattern_kind");
  if (!isProperty || name === null || context.scope !== "type") return { scope: "function" };
  const visibility = visibilityOf(words, context);
  return {
    scope: "function",
    defines: [{ name: name.text(), kind: "const", visibility, body: null, signatureStart }],
  };
};

const alias: Rule = (node, context) => {
  const { words, name, signatureStart } = headOf(node);
  if (name === null) return null;
  const visibility = visibilityOf(words, context);
  return { defines: [{ name: name.text(), kind: "type", visibility, body: null, signatureStart }] };
};

/** The grammar does not know `fun interface`. */
function repair(text: string): RepairedText {
  const changed = text.replace(/\bfun(?=[ \t]+interface[ \t]+[A-Z])/g, "   ");
  return { text: changed, alternative: null, droppedLines: new Set() };
}

const inFunction = (): Effect => ({ scope: "function" });

/** Kotlin. Objects are classes; properties, and parameters that declare one, are constants. */
export const kotlin: LanguageSyntax = {
  language: "kotlin",
  parserName: "kotlin",
  grammar: "kotlin",
  ellipsis: "/*...*/",
  commentKinds: ["line_comment", "multiline_comment"],
  // Its scanner ends the process at about a thousand templates inside of one another.
  nestingMax: 500,
  repair,
  rules: {
    class_declaration: classLike,
    object_declaration: classLike,
    companion_object: companion,
    function_declaration: callable,
    secondary_constructor: constructor,
    property_declaration: property,
    class_parameter: parameter,
    type_alias: alias,
    getter: () => ({ isOpaque: true }),
    setter: () => ({ isOpaque: true }),
    anonymous_initializer: inFunction,
    enum_entry: () => ({ scope: "type" }),
    object_literal: (_node, context) => ({
      scope: "type",
      marks: context.scope === "function" ? { local: "true" } : {},
    }),
    lambda_literal: inFunction,
    anonymous_function: inFunction,
  },
};
