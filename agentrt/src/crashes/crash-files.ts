import {
  closeSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { reasonOf, type RecordedCrash } from "../core/index.ts";
import { isBundle } from "./bundle-check.ts";
import type { CrashBundle } from "./crash-bundle.ts";
import { summaryOf } from "./crash-summary.ts";
import { crashErrors } from "./errors.ts";
import { fileCountMax, fileLengthMax } from "./limits.ts";

/** Where records are unless somebody says otherwise: below the folder of the topology. */
export const crashFolderName = "agentrt_crashes";

const filePattern = /^([0-9a-z]{8,10}-[0-9a-z]{4})\.json$/;

/** How a record begins. */
const headPattern = /^\{\s*"v":\s*1,\s*"id":\s*"[^"]*",\s*"agent":\s*("(?:[^"\\]|\\.)*")/;
const headLength = 4096;

/** The records of crashes in a folder, each a file that only its owner can read. */
export class CrashFiles {
  readonly folder: string;
  /** By id, of those that are there; undefined for one that is not listed. */
  readonly #summaries = new Map<string, RecordedCrash | undefined>();
  /** By id: who the records are shared out among. */
  readonly #owners = new Map<string, string>();

  /** @param folder Made with the first record. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Writes a record, whole or not at all. Of those that are too many the oldest go of the agent that has most: an agent that
   * crashes all the time takes none of another one's.
   *
   * @param bundle What is recorded.
   * @param text The same, as it is written.
   * @throws What the file system throws.
   */
  write({ id, agent }: CrashBundle, text: string): void {
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
    this.#owners.set(id, ownerOf(agent));
    this.#prune();
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

  /**
   * Reads what the records say in short, oldest first.
   *
   * @param isListed Says which of them are listed; always the same of one.
   * @param onUnreadable Called for each that cannot be read: the others are there all the same.
   */
  async summaries(
    isListed: (bundle: CrashBundle) => boolean,
    onUnreadable: (error: Error) => void,
  ): Promise<RecordedCrash[]> {
    const ids = this.ids();
    this.#forgetOthers(this.#summaries, ids);
    const found: RecordedCrash[] = [];
    for (const id of ids) {
      try {
        if (!this.#summaries.has(id)) {
          // Others have their turn between two files.
          const bundle = await readLater(this.pathOf(id));
          this.#summaries.set(id, isListed(bundle) ? summaryOf(bundle) : undefined);
        }
        const summary = this.#summaries.get(id);
        if (summary !== undefined) found.push(summary);
      } catch (error) {
        onUnreadable(error as Error);
      }
    }
    return found;
  }

  #prune(): void {
    const ids = this.ids();
    this.#forgetOthers(this.#owners, ids);
    if (ids.length <= fileCountMax) return;
    const byOwner = Map.groupBy(ids, (id) => this.#ownerOf(id));
    for (let count = ids.length; count > fileCountMax; count -= 1) {
      // Of those that have as many, the one whose oldest record is the oldest of all.
      const most = [...byOwner.values()].reduce((one, other) => {
        const isMore = other.length > one.length;
        const isOlder = other.length === one.length && (other[0] ?? "") < (one[0] ?? "");
        return isMore || isOlder ? other : one;
      });
      const old = most.shift();
      if (old !== undefined) rmSync(this.pathOf(old), { force: true });
    }
  }

  /** Another process may have written it, or an earlier run. */
  #ownerOf(id: string): string {
    const owner = this.#owners.get(id) ?? ownerOf(agentIn(this.pathOf(id)));
    this.#owners.set(id, owner);
    return owner;
  }

  #forgetOthers(known: Map<string, unknown>, ids: readonly string[]): void {
    const there = new Set(ids);
    for (const id of known.keys()) if (!there.has(id)) known.delete(id);
  }
}

/** @returns The agent, and for a key or a member of a pool all of it. */
export function ownerOf(agent: string): string {
  return agent.split("/", 1)[0] ?? agent;
}

/** @returns The agent of a record; empty for a file that does not begin as one. */
function agentIn(file: string): string {
  try {
    const handle = openSync(file, "r");
    try {
      const head = Buffer.alloc(headLength);
      const text = head.toString("utf8", 0, readSync(handle, head, 0, headLength, 0));
      return JSON.parse(headPattern.exec(text)?.[1] ?? '""') as string;
    } finally {
      closeSync(handle);
    }
  } catch {
    return "";
  }
}

/** The same, in a later turn. */
async function readLater(file: string): Promise<CrashBundle> {
  await promises.access(file).catch(() => undefined);
  return readCrashFile(file);
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
