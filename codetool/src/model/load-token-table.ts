import { openAsset, readAsset } from "../text/index.ts";
import { scanTokens } from "./scan-tokens.ts";
import { tokenHash } from "./token-hash.ts";
import { readRows, TokenTable } from "./token-table.ts";

/**
 * The table that codetool ships with. Reads its file, some 20 MB, each time it is called.
 *
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when it is damaged.
 */
export function loadTokenTable(): TokenTable {
  return new TokenTable(readAsset("token-vectors.bin"));
}

/**
 * The bytes of the table, for a `TokenTable` of each of several threads.
 *
 * @throws Error when this copy of codetool is incomplete.
 */
export function sharedTokenTable(): SharedArrayBuffer {
  const bytes = readAsset("token-vectors.bin");
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/**
 * The rows of the table that a short text needs: some kilobytes of its 20 MB are read.
 *
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when it is damaged.
 */
export async function loadTokenRows(text: string): Promise<TokenTable> {
  const hashes = new Set<number>();
  const bytes = Buffer.from(text, "utf8");
  scanTokens(bytes, 0, bytes.length, (source, start, end) => {
    hashes.add(tokenHash(source, start, end));
  });
  using asset = await openAsset("token-vectors.bin");
  return await readRows(hashes, (start, end) => asset.read(start, end));
}
