import { readFileSync } from "node:fs";

/**
 * Reads the version of this package.
 *
 * @returns For example `0.1.0`.
 */
export function readVersion(): string {
  // The same two levels up from `src/cli` and from the chunks of a build.
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
