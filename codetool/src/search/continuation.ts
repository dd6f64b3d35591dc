import type { WalkedFile } from "../files/index.ts";
import { checksumOf } from "../text/index.ts";

/** Where a list of ranked results continues, and which list it is. */
export interface Continuation {
  /** Digest of the question: query, path and flags that choose and order results. */
  readonly question: string;
  /** Digest of what it was answered from: the files' names, sizes and times of change, and the mode that answered. */
  readonly files: string;
  /** Digest of what these files hold, as far as who answered knows it: see `digestOfContents`. */
  readonly contents: string;
  /** True when `contents` is made from an index's hashes: one that is made from stamps is another, whatever changed. */
  readonly isOfHashes: boolean;
  /** True when the order comes from an index; without the index the order is another one. */
  readonly isFromIndex: boolean;
  /** Results before this one were all returned. */
  readonly offset: number;
  /** Results from `offset` on that were returned already, because ones between did not fit a budget. */
  readonly returned: readonly number[];
}

const tokenVersion = 5;

/** Writes a continuation as a token: numbers and points, which are safe in URLs and cost an agent few tokens. */
export function writeToken(continuation: Continuation): string {
  const { question, files, contents, isFromIndex, isOfHashes, offset, returned } = continuation;
  const source = (isFromIndex ? 1 : 0) + (isOfHashes ? 2 : 0);
  return [tokenVersion, question, files, contents, source, offset, ...returned].join(".");
}

/** Reads a token back; `undefined` for anything that is none. */
export function readToken(token: string): Continuation | undefined {
  const parts = token.split(".");
  const [version, question = "", files = "", contents = "", ...rest] = parts;
  const numbers = rest.map(Number);
  const isWellFormed =
    version === String(tokenVersion) &&
    parts.every((part) => /^\d+$/.test(part)) &&
    question.length === digestLength &&
    files.length === digestLength &&
    contents.length === contentsDigestLength &&
    numbers.length > 1 &&
    numbers.every((number) => Number.isSafeInteger(number));
  if (!isWellFormed) return undefined;
  const [source = 0, offset = 0, ...returned] = numbers;
  const isFromIndex = source % 2 === 1;
  return { question, files, contents, isFromIndex, isOfHashes: source > 1, offset, returned };
}

/** Moves a continuation past results that were just returned. */
export function advance(
  from: Pick<Continuation, "offset" | "returned">,
  newlyReturned: readonly number[],
): Pick<Continuation, "offset" | "returned"> {
  const returned = new Set([...from.returned, ...newlyReturned]);
  let { offset } = from;
  while (returned.delete(offset)) offset += 1;
  return { offset, returned: [...returned].sort((a, b) => a - b) };
}

/** Digits of a digest: three of them make a token of the model that reads it. */
const digestLength = 6;
/** Of the digest of contents: one token. Most changes show in the digest of the files. */
const contentsDigestLength = 3;

/**
 * Short digest of texts, for telling equal from different; not for secrets. All are numbers of the same length, so that an
 * answer counts as many tokens whatever the times of its files.
 */
export function digestOf(parts: readonly string[]): string {
  let low = 0x81_1c_9d_c5;
  let high = 0x01_00_01_93;
  for (const part of parts) {
    for (let index = 0; index <= part.length; index += 1) {
      const unit = index === part.length ? 0x1_00_00 : part.charCodeAt(index);
      low = Math.imul(low ^ unit, 0x01_00_01_93);
      high = Math.imul(high ^ (unit + (low >>> 7)), 0x85_eb_ca_6b);
    }
  }
  return String(((low ^ high) >>> 0) % 10 ** digestLength).padStart(digestLength, "0");
}

/** Digest of a set of files as a walk, or an index, saw them: their paths, sizes and times of change. */
export function digestOfFiles(
  files: readonly Pick<WalkedFile, "relativePath" | "sizeBytes" | "modifiedMs">[],
): string {
  const numbers = new Float64Array(2 * files.length);
  for (const [index, { sizeBytes, modifiedMs }] of files.entries()) {
    numbers[index] = sizeBytes;
    numbers[files.length + index] = modifiedMs;
  }
  const paths = files.map(({ relativePath }) => `${relativePath}\0`).join("");
  return digestOfColumns(Buffer.from(paths, "utf8"), numbers);
}

/**
 * The same of what lies in columns already.
 *
 * @param paths One behind the other, a NUL behind each.
 * @param numbers The sizes, and then the times.
 */
export function digestOfColumns(paths: Uint8Array, numbers: Float64Array): string {
  return [paths, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)]
    .map((bytes) => checksumOf(bytes).toString(36).padStart(7, "0"))
    .join("");
}

/**
 * Digest of what a set of files holds, for a change that keeps path, size and time.
 *
 * @param known The hashes that an index has of them, or what a walk knows besides path, size and time.
 */
export function digestOfContents(known: Uint8Array | Float64Array): string {
  const bytes = new Uint8Array(known.buffer, known.byteOffset, known.byteLength);
  return String(checksumOf(bytes) % 10 ** contentsDigestLength).padStart(contentsDigestLength, "0");
}
