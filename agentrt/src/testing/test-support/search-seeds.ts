/**
 * Explores seed after seed, in a thread: the test runner follows each promise of its own thread, which takes as long as
 * the runs themselves. `planted-kernel.ts` bundles this file with the kernel that it explores.
 */
import { parentPort, workerData } from "node:worker_threads";
import { explore, type MakeModels, seededModel } from "../index.ts";
import { type PlantedTree, plantedTrees } from "./planted-trees.ts";

/** What is searched for: the first seed, from 1 on, in which that invariant, or without one any, is the first to break. */
export interface SeedSearch {
  readonly tree: PlantedTree;
  readonly invariant?: string;
  /** How many seeds are tried. */
  readonly seedCount: number;
}

/** What was found. */
export interface SeedFound {
  readonly seed: number;
  readonly reason: string;
}

async function search({ tree, invariant, seedCount }: SeedSearch): Promise<SeedFound | undefined> {
  const models: MakeModels = (world) => [{ name: "seeded", provider: seededModel(world) }];
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const { violation } = await explore({ supervision: plantedTrees[tree](seed), seed, models });
    if (violation !== undefined && violation.invariant === (invariant ?? violation.invariant))
      return { seed, reason: violation.reason };
  }
  return undefined;
}

parentPort?.postMessage(await search(workerData as SeedSearch));
