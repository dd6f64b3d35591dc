import { type Segment, type WordPiece, wordPiecesOf } from "../segment/index.ts";

/** A group of texts. A file must hold all texts of one of several groups. */
export type TextGroup = readonly Uint8Array[];

/** A piece that occurs in more words than this is not useful. */
const placeCountMax = 4000;
/** How many pieces are looked up for one group: the longest. */
const pieceCountMax = 4;
/** Bytes of postings that are read at most to leave out a file: looking through them takes as long as reading the file. */
const postingsBytesMaxPerFile = 4096;

/**
 * Says of each file of a segment whether it may hold one of some groups of texts, whatever the case of ASCII letters:
 * 1, or 0 if it certainly does not.
 *
 * Every word of a text is a term of a chunk of its file. So a text that holds a literal has terms that hold the words of
 * the literal (at the ends of the literal they may be parts of words). All terms are searched for them, which takes
 * milliseconds. A file with words that are not terms (too long, or cut) may hold anything.
 */
export function filesThatMayHold(segment: Segment, groups: readonly TextGroup[]): Uint8Array {
  const { chunkEnds, fileCount, haveAllWords } = segment.files;
  const held = new Uint8Array(fileCount);
  const fileOfChunk = new Uint32Array(chunkEnds.at(-1) ?? 0);
  for (let file = 1; file < chunkEnds.length; file += 1)
    fileOfChunk.fill(file, chunkEnds[file - 1], chunkEnds[file]);
  for (const group of groups) {
    const own = filesHoldingAll(segment, piecesOf(group), fileOfChunk);
    for (let file = 0; file < held.length; file += 1)
      held[file] = (held[file] as number) | (own[file] as number);
  }
  for (let file = 0; file < held.length; file += 1)
    if (!segment.files.isText(file)) held[file] = 0;
    else if (haveAllWords[file] !== 1) held[file] = 1;
  return held;
}

/** The longest pieces of the texts of a group: the longer, the fewer words hold one. */
function piecesOf(group: TextGroup): WordPiece[] {
  return group
    .flatMap((text) => wordPiecesOf(text))
    .toSorted((a, b) => b.text.length - a.text.length)
    .slice(0, pieceCountMax);
}

/** A piece with the terms that hold it. */
interface HeldPiece {
  readonly places: readonly number[];
  /** What is read to find the chunks that hold one of them. */
  readonly sizeBytes: number;
}

function filesHoldingAll(
  segment: Segment,
  pieces: readonly WordPiece[],
  fileOfChunk: Uint32Array,
): Uint8Array {
  const field = segment.field("body");
  const found: HeldPiece[] = [];
  for (const piece of pieces) {
    const places = field.placesHolding(piece, placeCountMax);
    if (places === null) continue;
    const sizeBytes = places.reduce((sum, place) => sum + field.postingsBytesAt(place), 0);
    found.push({ places, sizeBytes });
  }
  let held = new Uint8Array(segment.files.fileCount).fill(1);
  let heldCount = held.length;
  for (const { places, sizeBytes } of found.toSorted((a, b) => a.sizeBytes - b.sizeBytes)) {
    // Then it takes less to read the files.
    if (sizeBytes > heldCount * postingsBytesMaxPerFile) break;
    const own = new Uint8Array(held.length);
    heldCount = 0;
    for (const place of places)
      for (const chunk of field.documentsAt(place)) {
        const file = fileOfChunk[chunk] as number;
        if (held[file] === 0 || own[file] === 1) continue;
        own[file] = 1;
        heldCount += 1;
      }
    held = own;
  }
  return held;
}
