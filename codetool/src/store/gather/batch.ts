import { type FileStamp, readFileBytes, type WalkedFile } from "../../files/index.ts";
import type { TextEmbedder } from "../../model/index.ts";
import { contentHash } from "../../text/index.ts";
import { addFile, SegmentBuilder } from "../segment/index.ts";
import { nextTurn } from "../../system/index.ts";

/** Options for adding files to an index. */
export interface GatherOptions {
  readonly chunkSizeCharacters: number;
  readonly fileSizeBytesMax: number;
  /** Ends the batch; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** A file that was read and added. */
export interface GatheredFile {
  /** XXH3-128 of its bytes. */
  readonly hash: string;
  readonly stamp: FileStamp;
}

/** Gets the facts of a file that was read; `undefined` for a file that could not be read. */
export type GatheredListener = (file: WalkedFile, gathered: GatheredFile | undefined) => void;

/**
 * Reads files and gathers what the index says of them.
 *
 * @param files In the byte order of their paths.
 * @param listener Called for each file in turn.
 */
export async function gatherBatch(
  files: readonly WalkedFile[],
  options: GatherOptions & { readonly embedder: TextEmbedder },
  listener: GatheredListener,
): Promise<SegmentBuilder> {
  const builder = new SegmentBuilder(options.chunkSizeCharacters, options.embedder);
  for (const [index, file] of files.entries()) {
    await heedSignal(options.signal, index);
    const content = readFileBytes(file.absolutePath, { sizeBytesMax: options.fileSizeBytesMax });
    if (content.kind !== "file") {
      // Denied, or gone or grown since the walk.
      listener(file, undefined);
      continue;
    }
    const { bytes, stamp } = content;
    const hash = await contentHash(bytes);
    await addFile(builder, file, { bytes, stamp, hash });
    listener(file, { hash, stamp });
  }
  return builder;
}

/** Throws when it is time to end. Signals arrive only when the event loop turns. */
async function heedSignal(signal: AbortSignal | undefined, index: number): Promise<void> {
  if (signal !== undefined && index % 64 === 63) await nextTurn();
  signal?.throwIfAborted();
}
