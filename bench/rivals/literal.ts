import { cpSync, existsSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import type { Contender, Sample } from "../bench.ts";
import { buildExecutable, codetoolPath, prepareRipgrep } from "./cold-start.ts";
import { prepareSourceTrees, sourceTrees } from "./source-trees.ts";

/** Texts of Wireshark's source: in nearly no file, in some, in thousands, in none. */
const literals: { readonly [kind: string]: string } = {
  rare: "dissect_tcp_payload",
  some: "WSLUA_REGISTER_META",
  common: "proto_tree_add_item",
  absent: "no such text in any file",
};

function indexedTree(): string {
  return sourceTrees().find(({ name }) => name === "wireshark")?.folder ?? "";
}

/** The same files by hard links, without an index. */
function bareTree(): string {
  return `${indexedTree()}-bare`;
}

function prepareTrees(): string | undefined {
  const obstacle = prepareSourceTrees() ?? buildExecutable();
  if (obstacle !== undefined) return obstacle;
  if (!existsSync(bareTree())) {
    if (process.platform === "win32") cpSync(indexedTree(), bareTree(), { recursive: true });
    else spawnSync("cp", ["-al", indexedTree(), bareTree()]);
    rmSync(join(bareTree(), ".codetool"), { recursive: true, force: true });
  }
  const { status, stdout } = spawnSync(codetoolPath(), ["index", indexedTree()], {
    encoding: "utf8",
  });
  return status === 0 ? undefined : `the tree could not be indexed: ${stdout}`;
}

/** Runs each literal some times, after one run that is not counted. */
function sample(isQuick: boolean, runOnce: (literal: string) => void): Sample {
  const latenciesMs: { [kind: string]: number[] } = {};
  let [totalMs, operationCount] = [0, 0];
  const roundCount = isQuick ? 2 : 6;
  for (let round = -1; round < roundCount; round += 1)
    for (const [kind, literal] of Object.entries(literals)) {
      const startedMs = performance.now();
      runOnce(literal);
      const tookMs = performance.now() - startedMs;
      if (round < 0) continue;
      (latenciesMs[kind] ??= []).push(tookMs);
      totalMs += tookMs;
      operationCount += 1;
    }
  return { operationCount, seconds: totalMs / 1000, latenciesMs };
}

function codetoolLiterals(name: string, tree: () => string): Contender {
  return {
    name,
    prepare: prepareTrees,
    run: ({ isQuick }) =>
      sample(isQuick, (literal) => {
        const { stdout } = spawnSync(codetoolPath(), ["search", "--literal", literal], {
          cwd: tree(),
          encoding: "utf8",
        });
        if (!stdout.includes('"total_matches":')) throw new Error(`codetool said ${stdout}`);
      }),
  };
}

/** `search --literal` of the executable where there is an index. */
export const indexedLiterals: Contender = codetoolLiterals("codetool", indexedTree);

/** The same where there is none. */
export const bareLiterals: Contender = codetoolLiterals("codetool-bare", bareTree);

/** ripgrep for the same texts, with line numbers. */
export const ripgrepLiterals: Contender = {
  name: "rg",
  prepare: prepareRipgrep,
  run: ({ isQuick }) =>
    sample(isQuick, (literal) => {
      const { status } = spawnSync("rg", ["-n", "-F", "--", literal, "."], {
        cwd: bareTree(),
        maxBuffer: 1 << 28,
      });
      if (status !== 0 && status !== 1) throw new Error(`rg ended with ${status}`);
    }),
};
