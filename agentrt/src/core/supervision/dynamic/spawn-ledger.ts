import type { DynamicLimits } from "../../tree/index.ts";
import { spawnErrors } from "./errors.ts";

/** Most spawners whose spawns are counted; only where there is a quota for their lives. */
const spawnerCountMax = 100_000;

/** Who spawns what into which supervisor, for errors. */
export interface SpawnNames {
  readonly child: string;
  readonly supervisor: string;
  readonly spawner: string;
}

/**
 * Counts the children of a dynamic supervisor, those alive and those of its whole life, for all and for each spawner.
 * A child that is being examined holds its place, so that two cannot take the last one.
 */
export class SpawnLedger {
  /** What it counts against. */
  limits: DynamicLimits;
  readonly #liveBySpawner = new Map<string, number>();
  readonly #spawnsBySpawner = new Map<string, number>();
  #liveCount = 0;
  #spawnCount = 0;

  constructor(limits: DynamicLimits) {
    this.limits = limits;
  }

  /** Children that were admitted since the beginning. */
  get spawnCount(): number {
    return this.#spawnCount;
  }

  /**
   * Takes a place, or says which limit forbids it: the whole supervisor's before the spawner's, those of the moment
   * before those of the whole life.
   *
   * @throws AGENTRT_SPAWN_CHILDREN_EXHAUSTED, AGENTRT_SPAWN_SPAWNS_EXHAUSTED,
   *   AGENTRT_SPAWN_SPAWNER_CHILDREN_EXHAUSTED, AGENTRT_SPAWN_SPAWNER_SPAWNS_EXHAUSTED.
   */
  take(names: SpawnNames): void {
    const { childCountMax, spawnCountMax, childCountMaxPerSpawner, spawnCountMaxPerSpawner } =
      this.limits;
    const { spawner } = names;
    if (childCountMax !== undefined && this.#liveCount >= childCountMax) {
      throw new spawnErrors.CHILDREN_EXHAUSTED({ ...names, childCountMax });
    }
    if (spawnCountMax !== undefined && this.#spawnCount >= spawnCountMax) {
      throw new spawnErrors.SPAWNS_EXHAUSTED({ ...names, spawnCountMax });
    }
    if (childCountMaxPerSpawner !== undefined) {
      const live = this.#liveBySpawner.get(spawner) ?? 0;
      if (live >= childCountMaxPerSpawner) {
        throw new spawnErrors.SPAWNER_CHILDREN_EXHAUSTED({ ...names, childCountMaxPerSpawner });
      }
    }
    if (spawnCountMaxPerSpawner !== undefined) {
      const spawns = this.#spawnsBySpawner.get(spawner);
      // More spawners than can be counted: those that are not would have no quota.
      const isUncounted = spawns === undefined && this.#spawnsBySpawner.size >= spawnerCountMax;
      if (isUncounted || (spawns ?? 0) >= spawnCountMaxPerSpawner) {
        throw new spawnErrors.SPAWNER_SPAWNS_EXHAUSTED({ ...names, spawnCountMaxPerSpawner });
      }
    }
    this.#count(spawner, 1, 1);
  }

  /** Gives back the place of a child that was refused after all: it never counted. */
  refund(spawner: string): void {
    this.#count(spawner, -1, -1);
  }

  /** Gives back the place of a child that is gone; the counts of the whole life stay. */
  release(spawner: string): void {
    this.#count(spawner, -1, 0);
  }

  #count(spawner: string, live: number, spawns: number): void {
    this.#liveCount += live;
    this.#spawnCount += spawns;
    if (this.limits.childCountMaxPerSpawner !== undefined) {
      add(this.#liveBySpawner, spawner, live);
    }
    if (this.limits.spawnCountMaxPerSpawner !== undefined && spawns !== 0) {
      add(this.#spawnsBySpawner, spawner, spawns);
    }
  }
}

function add(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
