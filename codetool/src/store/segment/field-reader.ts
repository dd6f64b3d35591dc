import { asBuffer, lowerBound, type SectionFile } from "../sections/index.ts";
import { hashTerm, spreadHash } from "../../index/index.ts";
import type { WordPiece } from "./word-cover.ts";

/** Where a term occurs in the documents of one segment. */
export interface FieldPostings {
  /** Documents that hold the term, ascending. */
  readonly documents: Uint32Array;
  /** How often it occurs in each of them. */
  readonly frequencies: Uint16Array;
}

const nowhere: FieldPostings = { documents: new Uint32Array(0), frequencies: new Uint16Array(0) };

/** Reads one field of a segment: a few kilobytes a term, whatever the size of the index. */
export class FieldReader {
  readonly #file: SectionFile;
  readonly #sections: SectionNames;
  readonly #termCount: number;
  #lengths: Uint32Array | undefined;
  /** All terms one after the other, and where each begins; read when they are looked through. */
  #terms: { readonly bytes: Buffer; readonly offsets: Uint32Array } | undefined;

  /**
   * @param file That holds the field.
   * @param name Of the field, as it was written.
   */
  constructor(file: SectionFile, name: string) {
    this.#file = file;
    this.#sections = sectionNames(name);
    this.#termCount = file.lengthOf(this.#sections.hashes) / 4;
  }

  /** How many terms there are. */
  get termCount(): number {
    return this.#termCount;
  }

  /** Number of terms of each document. */
  get lengths(): Uint32Array {
    this.#lengths ??= this.#file.array(this.#sections.lengths, Uint32Array);
    return this.#lengths;
  }

  /** The occurrences of a term, given lower-cased. */
  postingsOf(term: string): FieldPostings {
    const bytes = Buffer.from(term, "utf8");
    const place = this.#findTerm(bytes);
    return place < 0 ? nowhere : this.postingsAt(place);
  }

  /** The occurrences of the term at a place of the order of hashes. */
  postingsAt(place: number): FieldPostings {
    return decodePostings(this.#bytesOf(this.#rangeAt(place)));
  }

  /** How many bytes `placesHolding` looks through for what is only a part of a word. */
  get termBytes(): number {
    return this.#file.lengthOf(this.#sections.bytes);
  }

  /** How many bytes `documentsAt` reads for a place. */
  postingsBytesAt(place: number): number {
    const { start, end } = this.#rangeAt(place);
    return end - start;
  }

  /** The documents that hold the term at a place of the order of hashes, ascending. */
  documentsAt(place: number): Uint32Array {
    return decodeDocuments(this.#bytesOf(this.#rangeAt(place)));
  }

  #rangeAt(place: number): { readonly start: number; readonly end: number } {
    const [start, end] = this.#slice("starts", place, place + 2);
    return { start: start as number, end: end as number };
  }

  #bytesOf(range: { readonly start: number; readonly end: number }): Uint8Array {
    return this.#file.slice(this.#sections.postings, Uint8Array, range);
  }

  /**
   * The terms that hold a piece of a word, by their places.
   *
   * @param countMax If there are more, the result is `null`.
   */
  placesHolding({ text, isStart, isEnd }: WordPiece, countMax: number): number[] | null {
    if (isStart && isEnd) {
      const place = this.#findTerm(Buffer.from(text, "latin1"));
      return place < 0 ? [] : [place];
    }
    const { bytes, offsets } = this.#allTerms();
    const places: number[] = [];
    const piece = Buffer.from(text, "latin1");
    for (let at = bytes.indexOf(piece); at >= 0; at = bytes.indexOf(piece, at + 1)) {
      const place = lowerBound(offsets, at + 1) - 1;
      const end = offsets[place + 1] as number;
      // A match that reaches into the next term is in neither.
      const isInside = at + piece.length <= end;
      const isRight = (!isStart || at === offsets[place]) && (!isEnd || at + piece.length === end);
      if (!isInside || !isRight) continue;
      if (places.length === countMax) return null;
      places.push(place);
      at = end - 1;
    }
    return places;
  }

  /**
   * The terms that are wanted.
   *
   * @param isWanted Called with the bytes of all terms, and where each begins and ends.
   */
  termsWhere(isWanted: (bytes: Buffer, start: number, end: number) => boolean): string[] {
    const { bytes, offsets } = this.#allTerms();
    const terms: string[] = [];
    for (let place = 0; place < this.#termCount; place += 1) {
      const start = offsets[place] as number;
      const end = offsets[place + 1] as number;
      if (isWanted(bytes, start, end)) terms.push(bytes.toString("utf8", start, end));
    }
    return terms;
  }

