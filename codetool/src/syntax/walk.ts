import type { ImportCollector } from "./imports/index.ts";
import type { SyntaxNode } from "../native/index.ts";
import type { ParsedTree } from "./parse.ts";
import type {
  Definition,
  Effect,
  Frame,
  LanguageSyntax,
  RuleContext,
  Scope,
  Wrapping,
} from "./rule.ts";
import type { SymbolKind } from "./symbol.ts";

/** A symbol before its export status is known and its offsets are turned into bytes (here: UTF-16 units). */
export interface DraftSymbol {
  readonly definition: Definition;
  readonly start: number;
  readonly end: number;
  readonly startLine1: number;
  readonly endLine1: number;
  readonly bodyStart: number;
  readonly signatureStart: number;
  /** Where the signature ends at the latest. */
  readonly signatureBound: number;
  readonly isWrapperExported: boolean;
  readonly children: DraftSymbol[];
}

/** What a walk over one tree found. */
export interface WalkedTree {
  readonly symbols: readonly DraftSymbol[];
  /** Names that statements of the file export, apart from their definitions. */
  readonly exportedNames: ReadonlySet<string>;
  /** False when a limit ended the walk. */
  readonly isComplete: boolean;
}

/** Matched nodes looked at in one file; the rest of a longer file is left out. */
export const matchedNodeCountMax = 400_000;
/** Symbols inside of symbols inside of …; deeper ones are left out. */
export const symbolDepthMax = 48;

interface OpenFrame extends Frame {
  end: number;
  scope: Scope;
  wraps: Wrapping | null;
  symbol: { kind: SymbolKind; name: string } | null;
  isOpaque: boolean;
  /** Where children go: the first symbol defined here, or that of an outer frame. */
  draft: DraftSymbol | null;
  draftDepth: number;
  /** A decorator or attribute waiting for the declaration after it. */
  lead: { start: number; startLine1: number; end: number } | null;
  hasDefined: boolean;
  startLine1: number;
  endLine1: number;
}

type NodeRange = ReturnType<SyntaxNode["range"]>;

/**
 * Finds the symbols of a tree by the rules of its language.
 *
 * All nodes a rule names are asked for at once (each call into native code costs more than what it does), and come in
 * document order; a stack of the matched ancestors then tells each rule where it is. Nothing recurses, and no node is
 * asked for its parent, which would cost its depth. Statements of import come from the same query.
 */
export function walkTree(parsed: ParsedTree): WalkedTree {
  const { text, syntax, imports } = parsed;
  const { nodes, kinds } = parsed.matches();
  const walk = new TreeWalk(text, { syntax, imports });
  const count = Math.min(nodes.length, matchedNodeCountMax);
  for (let index = 0; index < count; index++)
    walk.enter(nodes[index] as SyntaxNode, kinds[index] as string);
  return {
    symbols: walk.symbols,
    exportedNames: walk.exportedNames,
    isComplete: count === nodes.length && walk.isComplete,
  };
}

class TreeWalk {
  readonly symbols: DraftSymbol[] = [];
  readonly exportedNames = new Set<string>();
  readonly #fileNames = new Set<string>();
  isComplete = true;
  readonly #text: string;
  readonly #rules: LanguageSyntax["rules"];
  readonly #imports: ImportCollector | undefined;
  #top: OpenFrame;

