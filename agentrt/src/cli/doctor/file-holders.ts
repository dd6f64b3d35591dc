import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import process from "node:process";
import { printable } from "../../core/index.ts";

/** Named at most. */
const holderCountMax = 10;
const commandLengthMax = 80;

/** A process that has a file open. */
export interface FileHolder {
  readonly pid: number;
  /** Its command line, cut. */
  readonly command: string;
}

/**
 * Finds the processes of this user that have a file open, this one left out.
 *
 * @param path The file.
 * @returns At most 10; none where the system does not tell (it does on Linux).
 */
export function fileHolders(path: string): FileHolder[] {
  const file = textOf(() => realpathSync(path));
  if (file === "") return [];
  const pids = listOf(() => readdirSync("/proc")).filter((name) => /^\d+$/.test(name));
  const holders = pids.filter((pid) => Number(pid) !== process.pid && hasOpen(pid, file));
  return holders.slice(0, holderCountMax).map((pid) => ({
    pid: Number(pid),
    command: commandOf(pid),
  }));
}

function hasOpen(pid: string, file: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return listOf(() => readdirSync(folder)).some(
    (name) => textOf(() => readlinkSync(`${folder}/${name}`)) === file,
  );
}

function commandOf(pid: string): string {
  const words = textOf(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  return printable(
    words
      .map((word) => word.split("/").at(-1))
      .join(" ")
      .trim(),
  ).slice(0, commandLengthMax);
}

/** A process of others, or one that has ended meanwhile, has nothing to tell. */
function listOf(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
