import { closeSync, constants, openSync, readSync } from "node:fs";
import { languageOfShebang } from "./languages.ts";
import type { Language, WalkedFile } from "./walked-file.ts";

/** As much as a `#!` line is looked at. */
const headBytes = 256;

/**
 * Finds the language of a file that a walk found: by its name, else by a `#!` in its first line.
 *
 * @returns `null` if neither shows one, `undefined` where that takes a look into the file and it cannot be read.
 */
export function languageOfFile({
  absolutePath,
  language,
}: WalkedFile): Language | null | undefined {
  if (language !== null) return language;
  const head = readHead(absolutePath);
  return head === undefined ? undefined : languageOfShebang(head);
}

function readHead(path: string): string | undefined {
  let descriptor: number;
  try {
    // Non-blocking, so that opening a pipe that has come in place of the file does not wait.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    // Gone or closed to us since the walk, or too many files are open.
    return undefined;
  }
  try {
    const head = Buffer.alloc(headBytes);
    return head.toString("latin1", 0, readSync(descriptor, head, 0, headBytes, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
