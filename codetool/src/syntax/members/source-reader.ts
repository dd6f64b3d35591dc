import type { SyntaxNode } from "../../native/index.ts";
import { nodeOf, type PathNode, type ScopedNames } from "../names/index.ts";
import { type Expression, type FileTypes, type MemberUse, unknown } from "./type-facts.ts";

/** The nodes around a node, outermost first, and the node itself. */
export type Path = readonly PathNode[];

/** How a language writes types, members and expressions. */
export interface MemberRules {
  /** Kinds of the nodes that define types, extend them, import and assign: all that `readTypes` asks for. */
  readTypes(source: SourceReader): FileTypes;
  /** What is known of an expression. */
  expressionOf(path: Path, source: SourceReader): Expression;
  /** Reads a place with the name of a member: `null` for what names no member. */
  useOf(path: Path, source: SourceReader): Omit<MemberUse, "start" | "end" | "line1"> | null;
}

/** Names that one expression is followed through. */
const followedCountMax = 8;

/** A parsed file, as the rules of a language read it. */
export class SourceReader {
  readonly names: ScopedNames;
  readonly language: string;
  readonly #rules: MemberRules;
  /** Declarations that are being followed: a name may be declared by itself. */
  readonly #followed = new Set<number>();

  constructor(names: ScopedNames, language: string, rules: MemberRules) {
    this.names = names;
    this.language = language;
    this.#rules = rules;
  }

  /** All nodes of some kinds, in order, with the nodes around each. */
  pathsOf(kinds: readonly string[]): Path[] {
    const matcher = { rule: { any: kinds.map((kind) => ({ kind })) } };
    return this.names.root.node.findAll(matcher).map((node) => this.names.pathTo(node));
  }

  /** What is known of an expression. */
  expressionOf(path: Path): Expression {
    return this.#rules.expressionOf(path, this);
  }

  /** The same, of a field of a node; nothing is known where there is none. */
  expressionIn(path: Path, field: string): Expression {
    const child = childIn(path, field);
    return child === undefined ? unknown : this.expressionOf(child);
  }

  /** Follows a name to what declares it, but not in a circle, and not without end. */
  follow(leaf: PathNode, read: () => Expression): Expression {
    if (this.#followed.has(leaf.id) || this.#followed.size >= followedCountMax) return unknown;
    this.#followed.add(leaf.id);
    try {
      return read();
    } finally {
      this.#followed.delete(leaf.id);
    }
  }
}

/** The last node of a path. */
export function leafOf(path: Path): PathNode {
  return path.at(-1) as PathNode;
}

/** The path to a child in a field. */
export function childIn(path: Path, field: string): Path | undefined {
  const child = leafOf(path).node.field(field);
  return child === null ? undefined : [...path, nodeOf(child)];
}

/** The paths to all named children. */
export function childrenOf(path: Path): Path[] {
  return leafOf(path)
    .node.children()
    .filter((child) => child.isNamed())
    .map((child) => [...path, nodeOf(child)]);
}

/** The named children of a node, without comments. */
export function partsOf(node: SyntaxNode): SyntaxNode[] {
  return node.children().filter((child) => child.isNamed() && child.kind() !== "comment");
}

/** The text of a field; empty where there is none. */
export function textIn({ node }: PathNode, field: string): string {
  return node.field(field)?.text() ?? "";
}

/** The key of a type: its name at file level, else its place. */
export function keyOf(name: string, { start }: PathNode, isOuter: boolean): string {
  return isOuter && name !== "" ? name : `${name}@${start}`;
}
