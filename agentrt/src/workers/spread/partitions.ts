/** Keys are owned by partitions: this many for each keyed agent. */
export const partitionCount = 256;

/** @returns The partition of a key, from 0. */
export function partitionOf(key: string): number {
  return hashOf(key) % partitionCount;
}

/** @returns What the fence of a partition is called in the store. */
export function fenceOf(agent: string, partition: number): string {
  return `${agent}#${partition}`;
}

/** @returns What the approvals of a partition are kept by. */
export function placeOf(agent: string, partition: number): string {
  return `${agent}/${partition}`;
}

/** @returns What `placeOf` was given. */
export function readPlace(place: string): { readonly agent: string; readonly partition: number } {
  const cut = place.lastIndexOf("/");
  return { agent: place.slice(0, Math.max(0, cut)), partition: Number(place.slice(cut + 1)) };
}

/**
 * Gives each partition to one of several workers, by rendezvous hashing: each worker has a number for each partition, and the
 * highest wins. A worker that comes or goes moves the partitions that it gets or had, and no others.
 *
 * @param workers Their ids, each once.
 * @returns The id for each partition; empty without workers.
 */
export function placePartitions(workers: readonly string[]): readonly string[] {
  if (workers.length === 0) return [];
  return Array.from({ length: partitionCount }, (_, partition) => {
    let chosen = "";
    let best = -1;
    for (const worker of workers) {
      const weight = hashOf(`${partition}:${worker}`);
      if (weight > best || (weight === best && worker < chosen)) [best, chosen] = [weight, worker];
    }
    return chosen;
  });
}

/** FNV-1a over the code units, then mixed so that each bit of the text counts for each bit of the number: 0 to 2^32 - 1. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
