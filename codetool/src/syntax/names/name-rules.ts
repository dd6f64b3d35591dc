import type { SyntaxNode } from "../../native/index.ts";

/** A node on the way from the root of a tree to a name. */
export interface PathNode {
  readonly node: SyntaxNode;
  readonly id: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly line1: number;
}

/**
 * What a name is where it is written.
 *
 * - `bare`: used or declared by itself.
 * - `shorthand`: a key and a name at once (`{ name }`).
 * - `taken`: a key of an object that is taken apart, `{ name }` or `{ name: other }`.
 * - `member`: behind a dot.
 * - `import`: of a module that is imported from; `reexport` the same, exported again; `export`: of this file.
 * - `listed`: a string in `__all__`, a key of what `module.exports` is.
 * - `alias`: what an export calls something else.
 * - `other`: a key, a member's definition, a label.
 * - `doubtful`: a key that may be a field or a constant.
 * - `quoted`: in a string that may be read as code.
 */
export type NameRole =
  | "bare"
  | "shorthand"
  | "taken"
  | "member"
  | "import"
  | "reexport"
  | "export"
  | "listed"
  | "alias"
  | "other"
  | "doubtful"
  | "quoted";

/** A name as the rules of its language read it. */
export interface ReadName {
  readonly role: NameRole;
  /** Of a member: the text before the dot. */
  readonly qualifier?: string;
  /** Of an import or export: it gets another name behind it. */
  readonly hasAlias?: true;
  /** Of what is taken: it is declared under this name too. */
  readonly isShorthand?: true;
  /** Of an import or export, and of what is taken: line of its statement, from 1. */
  readonly statementLine1?: number;
  /** It is a type only, or a value only; both where it is neither said. */
  readonly space?: "type" | "value";
  /** The node in which this declares the name. */
  readonly scope?: PathNode;
  /** The scope in which the name is said to be one from outside (`global`). */
  readonly undeclares?: PathNode;
}

/** How a language writes and scopes names. */
export interface NameRules {
  /** Says whether the string at the end of a path is code, as a quoted annotation is, or may be. */
  readonly readsString?: (path: readonly PathNode[]) => "code" | "doubtful" | "text";
  /** Reads a name: the last node of the path. `null` for what is not a name. */
  read(path: readonly PathNode[]): ReadName | null;
  /** The scopes around a name that it may be declared in, innermost first. */
  scopesAround(path: readonly PathNode[]): readonly PathNode[];
}

/** Reads what is asked of a node often; each call into native code costs, and of most nodes only the place is asked. */
export function nodeOf(node: SyntaxNode): PathNode {
  return new KnownNode(node);
}

class KnownNode implements PathNode {
  readonly node: SyntaxNode;
  readonly start: number;
  readonly end: number;
  readonly line1: number;
  #id: number | undefined;
  #kind: string | undefined;

  constructor(node: SyntaxNode) {
    const { start, end } = node.range();
    this.node = node;
    this.start = start.index;
    this.end = end.index;
    this.line1 = start.line + 1;
  }

  get id(): number {
    return (this.#id ??= this.node.id());
  }

  get kind(): string {
    return (this.#kind ??= this.node.kind());
  }
}

/** Whether a child on a path is what its parent has in a field. */
export function isField(parent: PathNode, field: string, child: PathNode): boolean {
  return parent.node.fieldChildren(field).some((each) => each.id() === child.id);
}

/** The node next above a place in a path that is of some kinds. */
export function nearest(
  path: readonly PathNode[],
  below: number,
  kinds: ReadonlySet<string>,
): PathNode | undefined {
  return path.slice(0, below).findLast(({ kind }) => kinds.has(kind));
}
