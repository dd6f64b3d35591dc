import process from "node:process";

type Checksum = (bytes: Uint8Array) => number;

let checksumHere: Checksum | undefined;

/**
 * The CRC-32 of bytes, as gzip has it: finds what a disk or a copy damaged, and nothing that was meant to deceive.
 *
 * It is the runtime's own: gigabytes a second, and loaded at the first call.
 *
 * @returns 0 to 2³² - 1.
 */
export function checksumOf(bytes: Uint8Array): number {
  checksumHere ??= findChecksum();
  return checksumHere(bytes);
}

function findChecksum(): Checksum {
  // In the one-file executable loading zlib takes longer than many an answer.
  const { Bun: runtime } = globalThis as { readonly Bun?: { readonly hash: { crc32: Checksum } } };
  if (runtime !== undefined) return runtime.hash.crc32;
  const { crc32 } = process.getBuiltinModule("node:zlib");
  return (bytes) => crc32(bytes);
}
