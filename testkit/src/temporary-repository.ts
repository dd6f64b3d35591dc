import { execFileSync } from "node:child_process";
import { createTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

/** A temporary folder that is a git work tree, untouched by the user's own git configuration. */
export interface TemporaryRepository extends TemporaryFolder {
  /** Runs git in it and returns what it printed. */
  git(...args: string[]): string;
  /** Adds everything and commits; returns the commit's id. */
  commit(message: string): string;
}

/**
 * Makes a git repository with one branch, `main`, and a first commit of the given files, if any.
 *
 * @param files Files to begin with, by relative path.
 */
export function createTemporaryRepository(
  files: { readonly [relativePath: string]: string | Uint8Array } = {},
): TemporaryRepository {
  const folder = createTemporaryFolder(files);
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: folder.path,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        GIT_AUTHOR_NAME: "Test",
        GIT_AUTHOR_EMAIL: "test@example.org",
        GIT_COMMITTER_NAME: "Test",
        GIT_COMMITTER_EMAIL: "test@example.org",
      },
    });
  const commit = (message: string): string => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD").trim();
  };
  git("init", "-q", "-b", "main");
  if (Object.keys(files).length > 0) commit("first");
  return {
    path: folder.path,
    write: (added) => folder.write(added),
    git,
    commit,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
