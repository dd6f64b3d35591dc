/** Tests one character. */
export type CharacterTest = (character: string) => boolean;

/** The named classes of POSIX, over ASCII as in git. */
const namedClasses: { readonly [name: string]: RegExp } = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^[\0-\x1f\x7f]$/,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[\t-\r ]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

/**
 * Reads a bracket expression, for example `[a-z_]`, `[!.]` or `[[:digit:]]`.
 *
 * @param start Index after the opening bracket.
 * @returns The test and the index after the closing bracket; `undefined` when it is not closed or names no class.
 */
export function parseClass(
  characters: readonly string[],
  start: number,
): { readonly test: CharacterTest; readonly next: number } | undefined {
  let index = start;
  const isNegated = characters[index] === "!" || characters[index] === "^";
  if (isNegated) index += 1;
  const singles = new Set<string>();
  const tests: CharacterTest[] = [];
  let previous: string | undefined;
  for (let isFirst = true; isFirst || characters[index] !== "]"; isFirst = false) {
    const character = characters[index];
    if (character === undefined) return undefined;
    const next = characters[index + 1];
    if (character === "-" && previous !== undefined && next !== undefined && next !== "]") {
      const isEscaped = next === "\\";
      const last = isEscaped ? characters[index + 2] : next;
      if (last === undefined) return undefined;
      tests.push(rangeTest(previous, last));
      index += isEscaped ? 3 : 2;
      previous = undefined;
    } else if (character === "[" && next === ":") {
      const end = classNameEnd(characters, index + 2);
      if (end === undefined) return undefined;
      if (end === -1) {
        // No name follows: the bracket is an ordinary character.
        singles.add(character);
        previous = character;
        index += 1;
        continue;
      }
      const named = namedClasses[characters.slice(index + 2, end - 1).join("")];
      if (named === undefined) return undefined;
      tests.push((candidate) => named.test(candidate));
      index = end + 1;
      previous = undefined;
    } else {
      const isEscaped = character === "\\";
      const single = isEscaped ? next : character;
      if (single === undefined) return undefined;
      singles.add(single);
      previous = single;
      index += isEscaped ? 2 : 1;
    }
  }
  const isIn: CharacterTest = (character) =>
    singles.has(character) || tests.some((test) => test(character));
  return { test: (character) => isIn(character) !== isNegated, next: index + 1 };
}

/** Index of the `]` that ends a `[:name:]`; -1 when what follows is not a name; `undefined` without any `]`. */
function classNameEnd(characters: readonly string[], start: number): number | undefined {
  const end = characters.indexOf("]", start);
  if (end === -1) return undefined;
  return end > start && characters[end - 1] === ":" ? end : -1;
}

function rangeTest(first: string, last: string): CharacterTest {
  const low = first.codePointAt(0) ?? 0;
  const high = last.codePointAt(0) ?? 0;
  return (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= low && code <= high;
  };
}
