import { openAsset, readAsset } from "../text/index.ts";
import { TextEmbedder } from "./text-embedder.ts";
import { PartialTokenTable, ReplacedTokenTable, TokenTable } from "./token-table.ts";

/**
 * The table that codetool ships with. Reads its file, 33 MB, each time it is called.
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
 * The table, its vectors read as they are needed: for few texts some kilobytes of its 33 MB.
 *
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when it is damaged.
 */
async function openTokenTable(): Promise<PartialTokenTable> {
  return await PartialTokenTable.open(async (parts) => {
    using asset = openAsset("token-vectors.bin");
    return await Promise.all(parts.map(({ start, end }) => asset.read(start, end)));
  });
}

/** Bytes of texts whose tokens are read one by one in less time than all of the table. */
const fewBytesMax = 128 * 1024;

/**
 * An embedder for texts of so many bytes in all; for few of them it reads its table in parts, see `TextEmbedder.load`.
 *
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when it is damaged.
 */
export async function openEmbedder(sizeBytes: number): Promise<TextEmbedder> {
  return new TextEmbedder(sizeBytes <= fewBytesMax ? await openTokenTable() : loadTokenTable());
}

/** What `embedShortText` keeps: a process that stays is asked again. */
let kept: { readonly table: PartialTokenTable; readonly embedder: TextEmbedder } | undefined;
/** Rows that are kept from text to text, half a kilobyte each. */
const keptRowsMax = 4096;

/**
 * The vector of a short text. Of the table only what that needs is read.
 *
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when it is damaged.
 */
export async function embedShortText(text: string): Promise<Float32Array> {
  try {
    return await embedByKept(text);
  } catch (error) {
    // This copy of codetool was updated while the process stayed.
    if (!(error instanceof ReplacedTokenTable)) throw error;
    kept = undefined;
    return await embedByKept(text);
  }
}

async function embedByKept(text: string): Promise<Float32Array> {
  if (kept === undefined || kept.table.loadedCount > keptRowsMax) {
    const table = await openTokenTable();
    kept = { table, embedder: new TextEmbedder(table) };
  }
  const { embedder } = kept;
  const counted = embedder.countText(Buffer.from(text, "utf8"));
  await embedder.load([counted]);
  return embedder.vectorOf(counted);
}
