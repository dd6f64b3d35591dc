/**
 * What does an outline of a file of 100 KB take, from the start of the executable to its end, compared with ast-grep's own
 * outline of the same file? The files: Redis' `aof.c`, Wireshark's `wireshark_gen.py`, Zod's `schemas.ts`, all warm.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Contender } from "./bench.ts";
import { astGrepPath, buildExecutable, codetoolPath, prepareAstGrep } from "./rivals/cold-start.ts";
import { prepareSourceTrees, sourceTrees } from "./rivals/source-trees.ts";

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

function inTree(name: string, path: string): string {
  return join(sourceTrees().find((tree) => tree.name === name)?.folder ?? "", path);
}

/** Each with a symbol near its end. */
const files: { readonly [kind: string]: { readonly path: string; readonly proof: string } } = {
  c: { path: inTree("redis", "src/aof.c"), proof: "backgroundRewriteDoneHandler" },
  python: { path: inTree("wireshark", "tools/wireshark_gen.py"), proof: "wireshark_gen_C" },
  typescript: { path: join(modules, "zod/src/v4/classic/schemas.ts"), proof: "preprocess" },
};

function outlines(
  name: string,
  { prepare, path }: { prepare: () => string | undefined; path: () => string },
): Contender {
  return {
    name,
    prepare,
    run: ({ isQuick }) => {
      const latenciesMs: { [kind: string]: number[] } = {};
      let [totalMs, operationCount] = [0, 0];
      for (let round = -2; round < (isQuick ? 5 : 20); round += 1)
        for (const [kind, file] of Object.entries(files)) {
          const startedMs = performance.now();
          const { stdout, status } = spawnSync(path(), ["outline", file.path], {
            encoding: "utf8",
          });
          const tookMs = performance.now() - startedMs;
          if (status !== 0 || !stdout.includes(file.proof))
            throw new Error(`${name} ended with ${status} and wrote ${stdout.slice(0, 500)}`);
          if (round < 0) continue;
          (latenciesMs[kind] ??= []).push(tookMs);
          totalMs += tookMs;
          operationCount += 1;
        }
      return { operationCount, seconds: totalMs / 1000, latenciesMs };
    },
  };
}

export const bench: Bench = {
  question:
    "What does one outline of a file of 100 KB cost from a cold start, compared with ast-grep?",
  operation: "outline",
  contenders: [
    outlines("codetool", {
      prepare: () => prepareSourceTrees() ?? buildExecutable(),
      path: codetoolPath,
    }),
    outlines("ast-grep", { prepare: prepareAstGrep, path: astGrepPath }),
  ],
};
