import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where the interpreter of a folder's virtual environment lies. */
export function pythonOf(folder: string): string {
  return join(folder, ".venv", "bin", "python");
}

/**
 * Makes a virtual environment in a folder with a package in it, once; it needs Python 3.12 or later, or `minor`.
 *
 * @returns Why it cannot be used, or `undefined`.
 */
export function installPythonPackage(
  folder: string,
  { name, minor = 12 }: { readonly name: string; readonly minor?: number },
): string | undefined {
  const python = pythonOf(folder);
  if (existsSync(python)) return undefined;
  // A version manager's own folders count too: its commands on PATH answer for one version alone.
  const managed = globSync(join(homedir(), ".pyenv", "versions", "3.1[0-9]*", "bin", "python3"));
  const candidates = ["python3", "python3.13", "python3.12", ...managed];
  const isRecent = `import sys; sys.exit(sys.version_info < (3, ${minor}))`;
  const base = candidates.find((candidate) => spawnSync(candidate, ["-c", isRecent]).status === 0);
  if (base === undefined) return `it needs Python 3.${minor} or later`;
  if (spawnSync(base, ["-m", "venv", join(folder, ".venv")]).status !== 0)
    return "the virtual environment failed";
  const pip = spawnSync(python, ["-m", "pip", "install", "-q", name], { encoding: "utf8" });
  return pip.status === 0
    ? undefined
    : `pip could not install it: ${pip.stderr.trim().split("\n").at(-1)}`;
}
