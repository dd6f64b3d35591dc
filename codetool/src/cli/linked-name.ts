import { basename } from "node:path";

/** What a link's name such as `codetool-search` has behind the dash; a name with a digit is that of a build. */
export function linkedName(names: readonly string[]): string | undefined {
  return names
    .map((name) => /^codetool-([a-z][a-z-]*?)(\.exe|\.cjs)?$/.exec(basename(name))?.[1])
    .find((name) => name !== undefined);
}
