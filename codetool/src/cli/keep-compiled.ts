import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { version } from "../system/index.ts";

/** So many versions, and files of one version, are kept; with more, all are dropped and begin again. */
const versionCountMax = 4;
const fileCountMax = 2000;

/**
 * Has Node keep what it compiles of the modules that are loaded from now on, in the user's cache folder: a fifth of the processor
 * time of a short answer. It does nothing in the executable, which is compiled, on sources, which change, where Node keeps it already or
 * must not, and where there is no such folder.
 *
 * @param environment The variables of the process.
 * @param moduleUrl Of the module that asks.
 */
export function keepCompiled(
  environment: { readonly [name: string]: string | undefined },
  moduleUrl: string,
): void {
  if ("Bun" in globalThis || moduleUrl.endsWith(".ts")) return;
  if (environment["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return;
  // Coverage is exact only for code that was compiled in the same process.
  if (environment["NODE_V8_COVERAGE"] !== undefined) return;
  const { enableCompileCache, getCompileCacheDir } = process.getBuiltinModule("node:module");
  const folder = compiledFolder(environment);
  if (folder === undefined || getCompileCacheDir() !== undefined) return;
  const own = join(folder, version);
  try {
    if (!existsSync(own)) makeOwn(own, folder);
    else if (isOverfull(own)) rmSync(own, { recursive: true, force: true });
    enableCompileCache(own);
  } catch {
    // A folder that cannot be written to: nothing is kept.
  }
}

/** For this user only: what is kept there is run. */
function makeOwn(own: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length >= versionCountMax)
    for (const name of readdirSync(folder))
      rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(own, { recursive: true, mode: 0o700 });
}

/** Node makes a folder for each version of it, with a file for each module. */
function isOverfull(own: string): boolean {
  const counts = readdirSync(own).map((name) => readdirSync(join(own, name)).length);
  return counts.reduce((sum, count) => sum + count, 0) > fileCountMax;
}

function compiledFolder(environment: {
  readonly [name: string]: string | undefined;
}): string | undefined {
  const valueOf = (name: string): string => environment[name] ?? "";
  if (valueOf("CODETOOL_CACHE_DIR") !== "") return join(valueOf("CODETOOL_CACHE_DIR"), "compiled");
  const given = valueOf(process.platform === "win32" ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
  if (given !== "") return join(given, "codetool", "compiled");
  const home = valueOf("HOME");
  const caches = process.platform === "darwin" ? join("Library", "Caches") : ".cache";
  return home === "" ? undefined : join(home, caches, "codetool", "compiled");
}
