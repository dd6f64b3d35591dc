import type { WalkedFile } from "../../files/index.ts";
import type { GatheredFile } from "./batch.ts";

/** Makes runs of files; several at a time where it has threads. */
export interface RunMaker extends AsyncDisposable {
  /** How many it makes at a time. */
  readonly width: number;
  /** Writes a run into a new folder; returns what was read of each file, in order. */
  run(files: readonly WalkedFile[], directory: string): Promise<(GatheredFile | null)[]>;
}
