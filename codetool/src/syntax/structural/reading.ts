import { nativeParser, type PatternParser, type SyntaxNode } from "../../native/index.ts";
import type { LanguageSyntax } from "../rule.ts";

/** One way to read a structural pattern in a language. */
export interface StructuralReading {
  /** The rule for the native library. */
  readonly rule: object;
  /** The name under which the library knows the language with the letter of this reading. */
  readonly parserName: string;
  /** The kind of node that matches. */
  readonly kind: string;
  /** The tree in words: what has the same matches the same. */
  readonly shape: string;
  /** What the text of every match holds. */
  readonly required: readonly Buffer[];
}

/** A pattern, and who reads it. */
export interface PatternText {
  readonly text: string;
  readonly parser: PatternParser;
  readonly syntax: LanguageSyntax;
}

/**
 * Reads a pattern in a place.
 *
 * @param place A text with `PATTERN` where the pattern goes.
 * @returns `null` when the pattern is not one whole node there, or has errors.
 */
export function readPattern(
  place: string,
  { text, parser, syntax }: PatternText,
): StructuralReading | null {
  const { letter, parserName } = parser;
  const at = place.indexOf("PATTERN");
  const written = place.replace("PATTERN", () => text);
  const start = at;
  const end = start + expand(text, letter).length;
  const binding = nativeParser(syntax.grammar);
  const root = binding.parse(parserName, expand(written, letter)).root();
  const isAlone = place === "PATTERN";
  const whole = soleNode(root, start, end);
  // A declaration and the semicolon after it are two nodes where the grammar says so.
  const isEnded = whole === null && isAlone && text.endsWith(";");
  const node = isEnded ? soleNode(root, start, end - 1) : whole;
  if (node === null) return null;
  const summary = new Summary(letter, syntax);
  if (!summary.visit(node)) return null;
  const kind = node.kind();
  if (!isAlone || isEnded) {
    // The library takes the first node of the kind that it finds in the place.
    if (root.find({ rule: { kind } })?.id() !== node.id()) return null;
    if (hasErrorAround(root, start, end)) return null;
  }
  const isPlain = isAlone && !isEnded;
  const rule = { pattern: isPlain ? text : { context: written, selector: kind } };
  try {
    binding.parse(parserName, "").root().find({ rule });
  } catch {
    // Its reason would name its own rules; the caller reports where nothing could be read.
    return null;
  }
  return { rule, parserName, kind, shape: summary.shape, required: summary.required };
}

/** Puts the letter for the `$` of placeholders, as the library does it. */
function expand(text: string, letter: string): string {
  return text.replace(/(\$+)([A-Z_])?/g, (written, dollars: string, first?: string) =>
    first !== undefined || dollars.length === 3
      ? letter.repeat(dollars.length) + (first ?? "")
      : written,
  );
}

/** The innermost node that is all of a stretch and nothing else, `null` where the stretch is several nodes. */
function soleNode(root: SyntaxNode, start: number, end: number): SyntaxNode | null {
  let node = root;
  for (;;) {
    const range = node.range();
    const isWhole = range.start.index === start && range.end.index === end;
    const children = node.children();
    if (isWhole && node.id() !== root.id() && !isWrapper(children)) return node;
    const inner = children.find((child) => {
      const { start: first, end: last } = child.range();
      return first.index <= start && last.index >= end;
    });
    if (inner === undefined) return null;
    node = inner;
  }
}

/** A node of one child, a semicolon that is not there left out. */
function isWrapper([, second, third]: readonly SyntaxNode[]): boolean {
  return third === undefined && (second === undefined || second.text() === "");
}

function hasErrorAround(root: SyntaxNode, start: number, end: number): boolean {
  return root.findAll({ rule: { kind: "ERROR" } }).some((error) => {
    const range = error.range();
    return range.start.index < start || range.end.index > end;
  });
}

/** Walks through a pattern's tree. */
class Summary {
  shape = "";
  readonly required: Buffer[] = [];
  readonly #placeholder: RegExp;
  readonly #syntax: LanguageSyntax;

  constructor(letter: string, syntax: LanguageSyntax) {
    const one = letter === "$" ? "\\$" : letter;
    this.#placeholder = new RegExp(
      `^(?:${one}{3}(?:[A-Z_][A-Z0-9_]*)?|${one}{1,2}[A-Z_][A-Z0-9_]*)$`,
      "u",
    );
    this.#syntax = syntax;
  }

  /** Says whether the node and all below it can be matched. */
  visit(node: SyntaxNode): boolean {
    const text = node.text();
    if (this.#placeholder.test(text)) {
      // The sort of letter is all that may differ between equal readings.
      this.shape += ` ${text.replace(/^[^A-Z_]+/u, (letters) => "$".repeat(Array.from(letters).length))}`;
      return true;
    }
    const kind = node.kind();
    if (kind === "ERROR") return false;
    const children = node.children();
    if (children.length > 0) {
      this.shape += ` (${kind}`;
      const isRead = children.every((child) => this.visit(child));
      this.shape += ")";
      return isRead;
    }
    const isNamed = node.isNamed();
    // The parser invents what is missing: of that only the end of a statement may be left out of a pattern.
    if (text === "") return kind.endsWith("_content") || /^;|semicolon|newline|^\n/.test(kind);
    this.shape += ` ${isNamed ? `${kind}=` : ""}${JSON.stringify(text)}`;
    if (this.#isHeld(text, { kind, isNamed })) this.required.push(Buffer.from(text, "utf8"));
    return true;
  }

  /** True for a text that every match has: names and what is as good, and words of the language where case counts. */
  #isHeld(text: string, { kind, isNamed }: { kind: string; isNamed: boolean }): boolean {
    if (isNamed) return !this.#syntax.commentKinds.includes(kind) && !text.includes("\uFFFD");
    return this.#syntax.language !== "php" && /^[A-Za-z]{3,}$/.test(text) && text === kind;
  }
}
