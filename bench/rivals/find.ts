import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contender, Sample } from "../bench.ts";
import { buildExecutable, codetoolPath, prepareRipgrep } from "./cold-start.ts";
import { treesFolder } from "./source-trees.ts";

const folderCount = 5000;
const filesOfFolder = 15;
/** Files of the tree. */
const fileCount = folderCount * filesOfFolder;
const endings = ["ts", "py", "go", "c", "rs", "java", "md"];

function treeAt(isIndexed: boolean): string {
  return join(treesFolder(), isIndexed ? "find-75k" : "find-75k-bare");
}

/** Makes the trees that are not there; says why it cannot. */
function prepareTrees(): string | undefined {
  const obstacle = buildExecutable();
  if (obstacle !== undefined) return obstacle;
  for (const isIndexed of [true, false]) {
    const tree = treeAt(isIndexed);
    if (!existsSync(tree)) makeTree(tree);
    if (!isIndexed) continue;
    // Again where it is there: an index of another version answers nothing.
    const { status, stderr } = spawnSync(codetoolPath(), ["index"], {
      cwd: tree,
      encoding: "utf8",
    });
    if (status !== 0) return `the tree could not be indexed: ${stderr}`;
  }
  return undefined;
}

function makeTree(tree: string): void {
  const begun = `${tree}.begun`;
  rmSync(begun, { recursive: true, force: true });
  for (let folder = 0; folder < folderCount; folder += 1) {
    const path = join(begun, `part${folder % 50}`, `module${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesOfFolder; file += 1) {
      const lines = Array.from(
        { length: 20 },
        (_, line) => `value_${folder}_${file}_${line} = ${line};`,
      );
      const ending = endings[(folder + file) % endings.length] ?? "ts";
      writeFileSync(join(path, `source${file}.${ending}`), `${lines.join("\n")}\n`);
    }
  }
  renameSync(begun, tree);
}

function listings(
  name: string,
  command: () => readonly [command: string, ...args: string[]],
  at: { readonly isIndexed: boolean; readonly prepare: () => string | undefined },
): Contender {
  const listOnce = (): void => {
    const [program, ...args] = command();
    const { status, stdout } = spawnSync(program, args, {
      cwd: treeAt(at.isIndexed),
      maxBuffer: 1 << 30,
    });
    const isWhole = stdout.includes("part49/module4999/source14.");
    if (status !== 0 || !isWhole) throw new Error(`${name} ended with ${String(status)}`);
  };
  return {
    name,
    prepare: at.prepare,
    run: ({ isQuick }): Sample => {
      listOnce();
      const operationCount = isQuick ? 3 : 15;
      const startedMs = performance.now();
      const latencies: number[] = [];
      for (let count = 0; count < operationCount; count += 1) {
        const begunMs = performance.now();
        listOnce();
        latencies.push(performance.now() - begunMs);
      }
      const seconds = (performance.now() - startedMs) / 1000;
      return { operationCount, seconds, latenciesMs: { [`${fileCount} files`]: latencies } };
    },
  };
}

/** codetool's executable. */
export function codetoolLists(options: {
  readonly name: string;
  readonly args: readonly string[];
  readonly isIndexed: boolean;
}): Contender {
  const { name, args, isIndexed } = options;
  return listings(`codetool ${name}`, () => [codetoolPath(), ...args], {
    isIndexed,
    prepare: prepareTrees,
  });
}

/** `rg --files`. */
export function ripgrepLists(): Contender {
  return listings("rg", () => ["rg", "--files"], {
    isIndexed: false,
    prepare: () => prepareRipgrep() ?? prepareTrees(),
  });
}

/** `rg --files`, and `wc -l` of what it lists. */
export function ripgrepCountsLines(): Contender {
  return listings("rg and wc", () => ["sh", "-c", "rg --files -0 | xargs -0 wc -l"], {
    isIndexed: false,
    prepare: () => prepareRipgrep() ?? prepareTrees(),
  });
}
