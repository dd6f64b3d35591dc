import { lstatSync, readlinkSync } from "node:fs";
import { sep } from "node:path";
import { readFileBytes } from "../files/index.ts";
import { isBinary } from "../text/index.ts";
import type { ChangedFile, LineBlock } from "./changed-file.ts";
import { displayedPath } from "./displayed-path.ts";

/** Limits on reading. */
export interface UntrackedLimits {
  readonly fileSizeBytesMax: number;
  /** Bytes left for all untracked files; each file that is read lowers it. */
  readonly budget: { sizeBytes: number };
}

/** Reads a file that git does not know: all of its lines are additions. */
export function readUntracked(
  root: string,
  pathBytes: Buffer,
  limits: UntrackedLimits,
): ChangedFile {
  const path = displayedPath(pathBytes);
  const make = (mode: string, rest: Partial<ChangedFile>): ChangedFile => ({
    status: "untracked",
    new: { pathBytes, path, mode, blobId: undefined },
    blocks: [],
    isBinary: false,
    isUnmerged: false,
    ...rest,
  });
  if (path.endsWith("/")) return make("160000", { leftOut: "it is itself a git repository" });
  const absolute = joinBytes(root, pathBytes);
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (stat === undefined) return make("000000", { leftOut: "it is gone" });
  if (stat.isSymbolicLink()) {
    return make("120000", { blocks: blocksOf(readlinkSync(absolute, "buffer")) });
  }
  const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
  const sizeBytesMax = Math.min(limits.fileSizeBytesMax, limits.budget.sizeBytes);
  const content = readFileBytes(absolute, { sizeBytesMax });
  switch (content.kind) {
    case "file":
      if (isBinary(content.bytes)) return make(mode, { isBinary: true });
      limits.budget.sizeBytes -= content.bytes.length;
      return make(mode, { blocks: blocksOf(content.bytes) });
    case "too_large":
      return make(mode, { leftOut: `it has ${content.sizeBytes} bytes` });
    case "denied":
      return make(mode, { leftOut: "it cannot be read" });
    default:
      return make(mode, { leftOut: "it is not a plain file" });
  }
}

/** Joins a root and a path of git, whose bytes stay unchanged. */
export function joinBytes(root: string, pathBytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(root.endsWith(sep) ? root : `${root}/`), pathBytes]);
}

function blocksOf(bytes: Buffer): LineBlock[] {
  if (bytes.length === 0) return [];
  const lines = bytes.toString("utf8").split("\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  return [
    {
      oldStart1: 1,
      newStart1: 1,
      oldLines: [],
      newLines: lines,
      isOldUnended: false,
      isNewUnended: !isEnded,
    },
  ];
}
