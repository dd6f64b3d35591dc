import type { IHasher } from "hash-wasm";

let hasher: Promise<IHasher> | undefined;

/**
 * Hashes the bytes of a file with XXH3-128: the `hash` of every answer about a file.
 *
 * @returns 32 lower-case hexadecimal digits.
 */
export async function contentHash(bytes: Uint8Array): Promise<string> {
  hasher ??= import("hash-wasm").then(({ createXXHash128 }) => createXXHash128());
  // Nothing is awaited from here on, so one hasher serves all.
  return (await hasher).init().update(bytes).digest("hex");
}

/** What is used of the runtime that the executable is built on. */
interface Runtime {
  readonly hash: { readonly xxHash3: (bytes: Uint8Array) => bigint };
}

/** For more bytes than this, XXH3-64 is the lower half of XXH3-128. */
const shortBytesMax = 240;

/**
 * Says whether bytes have a hash that `contentHash` made. In the executable half of the hash is compared where that is
 * enough: the runtime has XXH3-64 itself, and loading XXH3-128 takes longer than many an answer.
 */
export async function hasContentHash(bytes: Uint8Array, hash: string): Promise<boolean> {
  const { Bun: runtime } = globalThis as { readonly Bun?: Runtime };
  if (runtime === undefined || bytes.length <= shortBytesMax)
    return (await contentHash(bytes)) === hash;
  return runtime.hash.xxHash3(bytes) === BigInt(`0x${hash.slice(16)}`);
}
