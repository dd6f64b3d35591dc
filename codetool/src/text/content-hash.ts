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
