import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contender } from "../bench.ts";

const folder = fileURLToPath(new URL("./pekko/", import.meta.url));
const libraries = join(folder, "lib", "*");

/** Fetches the libraries with Maven, once. */
function install(): string | undefined {
  if (spawnSync("javac", ["--version"]).status !== 0)
    return "javac is not installed (Debian: apt-get install default-jdk-headless)";
  if (existsSync(join(folder, "lib"))) return undefined;
  const goal = "dependency:copy-dependencies";
  const args = ["-q", "-B", goal, "-DoutputDirectory=lib.part"];
  const fetched = spawnSync("mvn", args, { cwd: folder, encoding: "utf8" });
  if (fetched.error !== undefined) return "mvn is not installed (Debian: apt-get install maven)";
  if (fetched.status !== 0)
    return `Maven could not fetch it: ${fetched.stdout.trim().split("\n")[0] ?? ""}`;
  renameSync(join(folder, "lib.part"), join(folder, "lib"));
  return undefined;
}

/**
 * Entities of Pekko's cluster sharding on one node, in a fresh Java process.
 *
 * @param operationCount How many calls; a fifth with `--quick`.
 * @param args What follows the count on the command line of `KeyedBench`.
 */
export function pekko(operationCount: number, args: readonly number[]): Contender {
  return {
    name: "pekko",
    prepare: install,
    run: ({ isQuick }) => {
      const count = isQuick ? operationCount / 5 : operationCount;
      const classes = mkdtempSync(join(tmpdir(), "bench-pekko-"));
      try {
        const source = join(folder, "KeyedBench.java");
        const built = spawnSync("javac", ["-cp", libraries, "-d", classes, source], {
          encoding: "utf8",
        });
        if (built.status !== 0) throw new Error(built.stderr);
        const path = [libraries, classes].join(delimiter);
        const words = ["-cp", path, "KeyedBench", ...[count, ...args].map(String)];
        const result = spawnSync("java", words, { encoding: "utf8" });
        const match = /done (\d+) (\d+)/.exec(result.stdout);
        if (match === null) throw new Error(`java ended without a result: ${result.stderr}`);
        return { operationCount: Number(match[1]), seconds: Number(match[2]) / 1e6 };
      } finally {
        rmSync(classes, { recursive: true, force: true });
      }
    },
  };
}
