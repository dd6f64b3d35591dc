import { staticTable } from "./static-table.ts";

/** Index of the first entry with each name, and of each whole line. */
let indexes: { readonly byName: Map<string, number>; readonly byLine: Map<string, number> };

/**
 * Encodes a field section (RFC 9204 §4.5) with only the static table and without Huffman codes: the lines of a response
 * are short, and a Huffman code would cost more time than it saves.
 *
 * @param fields Names to values, in order; names in lower case, values of Latin-1 characters. A list is a line for each value.
 * @returns The section.
 */
export function encodeFieldSection(fields: {
  readonly [name: string]: string | number | readonly string[];
}): Uint8Array {
  indexes ??= buildIndexes();
  const out: number[] = [0, 0];
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (Array.isArray(field)) for (const value of field as string[]) pushLine(out, name, value);
    else pushLine(out, name, String(field));
  }
  return Uint8Array.from(out);
}

function pushLine(out: number[], name: string, value: string): void {
  const lineIndex = indexes.byLine.get(`${name}\n${value}`);
  if (lineIndex !== undefined) {
    pushInteger(out, { prefixBits: 6, flags: 0xc0, value: lineIndex });
    return;
  }
  const nameIndex = indexes.byName.get(name);
  if (nameIndex === undefined) {
    pushInteger(out, { prefixBits: 3, flags: 0x20, value: name.length });
    pushLatin1(out, name);
  } else pushInteger(out, { prefixBits: 4, flags: 0x50, value: nameIndex });
  pushInteger(out, { prefixBits: 7, flags: 0, value: value.length });
  pushLatin1(out, value);
}

function pushLatin1(out: number[], text: string): void {
  for (let index = 0; index < text.length; index += 1) out.push(text.charCodeAt(index) & 0xff);
}

/** An integer in the low `prefixBits` of a byte whose other bits are `flags` (RFC 7541 §5.1). */
function pushInteger(
  out: number[],
  {
    prefixBits,
    flags,
    value,
  }: { readonly prefixBits: number; readonly flags: number; readonly value: number },
): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    out.push(flags | value);
    return;
  }
  out.push(flags | mask);
  let rest = value - mask;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) | 0x80);
  out.push(rest);
}

function buildIndexes(): typeof indexes {
  const byName = new Map<string, number>();
  const byLine = new Map<string, number>();
  for (const [index, [name, value]] of staticTable.entries()) {
    if (!byName.has(name)) byName.set(name, index);
    byLine.set(`${name}\n${value}`, index);
  }
  return { byName, byLine };
}
