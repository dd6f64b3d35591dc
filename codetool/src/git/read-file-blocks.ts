import type { LineBlock } from "./changed-file.ts";
import { diffAgainst, literalPath, patchForm } from "./diff-against.ts";
import { outputOf } from "./failure.ts";
import { both } from "./both.ts";
import { parsePatch } from "./patch-sections.ts";
import { parseRawRecords } from "./raw-records.ts";
import type { WorkTree } from "./work-tree.ts";

/**
 * Asks git which lines of one file of the working tree differ from HEAD.
 *
 * @param path Relative to the root, with forward slashes.
 * @returns `undefined` for a file that git does not track.
 * @throws git_error.
 */
export async function readFileBlocks(
  tree: WorkTree,
  path: string,
): Promise<readonly LineBlock[] | undefined> {
  const [output, listed] = await both(
    diffAgainst(tree, {
      revision: { kind: "one", name: "HEAD" },
      isStaged: false,
      paths: [path],
      form: patchForm,
    }),
    tree.ask(["ls-files", "--cached", "-z", "--", literalPath(path)]),
  );
  if (outputOf(listed, "list files under version control").length === 0) return undefined;
  const { end } = parseRawRecords(output);
  return parsePatch(output.subarray(end)).flatMap(({ blocks }) => blocks);
}
