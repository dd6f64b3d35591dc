import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Contender, Sample } from "../bench.ts";
import {
  astGrepPath,
  buildExecutable,
  codetoolPath,
  prepareAstGrep,
  prepareRipgrep,
} from "./cold-start.ts";
import { prepareSourceTrees, type SourceTree, sourceTrees, treeBytes } from "./source-trees.ts";

/** What one run of a program took. */
interface Run {
  readonly seconds: number;
  /** Of all its threads, or NaN where the system does not tell. */
  readonly processorSeconds: number;
  /** Most memory it had at once, or NaN where the system does not tell. */
  readonly peakMegabytes: number;
}

/** Runs a program to its end; throws when it fails. */
async function runToEnd(command: string, args: readonly string[], folder: string): Promise<Run> {
  const startedMs = performance.now();
  const usedBefore = processorSecondsOfChildren();
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let peakMegabytes = Number.NaN;
  const watch = setInterval(() => {
    peakMegabytes = peakOf(child.pid) ?? peakMegabytes;
  }, 10);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  clearInterval(watch);
  // ast-grep ends with 1 when nothing matched.
  if (status !== 0 && status !== 1) throw new Error(`${command} ended with ${status}: ${errors}`);
  const seconds = (performance.now() - startedMs) / 1000;
  return { seconds, processorSeconds: processorSecondsOfChildren() - usedBefore, peakMegabytes };
}

/** Ticks of `/proc` in a second, on every Linux. */
const ticksPerSecond = 100;

/** What the children of this process that have ended took, user and system, where the system has `/proc`. */
function processorSecondsOfChildren(): number {
  try {
    const status = readFileSync("/proc/self/stat", "utf8");
    // Behind the name, which may hold spaces, the 14th and 15th field are those of children.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

/** The high-water mark of a process's memory, where the system has `/proc`. */
function peakOf(processId: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${processId}/status`, "utf8");
    const kibibytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
    return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
  } catch {
    // The process has ended, or the system has no such file.
    return undefined;
  }
}

/** A program that goes through all trees; a quick look takes only the small one. */
function throughTrees(options: {
  readonly name: string;
  readonly prepare: () => string | undefined;
  readonly command: (args: readonly string[]) => readonly [command: string, args: string[]];
  readonly args: readonly string[];
  /** Called before each timed run, and after it for more to measure. */
  readonly before?: (tree: SourceTree) => void;
  readonly after?: (tree: SourceTree) => Promise<{ readonly [name: string]: number }>;
}): Contender {
  return {
    name: options.name,
    prepare: () => options.prepare() ?? prepareSourceTrees(),
    run: async ({ isQuick }): Promise<Sample> => {
      const figures: { [name: string]: number } = {};
      let megabytes = 0;
      let seconds = 0;
      for (const tree of isQuick ? sourceTrees().slice(0, 1) : sourceTrees()) {
        const size = treeBytes(tree.folder) / 1e6;
        options.before?.(tree);
        const [command, args] = options.command(options.args);
        const run = await runToEnd(command, args, tree.folder);
        megabytes += size;
        seconds += run.seconds;
        figures[`${tree.name} MB`] = size;
        figures[`${tree.name} MB/s`] = size / run.seconds;
        figures[`${tree.name} MB/s of a core`] = size / run.processorSeconds;
        figures[`${tree.name} peak MB`] = run.peakMegabytes;
        Object.assign(figures, await options.after?.(tree));
      }
      return { operationCount: megabytes, seconds, figures };
    },
  };
}

function removeIndex({ folder }: SourceTree): void {
  rmSync(join(folder, ".codetool"), { recursive: true, force: true });
}

/** A file of each tree that a run finds changed. */
const changedFiles: { readonly [tree: string]: string } = {
  redis: "src/server.c",
  git: "builtin/log.c",
  wireshark: "epan/packet.c",
};
const changeCount = 5;

/** Looked for behind a change; files of all trees hold it. */
const query = "error message";

/**
 * Milliseconds of an `index` run after one file changed and of one after nothing did, and of a query behind one change,
 * which brings the index up to date for itself: the medians of five, by the clock and of processor time.
 */
async function runsAgain(tree: SourceTree): Promise<{ readonly [name: string]: number }> {
  const file = join(tree.folder, changedFiles[tree.name] ?? "");
  const sizeBytes = statSync(file).size;
  const runs: { readonly [name: string]: Run[] } = {
    "after one change": [],
    "after none": [],
    "query behind one change": [],
  };
  const measure = async (name: string, args: readonly string[]): Promise<void> => {
    runs[name]?.push(await runToEnd(codetoolPath(), args, tree.folder));
  };
  const change = async (text: string): Promise<void> => {
    appendFileSync(file, `/* ${text} */\n`);
    // So that the file's time is certain, as it is between two runs of a person.
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  try {
    for (let count = 0; count < changeCount; count += 1) {
      await change(`change ${count}`);
      await measure("after one change", ["index"]);
      await measure("after none", ["index"]);
      await change(`change before query ${count}`);
      await measure("query behind one change", ["search", query]);
    }
  } finally {
    truncateSync(file, sizeBytes);
  }
  const figures = Object.entries(runs).flatMap(([name, list]) => [
    [`${tree.name} ms ${name}`, 1000 * middle(list.map((run) => run.seconds))] as const,
    [
      `${tree.name} processor ms ${name}`,
      1000 * middle(list.map((run) => run.processorSeconds)),
    ] as const,
  ]);
  return Object.fromEntries(figures);
}

function middle(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

/** codetool's executable, making the index of each tree. */
export function codetoolIndexes(): Contender {
  return throughTrees({
    name: "codetool",
    prepare: buildExecutable,
    command: (args) => [codetoolPath(), [...args]],
    args: ["index", "--rebuild"],
    before: removeIndex,
    after: runsAgain,
  });
}

/** The same, held to one core. */
export function codetoolIndexesOnOneCore(): Contender {
  return throughTrees({
    name: "codetool-1core",
    prepare: () => (process.platform === "linux" ? buildExecutable() : "taskset is Linux's"),
    command: (args) => ["taskset", ["--cpu-list", "0", codetoolPath(), ...args]],
    args: ["index", "--rebuild"],
    before: removeIndex,
  });
}

/** ast-grep's native program, parsing every file whose language it knows. */
export function astGrepParses(): Contender {
  return throughTrees({
    name: "ast-grep",
    prepare: prepareAstGrep,
    command: (args) => [astGrepPath(), [...args]],
    args: ["run", "--pattern", "aNameThatNoTreeHas", "--no-ignore", "hidden", "."],
  });
}

/** ripgrep, reading every file. */
export function ripgrepReads(): Contender {
  return throughTrees({
    name: "rg",
    prepare: prepareRipgrep,
    command: (args) => ["rg", [...args]],
    args: ["--count", "--hidden", "--max-filesize", "1M", ""],
  });
}
