import type { SyntaxNode } from "../../native/index.ts";
import type { Effect, LanguageSyntax, Rule, RuleContext, Visibility } from "../rule.ts";

/** A leading underscore is private, unless the name is one of Python's own (`__init__`). */
function visibilityOf(name: string, context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  const isPrivate = name.startsWith("_") && !(name.startsWith("__") && name.endsWith("__"));
  if (context.scope === "type") return isPrivate ? "hidden" : "inherited";
  if (context.exportedNames.has(allMark)) return "listed";
  return isPrivate ? "hidden" : "exported";
}

/** In the set of exported names when the file says `__all__`; no name is written like this. */
const allMark = "(__all__)";

function definition(kind: "function" | "class", scope: "function" | "type"): Rule {
  return (node, context) => {
    const name = node.field("name")?.text();
    if (name === undefined || name === "") return { scope };
    return {
      scope,
      defines: [
        {
          name,
          kind: kind === "function" && context.scope === "type" ? "method" : kind,
          visibility: visibilityOf(name, context),
          body: node.field("body"),
          signatureEnd: "python",
        },
      ],
    };
  };
}

/** `@decorator` lines belong to the definition; its signature begins after them. */
function decorated(node: SyntaxNode): Effect {
  const inner = node.field("definition");
  return inner === null ? {} : { wraps: { signatureStart: inner.range().start.index } };
}

/** A name assigned at file level is a constant, once; a lambda is a function. */
function assignment(node: SyntaxNode, context: RuleContext): Effect | null {
  const left = node.field("left");
  if (left === null || context.parent.kind === "assignment") return null;
  const right = node.field("right");
  if (right?.kind() === "lambda" && left.kind() === "identifier") {
    const name = left.text();
    const kind = context.scope === "type" ? "method" : "function";
    const visibility = visibilityOf(name, context);
    return { scope: "function", defines: [{ name, kind, visibility, body: right.field("body") }] };
  }
  if (context.scope !== "file") return null;
  const names = allTargets(node).filter((target) => !context.fileNames.has(target.text()));
  if (names.length === 0) return {};
  if (names[0]?.text() === "__all__") readAll(right, context);
  const isOne = names.length === 1 && left.kind() === "identifier";
  return {
    defines: names.map((target) => {
      const name = target.text();
      context.fileNames.add(name);
      return {
        name,
        kind: "const",
        visibility: visibilityOf(name, context),
        body: null,
        ...(isOne ? {} : { node: target, signatureStart: context.start }),
        signatureEnd: "line",
      };
    }),
  };
}

const patternKinds = new Set([
  "pattern_list",
  "tuple_pattern",
  "list_pattern",
  "list_splat_pattern",
]);

/** The names of `a = b, c = 1`, in order. */
function allTargets(node: SyntaxNode): SyntaxNode[] {
  const names: SyntaxNode[] = [];
  let current: SyntaxNode | null = node;
  for (let depth = 0; current?.kind() === "assignment" && depth < 64; depth++) {
    const left = current.field("left");
    if (left !== null) names.push(...targetNames(left));
    current = current.field("right");
  }
  return names;
}

function targetNames(left: SyntaxNode): SyntaxNode[] {
  if (left.kind() === "identifier") return [left];
  if (!patternKinds.has(left.kind())) return [];
  return left.children().flatMap((child) => (child.isNamed() ? targetNames(child) : []));
}

function readAll(list: SyntaxNode | null, context: RuleContext): void {
  if (list === null || !/^(?:list|tuple)$/.test(list.kind())) return;
  context.exportedNames.add(allMark);
  for (const item of list.findAll({ rule: { kind: "string_content" } })) {
    context.exportedNames.add(item.text());
  }
}

function typeAlias(node: SyntaxNode, context: RuleContext): Effect | null {
  const name = /^type\s+([\p{L}\p{N}_]+)/u.exec(node.text())?.[1];
  if (name === undefined || context.scope === "function") return null;
  return { defines: [{ name, kind: "type", visibility: visibilityOf(name, context), body: null }] };
}

/** A loop or `with` at file level: its functions count, its variables do not. */
const block: Rule = (_node, context) => (context.scope === "file" ? { scope: "block" } : {});

/** Python. */
export const python: LanguageSyntax = {
  language: "python",
  parserName: "python",
  grammar: "python",
  ellipsis: "...",
  lineComment: "#",
  commentKinds: ["comment"],
  hasDocumentationStrings: true,
  rules: {
    class_definition: definition("class", "type"),
    function_definition: definition("function", "function"),
    decorated_definition: decorated,
    assignment,
    type_alias_statement: typeAlias,
    for_statement: block,
    while_statement: block,
    with_statement: block,
    lambda: () => ({ scope: "function" }),
  },
};
