/** Hash of a name of a program: FNV-1a over its UTF-16 units, an unsigned 32-bit number. Case counts. */
export function nameHash(name: string): number {
  let hash = nameHashStart;
  for (let index = 0; index < name.length; index += 1) {
    hash = nameHashStep(hash, name.charCodeAt(index));
  }
  return hash >>> 0;
}

/** What `nameHash` begins with, for those who go over a text themselves. */
export const nameHashStart = 0x81_1c_9d_c5 | 0;

/** Takes one more unit in. */
export function nameHashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01_00_01_93);
}
