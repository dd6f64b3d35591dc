import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../core/index.ts";
import type { CrashBundle } from "./crash-bundle.ts";
import { crashErrors } from "./errors.ts";
import { fileCountMax, fileLengthMax } from "./limits.ts";

/** Where records are unless somebody says otherwise: below the folder of the topology. */
export const crashFolderName = "agentrt_crashes";

/** Beyond it a time has no date. */
const dateSecondsMax = 8.64e12;

const filePattern = /^([0-9a-z]{8,10}-[0-9a-z]{4})\.json$/;

/** The records of crashes in a folder, each a file that only its owner can read. */
export class CrashFiles {
  readonly folder: string;

  /** @param folder Made with the first record. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Writes a record, whole or not at all, and removes the oldest of those that are too many.
   *
   * @param id Of the crash.
   * @param text The record.
   * @throws What the file system throws.
   */
  write(id: string, text: string): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = this.pathOf(id);
    const draft = `${path}.tmp`;
    rmSync(draft, { force: true });
    try {
      writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    for (const old of this.ids().slice(0, -fileCountMax)) rmSync(this.pathOf(old), { force: true });
  }

  /** @returns Where the record of a crash is. */
  pathOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }

  /** @returns The ids of the records, oldest first; none where there is no such folder. */
  ids(): string[] {
    try {
      return readdirSync(this.folder)
        .flatMap((name) => filePattern.exec(name)?.[1] ?? [])
        .sort();
    } catch {
      return [];
    }
  }

  /** @returns Whether there is a record of a crash. */
  has(id: string): boolean {
    return filePattern.test(`${id}.json`) && this.ids().includes(id);
  }

  /** @returns The record of a crash. @throws AGENTRT_CRASH_UNKNOWN, AGENTRT_CRASH_UNREADABLE. */
  read(id: string): CrashBundle {
    if (!this.has(id)) throw new crashErrors.UNKNOWN({ id, folder: this.folder });
    return readCrashFile(this.pathOf(id));
  }
}

/**
 * Reads the record of a crash.
 *
 * @param file Its path.
 * @throws AGENTRT_CRASH_UNREADABLE.
 */
export function readCrashFile(file: string): CrashBundle {
  try {
    // A record has its length; what is longer is another file.
    if (statSync(file).size > 4 * fileLengthMax) throw new Error("it is too long for one");
    const bundle: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isBundle(bundle))
      throw new Error("it is not the record of a crash, or of another version");
    return bundle;
  } catch (error) {
    throw new crashErrors.UNREADABLE({ file, reason: reasonOf(error) });
  }
}

/** Looks at all that readers take for granted: a damaged record must not hide the others. */
function isBundle(value: unknown): value is CrashBundle {
  if (!isObject(value) || value["v"] !== 1) return false;
  const { id, agent, timestamp, error, replay, checkpoint, repeat, versions } = value;
  const lists = [value["messages"], value["answers"], value["source"], value["spans"]];
  const isRepeat =
    repeat === null ||
    (Array.isArray(repeat) &&
      repeat[0] === "sim" &&
      repeat.every((each) => typeof each === "string"));
  return (
    typeof id === "string" &&
    typeof agent === "string" &&
    typeof timestamp === "number" &&
    Math.abs(timestamp) < dateSecondsMax &&
    isObject(error) &&
    typeof error["message"] === "string" &&
    [error["causes"], error["stack"]].every(Array.isArray) &&
    isObject(replay) &&
    Array.isArray(replay["reasons"]) &&
    isObject(checkpoint) &&
    isObject(versions) &&
    lists.every(Array.isArray) &&
    isRepeat
  );
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
