import { join } from "node:path";
import { compileIgnoreRules, type IgnoreRules } from "./ignore-rules.ts";
import { findGitCommonDirectory, readSmallFile } from "./project-root.ts";

/** The environment variables that say where a user's git files are. */
export interface GitEnvironment {
  readonly [name: string]: string | undefined;
}

/** The variables that lead to a user's own ignore file. */
export const userRuleVariables = [
  "HOME",
  "USERPROFILE",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
] as const;

/** Reads `info/exclude` of a repository. */
export function readInfoExclude(gitRoot: string): IgnoreRules | undefined {
  return compileIgnoreRules(infoExcludeOf(gitRoot));
}

/** The text of `info/exclude` of a repository; empty where there is none. */
export function infoExcludeOf(gitRoot: string): string {
  const directory = findGitCommonDirectory(gitRoot);
  if (directory === undefined) return "";
  return readSmallFile(join(directory, "info/exclude")) ?? "";
}

/** Reads the user's own ignore file. */
export function readGlobalExcludes(
  gitRoot: string | undefined,
  environment: GitEnvironment,
): IgnoreRules | undefined {
  return compileIgnoreRules(globalExcludesOf(gitRoot, environment));
}

/**
 * The text of the user's own ignore file: `core.excludesFile` of the repository's, the user's or XDG's configuration,
 * else `git/ignore` in the user's configuration folder; empty where there is none. Included configuration files are not
 * followed.
 */
export function globalExcludesOf(gitRoot: string | undefined, environment: GitEnvironment): string {
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  const xdg =
    environment["XDG_CONFIG_HOME"] ?? (home === undefined ? undefined : join(home, ".config"));
  const commonDirectory = gitRoot === undefined ? undefined : findGitCommonDirectory(gitRoot);
  const configurations = [
    commonDirectory === undefined ? undefined : join(commonDirectory, "config"),
    environment["GIT_CONFIG_GLOBAL"] ?? (home === undefined ? undefined : join(home, ".gitconfig")),
    xdg === undefined ? undefined : join(xdg, "git/config"),
  ];
  for (const configuration of configurations) {
    if (configuration === undefined) continue;
    const named = excludesFileOf(readSmallFile(configuration) ?? "");
    if (named === undefined) continue;
    const path = named.startsWith("~/") && home !== undefined ? join(home, named.slice(2)) : named;
    return readSmallFile(path) ?? "";
  }
  if (xdg === undefined) return "";
  return readSmallFile(join(xdg, "git/ignore")) ?? "";
}

/** Reads `core.excludesFile` out of a git configuration; the last one counts. */
function excludesFileOf(configuration: string): string | undefined {
  let isInCore = false;
  let found: string | undefined;
  for (const rawLine of configuration.split("\n")) {
    let line = rawLine.trim();
    const section = /^\[\s*([^\]\s"]+)(\s*"[^"]*")?\s*\]/.exec(line);
    if (section !== null) {
      isInCore = section[1]?.toLowerCase() === "core" && section[2] === undefined;
      line = line.slice(section[0].length).trim();
    }
    const entry = /^excludesfile\s*=\s*(.*)$/i.exec(line);
    if (isInCore && entry !== null) found = valueOf(entry[1] ?? "");
  }
  return found === "" ? undefined : found;
}

/** Removes quotes, escapes and a comment from a configuration value. */
function valueOf(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (quoted !== null) return (quoted[1] ?? "").replace(/\\(.)/g, "$1");
  return text.replace(/\s*[#;].*$/, "").replace(/\\(.)/g, "$1");
}
