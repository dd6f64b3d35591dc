import type { SyntaxNode } from "../../native/index.ts";
import type { Definition, Effect, LanguageSyntax, Rule, RuleContext, SymbolKind } from "../rule.ts";

/** What a macro of definition makes. */
const makers: { readonly [word: string]: { readonly kind: SymbolKind; readonly isHidden?: true } } =
  {
    defmodule: { kind: "module" },
    defprotocol: { kind: "interface" },
    defimpl: { kind: "class" },
    def: { kind: "function" },
    defp: { kind: "function", isHidden: true },
    defmacro: { kind: "function" },
    defmacrop: { kind: "function", isHidden: true },
    defguard: { kind: "function" },
    defguardp: { kind: "function", isHidden: true },
    defdelegate: { kind: "function" },
    defn: { kind: "function" },
    defnp: { kind: "function", isHidden: true },
    defstruct: { kind: "struct" },
    defexception: { kind: "struct" },
    defrecord: { kind: "struct" },
    defrecordp: { kind: "struct", isHidden: true },
    test: { kind: "function", isHidden: true },
  };

const makerWord = /^(?:Record\.)?(def[a-z]*|test)\b(?![?!:.])/;

const call: Rule = (node, context) => {
  const word = makerWord.exec(context.text.slice(context.start, context.start + 30))?.[1];
  const maker = word === undefined ? undefined : makers[word];
  if (word === undefined || maker === undefined) return null;
  const list = node.children().find((child) => child.kind() === "arguments");
  if (list === undefined) return null;
  const body = bodyOf(node);
  const visibility =
    maker.isHidden === true || context.scope === "function" ? "hidden" : "inherited";
  const finish = (named: Pick<Definition, "name" | "container">): Effect => ({
    scope: /^def(?:module|protocol|impl)$/.test(word) ? "module" : "function",
    marks: { module: named.name },
    defines: [{ ...named, kind: maker.kind, visibility, ...signatureOf(body, context) }],
  });
  const first = list.children().find((child) => child.isNamed()) ?? null;
  if (first === null) return null;
  if (word === "defmodule" || word === "defprotocol") return finish({ name: first.text() });
  if (word === "defimpl") return finish(implementation(first, { list, context }));
  if (word === "defstruct" || word === "defexception") return structOf(context, finish);
  if (word === "test") return first.kind() === "string" ? finish({ name: unquoted(first) }) : null;
  if (word.startsWith("defrecord")) return finish({ name: first.text().replace(/^:/, "") });
  const name = functionName(first);
  return name === null ? { scope: "function" } : finish({ name });
};

/** A struct has the name of its module. */
function structOf(
  context: RuleContext,
  finish: (named: { name: string }) => Effect,
): Effect | null {
  const { symbol } = context.parent;
  return symbol === null ? null : finish({ name: symbol.name });
}

/** `defimpl P, for: T` is the module `P.T`; without `for` it is that of the module around. */
function implementation(
  protocol: SyntaxNode,
  { list, context }: { list: SyntaxNode; context: RuleContext },
): { name: string } {
  const name = protocol.text();
  const given = /\bfor:\s*([\p{L}\p{N}_.]+)/u.exec(list.text())?.[1];
  const type = given ?? context.parent.symbol?.name;
  return { name: type === undefined ? name : `${name}.${type}` };
}

function unquoted(text: SyntaxNode): string {
  return text.text().replace(/^"+\s*|\s*"+$/g, "");
}

