/** A kernel with a fault planted into it, to be searched for. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build, type Plugin } from "esbuild";
import type { SeedFound, SeedSearch } from "./search-seeds.ts";

const source = fileURLToPath(new URL("../..", import.meta.url));

/** What stands there once, and what stands there instead. */
interface Change {
  readonly right: string;
  readonly wrong: string;
}

/** A fault: in which file below `agentrt/src`, and what is changed. */
export interface Plant extends Change {
  readonly file: string;
  /** Where two things hold the same promise, the other one; of the same file, unless it is named. */
  readonly also?: Change & { readonly file?: string };
}

/** Puts the fault into the sources as they are read. Nothing is written. */
function planting(plant: Plant): Plugin {
  const changes = plant.also === undefined ? [plant] : [plant, { ...plant, ...plant.also }];
  const texts = new Map<string, string>();
  for (const { file, right, wrong } of changes) {
    const path = join(source, file);
    const text = texts.get(path) ?? readFileSync(path, "utf8");
    assert.equal(text.split(right).length, 2, `${file} holds once: ${right}`);
    texts.set(path, text.replace(right, wrong));
  }
  return {
    name: "plant",
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}

/**
 * Searches the seeds of a kernel, in a thread.
 *
 * @param plant The fault; without one, the kernel as it is.
 * @param folder Where the bundle is written; `node_modules` must be found from there.
 * @returns What was found, or nothing when no seed breaks a promise.
 */
export async function searchPlanted(
  search: SeedSearch,
  { plant, folder }: { readonly plant: Plant | undefined; readonly folder: string },
): Promise<SeedFound | undefined> {
  const outfile = join(folder, "search.mjs");
  await build({
    entryPoints: [join(source, "testing", "test-support", "search-seeds.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    packages: "external",
    logLevel: "warning",
    plugins: plant === undefined ? [] : [planting(plant)],
  });
  const worker = new Worker(outfile, { workerData: search });
  // An error of the thread rejects.
  const [found] = (await once(worker, "message")) as [SeedFound | undefined];
  await worker.terminate();
  return found;
}
