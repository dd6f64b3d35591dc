/** Archives whose bytes depend only on what is put in: no owners, and one time for all. */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** A file of an archive, by its path there; a path that names another one is a hard link to it. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Uint8Array | { readonly sameAs: string };
  readonly isExecutable?: boolean;
}

/** What is put into an archive. */
export interface ArchiveContent {
  readonly files: readonly ArchiveFile[];
  /** The time of last change of every file, seconds since 1970. */
  readonly changedSeconds: number;
}

const blockBytes = 512;

/** Writes a `tar.gz` archive, with hard links as such. */
export function tarGz({ files, changedSeconds }: ArchiveContent): Buffer {
  const blocks = files.flatMap((file) => {
    const content = "sameAs" in file.content ? Buffer.alloc(0) : file.content;
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
    return [tarHeader(file, changedSeconds), content, padding];
  });
  // Node writes no time and no name into the head of what it compresses.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
}

function tarHeader({ path, content, isExecutable }: ArchiveFile, changedSeconds: number): Buffer {
  if (Buffer.byteLength(path) > 100)
    throw new Error(`"${path}" is longer than a tar archive takes`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, "0")}\0`;
  const link = "sameAs" in content ? content.sameAs : undefined;
  const fields: readonly (readonly [at: number, text: string])[] = [
    [0, path],
    [100, octal(isExecutable === true ? 0o755 : 0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal("sameAs" in content ? 0 : content.length, 11)],
    [136, octal(changedSeconds, 11)],
    [148, " ".repeat(8)],
    [156, link === undefined ? "0" : "1"],
    [157, link ?? ""],
    [257, "ustar\u000000"],
  ];
  for (const [at, text] of fields) header.write(text, at, "utf8");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

const deflated = 8;
/** A zip archive of Unix, version 2.0: with the modes of files. */
const madeBy = 0x0314;

/**
 * Writes a `zip` archive.
 *
 * @throws Error for a hard link: such an archive has none.
 */
export function zip({ files, changedSeconds }: ArchiveContent): Buffer {
  const time = dosTime(changedSeconds);
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, isExecutable } of files) {
    if ("sameAs" in content) throw new Error(`"${path}": a zip archive has no links`);
    const name = Buffer.from(path);
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt32LE(time, 6);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((isExecutable === true ? 0o100_755 : 0o100_644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const head = Buffer.from("PK\u0001\u0002\0\0");
    head.writeUInt16LE(madeBy, 4);
    directory.push(head, common, rest, name);
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** As in zip archives: the time in the lower 16 bits, the date in the upper, in UTC, to two seconds. */
function dosTime(seconds: number): number {
  const at = new Date(seconds * 1000);
  const date =
    ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}
