import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../files/index.ts";

/** Variables of git that say where its configuration and its own programs are. */
const keptNames: ReadonlySet<string> = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_EXEC_PATH",
]);

/**
 * Makes the environment for git: the caller's, without variables of a hook or an alias, in English and without prompts.
 * One variable of a hook stays: the index of the commit that is being made, if it belongs to this repository.
 *
 * @param options.root The work tree; git looks for a repository no higher.
 */
export function gitEnvironment(
  environment: { readonly [name: string]: string | undefined },
  options: { readonly root: string },
): { [name: string]: string } {
  const made: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || (/^GIT_/i.test(name) && !keptNames.has(name))) continue;
    made[name] = value;
  }
  const index = ownIndexFile(environment["GIT_INDEX_FILE"], options.root);
  return {
    ...made,
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    GIT_CEILING_DIRECTORIES: dirname(options.root),
    // An answer does not wait for another process that writes the index, and does not write it to make the next one faster.
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    LANGUAGE: "",
  };
}

/** For the hook of `git commit -a`, git writes a temporary index next to the real one. */
function ownIndexFile(given: string | undefined, root: string): string | undefined {
  if (given === undefined || given === "") return undefined;
  const file = resolve(root, given);
  const mark = join(root, ".git");
  const pointer = /^gitdir: (.+?)\r?\n?$/.exec(readSmallFile(mark) ?? "")?.[1];
  const folder = pointer === undefined ? mark : resolve(root, pointer);
  return dirname(file) === folder && existsSync(file) ? file : undefined;
}
