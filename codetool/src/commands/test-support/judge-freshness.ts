import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ChangingTree, createTemporaryFolder } from "testkit";
import type { CommandContext, CommandDefinition } from "../command.ts";
import { executeCommand } from "../execute-command.ts";
import { existsCommand } from "../exists/index.ts";
import { indexCommand } from "../index-folder/index.ts";
import { outlineCommand } from "../outline/index.ts";
import { ResidentIndexes } from "../resident-indexes.ts";
import { searchCommand } from "../search/index.ts";

/** Which file holds which word, as a judge sees it: lines `file:word`, sorted. */
type Holdings = readonly string[];

/** How often the index is brought up to date, of all changes. */
const indexShare = 0.15;

/**
 * Changes a tree in ways that keep sizes, times or inodes, and compares what codetool says after each change with what
 * ripgrep says.
 *
 * @param options.changeCount How many changes.
 * @param options.random Gives numbers from 0 to below 1.
 * @returns How many answers were compared.
 * @throws AssertionError that names the change, and the changes before it, where an answer was another.
 */
export async function judgeFreshness(options: {
  readonly changeCount: number;
  readonly random: () => number;
  /** True for an index that stays open, as in `batch`; false for one that is opened for each answer. */
  readonly isResident: boolean;
}): Promise<number> {
  const { changeCount, random, isResident } = options;
  using folder = createTemporaryFolder();
  const [root, outside] = [join(folder.path, "tree"), join(folder.path, "outside")];
  for (const path of [root, outside]) mkdirSync(path);
  const tree = new ChangingTree({ root, outside, random, isWatched: isResident });
  using corpora = new ResidentIndexes();
  const context: CommandContext = {
    workingDirectory: root,
    environment: {},
    ...(isResident ? { corpora } : {}),
  };
  await ask(indexCommand, {}, context);
  const done: string[] = [];
  let answerCount = 0;
  for (let count = 1; count <= changeCount; count += 1) {
    done.push(`${count}. ${tree.change()}`);
    if (random() < indexShare) {
      await ask(indexCommand, {}, context);
      done.push("index");
    }
    const holdings = holdingsOf(root);
    const word = tree.words[Math.floor(random() * tree.words.length)] as string;
    for (const [question, expected] of questionsOf({ word, holdings })) {
      assert.deepEqual(await question(context), expected, `after: ${done.slice(-4).join("; ")}`);
      answerCount += 1;
    }
  }
  return answerCount;
}

interface Asked {
  readonly word: string;
  readonly holdings: Holdings;
}

type Question = (context: CommandContext) => Promise<unknown>;

/** Each question with the answer that the judge gives. */
function questionsOf({ word, holdings }: Asked): (readonly [Question, unknown])[] {
  const holders = holdings
    .filter((line) => line.endsWith(`:${word}`))
    .map((line) => line.slice(0, -word.length - 1));
  const searched =
    (mode: string): Question =>
    async (context) => {
      const { matches } = (await ask(searchCommand, { query: word, mode, top_k: 50 }, context)) as {
        readonly matches: readonly { readonly file: string; readonly match: string }[];
      };
      return matches
        .map(({ file, match }) => `${file}${match.includes(word) ? "" : ` ${match}`}`)
        .sort();
    };
  return [
    [searched("literal"), holders],
    [searched("bm25"), holders],
    [
      async (context) => await ask(existsCommand, { pattern: word }, context),
      { exists: holders.length > 0, confidence: "exact", pattern: word },
    ],
    [
      async (context) => {
        const { symbols } = (await ask(outlineCommand, { path: "." }, context)) as {
          readonly symbols: readonly { readonly file: string; readonly name: string }[];
        };
        return symbols.map(({ file, name }) => `${file}:${name}`).sort();
      },
      holdings,
    ],
  ];
}

async function ask(
  command: CommandDefinition,
  input: { readonly [name: string]: unknown },
  context: CommandContext,
): Promise<unknown> {
  const outcome = await executeCommand(command, input, { ...context, isFallbackOff: true });
  assert.ok(!("error" in outcome), `${command.name}: ${JSON.stringify(outcome)}`);
  return outcome.data;
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
