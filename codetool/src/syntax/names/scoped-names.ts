import type { SyntaxNode } from "../../native/index.ts";
import type { ParsedSource } from "../parse.ts";
import { nodeOf, type NameRules, type PathNode, type ReadName } from "./name-rules.ts";

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
    for (const index of this.#indexesOf(name)) yield this.#descend(index, index + name.length);
  }

  *#indexesOf(name: string): Generator<number> {
    const escaped = name.replace(/[$]/g, "\\$");
    const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, "gu");
    for (const { index } of this.#parsed.text.matchAll(word)) yield index;
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
    for (const start of this.#indexesOf(name)) {
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
    const line1 = string.line1 + (text.slice(string.start, start).match(/\n/g)?.length ?? 0);
    const leaf = { ...string, start, end: start + name.length, line1 };
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
