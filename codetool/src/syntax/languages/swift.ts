import type { SyntaxNode } from "../../native/index.ts";
import type {
  Definition,
  Effect,
  LanguageSyntax,
  RepairedText,
  Rule,
  RuleContext,
  SymbolKind,
  Visibility,
} from "../rule.ts";

const publicWord = /^(?:public|open|package)$/;
const privateWord = /^(?:private|fileprivate|internal)$/;

/** Only `public` and `open` leave the module; members of protocols and of `public extension` are as visible as it. */
function visibilityOf(words: readonly string[], context: RuleContext): Visibility {
  if (context.scope === "function") return "hidden";
  const holder = context.parent.marks.get("holder");
  if (words.some((word) => publicWord.test(word))) {
    return holder === "extension" ? "exported" : "inherited";
  }
  if (words.some((word) => privateWord.test(word))) return "hidden";
  if (holder === "public extension") return "exported";
  return holder === "protocol" ? "inherited" : "hidden";
}

/** The modifiers of a declaration, and where it begins after its attributes. */
function headOf(node: SyntaxNode): { words: string[]; signatureStart: number } {
  const first = node.child(0);
  if (first?.kind() !== "modifiers") {
    const start = node.children().find((child) => !/attribute|comment/.test(child.kind())) ?? node;
    return { words: [], signatureStart: start.range().start.index };
  }
  const spoken = first.children().filter((child) => child.kind() !== "attribute");
  const start = spoken[0] ?? node.child(1) ?? node;
  return {
    words: spoken.map((child) => child.text()),
    signatureStart: start.range().start.index,
  };
}

const kindOfWord: { readonly [word: string]: SymbolKind } = {
  struct: "struct",
  enum: "enum",
};

/** Classes, structures, enumerations, actors; an extension carries the name of its type. */
const type: Rule = (node, context) => {
  const written = node.field("name")?.text().replace(/\s+/g, " ");
  const word = node.field("declaration_kind")?.text() ?? "class";
  if (written === undefined) return { scope: "type" };
  const { words, signatureStart } = headOf(node);
  const visibility = visibilityOf(words, context);
  const isExtension = word === "extension";
  const isPublic = words.some((each) => publicWord.test(each));
  const name = isExtension ? written.replace(/<.*$/, "").replace(/^.*\./, "") : written;
  if (!isExtension && visibility === "inherited") context.exportedNames.add(name);
  const holder = isExtension ? (isPublic ? "public extension" : "extension") : "type";
  return {
    scope: "type",
    marks: { holder },
    defines: [
      {
        name,
        kind: kindOfWord[word] ?? "class",
        visibility: !isExtension ? visibility : isPublic ? "exported" : "listed",
        body: node.field("body"),
        signatureStart,
      },
    ],
  };
};

const protocol: Rule = (node, context) => {
  const name = node.field("name")?.text();
  if (name === undefined) return { scope: "type" };
  const { words, signatureStart } = headOf(node);
  const visibility = visibilityOf(words, context);
  if (visibility === "inherited") context.exportedNames.add(name);
  return {
    scope: "type",
    marks: { holder: "protocol" },
    defines: [{ name, kind: "interface", visibility, body: node.field("body"), signatureStart }],
  };
};

interface Declared {
  readonly kind: SymbolKind;
  readonly name?: string;
  readonly scope?: Effect["scope"];
}

function declared({ kind, name: fixedName, scope }: Declared): Rule {
  return (node, context) => {
    const name = fixedName ?? nameOf(node);
    if (name === "") return scope === undefined ? null : { scope };
    if (kind === "type" && context.scope === "function") return null;
    const { words, signatureStart } = headOf(node);
    const isMethod = kind === "function" && context.scope === "type";
    return {
      ...(scope === undefined ? {} : { scope }),
      defines: [
        {
          name,
          kind: isMethod ? "method" : kind,
          visibility: visibilityOf(words, context),
          body: bodyOf(node),
          signatureStart,
        },
      ],
    };
  };
}

function nameOf(node: SyntaxNode): string {
  const name = node.field("name");
  if (name !== null) return name.text();
  const isName = (child: SyntaxNode): boolean => child.kind() === "simple_identifier";
  return node.children().find(isName)?.text() ?? "";
}

const bodyKind =
  /^(?:function_body|computed_property|willset_didset_block|protocol_property_requirements|macro_definition|\{)$/;

function bodyOf(node: SyntaxNode): SyntaxNode | null {
  return node.children().findLast((child) => bodyKind.test(child.kind())) ?? null;
}

/** Every name of `let a = 1, b = 2` and of `let (a, b) = …`. */
const properties: Rule = (node, context) => {
  if (context.scope === "function") return null;
  const { words, signatureStart } = headOf(node);
  const visibility = visibilityOf(words, context);
  const names = node.fieldChildren("name").flatMap(namesIn);
  return {
    scope: "function",
    defines: names.map((each): Definition => ({
      name: each.text(),
      kind: "const",
      visibility,
      body: names.length === 1 ? bodyOf(node) : null,
      ...(names.length === 1 ? {} : { node: each }),
      signatureStart,
      signatureEnd: "line",
    })),
  };
};

function namesIn(pattern: SyntaxNode): SyntaxNode[] {
  if (/^[\p{L}_`][\p{L}\p{N}_`]*$/u.test(pattern.text())) return [pattern];
  return pattern.findAll({ rule: { kind: "simple_identifier" } });
}

/** The grammar takes what is in these parentheses for the name. */
function repair(text: string): RepairedText {
  const changed = text.replace(/\b(nonisolated|unowned)\((?:un)?safe\)/g, (all, word: string) =>
    word.padEnd(all.length),
  );
  return { text: changed, alternative: null, droppedLines: new Set() };
}

const callable = declared({ kind: "function", scope: "function" });

/** Swift. An actor is a class, an extension a class with its type's name; properties are constants. */
export const swift: LanguageSyntax = {
  language: "swift",
  parserName: "swift",
  grammar: "swift",
  ellipsis: "/*...*/",
  nestingMax: 2_000,
  repair,
  commentKinds: ["comment", "multiline_comment"],
  rules: {
    class_declaration: type,
    protocol_declaration: protocol,
    function_declaration: callable,
    protocol_function_declaration: callable,
    macro_declaration: callable,
    init_declaration: declared({ kind: "method", name: "init", scope: "function" }),
    deinit_declaration: declared({ kind: "method", name: "deinit", scope: "function" }),
    subscript_declaration: declared({ kind: "method", name: "subscript", scope: "function" }),
    property_declaration: properties,
    protocol_property_declaration: properties,
    typealias_declaration: declared({ kind: "type" }),
    associatedtype_declaration: declared({ kind: "type" }),
    precedence_group_declaration: declared({ kind: "type" }),
    lambda_literal: () => ({ scope: "function" }),
  },
};
