import { printable } from "../core/index.ts";

/**
 * Writes a value as JSON that a terminal can show: control characters are escapes, and stay the same JSON.
 *
 * @param value The value.
 * @param options.indent Spaces of each level; default none, which gives one line.
 */
export function safeJson(
  value: unknown,
  { indent = 0 }: { readonly indent?: number } = {},
): string {
  return JSON.stringify(value, null, indent)
    .split("\n")
    .map((line) => printable(line, Infinity))
    .join("\n");
}
