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

interface Head {
  readonly isPrivate: boolean;
  readonly signatureStart: number;
}

/** What is before a declaration's keyword; its signature begins after annotations. */
function headOf(node: SyntaxNode): Head {
  let isPrivate = false;
  let signatureStart: number | null = null;
  for (const child of node.children()) {
    const kind = child.kind();
    if (kind === "annotation" || kind.endsWith("comment")) continue;
    signatureStart ??= child.range().start.index;
    if (!/modifier/.test(kind)) break;
    isPrivate ||= /\bprivate\b/.test(child.text());
  }
  return { isPrivate, signatureStart: signatureStart ?? node.range().start.index };
}

/** Everything is public that does not say `private`. */
function visibilityOf({ isPrivate }: Head, context: RuleContext): Visibility {
  if (context.scope === "function" || context.parent.marks.has("local")) return "hidden";
  return isPrivate ? "hidden" : "inherited";
}

function type(kind: SymbolKind): Rule {
  return (node, context) => {
    const name = node.field("name")?.text();
    if (name === undefined || name === "") return { scope: "type" };
    const head = headOf(node);
    const visibility = visibilityOf(head, context);
    const { signatureStart } = head;
    return {
      scope: "type",
      defines: [{ name, kind, visibility, body: node.field("body"), signatureStart }],
    };
  };
}

/** `package a.b` holds what is in its braces, else nothing. */
const packageClause: Rule = (node) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "module" };
  const body = node.field("body");
  return { scope: "module", defines: [{ name, kind: "module", visibility: "exported", body }] };
};

/** The declaration up to its body, without the `=`. */
function signatureOf(start: number, body: SyntaxNode | null, context: RuleContext): string {
  const end = body?.range().start.index ?? context.end;
  return context.text.slice(start, Math.min(end, start + 2000)).replace(/\s*=\s*$/, "");
}

const callable: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "function" };
  const head = headOf(node);
  const body = node.field("body");
  const container = context.parent.marks.get("extended");
  const isMethod = context.scope === "type" && container === undefined;
  return {
    scope: "function",
    defines: [
      {
        name,
        kind: isMethod ? "method" : "function",
        visibility: visibilityOf(head, context),
        body,
        signature: signatureOf(head.signatureStart, body, context),
        ...(container === undefined || container === "" ? {} : { container }),
      },
    ],
  };
};

/** Every name of `val a, b = 1` and of `val (a, b) = …`. */
const values: Rule = (node, context) => {
  if (context.scope === "function") return null;
  const head = headOf(node);
  const visibility = visibilityOf(head, context);
  const patterns = node.fieldChildren("pattern");
  const names = (patterns.length > 0 ? patterns : node.fieldChildren("name")).flatMap(namesIn);
  return {
    scope: "function",
    defines: names.map((each): Definition => ({
      name: each.text(),
      kind: "const",
      visibility,
      body: null,
      ...(names.length === 1 ? {} : { node: each }),
      signatureStart: head.signatureStart,
      signatureEnd: "line",
    })),
  };
};

/** In patterns only names that begin with a small letter are new ones. */
function namesIn(pattern: SyntaxNode): SyntaxNode[] {
  if (pattern.kind().endsWith("identifier")) return [pattern];
  const found = pattern.findAll({ rule: { kind: "identifier" } });
  return pattern.kind() === "identifiers"
    ? found
    : found.filter((each) => /^\p{Ll}/u.test(each.text()));
}

/** `val` or `var` among the parameters of a class makes a member of it. */
const parameter: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined || context.scope !== "type") return { scope: "function" };
  const isMember = node.children().some((child) => /^va[lr]$/.test(child.kind()));
  if (!isMember) return { scope: "function" };
  const head = headOf(node);
  const visibility = visibilityOf(head, context);
  const { signatureStart } = head;
  return {
    scope: "function",
    defines: [{ name, kind: "const", visibility, body: null, signatureStart }],
  };
};

const typeMember: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined || context.scope === "function") return null;
  const head = headOf(node);
  const visibility = visibilityOf(head, context);
  const { signatureStart } = head;
  return { defines: [{ name, kind: "type", visibility, body: null, signatureStart }] };
};

/** A `given` without a name is found by its type only. */
const given: Rule = (node, context) => {
  const name = node.field("name")?.text();
  const scope: Effect["scope"] = "type";
  if (name === undefined || context.scope === "function") return { scope };
  const head = headOf(node);
  const body = node.field("body");
  return {
    scope,
    defines: [
      {
        name,
        kind: "const",
        visibility: visibilityOf(head, context),
        body,
        signature: signatureOf(head.signatureStart, body, context),
      },
    ],
  };
};

/** `extension (text: String) def …`: functions of that type. */
const extension: Rule = (node) => {
  const parameters = node.field("parameters")?.text() ?? "";
  const extended = /:\s*(?:[\w.]*\.)?([\p{L}\p{N}_]+)/u.exec(parameters)?.[1] ?? "";
  return { marks: { extended } };
};

/** Scala 2 and 3. An object is a class, a package object a module; `val`, `var` and `given` are constants. */
export const scala: LanguageSyntax = {
  language: "scala",
  parserName: "scala",
  grammar: "scala",
  ellipsis: "???",
  nestingMax: 1_000,
  wordRunMax: 2_000,
  commentKinds: ["comment", "block_comment"],
  rules: {
    package_clause: packageClause,
    package_object: type("module"),
    class_definition: type("class"),
    object_definition: type("class"),
    trait_definition: type("trait"),
    enum_definition: type("enum"),
    function_definition: callable,
    function_declaration: callable,
    val_definition: values,
    val_declaration: values,
    var_definition: values,
    var_declaration: values,
    class_parameter: parameter,
    type_definition: typeMember,
    given_definition: given,
    extension_definition: extension,
    instance_expression: (_node, context) => ({
      scope: "type",
      marks: context.scope === "function" ? { local: "true" } : {},
    }),
    lambda_expression: () => ({ scope: "function" }),
  },
};
