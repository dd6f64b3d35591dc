import { readFileBytes, type WalkedFile } from "../../files/index.ts";
import { loadTokenTable, TextEmbedder } from "../../model/index.ts";
import {
  addFile,
  noTreeState,
  Segment,
  SegmentBuilder,
  type SegmentFileKind,
  writeSegmentToMemory,
} from "../segment/index.ts";
import { IndexedCorpus } from "./indexed-corpus.ts";
import { contentHash } from "../../text/index.ts";
import { SectionFile } from "../sections/index.ts";
import { graphOfTree } from "../folder/index.ts";

/**
 * Makes an index of some files in memory, for a tree without one on the disk; nothing is written.
 *
 * @param files In the byte order of their paths; those that cannot be read are left out.
 */
export async function indexInMemory(
  files: readonly WalkedFile[],
  options: {
    readonly chunkSizeCharacters: number;
    readonly fileSizeBytesMax: number;
    /** Leaves the vectors of chunks out, which is half of the work; default false. */
    readonly isWithoutMeaning?: boolean;
  },
): Promise<IndexedCorpus> {
  const embedder = options.isWithoutMeaning === true ? null : new TextEmbedder(loadTokenTable());
  const builder = new SegmentBuilder(options.chunkSizeCharacters, embedder);
  for (const file of files) {
    const content = readFileBytes(file.absolutePath, { sizeBytesMax: options.fileSizeBytesMax });
    if (content.kind !== "file") continue;
    const { bytes, stamp } = content;
    // Only a search by meaning asks whether a file is still the one that was indexed.
    const hash = embedder === null ? "0".repeat(32) : await contentHash(bytes);
    await addFile(builder, file, { bytes, stamp, hash });
  }
  const absolutePaths = new Map(files.map((file) => [file.relativePath, file.absolutePath]));
  return new IndexedCorpus([segmentInMemory(builder, 0)], (corpus) =>
    graphOfTree({
      files: corpus.importingFiles(),
      absolutePathOf: (path) => absolutePaths.get(path) ?? path,
    }),
  );
}

/**
 * Turns what a builder gathered into a segment in memory.
 *
 * @param embed Makes the file `embeddings` when it is asked for, where the builder had no embedder.
 */
export function segmentInMemory(
  builder: SegmentBuilder,
  generation: number,
  embed?: () => Promise<SectionFile>,
): Segment {
  const storage = writeSegmentToMemory(builder, {
    generation,
    removed: [],
    tree: noTreeState,
    graph: null,
  });
  const open = (kind: SegmentFileKind): SectionFile => {
    const source = storage.get(kind);
    if (source === undefined) throw new Error(`no ${kind}`);
    return new SectionFile(source, kind);
  };
  return new Segment(generation, open, embed);
}
