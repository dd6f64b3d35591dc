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
  /** How long the runs are, in virtual milliseconds: the shortest first, a share of the seeds each. Default as `explore`. */
  readonly durationsMs?: readonly number[] | undefined;
}

/** What was found. */
export interface SeedFound {
  readonly seed: number;
  readonly durationMs: number | undefined;
  readonly reason: string;
}

async function search(what: SeedSearch): Promise<SeedFound | undefined> {
  const { tree, invariant, seedCount, durationsMs = [undefined] } = what;
  const models: MakeModels = (world) => [{ name: "seeded", provider: seededModel(world) }];
  const share = Math.ceil(seedCount / durationsMs.length);
  for (let count = 0; count < seedCount; count += 1) {
    const seed = count + 1;
    const durationMs = durationsMs[Math.floor(count / share)];
    const supervision = plantedTrees[tree](seed);
    const { violation } = await explore({ supervision, seed, models, durationMs });
    if (violation === undefined || violation.invariant !== (invariant ?? violation.invariant))
      continue;
    return { seed, durationMs, reason: violation.reason };
  }
  return undefined;
}

parentPort?.postMessage(await search(workerData as SeedSearch));
