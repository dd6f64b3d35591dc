import type { CorpusSymbol } from "../../store/index.ts";

const name = "[A-Za-z_$][\\w$]*";
const pathOfNames = new RegExp(`^${name}(?:(?:::|\\.|#|->)${name})+(?:\\(\\))?$`);
const singleName = new RegExp(`^${name}(?:\\(\\))?$`);

/**
 * Reads the name out of a query that is one: `Config::parse`, `list.append`, `parseConfig`, `parse_config`, `Parser`,
 * `main()`. A lone word in small letters is a word, not a name.
 *
 * @returns The last part of the name; `null` for a query of words.
 */
export function symbolNameOf(query: string): string | null {
  const text = query.trim();
  const isNamed = pathOfNames.test(text) || (singleName.test(text) && /[A-Z_$]|\(\)$/.test(text));
  return isNamed ? (/([A-Za-z_$][\w$]*)(?:\(\))?$/.exec(text)?.[1] ?? null) : null;
}

/** Definitions that are taken up at most, in the order of files and lines. */
const lookedUpCountMax = 500;

/**
 * Looks a name up in the symbol index: definitions of exactly this name, else those that differ only in case. If the
 * query also says what the name is in, such as its class, only definitions inside of that count, if there are any.
 *
 * @param symbolName The last part of the query.
 * @param symbolsNamed Definitions of a name, whatever its case.
 * @param isInside Whether a definition is in what the query names before it.
 */
export function lookUpSymbol(
  symbolName: string,
  symbolsNamed: (name: string) => readonly CorpusSymbol[],
  isInside: (symbol: CorpusSymbol) => boolean = () => false,
): readonly CorpusSymbol[] {
  const all = symbolsNamed(symbolName);
  const exact = all.filter((symbol) => symbol.name === symbolName);
  const named = exact.length > 0 ? exact : all;
  const qualified = named.filter(isInside);
  return (qualified.length > 0 ? qualified : named).slice(0, lookedUpCountMax);
}
