import { type PostingsParts, spreadHash } from "../../index/index.ts";
import { GrowingBytes, orderByHash, type SectionWriter } from "../sections/index.ts";

/** How many bytes of occurrences are gathered before they are written. */
const flushBytes = 1 << 20;

/**
 * Writes a lexical index as sections of a file: `<name>.hashes`, `.offsets`, `.bytes` (the terms), `.starts`,
 * `.postings` (where they occur), `.lengths` (of the documents).
 *
 * Terms are in the order of their hashes, which are almost evenly distributed. So the hash of a term gives its place up to
 * a few places, and a look-up reads a few kilobytes, whatever the number of terms. Terms with equal hashes are in the
 * order of their bytes. An occurrence is the distance to the document before, doubled, plus one when a frequency
 * above 1 follows; both as varints.
 */
export function writeField(writer: SectionWriter, name: string, parts: PostingsParts): void {
  const order = orderOfTerms(parts);
  const count = order.length;
  const hashes = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const bytes = new GrowingBytes();
  for (let place = 0; place < count; place += 1) {
    const term = order[place] as number;
    hashes[place] = spreadHash(parts.terms.hashOf(term)) >>> 0;
    bytes.append(parts.terms.bytesOf(term));
    offsets[place + 1] = bytes.length;
  }
  writer.section(`${name}.hashes`, hashes);
  writer.section(`${name}.offsets`, offsets);
  writer.section(`${name}.bytes`, bytes.bytes());
  writer.begin(`${name}.postings`);
  const starts = new Uint32Array(count + 1);
  const encoded = new GrowingBytes();
  let written = 0;
  for (let place = 0; place < count; place += 1) {
    const term = order[place] as number;
    encodePostings(encoded, parts, term);
    starts[place + 1] = written + encoded.length;
    if (encoded.length < flushBytes) continue;
    writer.append(encoded.bytes());
    written += encoded.length;
    encoded.clear();
  }
  writer.append(encoded.bytes());
  writer.section(`${name}.starts`, starts);
  writer.section(`${name}.lengths`, parts.lengths);
}

function encodePostings(encoded: GrowingBytes, parts: PostingsParts, term: number): void {
  let before = 0;
  for (let at = parts.starts[term] as number; at < (parts.starts[term + 1] as number); at += 1) {
    const document = parts.documents[at] as number;
    const frequency = parts.frequencies[at] as number;
    encoded.appendVarint((document - before) * 2 + (frequency > 1 ? 1 : 0));
    if (frequency > 1) encoded.appendVarint(frequency);
    before = document;
  }
}

/** Numbers of the terms by hash, then bytes. */
function orderOfTerms({ terms }: PostingsParts): Uint32Array {
  const hashes = new Uint32Array(terms.count);
  for (let term = 0; term < terms.count; term += 1)
    hashes[term] = spreadHash(terms.hashOf(term)) >>> 0;
  return orderByHash(hashes, (left, right) =>
    Buffer.compare(terms.bytesOf(left), terms.bytesOf(right)),
  );
}
