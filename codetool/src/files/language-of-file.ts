import { closeSync, constants, openSync, readSync } from "node:fs";
import { languageOfShebang } from "./languages.ts";
import type { Language, WalkedFile } from "./walked-file.ts";

/** As much as a `#!` line is looked at. */
const headBytes = 256;

/**
 * Finds the language of a file that a walk found: by its name, else by a `#!` in its first line.
 *
 * @returns `null` if neither shows one, and where the file cannot be read.
 */
export function languageOfFile({ absolutePath, language }: WalkedFile): Language | null {
  return language ?? languageOfShebang(readHead(absolutePath));
}

function readHead(path: string): string {
  let descriptor: number;
  try {
    // Non-blocking, so that opening a pipe that has come in place of the file does not wait.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    // Gone or closed to us since the walk: it shows no language.
    return "";
  }
  try {
    const head = Buffer.alloc(headBytes);
    return head.toString("latin1", 0, readSync(descriptor, head, 0, headBytes, 0));
  } catch {
    return "";
  } finally {
    closeSync(descriptor);
  }
}
