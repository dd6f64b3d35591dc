import {
  classOfPath,
  readFileBytes,
  walkFiles,
  type WalkedFile,
} from "../../codetool/src/files/index.ts";
import { contentHash, isBinary } from "../../codetool/src/text/index.ts";

const repositoryBytesMax = 5_000_000;
const sideBytesMax = 1_000_000;
const fileSizeBytesMax = 1_000_000;

/** The files below a folder, as codetool sees them; larger ones than a megabyte are left out. */
export function filesBelow(root: string): readonly WalkedFile[] {
  return walkFiles({ root, environment: {}, sizeBytesMax: fileSizeBytesMax }).files;
}

/** The content of a file; `null` when it is binary or cannot be read. */
export function textOf(file: WalkedFile): Buffer | null {
  const content = readFileBytes(file.absolutePath, { sizeBytesMax: fileSizeBytesMax });
  return content.kind === "file" && !isBinary(content.bytes) ? content.bytes : null;
}

/** Languages that say nothing about code. */
const skipped = new Set("json html css yaml toml xml scss less sql".split(" "));

/**
 * The files of an unpacked repository to learn from: source up to 5 MB, tests, examples and prose up to 1 MB, chosen by
 * the hashes of their paths, so that the choice does not depend on names; in the order of their paths.
 */
export async function chosenFiles(root: string): Promise<WalkedFile[]> {
  const hashed: { hash: string; file: WalkedFile; isSource: boolean }[] = [];
  for (const file of filesBelow(root)) {
    if (file.language === null || skipped.has(file.language)) continue;
    const kind = classOfPath(file.relativePath);
    if (kind === "generated" || kind === "vendored" || kind === "data") continue;
    const hash = await contentHash(Buffer.from(file.relativePath));
    hashed.push({ hash, file, isSource: kind === "source" });
  }
  hashed.sort((left, right) => (left.hash < right.hash ? -1 : 1));
  const left = { source: repositoryBytesMax, side: sideBytesMax };
  const chosen = hashed.filter(({ file, isSource }) => {
    const pool = isSource ? "source" : "side";
    if (left[pool] < file.sizeBytes) return false;
    left[pool] -= file.sizeBytes;
    return true;
  });
  return chosen.map(({ file }) => file).sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
}
