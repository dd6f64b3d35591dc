import { cliErrors } from "../errors.ts";

/** Most workers of one process group that one command starts. */
const countMax = 64;

/** A worker that this process starts. */
export interface SpawnedName {
  /** Its process group. */
  readonly group: string;
  /** What its lines begin with: the group, and a number where there are several of it. */
  readonly label: string;
}

/**
 * Reads how many workers of which process group are started.
 *
 * @param text Behind `--spawn-workers=`: a number for each group that several may join, or `group=number,…`; undefined for one
 *   of each group.
 * @param groups All process groups of the topology.
 * @param shared Those that several workers may join.
 * @returns Group by group.
 * @throws AGENTRT_CLI_SPAWN_COUNT.
 */
export function readSpawnCounts(
  text: string | undefined,
  groups: readonly string[],
  shared: ReadonlySet<string>,
): readonly SpawnedName[] {
  const counts =
    text === undefined ? new Map<string, number>() : countsOf(text, { groups, shared });
  return groups.flatMap((group) => {
    const count = counts.get(group) ?? 1;
    if (count === 1) return [{ group, label: group }];
    return Array.from({ length: count }, (_, index) => ({ group, label: `${group}#${index + 1}` }));
  });
}

interface Groups {
  readonly groups: readonly string[];
  readonly shared: ReadonlySet<string>;
}

function countsOf(found: string, { groups, shared }: Groups): Map<string, number> {
  const refuse = (reason: string): never => {
    throw new cliErrors.SPAWN_COUNT({ found, reason });
  };
  const countOf = (text: string): number => {
    const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= countMax) return count;
    return refuse(`want a whole number from 1 to ${countMax}, or group=number`);
  };
  const onlyOne = (group: string): string =>
    `process group "${group}" takes one worker: it has no pool and no keyed agent`;
  if (!found.includes("=")) {
    const count = countOf(found);
    const [first = ""] = groups;
    if (count > 1 && shared.size === 0) refuse(onlyOne(first));
    return new Map([...shared].map((group) => [group, count]));
  }
  const counts = new Map<string, number>();
  for (const part of found.split(",")) {
    const cut = part.lastIndexOf("=");
    const group = part.slice(0, Math.max(0, cut));
    const count = countOf(part.slice(cut + 1));
    if (!groups.includes(group))
      refuse(`there is no process group "${group}", known are: ${groups.join(", ")}`);
    if (count > 1 && !shared.has(group)) refuse(onlyOne(group));
    counts.set(group, count);
  }
  return counts;
}
