import type { SyntaxNode } from "../../native/index.ts";
import type {
  Definition,
  Effect,
  LanguageSyntax,
  Rule,
  RuleContext,
  SymbolKind,
  Visibility,
} from "../rule.ts";

/** In the set of exported names when the file exports all; no name is written like this. */
const allMark = "(all)";

/** `module A.B (f, T(..)) where`: the list says what is seen from outside. */
const header: Rule = (node, context) => {
  const name = node.field("module")?.text() ?? "";
  const list = node.field("exports");
  if (list === null) context.exportedNames.add(allMark);
  else readExports(list, { name, context });
  return {
    isOpaque: true,
    defines: [{ name, kind: "module", visibility: "exported", body: list }],
  };
};

function readExports(
  list: SyntaxNode,
  { name, context }: { name: string; context: RuleContext },
): void {
  const text = list.text().replace(/\{-[^]*?-\}|--[^\n]*/g, " ");
  for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_.']*|[!#$%&*+./<=>?@\\^|~:-]+/gu)) {
    context.exportedNames.add(word);
  }
  if (new RegExp(`\\bmodule\\s+${name.replaceAll(".", "\\.")}\\s*[,)]`).test(text)) {
    context.exportedNames.add(allMark);
  }
}

function visibilityOf(context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  if (context.scope === "type") return "inherited";
  return context.exportedNames.has(allMark) || context.exportedNames.size === 0
    ? "exported"
    : "listed";
}

