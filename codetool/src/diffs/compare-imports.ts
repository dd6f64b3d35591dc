import type { ImportReference } from "../syntax/index.ts";

/** Names shown of one module. */
const shownNameCountMax = 6;

/**
 * Describes the new and the removed imports of a file.
 *
 * @returns For example `` +`node:fs` (readFile), -`path`, `./x` (+a, -b) ``; empty when nothing changed.
 */
export function describeImportChange(
  old: readonly ImportReference[],
  next: readonly ImportReference[],
): string {
  const before = namesBySpecifier(old);
  const after = namesBySpecifier(next);
  const parts: string[] = [];
  for (const [specifier, names] of after) {
    const earlier = before.get(specifier);
    if (earlier === undefined) {
      parts.push(`+\`${specifier}\`${listed([...names].filter((name) => name !== "*"))}`);
      continue;
    }
    const added = [...names].filter((name) => !earlier.has(name)).map((name) => `+${name}`);
    const removed = [...earlier].filter((name) => !names.has(name)).map((name) => `-${name}`);
    const changed = [...added, ...removed];
    if (changed.length > 0) parts.push(`\`${specifier}\`${listed(changed)}`);
  }
  for (const specifier of before.keys()) {
    if (!after.has(specifier)) parts.push(`-\`${specifier}\``);
  }
  return parts.join(", ");
}

function namesBySpecifier(imports: readonly ImportReference[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { specifier, names } of imports) {
    const known = found.get(specifier) ?? new Set<string>();
    for (const name of names) known.add(name);
    found.set(specifier, known);
  }
  return found;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = names.slice(0, shownNameCountMax).join(", ");
  const more = names.length - shownNameCountMax;
  return more > 0 ? ` (${shown} and ${more} more)` : ` (${shown})`;
}
