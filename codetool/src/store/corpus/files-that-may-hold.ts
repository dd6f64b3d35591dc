import { type Segment, type WordPiece, wordPiecesOf } from "../segment/index.ts";

/** A group of texts. A file must hold all texts of one of several groups. */
export type TextGroup = readonly Uint8Array[];

/** A piece that occurs in more words than this is not useful. */
const placeCountMax = 4000;
/** How many pieces are looked up for one group: the longest. */
const pieceCountMax = 4;

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

function filesHoldingAll(
  segment: Segment,
  pieces: readonly WordPiece[],
  fileOfChunk: Uint32Array,
): Uint8Array {
  const field = segment.field("body");
  let held = new Uint8Array(segment.files.fileCount).fill(1);
  for (const piece of pieces) {
    const places = field.placesHolding(piece, placeCountMax);
    if (places === null) continue;
    const own = new Uint8Array(held.length);
    for (const place of places)
      for (const chunk of field.postingsAt(place).documents) {
        const file = fileOfChunk[chunk] as number;
        own[file] = held[file] as number;
      }
    held = own;
  }
  return held;
}
