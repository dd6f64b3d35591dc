/**
 * Hashes the bytes of a file with XXH3-128: the `hash` of every answer about a file.
 *
 * @returns 32 lower-case hexadecimal digits.
 */
export async function contentHash(bytes: Uint8Array): Promise<string> {
  const { xxhash128 } = await import("hash-wasm");
  return await xxhash128(bytes);
}
