import { createHash } from "node:crypto";

/** Characters of a name at most: a label of the domain name system has 63, and prefixes precede. */
const lengthMax = 40;

/**
 * Makes a name that containers, services and units may have: lower-case letters, digits and dashes.
 *
 * @param text Any name.
 * @returns The same where it is one already. Else what is left of it, and six characters of its hash, so that no two are the same.
 */
export function serviceName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (name === text && name !== "" && name.length <= lengthMax) return name;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 6);
  return `${name.slice(0, lengthMax - 7)}-${hash}`.replaceAll(/-+/g, "-").replace(/^-/, "p-");
}
