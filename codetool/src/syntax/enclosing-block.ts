import type { SyntaxNode } from "../native/index.ts";
import { parseSource } from "./parse.ts";

/** A block of statements, or a statement that has one, in whole lines from 1. */
export interface EnclosingBlock {
  readonly startLine1: number;
  readonly endLine1: number;
  /** The kind of node that it is in its grammar. */
  readonly kind: string;
}

/** What holds statements or members. */
const bodyKind =
  /(?:^|_)(?:block|body|suite|then|else|declaration_list)$|^(?:compound_statement|statements|body_statement)$/;
/** What has its own body besides functions and types. */
const statementKind =
  /^(?:if|unless|for|foreach|for_in|for_each|enhanced_for|c_style_for|for_range|while|until|do|do_while|repeat|repeat_while|loop|match|when|switch|case|select|expression_switch|type_switch|try|with|guard|begin|unsafe|lock|using|synchronized|labeled)(?:_(?:statement|expression|loop|clause))?$/;

/** Functions and types: their own first line is in them and not yet in their body. */
const definitionKind =
  /(?:function|method|constructor|class|struct|impl|trait|interface|enum|namespace|object|protocol)_(?:definition|declaration|item|specifier)$|^(?:method|singleton_method|class|module)$/;

/**
 * Finds the smallest block around a range of lines: a block of statements with what opens it, or a statement such as `if`
 * or `for`.
 *
 * @param lines From 1, both ends included. Blank lines count as what they are in.
 * @returns `undefined` where no block holds them all, or the text is not parsed.
 */
export function enclosingBlockOf(
  text: string,
  language: string,
  lines: { readonly startLine1: number; readonly endLine1: number },
): EnclosingBlock | undefined {
  const parsed = parseSource(text, language);
  if (parsed === null) return undefined;
  let found: EnclosingBlock | undefined;
  let parentStart1 = 0;
  let parent: SyntaxNode | undefined;
  for (let node: SyntaxNode | undefined = parsed.root; node !== undefined;) {
    const { start, end } = node.range();
    // A block that ends with its last line end does not reach the next line.
    const endLine1 = end.column === 0 && end.line > start.line ? end.line : end.line + 1;
    const kind = node.kind();
    const isBody = bodyKind.test(kind);
    // The head of a block whose brace has a line to itself is on a line before it.
    const isBraced =
      isBody &&
      text[end.index - 1] === "}" &&
      /\S/.test(text.slice(text.lastIndexOf("\n", start.index - 1) + 1, start.index));
    if (isBody && !isBraced && parent !== undefined && parent !== parsed.root) {
      const parentEnd = parent.range().end;
      const isLast = node.next() === null || !(node.next()?.isNamed() ?? false);
      const until1 = isLast ? parentEnd.line + (parentEnd.column === 0 ? 0 : 1) : endLine1;
      found = {
        startLine1: parentStart1,
        endLine1: Math.max(until1, endLine1),
        kind: parent.kind(),
      };
    } else if (node !== parsed.root && node.isNamed()) {
      const isFound = isBody || statementKind.test(kind) || definitionKind.test(kind);
      if (isFound) found = { startLine1: start.line + 1, endLine1, kind };
    }
    parent = node;
    parentStart1 = start.line + 1;
    node = childAround(node, lines);
  }
  return found;
}

/** The child that holds the lines; of several on one line, the first. */
function childAround(
  node: SyntaxNode,
  lines: { readonly startLine1: number; readonly endLine1: number },
): SyntaxNode | undefined {
  return node.children().find((child) => {
    if (!child.isNamed()) return false;
    const { start, end } = child.range();
    const endLine1 = end.column === 0 && end.line > start.line ? end.line : end.line + 1;
    return start.line + 1 <= lines.startLine1 && lines.endLine1 <= endLine1;
  });
}
