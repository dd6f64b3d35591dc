import { parseSource } from "./parse.ts";
import type { SyntaxNode } from "../native/index.ts";
import { syntaxOf } from "./languages/index.ts";

/**
 * Tells whether two texts are the same program written differently: both parse without errors, to trees with the
 * same nodes and the same text in the leaves, comments left out. Where white space means something, as indentation
 * in Python does, the trees differ.
 *
 * @param language The language's name as file detection gives it.
 * @returns False too for a language without a grammar, and for a text that is not parsed.
 */
export function isSameTree(left: string, right: string, language: string): boolean {
  const leftSource = parseSource(left, language);
  const rightSource = parseSource(right, language);
  if (leftSource === null || rightSource === null) return false;
  if (leftSource.hasErrors || rightSource.hasErrors) return false;
  const commentKinds = new Set(syntaxOf(language)?.commentKinds);
  const pairs: [SyntaxNode, SyntaxNode][] = [[leftSource.root, rightSource.root]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [leftNode, rightNode] = pair;
    if (leftNode.kind() !== rightNode.kind()) return false;
    const leftAll = leftNode.children();
    const rightAll = rightNode.children();
    if (leftAll.length === 0 || rightAll.length === 0) {
      if (leafText(leftNode) !== leafText(rightNode)) return false;
      continue;
    }
    const leftChildren = leftAll.filter((child) => !commentKinds.has(child.kind()));
    const rightChildren = rightAll.filter((child) => !commentKinds.has(child.kind()));
    if (leftChildren.length !== rightChildren.length) return false;
    for (const [index, child] of leftChildren.entries()) {
      pairs.push([child, rightChildren[index] as SyntaxNode]);
    }
  }
  return true;
}

/** Directives take the line break that ends them along. */
function leafText(node: SyntaxNode): string {
  return node.text().replace(/[ \t]*\r?\n$/, "");
}
