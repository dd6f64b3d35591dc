import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { commandPath, type ProgramExit, runProgram } from "testkit";

/** Where judges are installed: thrown away with `node_modules`. */
export const cacheFolder = fileURLToPath(
  new URL("../../node_modules/.cache/conformance", import.meta.url),
);

const installTimeoutMs = 600_000;

/** Installs a program of a Go module. @returns Its path, or why it cannot be had. */
export async function goTool(
  name: string,
  module: string,
): Promise<string | { readonly missing: string }> {
  const found = commandPath(name) ?? join(cacheFolder, name);
  if (existsSync(found)) return found;
  const go = commandPath("go");
  if (go === undefined) return { missing: "Go is not installed" };
  mkdirSync(cacheFolder, { recursive: true });
  const { code, stderr } = await runProgram(go, ["install", module], {
    environment: { GOBIN: cacheFolder, GOFLAGS: "-mod=mod" },
    timeoutMs: installTimeoutMs,
  });
  return code === 0 ? found : { missing: `go install failed: ${stderr.trim().split("\n").at(-1)}` };
}

/** Installs a program of an npm package, none of whose scripts are run. @returns Its path, or why it cannot be had. */
export async function npmTool(
  name: string,
  specifier: string,
): Promise<string | { readonly missing: string }> {
  const program = process.platform === "win32" ? `${name}.cmd` : name;
  const found = join(cacheFolder, "node_modules", ".bin", program);
  const npm = commandPath("npm");
  if (npm === undefined) return { missing: "npm is not installed" };
  mkdirSync(cacheFolder, { recursive: true });
  const args = ["install", "--prefix", cacheFolder, "--ignore-scripts", "--silent", specifier];
  const { code, stderr } = await runProgram(npm, args, { timeoutMs: installTimeoutMs });
  return code === 0
    ? found
    : { missing: `npm install failed: ${stderr.trim().split("\n").at(-1)}` };
}

/** Makes a virtual environment with Python packages. @returns Its folder of programs, or why it cannot be had. */
export async function pythonTools(
  packages: readonly string[],
): Promise<string | { readonly missing: string }> {
  const folder = join(cacheFolder, "python");
  const programs = join(folder, process.platform === "win32" ? "Scripts" : "bin");
  const python = commandPath("python3");
  if (python === undefined) return { missing: "Python 3 is not installed" };
  if (!existsSync(programs)) {
    const { code, stderr } = await runProgram(python, ["-m", "venv", folder]);
    if (code !== 0)
      return { missing: `python3 -m venv failed: ${stderr.trim().split("\n").at(-1)}` };
  }
  const args = ["install", "--quiet", "--disable-pip-version-check", ...packages];
  const { code, stderr } = await runProgram(join(programs, "pip"), args, {
    timeoutMs: installTimeoutMs,
  });
  return code === 0
    ? programs
    : { missing: `pip install failed: ${stderr.trim().split("\n").at(-1)}` };
}

/** Finds a program of the system. */
export function systemTool(
  name: string,
  debianPackage: string,
): string | { readonly missing: string } {
  return commandPath(name) ?? { missing: `${name} is not installed (Debian: ${debianPackage})` };
}

/** Runs a judge; one that does not end is ended. */
export async function runTool(
  path: string,
  args: readonly string[],
  options: { readonly timeoutMs?: number; readonly folder?: string } = {},
): Promise<ProgramExit> {
  const { timeoutMs = 300_000, folder } = options;
  return await runProgram(path, args, {
    timeoutMs,
    ...(folder === undefined ? {} : { workingDirectory: folder }),
  });
}

/** The first line of what a program says of itself. */
export function versionOf(path: string, ...args: readonly string[]): string {
  try {
    const text = execFileSync(path, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return /\d+\.\d[\w.+-]*/.exec(text)?.[0] ?? text.trim().split("\n")[0] ?? "";
  } catch {
    return "";
  }
}

/** Text without the colours of a terminal. */
export function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, "");
}
