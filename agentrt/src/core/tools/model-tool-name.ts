/** Longest name of a tool that every provider of models takes. */
const nameLengthMax = 64;

/**
 * Makes a name that every provider of models takes: letters, digits, dashes and underscores, at most 64.
 *
 * @param source Name of the source.
 * @param options.tool Name of the tool.
 * @param options.taken Names that others have already.
 * @returns The name: the same for the same sources, tools and order.
 */
export function agreedName(
  source: string,
  { tool, taken }: { readonly tool: string; readonly taken: ReadonlySet<string> },
): string {
  const whole = `${source}__${tool}`.replaceAll(/[^\w-]/g, "_");
  const fitting = whole.slice(0, nameLengthMax);
  for (let number = 2, name = fitting; ; number += 1) {
    if (!taken.has(name)) return name;
    const end = `_${number}`;
    name = `${fitting.slice(0, nameLengthMax - end.length)}${end}`;
  }
}