/** The name in `f(a, b) when g`, `f`, `a + b`; `null` for one that is made while compiling. */
function functionName(head: SyntaxNode): string | null {
  let node: SyntaxNode | null = head;
  // A few steps: guards, defaults and `::` are around the call.
  for (let step = 0; step < 6 && node !== null; step++) {
    const kind = node.kind();
    if (kind === "identifier" || kind === "operator_identifier") {
      const name = node.text();
      return name === "unquote" ? null : name;
    }
    if (kind === "call") node = node.field("target");
    else if (kind === "unary_operator")
      return node.field("operator")?.text() ?? node.child(0)?.text() ?? null;
    else if (kind === "binary_operator") {
      const operator = node.field("operator")?.text() ?? "";
      if (operator !== "when" && operator !== "::") return operator === "" ? null : operator;
      node = node.field("left");
    } else if (kind === "block") node = node.children().find((child) => child.isNamed()) ?? null;
    else return null;
  }
  return null;
}

/** `do … end`; what follows `do:` has no end to close it. */
function bodyOf(node: SyntaxNode): SyntaxNode | null {
  const last = node.children().at(-1);
  return last?.kind() === "do_block" ? last : null;
}

function signatureOf(
  body: SyntaxNode | null,
  { text, start, end }: RuleContext,
): Pick<Definition, "body" | "signature"> {
  const bound = Math.min(body?.range().start.index ?? end, start + 2000);
  return { body, signature: text.slice(start, bound).replace(/,\s*do:\s[^]*$/, "") };
}

const leads = /^@(?:doc|spec|impl|deprecated|since|typedoc|tag)\b/;
const types = /^@(typep?|opaque|callback|macrocallback)\s*\(?\s*/;
/** Attributes that the language or its tools read. */
const reserved =
  /^@(?:moduledoc|behaviou?r|derive|dialyzer|compile|before_compile|after_compile|after_verify|on_load|on_definition|external_resource|enforce_keys|optional_callbacks|moduletag|describetag|vsn|shortdoc|preferred_cli_env|requirements|recursive|file|nifs)\b/;

/** `@doc` and its like belong to what follows, `@type` defines, and `@name value` is a constant. */
const attribute: Rule = (node, context) => {
  const text = context.text.slice(context.start, context.start + 120);
  if (!text.startsWith("@")) return null;
  if (leads.test(text)) return { isLead: true, isOpaque: true };
  if (context.scope === "function" || reserved.test(text)) return { isOpaque: true };
  const word = types.exec(text);
  if (word !== null) return typeOf(node, { word, context });
  const name = /^@[\p{L}_][\p{L}\p{N}_]*[?!]?(?=[\s(]+\S)/u.exec(text)?.[0];
  const key = `${context.parent.start} ${name ?? ""}`;
  if (name === undefined || !hasValue(node) || context.fileNames.has(key))
    return { isOpaque: true };
  context.fileNames.add(key);
  return {
    isOpaque: true,
    defines: [{ name, kind: "const", visibility: "hidden", body: null, signatureEnd: "line" }],
  };
};

/** `@name value`, not the mere `@name` that reads it. */
function hasValue(node: SyntaxNode): boolean {
  const operand = node.field("operand");
  return (
    operand?.kind() === "call" && operand.children().some((child) => child.kind() === "arguments")
  );
}

function typeOf(
  node: SyntaxNode,
  { word, context }: { word: RegExpExecArray; context: RuleContext },
): Effect {
  const [start, kind = ""] = word;
  const rest = context.text.slice(context.start + start.length, context.end);
  const name = /^[\p{L}_][\p{L}\p{N}_]*[?!]?/u.exec(rest)?.[0] ?? "";
  const isCallback = kind.endsWith("callback");
  return {
    isOpaque: true,
    defines: [
      {
        name,
        kind: isCallback ? "method" : "type",
        visibility: kind === "typep" ? "hidden" : "inherited",
        body: null,
        node,
      },
    ],
  };
}

/** Elixir. Each clause of a function is a symbol; what macros make with `unquote` for a name has none. */
export const elixir: LanguageSyntax = {
  language: "elixir",
  parserName: "elixir",
  grammar: "elixir",
  ellipsis: "# ...",
  lineComment: "#",
  bodyClosing: "end",
  commentKinds: ["comment"],
  rules: {
    call,
    unary_operator: attribute,
  },
};
