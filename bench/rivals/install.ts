import { spawnSync } from "node:child_process";
import { globSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));

/**
 * Installs the npm rivals next to this file, once.
 *
 * @returns Why they cannot be used, or `undefined`.
 */
export function installPackages(): string | undefined {
  if (existsSync(join(folder, "node_modules", "moleculer"))) return undefined;
  const result = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: folder,
      encoding: "utf8",
      shell: process.platform === "win32",
    },
  );
  return result.status === 0
    ? undefined
    : `npm could not install the rivals: ${result.stderr.trim().split("\n").at(-1)}`;
}

/** Loads an installed rival package. */
export function requireRival(name: string): unknown {
  return createRequire(join(folder, "package.json"))(name);
}

/** Absolute path of a file inside an installed rival package. */
export function rivalPath(path: string): string {
  return join(folder, "node_modules", path);
}

/**
 * Compiles the echo server and one Erlang module of `rivals/erlang` into a new temporary folder.
 *
 * @returns The folder, or why there is none.
 */
export function compileErlang(): { folder: string } | { obstacle: string } {
  const target = mkdtempSync(join(tmpdir(), "bench-erlang-"));
  const sources = globSync("*.erl", { cwd: join(folder, "erlang") }).map((name) =>
    join(folder, "erlang", name),
  );
  const result = spawnSync("erlc", ["-o", target, ...sources], { encoding: "utf8" });
  if (result.error !== undefined)
    return { obstacle: "erlc is not installed (Debian: apt-get install erlang-base)" };
  return result.status === 0 ? { folder: target } : { obstacle: result.stdout + result.stderr };
}

/**
 * Runs `module:main(OperationCount)` in a fresh Erlang node and reads the line `done <count> <microseconds>`;
 * for memory, bytes take the place of microseconds.
 *
 * @returns The count it proved done and the seconds it took.
 */
export function runErlang(
  module: string,
  operationCount: number,
): { operationCount: number; seconds: number } {
  const compiled = compileErlang();
  if ("obstacle" in compiled) throw new Error(compiled.obstacle);
  const result = spawnSync(
    "erl",
    ["-noshell", "-pa", compiled.folder, "-eval", `${module}:main(${operationCount}), halt().`],
    { encoding: "utf8" },
  );
  rmSync(compiled.folder, { recursive: true, force: true });
  const match = /done (\d+) (\d+)/.exec(result.stdout);
  if (match === null)
    throw new Error(`erl ended without a result: ${result.stdout}${result.stderr}`);
  return { operationCount: Number(match[1]), seconds: Number(match[2]) / 1e6 };
}
