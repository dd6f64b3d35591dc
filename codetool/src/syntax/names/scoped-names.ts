import type { SyntaxNode } from "../../native/index.ts";
import type { ParsedSource } from "../parse.ts";
import { nodeOf, type NameRules, type PathNode, type ReadName } from "./name-rules.ts";
import { wordsIn, wordsInStrings } from "./words.ts";

/** A place of a name, and what the rules of its language say of it. */
export interface ReadPlace {
  /** The nodes around the name, outermost first, and the name itself. */
  readonly path: readonly PathNode[];
  readonly read: ReadName;
}

/** The places that declare a name in one scope. */
export interface Declarations {
  /** The scope is the file. */
  readonly isOuter: boolean;
  /** In order. */
  readonly places: readonly ReadPlace[];
}

/** A place where a comment or a string has a name as a word. */
export interface Mention {
  /** UTF-16 units of the text. */
  readonly start: number;
  readonly line1: number;
  /** A regular expression and the text between tags count as strings. */
  readonly kind: "comment" | "string";
}

/** The names of a parsed text and their scopes. A name is looked for once. */
export class ScopedNames {
  readonly #parsed: ParsedSource;
  readonly #rules: NameRules;
  readonly #descend: (start: number, end: number) => readonly PathNode[];
  readonly #placesOf = new Map<string, readonly ReadPlace[]>();
  readonly #declaredIn = new Map<string, ReadonlyMap<number, readonly ReadPlace[]>>();

  constructor(parsed: ParsedSource, rules: NameRules) {
    this.#parsed = parsed;
    this.#rules = rules;
    this.#descend = makeDescent(parsed.root);
  }

  /** The root of the tree. */
  get root(): PathNode {
    return this.#descend(0, 0)[0] as PathNode;
  }

  /** The places of a name that are code, in order: not those in comments and strings. */
  placesOf(name: string): readonly ReadPlace[] {
    let known = this.#placesOf.get(name);
    if (known === undefined) this.#placesOf.set(name, (known = this.#readPlaces(name)));
    return known;
  }

