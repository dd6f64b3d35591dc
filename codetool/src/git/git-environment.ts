/** Variables of git that say where its configuration and its own programs are. */
const keptNames: ReadonlySet<string> = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_EXEC_PATH",
]);

/**
 * Makes the environment that git is started with: the caller's, without what a hook or an alias left in it, in English
 * and never asking.
 *
 * @param options.ceiling Git looks for a repository no higher than below this folder.
 */
export function gitEnvironment(
  environment: { readonly [name: string]: string | undefined },
  options: { readonly ceiling: string },
): { [name: string]: string } {
  const made: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || (/^GIT_/i.test(name) && !keptNames.has(name))) continue;
    made[name] = value;
  }
  return {
    ...made,
    GIT_CEILING_DIRECTORIES: options.ceiling,
    // An answer does not wait for whoever writes the index, nor write it to make the next one faster.
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    LANGUAGE: "",
  };
}
