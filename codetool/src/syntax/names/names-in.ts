import type { SyntaxNode } from "../../native/index.ts";
import { parseSource } from "../parse.ts";
import { ecmascriptNames } from "./ecmascript.ts";
import { goNames } from "./go.ts";
import { nodeOf, type NameRules, type PathNode, type ReadName } from "./name-rules.ts";
import { pythonNames } from "./python.ts";

/** A place where code names something. */
export interface NameUse extends ReadName {
  /** UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  readonly line1: number;
  /**
   * Where a name that is not behind a dot is declared: at `file` level, in a `local` scope around it, or nowhere in the
   * file (`free`).
   */
  readonly binding: "file" | "local" | "free";
}

const rulesOf: { readonly [language: string]: NameRules } = {
  typescript: ecmascriptNames,
  tsx: ecmascriptNames,
  javascript: ecmascriptNames,
  python: pythonNames,
  go: goNames,
};

/** Whether the names of a language are read here. */
export function hasNameRules(language: string | null): boolean {
  return language !== null && rulesOf[language] !== undefined;
}

/**
 * Finds the places where the code of a text uses a name: not those in comments and strings.
 *
 * @returns In order; `null` where the text is not parsed, or has errors of syntax.
 */
export function usesOfName(text: string, language: string, name: string): NameUse[] | null {
  const rules = rulesOf[language];
  const parsed = rules === undefined ? null : parseSource(text, language);
  if (rules === undefined || parsed === null || parsed.hasErrors) return null;
  const descend = makeDescent(parsed.root);
  const found: { readonly path: readonly PathNode[]; readonly read: ReadName }[] = [];
  const escaped = name.replace(/[$]/g, "\\$");
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, "gu");
  for (const { index } of parsed.text.matchAll(word)) {
    const path = descend(index, index + name.length);
    const leaf = path.at(-1);
    if (leaf === undefined || leaf.end - leaf.start !== name.length) continue;
    const read = rules.read(path);
    if (read !== null) found.push({ path, read });
  }
  const declared = new Set<number>();
  for (const { read } of found) if (read.scope !== undefined) declared.add(read.scope.id);
  for (const { read } of found)
    if (read.undeclares !== undefined) declared.delete(read.undeclares.id);
  return found.map(({ path, read }): NameUse => {
    const leaf = path.at(-1) as PathNode;
    return {
      ...read,
      start: leaf.start,
      end: leaf.end,
      line1: leaf.line1,
      binding: bindingOf(path, read, { declared, rules }),
    };
  });
}

function bindingOf(
  path: readonly PathNode[],
  read: ReadName,
  { declared, rules }: { readonly declared: ReadonlySet<number>; readonly rules: NameRules },
): NameUse["binding"] {
  if (read.scope !== undefined && declared.has(read.scope.id))
    return read.scope === path[0] ? "file" : "local";
  for (const node of rules.scopesAround(path))
    if (declared.has(node.id)) return node === path[0] ? "file" : "local";
  return "free";
}

/** Makes a function that gives the nodes around a stretch, outermost first; nodes and children are kept between calls. */
function makeDescent(root: SyntaxNode): (start: number, end: number) => readonly PathNode[] {
  const first = nodeOf(root);
  const childrenOf = new Map<PathNode, readonly PathNode[]>();
  return (start, end) => {
    const path = [first];
    for (let node: PathNode | undefined = first; node !== undefined;) {
      let children = childrenOf.get(node);
      if (children === undefined) {
        children = node.node.children().map(nodeOf);
        childrenOf.set(node, children);
      }
      node = children.find((child) => child.start <= start && end <= child.end);
      if (node !== undefined) path.push(node);
    }
    return path;
  };
}