  constructor(
    text: string,
    reading: { readonly syntax: LanguageSyntax; readonly imports: ImportCollector | undefined },
  ) {
    this.#text = text;
    this.#rules = reading.syntax.rules;
    this.#imports = reading.imports;
    this.#top = {
      kind: "",
      start: 0,
      end: Number.POSITIVE_INFINITY,
      startLine1: 1,
      endLine1: 1,
      parent: null,
      scope: "file",
      wraps: null,
      symbol: null,
      marks: new Map(),
      isOpaque: false,
      draft: null,
      draftDepth: 0,
      lead: null,
      hasDefined: false,
    };
  }

  enter(node: SyntaxNode, kind: string): void {
    const range = node.range();
    const start = range.start.index;
    if (this.#imports?.wants(kind) === true) {
      this.#imports.offer({ kind, start, end: range.end.index, line1: range.start.line + 1 });
    }
    const rule = this.#rules[kind];
    if (rule === undefined) return;
    while (start >= this.#top.end) this.#top = this.#top.parent as OpenFrame;
    const parent = this.#top;
    if (parent.isOpaque) return;
    const context: RuleContext = {
      parent,
      scope: parent.scope,
      start,
      end: range.end.index,
      text: this.#text,
      exportedNames: this.exportedNames,
      fileNames: this.#fileNames,
    };
    const effect = rule(node, context);
    if (effect === null) return;
    if (effect.isLead === true) this.#addLead(parent, range);
    const frame = this.#openFrame({ kind, range, effect, parent });
    for (const definition of effect.defines ?? []) this.#define(definition, { frame, range });
    this.#top = frame;
  }

  #addLead(parent: OpenFrame, range: NodeRange): void {
    const { start, end } = range;
    if (parent.lead !== null && this.#isGap(parent.lead.end, start.index)) {
      parent.lead.end = end.index;
      return;
    }
    parent.lead = { start: start.index, startLine1: start.line + 1, end: end.index };
  }

  #openFrame(options: {
    kind: string;
    range: NodeRange;
    effect: Effect;
    parent: OpenFrame;
  }): OpenFrame {
    const { kind, range, effect, parent } = options;
    return {
      kind,
      start: range.start.index,
      end: range.end.index,
      parent,
      scope: effect.scope ?? parent.scope,
      wraps: effect.wraps ?? null,
      symbol: null,
      marks: new Map(Object.entries(effect.marks ?? {})),
      isOpaque: effect.isOpaque === true,
      draft: parent.draft,
      draftDepth: parent.draftDepth,
      lead: null,
      hasDefined: false,
      startLine1: range.start.line + 1,
      endLine1: lastLine1(range),
    };
  }

  #define(definition: Definition, at: { frame: OpenFrame; range: NodeRange }): void {
    const { frame } = at;
    // A name that the parser invented to go on.
    if (definition.name === "") return;
    if (frame.draftDepth >= symbolDepthMax) {
      this.isComplete = false;
      return;
    }
    const first = definition.node?.range() ?? at.range;
    const own = { start: first.start, end: definition.last?.range().end ?? first.end };
    const extent = this.#extentOf(own, frame);
    const bodyStart = definition.body?.range().start.index ?? extent.end;
    const draft: DraftSymbol = {
      definition,
      ...extent,
      bodyStart,
      signatureStart: definition.signatureStart ?? extent.signatureStart,
      signatureBound: definition.node === undefined ? extent.end : frame.end,
      children: [],
    };
    const siblings = (frame.parent as OpenFrame).draft?.children ?? this.symbols;
    siblings.push(draft);
    if (frame.symbol === null) {
      frame.symbol = { kind: definition.kind, name: definition.name };
      frame.draft = draft;
      // What the symbol reaches to is inside of it.
      frame.end = Math.max(frame.end, definition.last?.range().end.index ?? 0);
      frame.draftDepth += 1;
    }
  }

  /** The range with wrappers and leads: only the first symbol of a statement takes what is before it. */
  #extentOf(
    own: NodeRange,
    frame: OpenFrame,
  ): Pick<
    DraftSymbol,
    "start" | "end" | "startLine1" | "endLine1" | "signatureStart" | "isWrapperExported"
  > {
    let start = own.start.index;
    let startLine1 = own.start.line + 1;
    let signatureStart = start;
    let end = own.end.index;
    let endLine1 = own.end.line + 1;
    let isWrapperExported = false;
    let isFirst = !frame.hasDefined;
    frame.hasDefined = true;
    // Where indentation closes a definition, parsers put its end before the next one.
    while (end > start && /\s/.test(this.#text[end - 1] ?? "")) {
      end -= 1;
      if (this.#text[end] === "\n") endLine1 -= 1;
    }
    let holder = frame.parent as OpenFrame;
    for (; holder.wraps !== null; holder = holder.parent as OpenFrame) {
      isWrapperExported ||= holder.wraps.isExported === true;
      if (!holder.hasDefined && isFirst) {
        start = holder.start;
        startLine1 = holder.startLine1;
        signatureStart = holder.wraps.signatureStart ?? start;
      } else {
        isFirst = false;
      }
      holder.hasDefined = true;
      if (/^[\s;]*$/.test(this.#text.slice(end, Math.min(holder.end, end + 64)))) {
        end = Math.max(end, holder.end);
        endLine1 = Math.max(endLine1, holder.endLine1);
      }
    }
    const { lead } = holder;
    if (lead !== null && isFirst && lead.end <= start) {
      if (this.#isGap(lead.end, start)) {
        start = lead.start;
        startLine1 = lead.startLine1;
      }
      holder.lead = null;
    }
    return { start, end, startLine1, endLine1, signatureStart, isWrapperExported };
  }

  /** Nothing but white space and comments between two offsets. */
  #isGap(start: number, end: number): boolean {
    if (end - start > 4096) return false;
    return /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/|#[^\n[]*\n)*$/.test(this.#text.slice(start, end));
  }
}

/** The last line a node is on: a node that ends with its line break does not reach the next line. */
function lastLine1(range: NodeRange): number {
  const { start, end } = range;
  return end.column === 0 && end.line > start.line ? end.line : end.line + 1;
}
