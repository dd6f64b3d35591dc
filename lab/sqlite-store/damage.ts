import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { RankedCorpus } from "../../codetool/src/search/ranker/index.ts";
import type { CorpusStore } from "./corpus-store.ts";
import { answer, type StoreName, storeOf } from "./stores.ts";

/** What single damaged bytes did to the answers of an index. */
export interface DamageCount {
  /** Refused with an error. */
  readonly seen: number;
  /** Answered as before. */
  readonly harmless: number;
  /** Answered otherwise, without an error. */
  readonly wrong: number;
  /** Of all: seen by a check of the whole index. */
  readonly found: number;
}

const questionCount = 6;

/** Damages one byte after the other, all over an index, and asks the same questions each time; each byte is put back. */
export function damageOf(
  name: StoreName,
  options: {
    readonly folder: string;
    readonly questions: readonly string[];
    readonly damageCount: number;
  },
): DamageCount {
  const store = storeOf(name, options.folder);
  const questions = options.questions.slice(0, questionCount);
  const files = filesBelow(options.folder).map((path) => ({ path, size: statSync(path).size }));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const expected = answersOf(store, questions);
  const count = { seen: 0, harmless: 0, wrong: 0, found: 0 };
  for (let number = 0; number < options.damageCount; number += 1) {
    let at = Math.floor(((number + 0.5) * total) / options.damageCount);
    const file = files.find(({ size }) => {
      if (at < size) return true;
      at -= size;
      return false;
    });
    if (file === undefined) continue;
    invert(file.path, at);
    try {
      count[answersOf(store, questions) === expected ? "harmless" : "wrong"] += 1;
    } catch {
      count.seen += 1;
    }
    if (!isWhole(store)) count.found += 1;
    invert(file.path, at);
  }
  return count;
}

function answersOf(store: CorpusStore | undefined, questions: readonly string[]): string {
  if (store === undefined) return "";
  using open = store.open();
  const ranked = new RankedCorpus(open.view);
  return questions.map((question) => answer(ranked, question)).join("\0");
}

function isWhole(store: CorpusStore | undefined): boolean {
  try {
    using open = store?.open();
    open?.verify();
    return true;
  } catch {
    return false;
  }
}

function invert(path: string, at: number): void {
  const descriptor = openSync(path, "r+");
  const byte = new Uint8Array(1);
  readSync(descriptor, byte, 0, 1, at);
  byte[0] = (byte[0] as number) ^ 0xff;
  writeSync(descriptor, byte, 0, 1, at);
  closeSync(descriptor);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