  /** The nodes around each place where a text has a word, with the smallest node that holds the word last. */
  *pathsOfWord(name: string): Generator<readonly PathNode[]> {
    for (const index of wordsIn(this.#parsed.text, name))
      yield this.#descend(index, index + name.length);
  }

  /** The places where a comment or a string has a name as a word, in order. */
  mentionsOf(name: string): readonly Mention[] {
    const mentions: Mention[] = [];
    for (const start of wordsInStrings(this.#parsed.text, name)) {
      const leaf = this.#descend(start, start + name.length).at(-1) as PathNode;
      if (!/comment|string|regex|jsx_text/.test(leaf.kind)) continue;
      const kind = leaf.kind.includes("comment") ? "comment" : "string";
      mentions.push({ start, line1: this.#lineOf(start, leaf), kind });
    }
    return mentions;
  }

  #lineOf(start: number, leaf: PathNode): number {
    const before = this.#parsed.text.slice(leaf.start, start);
    return leaf.line1 + (before.match(/\n/g)?.length ?? 0);
  }

  /** The nodes around a node of the tree, outermost first, and the node itself. */
  pathTo(node: SyntaxNode): readonly PathNode[] {
    const { start, end } = node.range();
    const path = this.#descend(start.index, end.index);
    const at = path.findIndex(({ id }) => id === node.id());
    return at === -1 ? [...path, nodeOf(node)] : path.slice(0, at + 1);
  }

  /**
   * What declares the name at the end of a path: in the innermost scope that does.
   *
   * @param space A declaration that is only of the other one is not meant.
   */
  declarationsOf(
    name: string,
    path: readonly PathNode[],
    space?: ReadName["space"],
  ): Declarations | undefined {
    const declared = this.#declared(name);
    for (const scope of this.#rules.scopesAround(path)) {
      const all = declared.get(scope.id) ?? [];
      const places = all.filter(({ read }) => isIn(read.space, space));
      if (places.length > 0) return { isOuter: scope.id === path[0]?.id, places };
    }
    return undefined;
  }

  /** Where a name that is not behind a dot is declared. */
  bindingOf({ path, read }: ReadPlace, name: string): "file" | "local" | "free" {
    const own = read.scope === undefined ? undefined : this.#declared(name).get(read.scope.id);
    if (own !== undefined) return read.scope?.id === path[0]?.id ? "file" : "local";
    const declarations = this.declarationsOf(name, path, read.space);
    if (declarations === undefined) return "free";
    return declarations.isOuter ? "file" : "local";
  }

  #readPlaces(name: string): readonly ReadPlace[] {
    const places: ReadPlace[] = [];
    for (const start of wordsIn(this.#parsed.text, name)) {
      const path = this.#descend(start, start + name.length);
      const leaf = path.at(-1);
      if (leaf === undefined) continue;
      const isWhole = leaf.end - leaf.start === name.length;
      const read = isWhole ? this.#rules.read(path) : null;
      const place = read === null ? this.#readInString(path, { start, name }) : { path, read };
      if (place !== undefined) places.push(place);
    }
    return places;
  }

  /** A name in a string that is code. */
  #readInString(
    path: readonly PathNode[],
    { start, name }: { readonly start: number; readonly name: string },
  ): ReadPlace | undefined {
    const string = path.at(-1) as PathNode;
    const kind = this.#rules.readsString?.(path) ?? "text";
    if (kind === "text") return undefined;
    const { text } = this.#parsed;
    const line1 = this.#lineOf(start, string);
    const { node, id, kind: leafKind } = string;
    const leaf = { node, id, kind: leafKind, start, end: start + name.length, line1 };
    const qualifier = /([\p{L}\p{N}_.]+)\.$/u.exec(text.slice(string.start, start))?.[1];
    const around = [...path.slice(0, -1), leaf];
    // A type has a capital; other names in brackets are keys.
    if (kind === "doubtful" && !/^_?\p{Lu}/u.test(name)) return undefined;
    if (kind === "doubtful") return { path: around, read: { role: "quoted" } };
    return {
      path: around,
      read: qualifier === undefined ? { role: "bare" } : { role: "member", qualifier },
    };
  }

  #declared(name: string): ReadonlyMap<number, readonly ReadPlace[]> {
    const known = this.#declaredIn.get(name);
    if (known !== undefined) return known;
    const places = this.placesOf(name);
    const outside = new Set(places.map(({ read }) => read.undeclares?.id));
    const declared = new Map<number, ReadPlace[]>();
    for (const place of places) {
      const { scope } = place.read;
      if (scope === undefined || outside.has(scope.id)) continue;
      const own = declared.get(scope.id);
      if (own === undefined) declared.set(scope.id, [place]);
      else own.push(place);
    }
    this.#declaredIn.set(name, declared);
    return declared;
  }
}

/** Whether a declaration is meant by a name of a space; what is not said to be of one is of both. */
function isIn(declared: ReadName["space"], space: ReadName["space"]): boolean {
  return declared === undefined || space === undefined || declared === space;
}

/** The children of a node; what is asked of a child is read when it is looked at. */
class Children {
  readonly #nodes: readonly SyntaxNode[];
  readonly #read: PathNode[] = [];

  constructor(nodes: readonly SyntaxNode[]) {
    this.#nodes = nodes;
  }

  /** The first that is around a stretch; they are in the order of the text, and none is in another. */
  around(start: number, end: number): PathNode | undefined {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at(middle).end < end) low = middle + 1;
      else high = middle;
    }
    const child = low === this.#nodes.length ? undefined : this.#at(low);
    return child !== undefined && child.start <= start ? child : undefined;
  }

  #at(index: number): PathNode {
    return (this.#read[index] ??= nodeOf(this.#nodes[index] as SyntaxNode));
  }
}

/** Makes a function that gives the nodes around a stretch, outermost first; nodes and children are kept between calls. */
function makeDescent(root: SyntaxNode): (start: number, end: number) => readonly PathNode[] {
  const first = nodeOf(root);
  const childrenOf = new Map<PathNode, Children>();
  return (start, end) => {
    const path = [first];
    for (let node: PathNode | undefined = first; node !== undefined;) {
      let children = childrenOf.get(node);
      if (children === undefined) {
        children = new Children(node.node.children());
        childrenOf.set(node, children);
      }
      node = children.around(start, end);
      if (node !== undefined) path.push(node);
    }
    return path;
  };
}
