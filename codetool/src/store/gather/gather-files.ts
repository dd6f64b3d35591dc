import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { WalkedFile } from "../../files/index.ts";
import { loadTokenTable, openEmbedder, TextEmbedder } from "../../model/index.ts";
import { gatherBatch, type GatheredListener, type GatherOptions } from "./batch.ts";
import { GatherPool } from "./pool.ts";
import type { RunMaker } from "./run-maker.ts";
import { makeRun } from "./make-run.ts";
import { MergedRuns } from "./merged-runs.ts";
import { writeRun } from "./write-run.ts";
import type { SegmentContent } from "../segment/index.ts";
import { removeAny } from "../own-files.ts";

/** How the work is divided. */
export interface GatherPlan {
  /** Threads next to this one; 0 does all here. Default one for each core, 0 where there is one or little to do. */
  readonly threadCount?: number;
  /** Bytes of the files of a run. Default by what there is to do. */
  readonly runBytes?: number;
}

/** The folder of runs, below the one that is given. */
export const runsFolder = "runs";

/** Fewer bytes than these are done before a second thread has started. */
const threadedBytesMin = 3 * 1024 * 1024;
/** More threads are not faster at reading and writing, and each takes separate memory. */
const threadCountMax = 4;
/** A builder holds some twenty bytes for each of its files' until it is written. */
const runBytesMax = 4 * 1024 * 1024;
const runBytesMin = 1024 * 1024;
/** Each thread gets so many runs, so that all are done at about the same time. */
const runsPerThread = 8;
/** More runs than these become one: each is an open file while they are put together. */
const runCountMax = 64;

/**
 * Reads files and gathers what the index says of them, in threads where that pays.
 *
 * A small tree is gathered in memory. In a larger one, neighbouring files make runs, which are written to the disk and
 * merged at the end. So memory does not grow with the tree, and the result is the same, byte for byte, for any number of
 * runs and threads.
 *
 * @param files In the byte order of their paths.
 * @param options.directory Exists; runs lie in it until `release` is called.
 * @param listener Called for each file, for all files of a run at once.
 */
export async function gatherFiles(
  files: readonly WalkedFile[],
  options: GatherOptions & GatherPlan & { readonly directory: string },
  listener: GatheredListener,
): Promise<{ readonly content: SegmentContent; release(): void }> {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const threadCount = options.threadCount ?? threadCountFor(bytes);
  const runBytes = options.runBytes ?? runBytesFor(bytes, threadCount);
  if (threadCount === 0 && bytes <= runBytes) {
    const embedder = await openEmbedder(bytes);
    return {
      content: await gatherBatch(files, { ...options, embedder }, listener),
      release: () => {},
    };
  }
  const directory = join(options.directory, runsFolder);
  mkdirSync(directory, { mode: 0o700 });
  const release = (): void => removeAny(directory);
  try {
    const batches = batchesOf(files, runBytes);
    const make = threadCount === 0 ? runsHere(options) : new GatherPool(options, threadCount);
    const { signal } = options;
    const runs = await makeRuns(batches, { make, directory, listener, signal });
    return { content: joined(runs, directory), release };
  } catch (error) {
    release();
    throw error;
  }
}

function threadCountFor(bytes: number): number {
  const coreCount = availableParallelism();
  return bytes < threadedBytesMin || coreCount < 2 ? 0 : Math.min(coreCount, threadCountMax);
}

function runBytesFor(bytes: number, threadCount: number): number {
  if (threadCount === 0) return runBytesMax;
  const share = Math.ceil(bytes / (threadCount * runsPerThread));
  return Math.min(runBytesMax, Math.max(runBytesMin, share));
}

function runsHere(options: GatherOptions): RunMaker {
  const embedder = new TextEmbedder(loadTokenTable());
  return {
    width: 1,
    run: async (files, directory) => await makeRun(files, { ...options, embedder, directory }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Neighbouring files of about so many bytes. */
function batchesOf(files: readonly WalkedFile[], runBytes: number): WalkedFile[][] {
  const batches: WalkedFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    if (bytes + file.sizeBytes > runBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(file);
    bytes += file.sizeBytes;
  }
  return batches;
}

async function makeRuns(
  batches: readonly (readonly WalkedFile[])[],
  options: {
    readonly make: RunMaker;
    readonly directory: string;
    readonly listener: GatheredListener;
    readonly signal: AbortSignal | undefined;
  },
): Promise<string[]> {
  await using make = options.make;
  const directories = batches.map((_, index) => join(options.directory, String(index)));
  const { signal } = options;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal?.reason);
  // If all work is done before, nobody waits for it.
  aborted.promise.catch(() => {});
  signal?.addEventListener("abort", abort);
  using _listening = { [Symbol.dispose]: () => signal?.removeEventListener("abort", abort) };
  let next = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const index = next;
      const files = batches[index];
      if (files === undefined) return;
      next += 1;
      signal?.throwIfAborted();
      const gathered = await make.run(files, directories[index] as string);
      for (const [at, file] of files.entries()) options.listener(file, gathered[at] ?? undefined);
    }
  };
  await Promise.race([Promise.all(Array.from({ length: make.width }, work)), aborted.promise]);
  return directories;
}

/** Merges runs, in several steps if there are many. */
function joined(directories: readonly string[], scratchDirectory: string): MergedRuns {
  let rest = directories;
  for (let step = 0; rest.length > runCountMax; step += 1) {
    const groups: string[] = [];
    for (let start = 0; start < rest.length; start += runCountMax) {
      const group = rest.slice(start, start + runCountMax);
      const target = join(scratchDirectory, `joined-${step}-${start}`);
      writeRun(target, new MergedRuns(group, scratchDirectory));
      for (const directory of group) removeAny(directory);
      groups.push(target);
    }
    rest = groups;
  }
  return new MergedRuns(rest, scratchDirectory);
}
