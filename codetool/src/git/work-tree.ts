import { realpathSync } from "node:fs";
import { errors } from "../envelope/index.ts";
import { findGitRoot } from "../files/index.ts";
import { gitEnvironment } from "./environment.ts";
import { type GitAnswer, type GitCall, runGit } from "./run-git.ts";

/** A git work tree. Paths in answers are relative to its root. */
export interface WorkTree {
  /** Absolute, links resolved. */
  readonly root: string;
  /** How git is started in it: in its root. */
  call(args: readonly string[]): GitCall;
  /** Runs git in its root and takes every exit code. */
  ask(args: readonly string[]): Promise<GitAnswer>;
}

/**
 * Finds the work tree that a folder lies in; git is not started for it.
 *
 * @param folder Absolute; it must be there.
 * @param options.action What is about to be done, for the error: `"compare with HEAD"`.
 * @throws git_error when the folder is in no work tree.
 */
export function openWorkTree(
  folder: string,
  options: {
    readonly environment: { readonly [name: string]: string | undefined };
    readonly action: string;
  },
): WorkTree {
  const found = findWorkTree(folder, options.environment);
  if (found === undefined)
    throw new errors.git_error({
      action: options.action,
      reason: `"${folder}" is in no git work tree`,
    });
  return found;
}

/** Finds the work tree that a folder lies in; `undefined` when it is in none. */
export function findWorkTree(
  folder: string,
  environment: { readonly [name: string]: string | undefined },
): WorkTree | undefined {
  const root = findGitRoot(realpathSync(folder));
  if (root === undefined) return undefined;
  const own = gitEnvironment(environment, { root });
  const call = (args: readonly string[]): GitCall => ({
    args,
    workingDirectory: root,
    environment: own,
  });
  return { root, call, ask: async (args) => await runGit(call(args)) };
}