/** `(+)` and `` `op` `` without what makes them names or operators. */
function plainName(name: string): string {
  return name.replace(/^[(`]\s*|\s*[)`]$/g, "");
}

const type = (kindOf: (node: SyntaxNode) => SymbolKind): Rule => {
  return (node, context) => {
    const name = headName(node);
    if (name === null) return { scope: "type" };
    const end = bodyStart(node, context);
    return {
      scope: "type",
      defines: [
        {
          name,
          kind: kindOf(node),
          visibility: visibilityOf(context),
          body: null,
          signature: context.text.slice(context.start, end).replace(/(?:\s*=|\s+where)\s*$/, ""),
        },
      ],
    };
  };
};

/** The name of `data T a`, `data a :+: b`, `class Eq a => C a`. */
function headName(node: SyntaxNode): string | null {
  const named = node.field("name");
  if (named !== null) return plainName(named.text());
  for (const child of node.children()) {
    if (child.kind() === "infix") return plainName(child.field("operator")?.text() ?? "");
  }
  return null;
}

const bodyKinds =
  /^(?:data_constructors|gadt_constructors|newtype_constructor|class_declarations|instance_declarations|equations)$/;

/** Where constructors or members begin. */
function bodyStart(node: SyntaxNode, { start, end }: RuleContext): number {
  const body = node.children().find((child) => bodyKinds.test(child.kind()));
  return Math.min(body?.range().start.index ?? end, start + 2000);
}

/** An instance has the name of its type, as far as it has one. */
const instance: Rule = (node, context) => {
  const written = node.field("patterns")?.text() ?? "";
  const last = [...written.matchAll(/(?<![\p{L}\p{N}_'.])\p{Lu}[\p{L}\p{N}_'.]*|\[\]|\(,*\)|->/gu)];
  const head = headOfLast(written) ?? last[0]?.[0] ?? node.field("name")?.text() ?? "";
  return {
    scope: "type",
    defines: [
      {
        name: head.slice(head.lastIndexOf(".") + 1) || head,
        kind: "class",
        visibility: visibilityOfInstance(context),
        body: null,
        signature: context.text
          .slice(context.start, bodyStart(node, context))
          .replace(/\s+where\s*$/, ""),
      },
    ],
  };
};

/** Instances are seen wherever the module is imported. */
function visibilityOfInstance(context: RuleContext): Visibility {
  return context.scope === "function" ? "hidden" : "exported";
}

/** `StateT` of `s (StateT s m)`: a class of several types is said to be of the last. */
function headOfLast(patterns: string): string | null {
  let depth = 0;
  let start = 0;
  for (let index = 0; index < patterns.length; index++) {
    const letter = patterns[index] ?? "";
    if (/[([]/.test(letter)) depth += 1;
    else if (/[)\]]/.test(letter)) depth -= 1;
    else if (/\s/.test(letter) && depth === 0 && /\S/.test(patterns.slice(index)))
      start = index + 1;
  }
  const last = patterns.slice(start).trim();
  return /^[([]*\s*(\p{Lu}[\p{L}\p{N}_'.]*)/u.exec(last)?.[1] ?? null;
}

/**
 * `f :: Int -> Int` and the equations of `f` after it are one symbol; in a class the signature is enough.
 */
const signature: Rule = (node, context) => {
  const names = signatureNames(node);
  const [name] = names;
  if (name === undefined) return null;
  if (context.scope === "type") {
    return { defines: names.map((each) => method(each, { node, names, context })) };
  }
  const last = names.length === 1 ? lastEquation(node, name) : null;
  if (last === null || (context.scope === "function" && !isFunction(last))) return null;
  return {
    scope: "function",
    defines: [
      {
        name,
        kind: "function",
        visibility: visibilityOf(context),
        body: nextEquation(node)?.field("match") ?? null,
        last,
        signature: context.text.slice(context.start, context.end),
      },
    ],
  };
};

function signatureNames(node: SyntaxNode): string[] {
  const list = node.field("names");
  const named = list === null ? [node.field("name")] : list.fieldChildren("name");
  return named.flatMap((each) => (each === null ? [] : [plainName(each.text())]));
}

function method(
  name: string,
  at: { node: SyntaxNode; names: readonly string[]; context: RuleContext },
): Definition {
  const { node, names, context } = at;
  const last = names.length === 1 ? lastEquation(node, name) : null;
  context.parent.marks.set(`has ${name}`, "true");
  return {
    name,
    kind: "method",
    visibility: visibilityOf(context),
    body: last === null ? null : (nextEquation(node)?.field("match") ?? null),
    ...(last === null ? {} : { last }),
    signature: context.text.slice(context.start, context.end),
  };
}

/** What may be between the equations of one name. */
const isBetween = /^(?:comment|haddock|pragma|cpp)$/;

function nextEquation(node: SyntaxNode): SyntaxNode | null {
  let next = node.next();
  while (next !== null && isBetween.test(next.kind())) next = next.next();
  return next !== null && isFunction(next) ? next : next?.kind() === "bind" ? next : null;
}

function isFunction(node: SyntaxNode): boolean {
  return node.kind() === "function";
}

/** The last of the equations of a name that follow a node, `null` when there is none. */
function lastEquation(node: SyntaxNode, name: string): SyntaxNode | null {
  let last: SyntaxNode | null = null;
  for (let next = nextEquation(node); next !== null; next = nextEquation(next)) {
    if (equationName(next) !== name) break;
    last = next;
  }
  return last;
}

/** The name of `f x = 1`, `x <+> y = 1`, `f = 1`; `null` for a pattern. */
function equationName(node: SyntaxNode): string | null {
  const name = node.field("name");
  if (name !== null) return plainName(name.text());
  const infix = node.children().find((child) => child.kind() === "infix");
  const operator = infix?.children().find((child) => /^(?:operator|infix_id)$/.test(child.kind()));
  return operator === undefined ? null : plainName(operator.text());
}

/** An equation without a signature before it; several of one name are one symbol. */
const equation: Rule = (node, context) => {
  const name = equationName(node);
  const scope: Effect["scope"] = "function";
  if (name === null) return { scope };
  const { parent } = context;
  // The signature before, or the equation before, has taken this one in.
  if (parent.symbol?.name === name && context.start < parent.end && isTaking.test(parent.kind)) {
    return { scope };
  }
  if (parent.marks.has(`has ${name}`)) return { scope };
  const isValue = node.kind() === "bind";
  if (isValue && context.scope === "function") return { scope };
  const last = lastEquation(node, name);
  const body = node.field("match");
  const isMember = context.scope === "type";
  return {
    scope,
    defines: [
      {
        name,
        kind: isMember ? "method" : "function",
        visibility: visibilityOf(context),
        body,
        ...(last === null ? {} : { last }),
      },
    ],
  };
};

const isTaking = /^(?:signature|function|bind)$/;

const foreign: Rule = (node, context) => {
  const inner = node.field("signature")?.field("name");
  if (inner === null || inner === undefined) return { isOpaque: true };
  const name = plainName(inner.text());
  return {
    isOpaque: true,
    defines: [{ name, kind: "function", visibility: visibilityOf(context), body: null }],
  };
};

/** `pattern P x = …`: what constructs and takes apart. */
const pattern: Rule = (node, context) => {
  const text = context.text.slice(context.start, context.start + 200);
  const name = /^pattern\s+(\p{Lu}[\p{L}\p{N}_']*)(?![\p{L}\p{N}_']|\s*(?:,|::))/u.exec(text)?.[1];
  if (name === undefined) return { isOpaque: true };
  return {
    isOpaque: true,
    defines: [
      {
        name,
        kind: "function",
        visibility: visibilityOf(context),
        body: null,
        signatureEnd: "line",
        node,
      },
    ],
  };
};

const layoutDepthMax = 500;

/** Blocks inside of one another in one line: 5,000 take the parser 1.6 s, growing with the square. */
function isSenseless(text: string): boolean {
  const opener = /\b(?:let|where|do|of)\b/g;
  return text.split("\n").some((line) => {
    if (line.length < 2 * layoutDepthMax) return false;
    let count = 0;
    for (const _match of line.matchAll(opener)) count += 1;
    return count > layoutDepthMax;
  });
}

/** Haskell. A type of several constructors is an enum, of one a struct; a signature and its equations are one symbol. */
export const haskell: LanguageSyntax = {
  language: "haskell",
  parserName: "haskell",
  grammar: "haskell",
  isSenseless,
  ellipsis: "-- ...",
  lineComment: "--",
  nestingMax: 1_000,
  wordRunMax: 2_000,
  commentKinds: ["comment", "haddock"],
  rules: {
    header,
    data_type: type((node) => {
      const constructors = node.field("constructors")?.children() ?? [];
      return constructors.filter((each) => each.kind().endsWith("constructor")).length > 1
        ? "enum"
        : "struct";
    }),
    newtype: type(() => "struct"),
    type_synomym: type(() => "type"),
    type_family: type(() => "type"),
    data_family: type(() => "type"),
    class: type(() => "trait"),
    instance,
    signature,
    function: equation,
    bind: equation,
    foreign_import: foreign,
    pattern_synonym: pattern,
    lambda: () => ({ scope: "function" }),
  },
};
