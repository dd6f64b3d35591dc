import { type Segment, type WordPiece, wordPiecesOf } from "../segment/index.ts";

/** A group of texts. A file must hold all texts of one of several groups. */
export type TextGroup = readonly Uint8Array[];

/** A piece that occurs in more words than this is not useful. */
const placeCountMax = 4000;
/** How many pieces are looked up for one group: the longest. */
const pieceCountMax = 4;
/** Bytes of postings that are read at most to leave out a file: looking through them takes as long as reading the file. */
const postingsBytesMaxPerFile = 4096;
/** The same of the bytes of all terms, which are only searched. */
const termBytesMaxPerFile = 64 * 1024;

/**
 * Says of each file of a segment whether it may hold one of some groups of texts, whatever the case of ASCII letters:
 * 1, or 0 if it certainly does not.
 *
 * Every word of a text is a term of a chunk of its file. So a text that holds a literal has terms that hold the words of
 * the literal (at the ends of the literal they may be parts of words). All terms are searched for them, which takes
 * milliseconds. A file with words that are not terms (too long, or cut) may hold anything.
 */
export function filesThatMayHold(segment: Segment, groups: readonly TextGroup[]): Uint8Array {
  const { fileCount, haveAllWords } = segment.files;
  const held = new Uint8Array(fileCount);
  const fileOfChunk = filesOfChunks(segment);
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

const knownFilesOfChunks = new WeakMap<Segment, Uint32Array>();

/** The file of each chunk of a segment; found once for each segment. */
function filesOfChunks(segment: Segment): Uint32Array {
  const known = knownFilesOfChunks.get(segment);
  if (known !== undefined) return known;
  const { chunkEnds } = segment.files;
  const files = new Uint32Array(chunkEnds.at(-1) ?? 0);
  for (let file = 1; file < chunkEnds.length; file += 1)
    files.fill(file, chunkEnds[file - 1], chunkEnds[file]);
  knownFilesOfChunks.set(segment, files);
  return files;
}

/** The longest pieces of the texts of a group: the longer, the fewer words hold one. */
function piecesOf(group: TextGroup): WordPiece[] {
  return group
    .flatMap((text) => wordPiecesOf(text))
    .toSorted((a, b) => b.text.length - a.text.length)
    .slice(0, pieceCountMax);
}

/** The terms that hold a piece, and what is read to find their chunks. */
interface HeldPiece {
  readonly places: readonly number[];
  readonly sizeBytes: number;
}

/** Whole words first, the rarest of them before the others, and then parts of words as far as they are worth it. */
function filesHoldingAll(
  segment: Segment,
  pieces: readonly WordPiece[],
  fileOfChunk: Uint32Array,
): Uint8Array {
  const field = segment.field("body");
  const find = (piece: WordPiece): HeldPiece[] => {
    const places = field.placesHolding(piece, placeCountMax);
    if (places === null) return [];
    return [{ places, sizeBytes: places.reduce((sum, at) => sum + field.postingsBytesAt(at), 0) }];
  };
  let held = new Uint8Array(segment.files.fileCount).fill(1);
  let heldCount = held.length;
  const narrow = ({ places, sizeBytes }: HeldPiece): void => {
    // Else it takes less to read the files.
    if (sizeBytes > heldCount * postingsBytesMaxPerFile) return;
    const own = new Uint8Array(held.length);
    heldCount = 0;
    for (const place of places) {
      const documents = field.documentsAt(place);
      // An iterator takes several times as long.
      for (let at = 0; at < documents.length; at += 1) {
        const file = fileOfChunk[documents[at] as number] as number;
        if (held[file] === 0 || own[file] === 1) continue;
        own[file] = 1;
        heldCount += 1;
      }
    }
    held = own;
  };
  const isWhole = ({ isStart, isEnd }: WordPiece): boolean => isStart && isEnd;
  for (const piece of pieces
    .filter(isWhole)
    .flatMap(find)
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes))
    narrow(piece);
  for (const piece of pieces)
    if (!isWhole(piece) && field.termBytes <= heldCount * termBytesMaxPerFile)
      for (const found of find(piece)) narrow(found);
  return held;
}
