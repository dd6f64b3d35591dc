/** Longer texts are not searched for again. */
const findLengthMax = 2000;
const textLengthMax = 10_000_000;

/** A place with a text similar to one that was not found, and the difference. */
export interface NearMiss {
  readonly line1: number;
  /** The words for people: `outside of the scope`, `with other white space`, `in other letter case`. */
  readonly how: string;
}

/**
 * Looks for what was probably meant by a text that was not found.
 *
 * @param options.isScoped It was looked for in a part of the text.
 */
export function nearMissOf(
  text: string,
  find: string,
  { isScoped }: { readonly isScoped: boolean },
): NearMiss | undefined {
  if (find.length > findLengthMax || text.length > textLengthMax) return undefined;
  const words = find
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const parts = find.trim() === "" ? [] : words;
  if (parts.length === 0) return undefined;
  // Words with white space between: nothing in them can be matched in two ways.
  const spaced = parts.join("\\s+");
  for (const [pattern, how] of [
    [new RegExp(spaced), "with other white space"],
    [new RegExp(spaced, "i"), "in other letter case"],
  ] as const) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const line1 = text.slice(0, found.index).split("\n").length;
    const isOutside =
      isScoped && text.replaceAll("\r\n", "\n").includes(find.replaceAll("\r\n", "\n"));
    return { line1, how: isOutside ? "outside of the scope" : how };
  }
  return undefined;
}
