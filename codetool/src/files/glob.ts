import { parseClass, type CharacterTest } from "./glob-class.ts";

/** One part of a pattern between slashes: any depth, or a test of one name. */
type Segment = "**" | ((name: string) => boolean);

/** A part of a name pattern: text, `*`, `?` or `[…]`. */
type Atom = { readonly literal: string } | "star" | "any" | CharacterTest;

/** A compiled pattern. */
export interface Glob {
  /** True when the pattern has a slash inside, so that it is about a path and not about a name. */
  readonly hasSlash: boolean;
  /** The pattern without escapes when it is a plain name. */
  readonly literalName: string | undefined;
  /** The text after the star when it is `*` and a plain rest, for example `.ts` of `*.ts`. */
  readonly literalSuffix: string | undefined;
  /** Tests the parts of a path from `offset` on against the whole pattern. */
  matchPath(parts: readonly string[], offset: number): boolean;
  /** Tests one name; only for patterns without a slash. */
  matchName(name: string): boolean;
}

/**
 * Compiles a pattern with git's meaning: `*` and `?` stay within a name, `**` between slashes spans any depth
 * (at the end, at least one name), `[a-z]`, `[!a]`, `[[:alpha:]]`, and a backslash makes the next character literal.
 *
 * Matching takes time in proportion to pattern times path, whatever the pattern.
 *
 * @param pattern Without a leading or trailing slash: both belong to the caller.
 * @returns `undefined` for a pattern that can match nothing: an unclosed bracket or a backslash at the end.
 */
export function compileGlob(pattern: string): Glob | undefined {
  if (plainNamePattern.test(pattern)) return plainGlob(pattern);
  const parsed = parseSegments(Array.from(pattern));
  if (parsed === undefined) return undefined;
  const segments = parsed.map(compileSegment);
  const only = parsed.length === 1 ? parsed[0] : undefined;
  return {
    hasSlash: parsed.length > 1,
    literalName: only === undefined ? undefined : literalOf(only),
    literalSuffix: only?.[0] === "star" ? literalOf(only.slice(1)) : undefined,
    matchPath: (parts, offset) => matchSegments(segments, parts, offset),
    matchName: (name) => {
      const [segment] = segments;
      return segment === "**" || (segment !== undefined && segment(name));
    },
  };
}

/** A name without wildcards and slashes: what most lines of ignore files are, compared without an automaton. */
const plainNamePattern = /^[^*?[\\/]+$/;

function plainGlob(literalName: string): Glob {
  return {
    hasSlash: false,
    literalName,
    literalSuffix: undefined,
    matchPath: (parts, offset) => parts.length === offset + 1 && parts[offset] === literalName,
    matchName: (name) => name === literalName,
  };
}

/** Splits a pattern into segments and these into atoms, with brackets and escapes. */
function parseSegments(characters: readonly string[]): Atom[][] | undefined {
  const segments: Atom[][] = [[]];
  let index = 0;
  while (index < characters.length) {
    const character = characters[index] ?? "";
    const atoms = segments[segments.length - 1] ?? [];
    index += 1;
    if (character === "/") segments.push([]);
    else if (character === "*") atoms.push("star");
    else if (character === "?") atoms.push("any");
    else if (character === "[") {
      const parsed = parseClass(characters, index);
      if (parsed === undefined) return undefined;
      atoms.push(parsed.test);
      index = parsed.next;
    } else if (character === "\\") {
      const escaped = characters[index];
      if (escaped === undefined) return undefined;
      index += 1;
      if (escaped === "/") segments.push([]);
      else atoms.push({ literal: escaped });
    } else atoms.push({ literal: character });
  }
  return segments;
}

function literalOf(atoms: readonly Atom[]): string | undefined {
  let text = "";
  for (const atom of atoms) {
    if (typeof atom !== "object") return undefined;
    text += atom.literal;
  }
  return text;
}

function compileSegment(atoms: readonly Atom[]): Segment {
  if (atoms.length >= 2 && atoms.every((atom) => atom === "star")) return "**";
  const literal = literalOf(atoms);
  if (literal !== undefined) return (name) => name === literal;
  if (atoms[0] === "star") {
    const suffix = literalOf(atoms.slice(1));
    if (suffix !== undefined) return (name) => name.endsWith(suffix);
  }
  if (atoms[atoms.length - 1] === "star") {
    const prefix = literalOf(atoms.slice(0, -1));
    if (prefix !== undefined) return (name) => name.startsWith(prefix);
  }
  const headEnd = atoms.indexOf("star");
  const head = headEnd === -1 ? atoms : atoms.slice(0, headEnd);
  const tail = headEnd === -1 ? [] : atoms.slice(atoms.lastIndexOf("star") + 1);
  return (name) => {
    const characters = surrogatePattern.test(name) ? Array.from(name) : name;
    // Most names fail at one of their ends.
    return (
      head.length + tail.length <= characters.length &&
      matchesAt(tail, characters, characters.length - tail.length) &&
      matchesAt(head, characters, 0) &&
      matchAtoms(atoms, characters)
    );
  };
}

/** In a name without them each UTF-16 unit is a character. */
const surrogatePattern = /[\uD800-\uDFFF]/;

function matchesAt(atoms: readonly Atom[], characters: ArrayLike<string>, start: number): boolean {
  for (let index = 0; index < atoms.length; index += 1) {
    const atom = atoms[index];
    if (atom === undefined || atom === "star") return false;
    if (!matchesAtom(atom, characters[start + index] ?? "")) return false;
  }
  return true;
}

/** Goes back only to the last star on a mismatch: earlier ones need no second try. */
function matchAtoms(atoms: readonly Atom[], characters: ArrayLike<string>): boolean {
  let atomIndex = 0;
  let index = 0;
  let starAtom = -1;
  let starIndex = 0;
  while (index < characters.length) {
    const atom = atoms[atomIndex];
    if (atom === "star") {
      starAtom = atomIndex;
      starIndex = index;
      atomIndex += 1;
    } else if (atom !== undefined && matchesAtom(atom, characters[index] ?? "")) {
      atomIndex += 1;
      index += 1;
    } else if (starAtom >= 0) {
      starIndex += 1;
      index = starIndex;
      atomIndex = starAtom + 1;
    } else return false;
  }
  while (atoms[atomIndex] === "star") atomIndex += 1;
  return atomIndex === atoms.length;
}

function matchesAtom(atom: Exclude<Atom, "star">, character: string): boolean {
  if (atom === "any") return true;
  return typeof atom === "function" ? atom(character) : atom.literal === character;
}

function matchSegments(
  segments: readonly Segment[],
  parts: readonly string[],
  offset: number,
): boolean {
  let segmentIndex = 0;
  let index = offset;
  let deepSegment = -1;
  let deepIndex = offset;
  while (index < parts.length) {
    const segment = segments[segmentIndex];
    if (segment === "**") {
      if (segmentIndex === segments.length - 1) return true;
      deepSegment = segmentIndex;
      deepIndex = index;
      segmentIndex += 1;
    } else if (segment !== undefined && segment(parts[index] ?? "")) {
      segmentIndex += 1;
      index += 1;
    } else if (deepSegment >= 0) {
      deepIndex += 1;
      index = deepIndex;
      segmentIndex = deepSegment + 1;
    } else return false;
  }
  return segmentIndex === segments.length;
}
