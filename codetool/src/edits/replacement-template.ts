/** A part of a replacement: a literal text, or the text of a group. */
export type TemplatePart = { readonly text: string } | { readonly group: number };

/**
 * Parses a replacement: `$1`, `${1}` and `${name}` are groups, `$0` the whole match, `$$` a dollar; any other dollar
 * is a literal dollar.
 *
 * @param groupNames Of each group its name, or `undefined`; the first is group 1.
 * @returns The parts, or why it cannot be read.
 */
export function readTemplate(
  template: string,
  groupNames: readonly (string | undefined)[],
): readonly TemplatePart[] | { readonly fault: string } {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (const found of template.matchAll(/\$(?:(\$)|(\d+)|\{(\w+)\})/g)) {
    const text = template.slice(position, found.index);
    if (text !== "") parts.push({ text });
    position = found.index + found[0].length;
    if (found[1] !== undefined) {
      parts.push({ text: "$" });
      continue;
    }
    const name = found[2] ?? found[3] ?? "";
    const group = /^\d+$/.test(name) ? Number(name) : groupNames.indexOf(name) + 1;
    const isThere = group <= groupNames.length && (group > 0 || /^0+$/.test(name));
    if (!isThere) return { fault: `the pattern has no group "${name}"${hintOn(groupNames)}` };
    parts.push({ group });
  }
  const rest = template.slice(position);
  if (rest !== "") parts.push({ text: rest });
  return parts;
}

function hintOn(groupNames: readonly (string | undefined)[]): string {
  const hint = "; write $$ for a dollar";
  if (groupNames.length === 0) return `, it has none${hint}`;
  const names = groupNames.map((name, index) => name ?? String(index + 1));
  return `, it has ${names.join(", ")}${hint}`;
}
