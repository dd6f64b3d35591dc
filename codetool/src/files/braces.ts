/** Patterns that one pattern with braces may mean, at most. */
const expansionsMax = 1024;

/**
 * Expands `{a,b}` in a glob: `src/*.{ts,tsx}` becomes `src/*.ts` and `src/*.tsx`. Braces may nest; a backslash or a
 * bracket expression keeps them as they are, and so does a lack of a comma or of the closing brace.
 *
 * @returns `undefined` when there would be more than 1,024 patterns.
 */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const pending = [pattern];
  const done: string[] = [];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else {
      const before = next.slice(0, group.start);
      const after = next.slice(group.end + 1);
      pending.unshift(...group.options.map((option) => before + option + after));
    }
    if (done.length + pending.length > expansionsMax) return undefined;
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly options: readonly string[];
}

/** Finds the first brace group with a comma, at any place. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    const skipped = skipLiteral(pattern, start);
    if (skipped > start) start = skipped;
    else if (pattern[start] === "{") {
      const group = groupAt(pattern, start);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function groupAt(pattern: string, start: number): Group | undefined {
  const options: string[] = [];
  let depth = 0;
  let optionStart = start + 1;
  for (let index = start; index < pattern.length; index += 1) {
    const skipped = skipLiteral(pattern, index);
    if (skipped > index) {
      index = skipped;
      continue;
    }
    const character = pattern[index];
    if (character === "{") depth += 1;
    if (character === "," && depth === 1) {
      options.push(pattern.slice(optionStart, index));
      optionStart = index + 1;
    }
    if (character === "}") depth -= 1;
    if (depth === 0) {
      if (options.length === 0) return undefined;
      return { start, end: index, options: [...options, pattern.slice(optionStart, index)] };
    }
  }
  return undefined;
}

/** Index of the last character of an escape or a bracket expression that begins here; else the index itself. */
function skipLiteral(pattern: string, index: number): number {
  if (pattern[index] === "\\") return index + 1;
  if (pattern[index] !== "[") return index;
  // The first character in brackets may be a closing bracket itself.
  const isNegated = pattern[index + 1] === "!" || pattern[index + 1] === "^";
  const end = pattern.indexOf("]", index + (isNegated ? 3 : 2));
  return end === -1 ? index : end;
}
