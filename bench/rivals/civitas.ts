import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contender } from "../bench.ts";
import { installPythonPackage, pythonOf } from "./python-package.ts";

const folder = fileURLToPath(new URL("./civitas/", import.meta.url));
/** Makes a virtual environment with the package in it, once. */
function install(): string | undefined {
  return installPythonPackage(folder, { name: "civitas==0.12.0" });
}

/** The Python runtime of the same kind, through the API that its documentation shows. */
export function civitas(mode: "call" | "cast", operationCount: number): Contender {
  return {
    name: "civitas",
    prepare: install,
    run: ({ isQuick }) => {
      const count = isQuick ? operationCount / 5 : operationCount;
      const result = spawnSync(pythonOf(folder), [join(folder, "bench.py"), mode, String(count)], {
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
