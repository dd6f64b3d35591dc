/**
 * The signature of a program for macOS: without a certificate, only the digests of its pages. macOS ends a program whose
 * pages have other digests than its signature says, and on arm64 starts none without a signature.
 */
import { createHash } from "node:crypto";

const segmentCommand = 0x19;
const signatureCommand = 0x1d;
const superBlobMagic = 0xfade_0cc0;
const directoryMagic = 0xfade_0c02;
/** The version of the directory that has the fields of the program's first segment. */
const directoryVersion = 0x2_0400;
/** CS_ADHOC and CS_LINKER_SIGNED: made by a tool, without a certificate. */
const directoryFlags = 0x2_0002;
const mainBinary = 1;
const sha256 = 2;
const superBlobBytes = 20;
const directoryBytes = 88;
const pageBits = 12;
const pageBytes = 2 ** pageBits;
const digestBytes = 32;

/**
 * Checks that each page of a signed program has the digest that its signature says.
 *
 * @returns How many pages; 0 where the program has no signature.
 * @throws Error where a page has another digest.
 */
export function checkedPages(program: Buffer): number {
  const { signature } = commandsOf(program);
  if (signature === undefined) return 0;
  const blob = program.subarray(program.readUInt32LE(signature + 8));
  if (blob.readUInt32BE(0) !== superBlobMagic) throw new Error("the signature is not one of macOS");
  const starts = Array.from({ length: blob.readUInt32BE(8) }, (_, index) =>
    blob.readUInt32BE(16 + index * 8),
  );
  const start = starts.find((at) => blob.readUInt32BE(at) === directoryMagic);
  if (start === undefined) throw new Error("the signature has no directory of pages");
  const directory = blob.subarray(start);
  const [hashes, limit] = [directory.readUInt32BE(16), directory.readUInt32BE(32)];
  if (directory.readUInt8(37) !== sha256 || directory.readUInt8(39) !== pageBits)
    throw new Error("the signature has other digests than SHA-256 of 4 KiB");
  const digests = digestsOf(program.subarray(0, limit));
  if (directory.readUInt32BE(28) !== digests.length)
    throw new Error("the signature leaves pages out");
  const page = digests.findIndex((digest, index) => {
    const at = hashes + index * digestBytes;
    return !digest.equals(directory.subarray(at, at + digestBytes));
  });
  if (page !== -1) throw new Error(`page ${page} is not as it was signed`);
  return digests.length;
}

/**
 * Signs a program that was changed after it had been signed, in place of its old signature.
 *
 * @param identifier Which program it is.
 * @returns The whole program.
 * @throws Error when it has no signature that could be replaced.
 */
export function signed(program: Buffer, identifier: string): Buffer {
  const { signature, link, firstSegmentBytes } = commandsOf(program);
  if (signature === undefined || link === undefined)
    throw new Error("the program has no signature to replace");
  const limit = program.readUInt32LE(signature + 8);
  const name = Buffer.from(`${identifier}\0`);
  const hashes = directoryBytes + name.length;
  const length = hashes + Math.ceil(limit / pageBytes) * digestBytes;
  const blobLength = superBlobBytes + length;
  const whole = Buffer.alloc(limit + blobLength);
  program.copy(whole, 0, 0, limit);
  whole.writeUInt32LE(blobLength, signature + 12);
  const linkBytes = whole.length - Number(program.readBigUInt64LE(link + 40));
  whole.writeBigUInt64LE(BigInt(Math.ceil(linkBytes / pageBytes) * pageBytes), link + 32);
  whole.writeBigUInt64LE(BigInt(linkBytes), link + 48);
  const words = [superBlobMagic, blobLength, 1, 0, superBlobBytes];
  for (const [index, word] of words.entries()) whole.writeUInt32BE(word, limit + index * 4);
  const digests = digestsOf(whole.subarray(0, limit));
  const directory = whole.subarray(limit + superBlobBytes);
  const fields = [directoryMagic, length, directoryVersion, directoryFlags, hashes, directoryBytes];
  for (const [index, word] of [...fields, 0, digests.length, limit].entries())
    directory.writeUInt32BE(word, index * 4);
  Buffer.from([digestBytes, sha256, 0, pageBits]).copy(directory, 36);
  directory.writeBigUInt64BE(BigInt(firstSegmentBytes), 72);
  directory.writeBigUInt64BE(BigInt(mainBinary), 80);
  name.copy(directory, directoryBytes);
  for (const [index, digest] of digests.entries())
    digest.copy(directory, hashes + index * digestBytes);
  return whole;
}

/** Where the commands are that a signature is about: offsets into the program. */
interface SignedCommands {
  readonly signature: number | undefined;
  /** The segment that has the signature in it. */
  readonly link: number | undefined;
  readonly firstSegmentBytes: number;
}

function commandsOf(program: Buffer): SignedCommands {
  const commands: number[] = [];
  let at = 32;
  for (let left = program.readUInt32LE(16); left > 0; left -= 1) {
    commands.push(at);
    at += program.readUInt32LE(at + 4);
  }
  const segment = (name: string): number | undefined =>
    commands.find(
      (start) =>
        program.readUInt32LE(start) === segmentCommand &&
        program.toString("latin1", start + 8, start + 24).replaceAll("\0", "") === name,
    );
  const text = segment("__TEXT");
  return {
    signature: commands.find((start) => program.readUInt32LE(start) === signatureCommand),
    link: segment("__LINKEDIT"),
    firstSegmentBytes: text === undefined ? 0 : Number(program.readBigUInt64LE(text + 48)),
  };
}

function digestsOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) => {
    const content = bytes.subarray(page * pageBytes, (page + 1) * pageBytes);
    return createHash("sha256").update(content).digest();
  });
}
