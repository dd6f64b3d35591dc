import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Contender } from "../bench.ts";
import { installPackages, rivalPath } from "./install.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const suffix = process.platform === "win32" ? ".exe" : "";

/** The file that outlines are made of, relative to the repository. */
export const outlinedFile = "codetool/src/patterns/syntax.ts";
const codetool = join(root, "dist", `codetool${suffix}`);

/** Absolute path of the executable. */
export function codetoolPath(): string {
  return codetool;
}

/** Builds codetool's executable; says why it cannot. */
export function buildExecutable(): string | undefined {
  const args = ["--conditions=agentrt-source", "scripts/build-codetool.ts"];
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return result.status === 0 ? undefined : `the executable could not be built: ${result.stderr}`;
}

/** The native program itself: the package's own `ast-grep` starts it by way of Node. */
export function astGrepPath(): string {
  const [found] = globSync(`cli-*/ast-grep${suffix}`, { cwd: rivalPath("@ast-grep") });
  return join(rivalPath("@ast-grep"), found ?? "ast-grep");
}

/** Installs ast-grep; says why it cannot be used. */
export function prepareAstGrep(): string | undefined {
  const obstacle = installPackages();
  if (obstacle !== undefined) return obstacle;
  return existsSync(astGrepPath()) ? undefined : "there is no ast-grep for this platform";
}

/** Says why ripgrep cannot be used, if so. */
export function prepareRipgrep(): string | undefined {
  return spawnSync("rg", ["--version"]).error === undefined
    ? undefined
    : "rg is not installed (Debian: apt-get install ripgrep)";
}

/** Starts a program again and again, one after the other, from nothing to its end; the files it reads are warm. */
function starts(options: {
  readonly name: string;
  readonly prepare: () => string | undefined;
  readonly command: () => string;
  readonly args: readonly string[];
  /** What its output must hold. */
  readonly proof: string;
}): Contender {
  const { name, prepare, args, proof } = options;
  return {
    name,
    prepare,
    run: ({ isQuick }) => {
      const command = options.command();
      const startOnce = (): void => {
        const { stdout, status } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
        if (status !== 0 || !stdout.includes(proof))
          throw new Error(`${name} ended with ${status} and wrote ${stdout}`);
      };
      for (let warmUp = 0; warmUp < 3; warmUp += 1) startOnce();
      const operationCount = isQuick ? 15 : 60;
      const startedMs = performance.now();
      for (let count = 0; count < operationCount; count += 1) startOnce();
      return { operationCount, seconds: (performance.now() - startedMs) / 1000 };
    },
  };
}

/** codetool's executable with some arguments. */
export function codetoolStarts(args: readonly string[], proof: string): Contender {
  return starts({
    name: "codetool",
    prepare: buildExecutable,
    command: () => codetool,
    args,
    proof,
  });
}

/** ripgrep with some arguments. */
export function ripgrepStarts(args: readonly string[], proof: string): Contender {
  return starts({ name: "rg", prepare: prepareRipgrep, command: () => "rg", args, proof });
}

/** ast-grep's native program with some arguments. */
export function astGrepStarts(args: readonly string[], proof: string): Contender {
  return starts({ name: "ast-grep", prepare: prepareAstGrep, command: astGrepPath, args, proof });
}
