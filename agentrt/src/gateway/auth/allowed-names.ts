import { canonicalName, parseName } from "./distinguished-name.ts";

/** The names of an allowlist, and what in it is not a name. */
export interface AllowedNames {
  /** In canonical form. */
  readonly names: ReadonlySet<string>;
  /** Parts that are not a distinguished name. */
  readonly faulty: readonly string[];
}

/**
 * Reads an allowlist of distinguished names: separated by `;` that is not escaped, each whole.
 *
 * @param text For example `CN=ada,O=Acme;CN=bob,O=Acme`.
 */
export function readAllowedNames(text: string): AllowedNames {
  const names = new Set<string>();
  const faulty: string[] = [];
  for (const [part] of text.matchAll(/(?:[^;\\]|\\.|\\$)+/gsu)) {
    // A space at the end may be an escaped one, which belongs to the name.
    const trimmed = part.trimStart();
    if (trimmed === "") continue;
    const name = parseName(trimmed);
    if (name === undefined) faulty.push(trimmed);
    else names.add(canonicalName(name));
  }
  return { names, faulty };
}
