import type { GrammarName, SyntaxNode } from "../native/index.ts";
import type { SymbolKind } from "./symbol.ts";

export type { SymbolKind } from "./symbol.ts";

/**
 * What the inside of a node is, for the rules that match there: the file itself, a namespace, a type's body, a
 * function's body, a block that is none of these (a loop at file level), or a literal object.
 */
export type Scope = "file" | "module" | "type" | "function" | "block" | "object";

/** How `isExported` is found: said outright, as the enclosing symbol, or by a list of names elsewhere in the file. */
export type Visibility = "exported" | "hidden" | "inherited" | "listed";

/** One symbol that a rule found. Nodes give ranges; texts are cut by the engine. */
export interface Definition {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly visibility: Visibility;
  /** For `"listed"`: the name that has to be in the list, when it is not the symbol's own. */
  readonly listedAs?: string;
  /** What follows the signature: a function's or a type's body; `null` when there is none. */
  readonly body: SyntaxNode | null;
  /** The node that is the symbol, when it is not the matched one: one of several declared in a statement. */
  readonly node?: SyntaxNode;
  /** A later sibling that the symbol reaches to, where a grammar keeps apart what belongs together. */
  readonly last?: SyntaxNode;
  /** UTF-16 offset where the signature begins; default: the start of the range, leads skipped. */
  readonly signatureStart?: number;
  /** The signature itself, when no stretch of the text is it. */
  readonly signature?: string;
  /**
   * What becomes the one line: the whole text before the body (default), its first line (constants), or Python's header
   * without comments.
   */
  readonly signatureEnd?: "whole" | "line" | "python";
  /** The type it belongs to, when it is written outside of that type's body. */
  readonly container?: string;
}

/** What a matched node means. Everything is optional: an empty effect leaves the node without consequence. */
export interface Effect {
  readonly defines?: readonly Definition[];
  /** The scope inside of the node; default: as outside. */
  readonly scope?: Scope;
  /** The node wraps a declaration: the symbol begins here, and these remarks go to it. */
  readonly wraps?: Wrapping;
  /** The node (a decorator, an attribute) belongs to the declaration that follows it in the same parent. */
  readonly isLead?: boolean;
  /** Language-private marks that rules read from `context.parent.marks`. */
  readonly marks?: { readonly [name: string]: string };
  /** Nothing inside is looked at. */
  readonly isOpaque?: boolean;
}

/** What a wrapper (`export`, a decorator, `template<…>`) tells the declaration in it. */
export interface Wrapping {
  readonly isExported?: boolean;
  /** UTF-16 offset of the signature's first character, after decorators. */
  readonly signatureStart?: number;
  /** Words a rule of the same language understands, for example `"declare"`. */
  readonly remark?: string;
}

/** A matched node on the way from the root to the current one. */
export interface Frame {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly parent: Frame | null;
  /** The scope inside. */
  readonly scope: Scope;
  readonly wraps: Wrapping | null;
  /** Kind and name of the first symbol this node defined, or `null`. */
  readonly symbol: { readonly kind: SymbolKind; readonly name: string } | null;
  /** Language-private marks, for example the access section a C++ class body is in. */
  readonly marks: Map<string, string>;
}

/** What a rule may look at besides its node. */
export interface RuleContext {
  /** The nearest matched ancestor. */
  readonly parent: Frame;
  /** The scope the node is in. */
  readonly scope: Scope;
  /** The matched node's offsets in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The parsed text; offsets are UTF-16 code units. */
  readonly text: string;
  /** Names that some statement of the file exports; rules add, the end of the walk reads. */
  readonly exportedNames: Set<string>;
  /** Names already defined at file level, for languages where assigning again is not a second definition. */
  readonly fileNames: Set<string>;
}

/** A rule: what one kind of node means in its place; `null` for nothing. */
export type Rule = (node: SyntaxNode, context: RuleContext) => Effect | null;

/** A text made readable, and another reading of it for the lines that were dropped. */
export interface RepairedText {
  readonly text: string;
  /** Another text in which what the first dropped is there; `null` when nothing of weight was dropped. */
  readonly alternative: string | null;
  /** Lines the first dropped, from 0. */
  readonly droppedLines: ReadonlySet<number>;
}

/** One language as data: its grammar, how it writes comments, and its rules. */
export interface LanguageSyntax {
  /** The language's name as file detection gives it. */
  readonly language: string;
  /** The name the native library knows it by. */
  readonly parserName: string;
  /** The grammar file, or `null` when it is built into the library. */
  readonly grammar: GrammarName | null;
  /** What a skeleton puts in place of a body. */
  readonly ellipsis: string;
  /** What begins a comment to the end of its line; default `//`. */
  readonly lineComment?: string;
  /** The word that closes a body and stays in a skeleton, where no brace does: `end`. */
  readonly bodyClosing?: string;
  /** The kinds of nodes that are comments. */
  readonly commentKinds: readonly string[];
  /** The first statement of a body that is a string describes it (Python). */
  readonly hasDocumentationStrings?: boolean;
  /** Brackets inside of one another that are parsed at most, where the parser's time grows with their square. */
  readonly nestingMax?: number;
  /** Words without punctuation between that are parsed at most, where the same holds for what is not a program. */
  readonly wordRunMax?: number;
  /** Says of a text that no program has this form and the parser would take minutes over it. */
  readonly isSenseless?: (text: string) => boolean;

  /** Rewrites a text that only a preprocessor could read, every character in its place. */
  readonly repair?: (text: string) => RepairedText;
  /** Another language whose grammar reads the text when the pattern is found in it. */
  readonly readAs?: { readonly language: string; readonly when: RegExp };
  /** Rules by node kind. */
  readonly rules: { readonly [nodeKind: string]: Rule };
}