  #allTerms(): { readonly bytes: Buffer; readonly offsets: Uint32Array } {
    this.#terms ??= {
      bytes: asBuffer(this.#file.array(this.#sections.bytes, Uint8Array)),
      offsets: this.#file.array(this.#sections.offsets, Uint32Array),
    };
    return this.#terms;
  }

  #findTerm(bytes: Buffer): number {
    const hash = spreadHash(hashTerm(bytes, 0, bytes.length)) >>> 0;
    const { first, hashes } = this.#windowAround(hash);
    const low = lowerBound(hashes, hash);
    for (let at = low; at < hashes.length && hashes[at] === hash; at += 1)
      if (this.#termAt(first + at).equals(bytes)) return first + at;
    return -1;
  }

  /** The bytes of a term by its place. */
  #termAt(place: number): Buffer {
    const offsets = this.#slice("offsets", place, place + 2);
    return Buffer.from(
      this.#file.slice(this.#sections.bytes, Uint8Array, {
        start: offsets[0] as number,
        end: offsets[1] as number,
      }),
    );
  }

  /**
   * Hashes around the place where one should lie. Of n evenly distributed ones the k-th strays from its place by the
   * root of n, so four times that misses next to never, and then all are read.
   */
  #windowAround(hash: number): { readonly first: number; readonly hashes: Uint32Array } {
    const count = this.#termCount;
    const middle = Math.floor((hash / 2 ** 32) * count);
    const reach = 32 + Math.ceil(4 * Math.sqrt(count));
    const first = Math.max(0, middle - reach);
    const end = Math.min(count, middle + reach);
    const hashes = this.#slice("hashes", first, end);
    const isInside =
      (first === 0 || (hashes[0] as number) < hash) &&
      (end === count || (hashes.at(-1) as number) > hash);
    return isInside ? { first, hashes } : { first: 0, hashes: this.#slice("hashes", 0, count) };
  }

  #slice(section: "hashes" | "starts" | "offsets", start: number, end: number): Uint32Array {
    return this.#file.slice(this.#sections[section], Uint32Array, { start, end });
  }
}

type SectionNames = ReturnType<typeof sectionNames>;

/** Made once: joining them for each read takes longer than finding what they name. */
function sectionNames(field: string) {
  return {
    lengths: `${field}.lengths`,
    hashes: `${field}.hashes`,
    starts: `${field}.starts`,
    offsets: `${field}.offsets`,
    bytes: `${field}.bytes`,
    postings: `${field}.postings`,
  };
}

function decodePostings(bytes: Uint8Array): FieldPostings {
  const documents = new Uint32Array(bytes.length);
  const frequencies = new Uint16Array(bytes.length);
  let count = 0;
  let document = 0;
  let at = 0;
  while (at < bytes.length) {
    let byte = bytes[at] as number;
    at += 1;
    let head = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at] as number;
      at += 1;
      head += (byte & 0x7f) * scale;
    }
    document += Math.floor(head / 2);
    documents[count] = document;
    let frequency = 1;
    if (head % 2 === 1) {
      byte = bytes[at] as number;
      at += 1;
      frequency = byte & 0x7f;
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at] as number;
        at += 1;
        frequency += (byte & 0x7f) * scale;
      }
    }
    frequencies[count] = frequency;
    count += 1;
  }
  return {
    documents: documents.subarray(0, count),
    frequencies: frequencies.subarray(0, count),
  };
}

/** The documents of `decodePostings`, without how often each holds the term. */
function decodeDocuments(bytes: Uint8Array): Uint32Array {
  const documents = new Uint32Array(bytes.length);
  let count = 0;
  let document = 0;
  let at = 0;
  while (at < bytes.length) {
    let byte = bytes[at] as number;
    at += 1;
    let head = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at] as number;
      at += 1;
      head += (byte & 0x7f) * scale;
    }
    document += Math.floor(head / 2);
    documents[count] = document;
    count += 1;
    if (head % 2 === 0) continue;
    while ((bytes[at] as number) >= 0x80) at += 1;
    at += 1;
  }
  return documents.subarray(0, count);
}
