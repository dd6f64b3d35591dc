import process from "node:process";
import { judgeFreshness } from "../../codetool/src/commands/test-support/judge-freshness.ts";
import { makeRandom } from "./random.ts";

/** Changes of one tree; then another one begins. */
const treeChangeCount = 250;
/** How codetool is asked, tree by tree. */
const ways = [
  "process",
  "serve",
  "batch",
  "mcp",
  "kept",
  "opened",
  "process",
  "serve",
  "batch",
  "mcp",
] as const;
/** How many of them come first, each once. */
const wayCount = 6;

/**
 * Changes small trees in ways that keep sizes, times or inodes, and asks ripgrep after each change whether `search`, `exists`
 * and `outline` are right about the words that came or went by it. Of ten trees two, with over a thousand files more, are asked by
 * a process for each question, two through a service, two through a `batch` that stays, two through an `mcp`, one with an index
 * that stays open in this process, and one with an index that is opened for each answer; after some of the changes a process is
 * started that answers one question.
 *
 * @param rounds How many changes.
 * @returns What was done.
 * @throws AssertionError that names the tree, and the change after which an answer was another.
 */
export async function soakFreshness(rounds: number): Promise<string> {
  let [changeCount, effectiveCount, answerCount, processCount] = [0, 0, 0, 0];
  const treeCount = Math.max(wayCount, Math.ceil(rounds / treeChangeCount));
  for (let tree = 0; changeCount < rounds; tree += 1) {
    const count = Math.min(Math.ceil(rounds / treeCount), rounds - changeCount);
    const way = ways[tree % ways.length] as (typeof ways)[number];
    const options = { changeCount: count, random: makeRandom(tree), way };
    const judged = await judgeFreshness(options).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`tree ${tree}, ${way}: ${reason}`, { cause: error });
    });
    changeCount += count;
    effectiveCount += judged.effectiveCount;
    answerCount += judged.answerCount;
    processCount += judged.processCount;
    if (tree % wayCount === wayCount - 1)
      process.stderr.write(`  ${changeCount} of ${rounds} changes\n`);
  }
  return `codetool-freshness: ${changeCount} changes that keep size, time or inode, ${effectiveCount} of them of a word; ${answerCount} answers, ${processCount} of new processes, none wrong`;
}
