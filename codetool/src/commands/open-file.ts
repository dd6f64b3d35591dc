import { dirname } from "node:path";
import { errors } from "../envelope/index.ts";
import { type FileStamp, finishInterrupted, isSameStamp, readFileBytes } from "../files/index.ts";
import { thisProcess } from "../system/index.ts";
import { readableText } from "../text/index.ts";
import type { CommandContext } from "./command.ts";
import { resolveTarget, type Target } from "./paths.ts";

/** A file argument with its bytes. */
export interface OpenedFile {
  readonly target: Target;
  readonly bytes: Uint8Array;
  /** As it was before the first byte was read. */
  readonly stamp: FileStamp;
}

/** A file that the caller names may be larger than the files of walks, up to 256 MiB. */
const namedFileSizeBytesMax = 256 * 1024 * 1024;

/**
 * Reads the file that an argument names.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a folder, a pipe or device, and a huge file.
 */
export function openFile(argument: string, context: CommandContext): OpenedFile {
  const target = resolveTarget(argument, context);
  finishInterrupted(dirname(target.absolutePath), thisProcess());
  const refuse = (reason: string): Error => new errors.invalid_argument({ argument, reason });
  if (target.isDirectory) throw refuse("it is a folder, wanted a file");
  const content = readFileBytes(target.absolutePath, { sizeBytesMax: namedFileSizeBytesMax });
  switch (content.kind) {
    case "file":
      return { target, bytes: content.bytes, stamp: content.stamp };
    case "missing":
      throw new errors.file_not_found({ path: argument });
    case "denied":
      throw new errors.permission_denied({ path: argument });
    case "directory":
      throw refuse("it is a folder, wanted a file");
    case "special":
      throw refuse("it is not a plain file");
    case "too_large":
      throw refuse(`it has ${content.sizeBytes} bytes, wanted at most ${namedFileSizeBytesMax}`);
    case "failed":
      throw refuse(`it cannot be read: ${content.reason}`);
  }
}

/** Whether a file is still what it was when it was opened; reads it again. */
export function isAsOpened(opened: OpenedFile): boolean {
  const { target, bytes, stamp } = opened;
  const now = readFileBytes(target.absolutePath, { sizeBytesMax: namedFileSizeBytesMax });
  return now.kind === "file" && isSameStamp(now.stamp, stamp) && now.bytes.equals(bytes);
}

/**
 * Makes the remarks on a file that the caller named to search or list: a binary file's content is left out. A folder
 * has no remarks.
 *
 * @throws permission_denied; invalid_argument for a huge file.
 */
export function remarksOnFile(target: Target, argument: string, context: CommandContext): string[] {
  if (target.isDirectory) return [];
  const { bytes } = openFile(argument, context);
  return readableText(bytes) === undefined ? [`"${argument}" is binary: it is left out`] : [];
}
