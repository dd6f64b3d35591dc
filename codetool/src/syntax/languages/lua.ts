import type { SyntaxNode } from "../../native/index.ts";
import type {
  Definition,
  Effect,
  Frame,
  LanguageSyntax,
  Rule,
  RuleContext,
  SymbolKind,
} from "../rule.ts";

type Seen = Pick<Definition, "visibility" | "listedAs">;

/** A local of the file is seen outside when the file returns it; what is put in it is seen as it is. */
function visibilityOf(root: string, context: RuleContext): Seen {
  if (context.scope === "function") return { visibility: "hidden" };
  return context.fileNames.has(`local ${root}`)
    ? { visibility: "listed", listedAs: root }
    : { visibility: "exported" };
}

/** `a.b.c` and `a.b:c` are `c` of `a.b`. */
function namesOf(target: SyntaxNode): { name: string; container?: string; root: string } | null {
  const text = target.text().replace(/\s+/g, "");
  const found = /^(?:(.*)[.:])?([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text);
  const quoted = /^([\p{L}\p{N}_.]+)\[["']([^"'\]]+)["']\]$/u.exec(text);
  const [, container, name] = found ?? quoted ?? [];
  if (name === undefined || (container ?? "").length > 200) return null;
  const root = /^[^.:[(]*/.exec(container ?? name)?.[0] ?? "";
  return { name, root, ...(container === undefined ? {} : { container }) };
}

const declaration: Rule = (node, context) => {
  const target = node.field("name");
  const names = target === null ? null : namesOf(target);
  if (names === null) return { scope: "function" };
  const { root, ...named } = names;
  if (isLocal(context.text, context.start)) addLocal(root, context);
  const isMethod = target?.kind() === "method_index_expression";
  return {
    scope: "function",
    defines: [
      {
        ...named,
        kind: isMethod ? "method" : "function",
        ...visibilityOf(root, context),
        ...bodyOf(node, context),
      },
    ],
  };
};

function isLocal(text: string, start: number): boolean {
  return /^local\b/.test(text.slice(start, start + 6));
}

function addLocal(name: string, context: RuleContext): void {
  if (context.scope !== "function") context.fileNames.add(`local ${name}`);
}

/** A body begins after the parameters, and holds the `end`. */
function bodyOf(node: SyntaxNode, context: RuleContext): Pick<Definition, "body" | "signature"> {
  const body = node.field("body");
  const end = node.field("parameters")?.range().end.index ?? context.end;
  return { body, signature: context.text.slice(context.start, end) };
}

/** `local` before it belongs to the assignment inside. */
const local: Rule = (node, context) => {
  const inner = node.children().find((child) => child.isNamed());
  if (inner?.kind() === "variable_list") {
    // Without a value it is defined where it gets one.
    for (const each of inner.fieldChildren("name")) addLocal(each.text(), context);
    return null;
  }
  for (const each of inner?.child(0)?.fieldChildren("name") ?? []) addLocal(each.text(), context);
  return { wraps: {} };
};

/** Functions are found wherever they are assigned; other values only at file level, once. */
const assignment: Rule = (node, context) => {
  const [targets, values] = node.children().filter((child) => child.isNamed());
  const names = targets?.fieldChildren("name") ?? [];
  const [first] = names;
  const value = values?.child(0) ?? null;
  if (first === undefined || value === null) return null;
  if (names.length === 1 && value.kind() === "function_definition") {
    return assignedFunction(first, { value, context });
  }
  if (context.scope !== "file") return null;
  if (isRequire(value, context)) return null;
  return {
    scope: "object",
    defines: names.flatMap((each) => constant(each, { context, isOne: names.length === 1 })),
  };
};

function assignedFunction(
  target: SyntaxNode,
  { value, context }: { value: SyntaxNode; context: RuleContext },
): Effect | null {
  const names = namesOf(target);
  if (names === null) return null;
  const { root, ...named } = names;
  const end = value.field("parameters")?.range().end.index ?? context.end;
  const start = statementStart(context);
  return {
    defines: [
      {
        ...named,
        kind: "function",
        ...visibilityOf(root, context),
        body: value.field("body"),
        signature: context.text.slice(start, end),
      },
    ],
  };
}

/** `local` is in the node around. */
function statementStart({ parent, start }: RuleContext): number {
  return parent.wraps === null ? start : parent.start;
}

/** `require "x"` brings in and defines nothing, however it is wrapped. */
function isRequire(value: SyntaxNode, context: RuleContext): boolean {
  const { start } = value.range();
  return /^require\b/.test(context.text.slice(start.index, start.index + 8));
}

function constant(
  target: SyntaxNode,
  { context, isOne }: { context: RuleContext; isOne: boolean },
): Definition[] {
  const names = namesOf(target);
  const path = target.text();
  if (names === null || names.name === "__index" || context.fileNames.has(path)) return [];
  context.fileNames.add(path);
  const { root, ...named } = names;
  return [
    {
      ...named,
      kind: "const",
      ...visibilityOf(root, context),
      body: null,
      ...(isOne ? {} : { node: target, signatureStart: statementStart(context) }),
      signatureEnd: "line",
    },
  ];
}

/** `name = function … end` in a table that has a name, or that the file returns. */
const field: Rule = (node, context) => {
  if (context.scope !== "object") return null;
  const value = node.field("value");
  if (value?.kind() !== "function_definition") return null;
  const name =
    node
      .field("name")
      ?.text()
      .replace(/^["']|["']$/g, "") ?? "";
  const kind: SymbolKind = isInSymbol(context) ? "method" : "function";
  const end = value.field("parameters")?.range().end.index ?? context.end;
  return {
    defines: [
      {
        name,
        kind,
        visibility: "inherited",
        body: value.field("body"),
        signature: context.text.slice(context.start, end),
      },
    ],
  };
};

function isInSymbol(context: RuleContext): boolean {
  for (let frame: Frame | null = context.parent; frame !== null; frame = frame.parent) {
    if (frame.symbol !== null) return true;
  }
  return false;
}

/** Loops and conditions at file level: their functions count, their variables do not. */
const block: Rule = (_node, context) => (context.scope === "file" ? { scope: "block" } : {});

/** The last statement of a file says what others get; all names in it count. */
const returned: Rule = (node, context): Effect | null => {
  if (context.scope !== "file") return null;
  const text = node.text().slice(0, 20_000);
  for (const [name] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) context.exportedNames.add(name);
  return { scope: "object" };
};

const wordPairCountMax = 1_000;
const longBracketCountMax = 500;
const keyword =
  "(?:and|do|else|elseif|end|for|function|goto|if|in|local|not|or|repeat|return|then|until|while)";
const keywordRun = new RegExp(`(?:\\b${keyword}\\s+){500}`);
const word = `(?!${keyword}\\b)[A-Za-z_]\\w*`;
const wordPair = new RegExp(`\\b${word}[ \\t]+(?=${word}\\b)|=[ \\t]+(?==[^=])`, "g");
const quotedOrComment =
  /(?:--)?\[(=*)\[(?:[^]*?\]\1\]|[^]*$)|--[^\n]*|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'/g;

/**
 * Prose, and long brackets that are never closed: the parser's time grows with the square of the errors it meets
 * (8 s for 40,000 words, 1 s for 8,000 times `[[`). Two names next to each other are not Lua, nor are hundreds of
 * keywords.
 */
function isSenseless(text: string): boolean {
  // Most texts are too short to matter, whatever is in them.
  if (text.length < 2 * longBracketCountMax) return false;
  let isUnclosed = false;
  const code = text.replace(quotedOrComment, (part, level: string | undefined) => {
    if (level !== undefined && !part.endsWith(`]${level}]`))
      isUnclosed ||= countOf(part, /\[=*\[/g) > longBracketCountMax;
    return '""';
  });
  return isUnclosed || keywordRun.test(code) || countOf(code, wordPair) > wordPairCountMax;
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) count += 1;
  return count;
}

/** Lua. `function a.b:c()` is a method of `a.b`; functions in a named table are its methods. */
export const lua: LanguageSyntax = {
  language: "lua",
  parserName: "lua",
  grammar: "lua",
  isSenseless,
  ellipsis: "-- ...",
  lineComment: "--",
  bodyClosing: "end",
  nestingMax: 1_000,
  commentKinds: ["comment"],
  rules: {
    function_declaration: declaration,
    function_definition: () => ({ scope: "function" }),
    variable_declaration: local,
    assignment_statement: assignment,
    field,
    return_statement: returned,
    if_statement: block,
    do_statement: block,
    for_statement: block,
    while_statement: block,
    repeat_statement: block,
  },
};
