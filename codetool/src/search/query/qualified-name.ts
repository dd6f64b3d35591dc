/** What is asked of a definition. */
export interface PlacedDefinition {
  readonly name: string;
  /** 1-based, both included. */
  readonly startLine1: number;
  readonly endLine1: number;
  /** What it says itself that it belongs to. */
  readonly container?: string;
  readonly children?: readonly PlacedDefinition[];
}

/** A name with what it is in, as code and its readers write it: `Outer::inner`, `outer.inner`, `Outer#inner`. */
export interface QualifiedName {
  readonly name: string;
  /** What is right before it. */
  readonly qualifier: string;
}

const identifier = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const qualified = new RegExp(
  String.raw`^(?:${identifier}(?:::|\.|#|->|\\))*?(${identifier})(?:::|\.|#|->|\\)(${identifier}[!?]?)(?:\(\))?$`,
  "u",
);

/** Reads a query as a qualified name; `null` for anything else. */
export function readQualifiedName(query: string): QualifiedName | null {
  const match = qualified.exec(query.trim());
  if (match === null) return null;
  return { name: match[2] ?? "", qualifier: match[1] ?? "" };
}

/**
 * Whether a definition is the one that a qualified name means: it is in a definition of the qualifier's name, or its
 * file or a folder above it has that name, whatever the case and the signs between words.
 */
export function isQualifiedBy(
  qualifier: string,
  place: {
    readonly path: string;
    readonly line1: number;
    readonly symbols: readonly PlacedDefinition[];
  },
): boolean {
  const { path, line1, symbols } = place;
  if (isInside(symbols, qualifier, line1)) return true;
  const wanted = folded(qualifier);
  return path.split("/").some((part) => folded(part.replace(/(?<=.)\.[^.]*$/, "")) === wanted);
}

/** Whether a line is in a definition of a name, or in one that says itself that it belongs to it. */
function isInside(symbols: readonly PlacedDefinition[], name: string, line1: number): boolean {
  return symbols.some(
    (symbol) =>
      symbol.startLine1 <= line1 &&
      line1 <= symbol.endLine1 &&
      (symbol.name === name ||
        symbol.container === name ||
        isInside(symbol.children ?? [], name, line1)),
  );
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
