import { judgeFreshness } from "../../codetool/src/commands/test-support/judge-freshness.ts";
import { makeRandom } from "./random.ts";

/** Changes of one tree; then another one begins. */
const treeChangeCount = 250;

/**
 * Changes trees in ways that keep sizes, times or inodes, and asks ripgrep after each change whether `search`, `exists`
 * and `outline` are right: half of the trees with an index that is opened for each answer, half with one that stays open.
 *
 * @param rounds How many changes.
 * @returns What was done.
 * @throws AssertionError that names the change after which an answer was another.
 */
export async function soakFreshness(rounds: number): Promise<string> {
  let [changeCount, answerCount] = [0, 0];
  for (let tree = 0; changeCount < rounds; tree += 1) {
    const count = Math.min(treeChangeCount, rounds - changeCount);
    const options = { changeCount: count, random: makeRandom(tree), isResident: tree % 2 === 1 };
    answerCount += await judgeFreshness(options).catch((error: unknown) => {
      throw new Error(`tree ${tree}: ${error instanceof Error ? error.message : String(error)}`);
    });
    changeCount += count;
  }
  return `codetool-freshness: ${changeCount} changes that keep size, time or inode, ${answerCount} answers, each as rg says`;
}
