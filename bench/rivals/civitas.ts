import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contender } from "../bench.ts";

const folder = fileURLToPath(new URL("./civitas/", import.meta.url));
const python = join(folder, ".venv", "bin", "python");

/** Makes a virtual environment with the package in it, once; it needs Python 3.12 or later. */
function install(): string | undefined {
  if (existsSync(python)) return undefined;
  // A version manager's own folders count too: its commands on PATH answer for one version alone.
  const managed = globSync(join(homedir(), ".pyenv", "versions", "3.1[2-9]*", "bin", "python3"));
  const candidates = ["python3", "python3.13", "python3.12", ...managed];
  const isRecent = "import sys; sys.exit(sys.version_info < (3, 12))";
  const base = candidates.find((candidate) => spawnSync(candidate, ["-c", isRecent]).status === 0);
  if (base === undefined) return "it needs Python 3.12 or later";
  if (spawnSync(base, ["-m", "venv", join(folder, ".venv")]).status !== 0)
    return "the virtual environment failed";
  const pip = spawnSync(python, ["-m", "pip", "install", "-q", "civitas==0.12.0"], {
    encoding: "utf8",
  });
  return pip.status === 0
    ? undefined
    : `pip could not install it: ${pip.stderr.trim().split("\n").at(-1)}`;
}

/** The Python runtime of the same kind, through the API that its documentation shows. */
export function civitas(mode: "call" | "cast", operationCount: number): Contender {
  return {
    name: "civitas",
    prepare: install,
    run: ({ isQuick }) => {
      const count = isQuick ? operationCount / 5 : operationCount;
      const result = spawnSync(python, [join(folder, "bench.py"), mode, String(count)], {
        encoding: "utf8",
      });
      const match = /done (\d+) (\d+)/.exec(result.stdout);
      if (match === null) throw new Error(`civitas ended without a result: ${result.stderr}`);
      if (Number(match[1]) !== count)
        throw new Error(`${match[1]} of ${count} messages were handled`);
      return { operationCount: count, seconds: Number(match[2]) / 1e6 };
    },
  };
}
