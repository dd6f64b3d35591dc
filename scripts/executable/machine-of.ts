import type { Machine } from "./targets.ts";

const elfProcessors: { readonly [machine: number]: Machine["processor"] } = {
  0x3e: "x64",
  0xb7: "arm64",
};
const machoProcessors: { readonly [type: number]: Machine["processor"] } = {
  0x0100_0007: "x64",
  0x0100_000c: "arm64",
};
const peProcessors: { readonly [machine: number]: Machine["processor"] } = {
  0x8664: "x64",
  0xaa64: "arm64",
};

/**
 * Reads from the header of a program or library which system and processor it is for.
 *
 * @returns `undefined` where it is none, of 32 bits, or for another processor.
 */
export function machineOf(bytes: Buffer): Machine | undefined {
  if (bytes.length < 64) return undefined;
  const magic = bytes.readUInt32LE(0);
  if (magic === 0x46_4c_45_7f && bytes[4] === 2)
    return machine("linux", elfProcessors[bytes.readUInt16LE(18)]);
  if (magic === 0xfe_ed_fa_cf) return machine("darwin", machoProcessors[bytes.readUInt32LE(4)]);
  if ((magic & 0xffff) !== 0x5a4d) return undefined;
  const header = bytes.readUInt32LE(60);
  if (header + 6 > bytes.length || bytes.readUInt32LE(header) !== 0x4550) return undefined;
  return machine("win32", peProcessors[bytes.readUInt16LE(header + 4)]);
}

function machine(
  system: Machine["system"],
  processor: Machine["processor"] | undefined,
): Machine | undefined {
  return processor === undefined ? undefined : { system, processor };
}
