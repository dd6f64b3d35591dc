import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChangingTree, createTemporaryFolder } from "testkit";
import { askOnce, type Question, startCodetool, type Way } from "./asked-codetool.ts";

/** Which file holds which word, as a judge sees it: lines `file:word`, sorted. */
type Holdings = readonly string[];

/** How often the index is brought up to date, of all changes. */
const indexShare = 0.15;
/** How often a process of its own is asked one of the questions too, of all changes. */
const processShare = 0.04;
/** Words asked for after one change, at most: those that came or went by it, else any. */
const wordCountMax = 2;

/** What was compared. */
export interface Judged {
  /** Changes by which a word came into a file or went from it. */
  readonly effectiveCount: number;
  /** Answers. */
  readonly answerCount: number;
  /** Of these, the answers of processes that were started for one. */
  readonly processCount: number;
}

/**
 * Changes a tree in ways that keep sizes, times or inodes, and compares what codetool says after each change with what
 * ripgrep says: of the words that came or went, and of all symbols of the tree.
 *
 * @param options.changeCount How many changes.
 * @param options.random Gives numbers from 0 to below 1.
 * @param options.way How codetool is asked.
 * @throws AssertionError that names the change, and the changes before it, where an answer was another.
 */
export async function judgeFreshness(options: {
  readonly changeCount: number;
  readonly random: () => number;
  readonly way: Way;
}): Promise<Judged> {
  const { changeCount, random, way } = options;
  using folder = createTemporaryFolder();
  const [root, outside] = [join(folder.path, "tree"), join(folder.path, "outside")];
  for (const path of [root, outside]) mkdirSync(path);
  const tree = new ChangingTree({
    root,
    outside,
    random,
    isWatched: way !== "opened" && way !== "process",
  });
  if (way === "process") addOthers(root);
  await using codetool = startCodetool(way, root);
  await codetool.updateIndex();
  const done: string[] = [];
  let [effectiveCount, answerCount, processCount] = [0, 0, 0];
  let before = holdingsOf(root);
  for (let count = 1; count <= changeCount; count += 1) {
    done.push(`${count}. ${tree.change()}`);
    if (random() < indexShare) {
      await codetool.updateIndex();
      done.push("index");
    }
    const holdings = holdingsOf(root);
    const concerned = wordsBetween(before, holdings);
    before = holdings;
    if (concerned.length > 0) effectiveCount += 1;
    const any = tree.words[Math.floor(random() * tree.words.length)] as string;
    const words = concerned.length === 0 ? [any] : shuffled(concerned, random);
    const asked = questionsOf(words.slice(0, wordCountMax), holdings);
    const after = `after: ${done.slice(-4).join("; ")}`;
    const answers = await codetool.ask(asked.map(({ question }) => question));
    for (const [index, { question, read, expected }] of asked.entries())
      assert.deepEqual(read(answers[index]), expected, `${JSON.stringify(question)} ${after}`);
    answerCount += answers.length;
    if (random() >= processShare) continue;
    const { question, read, expected } = asked[Math.floor(random() * asked.length)] as Asked;
    const said = read(await askOnce(question, root));
    assert.deepEqual(said, expected, `${JSON.stringify(question)} of a new process ${after}`);
    processCount += 1;
  }
  return { effectiveCount, answerCount: answerCount + processCount, processCount };
}

/** From so many files on, the executable answers while another thread looks whether the tree has changed. */
const otherCount = 1100;

/** Adds files that hold none of the words. */
function addOthers(root: string): void {
  mkdirSync(join(root, "others"));
  for (let count = 0; count < otherCount; count += 1)
    writeFileSync(join(root, "others", `${count}.txt`), `text ${count}\n`);
}

/** The words that one of two states holds in a file where the other does not. */
function wordsBetween(before: Holdings, after: Holdings): string[] {
  const others = [
    ...before.filter((line) => !after.includes(line)),
    ...after.filter((line) => !before.includes(line)),
  ];
  return [...new Set(others.map((line) => line.slice(line.lastIndexOf(":") + 1)))].sort();
}

function shuffled(words: readonly string[], random: () => number): string[] {
  return words
    .map((word) => ({ word, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ word }) => word);
}

interface Asked {
  readonly question: Question;
  /** What of the answer is compared. */
  readonly read: (data: unknown) => unknown;
  readonly expected: unknown;
}

/** Each question with the answer that the judge gives. */
function questionsOf(words: readonly string[], holdings: Holdings): Asked[] {
  const ofWords = words.flatMap((word): Asked[] => {
    const holders = holdings
      .filter((line) => line.endsWith(`:${word}`))
      .map((line) => line.slice(0, -word.length - 1));
    const searched = (mode: string): Asked => ({
      question: { cmd: "search", query: word, mode, top_k: 50 },
      read: (data) => foundIn(data, word),
      expected: holders,
    });
    return [
      searched("literal"),
      searched("bm25"),
      {
        question: { cmd: "exists", pattern: word },
        read: (data) => data,
        expected: { exists: holders.length > 0, confidence: "exact", pattern: word },
      },
    ];
  });
  const outline = { cmd: "outline", path: "." } as const;
  return [...ofWords, { question: outline, read: namesIn, expected: holdings }];
}

function foundIn(data: unknown, word: string): string[] {
  const { matches } = data as {
    readonly matches: readonly {
      readonly file: string;
      readonly match: string;
      readonly snippet: string;
    }[];
  };
  return matches
    .map(({ file, match, snippet }) =>
      match.includes(word) && snippet.includes(word) ? file : `${file} ${match} ${snippet}`,
    )
    .sort();
}

function namesIn(data: unknown): string[] {
  const { symbols } = data as {
    readonly symbols: readonly { readonly file: string; readonly name: string }[];
  };
  return symbols.map(({ file, name }) => `${file}:${name}`).sort();
}

/** The judge. */
function holdingsOf(root: string): Holdings {
  const flags = ["--hidden", "--no-require-git", "--no-config", "--no-heading", "--with-filename"];
  const { stdout } = spawnSync("rg", [...flags, "-o", "word[0-9]{3}x", "./"], {
    cwd: root,
    encoding: "utf8",
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => line.replace(/^\.\//, "")).sort();
}
