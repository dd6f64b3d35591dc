/**
 * One step of `compare.ts` with one store: prints what it took and what it found as JSON.
 *
 *     node lab/sqlite-store/measure-step.ts STORE STEP FOLDER TREE PREPARED ROUND
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { RankedCorpus } from "../../codetool/src/search/ranker/index.ts";
import type { CorpusStore, OpenStore } from "./corpus-store.ts";
import { PreparedTree } from "./prepared-tree.ts";
import { answer, type StoreName, storeOf } from "./stores.ts";

/** What a step prints. */
export interface StepResult {
  /** Of the step; of a cold answer of the whole process: user and system. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
  readonly diskMb: number;
  /** Of all answers: equal for equal answers. */
  readonly digest: string;
  /** Files that may hold the literals, in all. */
  readonly candidateCount: number;
}

/** What a step gets: the open index where it is to be warm, and where its answers go. */
interface StepInput {
  readonly store: CorpusStore | undefined;
  readonly tree: PreparedTree;
  readonly take: (text: string) => void;
}

/** What to do: what comes before the clock starts gives what runs on it. */
type Prepare = (input: StepInput) => () => number;

/** Questions that are asked before the clock starts: the compiler and the columns that all answers read are warm then. */
const warmUpCount = 10;

function asks({ store, tree, take }: StepInput): () => number {
  const { ranked: questions } = tree.questions();
  const open = store?.open();
  if (open === undefined) return () => 0;
  const ranked = new RankedCorpus(open.view);
  for (const question of questions.slice(0, warmUpCount)) answer(ranked, question);
  return () => {
    for (const question of questions.slice(warmUpCount)) take(answer(ranked, question));
    return 0;
  };
}

const steps: { readonly [step: string]: Prepare } = {
  build:
    ({ store, tree }) =>
    () => {
      if (store !== undefined) store.build(tree.batches());
      else for (const batch of tree.batches()) if (batch.length === 0) throw new Error("empty");
      return 0;
    },
  cold:
    ({ store, tree, take }) =>
    () => {
      const open = store?.open();
      if (open === undefined) return 0;
      take(answer(new RankedCorpus(open.view), tree.questions().ranked[warmUpCount + 1] ?? ""));
      return 0;
    },
  resident: asks,
  // The same after the update.
  after: asks,
  literals: ({ store, tree }) => {
    const { literals } = tree.questions();
    const open = store?.open();
    const count = (text: string): number => countHeld(open, text);
    for (const text of literals.slice(0, warmUpCount)) count(text);
    return () => literals.slice(warmUpCount).reduce((sum, text) => sum + count(text), 0);
  },
  verify: ({ store }) => {
    const open = store?.open();
    return () => {
      open?.verify();
      return 0;
    };
  },
  update: ({ store, tree }) => {
    const changed = tree.changedFile(Number(process.argv[7]));
    return () => {
      store?.update(changed);
      return 0;
    };
  },
};

function countHeld(open: OpenStore | undefined, text: string): number {
  const held = open?.filesThatMayHold(text) ?? new Uint8Array(0);
  return held.reduce((sum, one) => sum + one, 0);
}

function sizeOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function cpuMsOf({ user, system }: { readonly user: number; readonly system: number }): number {
  return (user + system) / 1000;
}

/** The most memory that this process had at once. What the system counts for a child holds its parent's too. */
function peakMb(): number {
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

const [name = "none", step = "", folder = "", root = "", prepared = ""] = process.argv.slice(2);
const digest = createHash("sha256");
const work = steps[step]?.({
  store: storeOf(name as StoreName, folder),
  tree: new PreparedTree(root, prepared),
  take: (text) => void digest.update(text),
});
if (work === undefined) throw new Error(`there is no step ${step}`);
const before = process.cpuUsage();
const startMs = performance.now();
const candidateCount = work();
const wallMs = performance.now() - startMs;
const result: StepResult = {
  cpuMs: cpuMsOf(step === "cold" ? process.cpuUsage() : process.cpuUsage(before)),
  wallMs,
  peakMb: peakMb(),
  diskMb: sizeOf(folder) / 1e6,
  digest: digest.digest("hex").slice(0, 8),
  candidateCount,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
