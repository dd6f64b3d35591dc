import { areSameWords, lexemesOf, type Lexemes } from "./lexemes.ts";
import type { FileVersion } from "./file-version.ts";
import type { NamedSymbol } from "./named-symbol.ts";

const noWords: Lexemes = { words: [], comments: [] };

/** The stretches of a symbol's text that belong to none of the symbols inside it, in UTF-8 offsets. */
export function ownStretches(named: NamedSymbol): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  let at = named.symbol.startByte;
  for (const { symbol } of named.children) {
    if (symbol.startByte >= at) stretches.push([at, symbol.startByte]);
    at = Math.max(at, symbol.endByte);
  }
  stretches.push([at, Math.max(at, named.symbol.endByte)]);
  return stretches;
}

/** The words of a symbol without those of the symbols inside it. */
export function ownWords(version: FileVersion, named: NamedSymbol): Lexemes {
  const text = ownStretches(named)
    .map(([start, end]) => version.slice(start, end))
    // Separate words stay separate.
    .join("\n");
  return lexemesOf(text, version.language) ?? { ...noWords, words: [text] };
}

/**
 * A symbol without its name: kind, signature and body as words. Two symbols with the same essence are one symbol that was
 * renamed or moved.
 */
export interface Essence {
  /** All of it. */
  readonly whole: string;
  /** Only the body; empty where there is none. */
  readonly body: string;
  /** How many words the body has. */
  readonly bodyLength: number;
}

/** Makes the essence of a symbol. */
export function essenceOf(version: FileVersion, named: NamedSymbol): Essence {
  const { symbol } = named;
  const wordsOf = (start: number, end: number): readonly string[] => {
    const text = version.slice(start, end);
    const words = lexemesOf(text, version.language)?.words ?? [text];
    return words.map((word) => (word === symbol.name ? "\u0001" : word));
  };
  const head = wordsOf(symbol.startByte, symbol.bodyStartByte);
  const body = wordsOf(symbol.bodyStartByte, symbol.endByte);
  const bodyText = body.join("\u0000");
  return {
    whole: [named.kind, ...head, "\u0002", bodyText].join("\u0000"),
    body: `${named.kind}\u0000${bodyText}`,
    bodyLength: body.length,
  };
}

/** Says whether two signatures differ in more than white space. */
export function isSameSignature(left: NamedSymbol, right: NamedSymbol, language: string): boolean {
  const own = lexemesOf(left.symbol.signature, language)?.words;
  const other = lexemesOf(right.symbol.signature, language)?.words;
  if (own === undefined || other === undefined)
    return left.symbol.signature === right.symbol.signature;
  const without = (words: readonly string[], name: string): readonly string[] =>
    words.map((word) => (word === name ? "\u0001" : word));
  return areSameWords(without(own, left.symbol.name), without(other, right.symbol.name));
}
