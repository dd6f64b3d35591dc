import type { AgentCounters, DropCounts, UsesByModel } from "../../core/index.ts";
import type { ProcessFigures } from "./process-figures.ts";
import {
  negatedByName,
  negatedCounters,
  negatedUses,
  noCounters,
  sumByName,
  sumCounters,
  sumUses,
} from "./sum-counters.ts";

/** What only grows while the process that has the tree runs. */
export interface Grown {
  readonly agents: ReadonlyMap<string, AgentCounters>;
  readonly totalMessages: number;
  readonly totalCostUsd: number;
  readonly models: UsesByModel;
  readonly dropped: Partial<DropCounts>;
}

/** What is known of a process group. */
interface Known {
  /** What its processes before this one had counted; less what this one had when it was met. */
  before: Grown;
  latest: ProcessFigures;
}

const nothing: Grown = {
  agents: new Map(),
  totalMessages: 0,
  totalCostUsd: 0,
  models: {},
  dropped: {},
};

/**
 * What the workers have said of themselves last, and what they have counted since this process began. A worker that is away
 * keeps its counts; the next one of its name goes on from there. A worker that was there before this process begins with 0,
 * as all that this process counts: a counter that falls, and to anything but 0, is misread by who reads it as one that began again.
 */
export class FigureBook {
  readonly #groups = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<void>>();

  /**
   * Takes what a worker says.
   *
   * @param group Its process group.
   * @param figures What it says.
   * @param uptimeMs How long this process runs.
   */
  accept(group: string, figures: ProcessFigures, uptimeMs: number): void {
    const known = this.#groups.get(group);
    if (known?.latest.epoch === figures.epoch) {
      known.latest = figures;
      return;
    }
    const before = known === undefined ? nothing : sumOf(known.before, known.latest);
    const isOlder = known === undefined && figures.uptimeMs > uptimeMs;
    this.#groups.set(group, {
      before: isOlder ? sumOf(before, negated(figures)) : before,
      latest: figures,
    });
  }

  /**
   * Has a worker asked; those who want to know at the same time wait for the same answer.
   *
   * @param key Tells its process from all others, and from the one before.
   * @param ask Asks it, and accepts what it says.
   */
  async refresh(key: string, ask: () => Promise<void>): Promise<void> {
    const asking = this.#asking.get(key) ?? ask().finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    await asking;
  }

  /** @returns What a group has said last; undefined where it has said nothing yet. */
  latest(group: string): ProcessFigures | undefined {
    return this.#groups.get(group)?.latest;
  }

  /** @returns What a group has counted since this process began. */
  grown(group: string): Grown {
    const known = this.#groups.get(group);
    return known === undefined ? nothing : sumOf(known.before, known.latest);
  }
}

function countersOf(from: Grown | ProcessFigures, name: string): AgentCounters {
  const found = from.agents.get(name);
  if (found === undefined) return noCounters;
  return "counters" in found ? found.counters : found;
}

function sumOf(before: Grown, figures: Grown | ProcessFigures): Grown {
  const names = new Set([...before.agents.keys(), ...figures.agents.keys()]);
  const agents = new Map<string, AgentCounters>();
  for (const name of names) {
    const latest = countersOf(figures, name);
    const earlier = before.agents.get(name);
    agents.set(name, earlier === undefined ? latest : sumCounters(earlier, latest));
  }
  return {
    agents,
    totalMessages: before.totalMessages + figures.totalMessages,
    totalCostUsd: before.totalCostUsd + figures.totalCostUsd,
    models: sumUses(before.models, figures.models),
    dropped: sumByName({ ...before.dropped }, { ...figures.dropped }),
  };
}

function negated(figures: ProcessFigures): Grown {
  return {
    agents: new Map(
      [...figures.agents].map(([name, { counters }]) => [name, negatedCounters(counters)]),
    ),
    totalMessages: -figures.totalMessages,
    totalCostUsd: -figures.totalCostUsd,
    models: negatedUses(figures.models),
    dropped: negatedByName(figures.dropped),
  };
}
