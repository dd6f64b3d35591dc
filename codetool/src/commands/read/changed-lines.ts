import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { findWorkTree, readFileBlocks } from "../../git/index.ts";
import type { CommandContext } from "../command.ts";
import type { LineRange } from "./line-range.ts";

/**
 * The text of `read --mode diff`: lines added since HEAD as `+L<n>: …` with their number now, removed lines as
 * `-L<n>: …` with the number they had, each with a line feed at its end; empty when nothing changed.
 *
 * @param absolutePath The file; links are followed.
 * @param options.range Lines that are asked for, as they are numbered now; a removed line counts at the place where it was.
 * @param options.lineCount Lines that the file has.
 * @returns `undefined` outside of a work tree, and for a file that git does not have: all of it is new.
 * @throws git_error.
 */
export async function diffTextOf(
  absolutePath: string,
  options: {
    readonly context: CommandContext;
    readonly range: LineRange;
    readonly lineCount: number;
  },
): Promise<string | undefined> {
  const { range, lineCount } = options;
  const real = realpathSync(absolutePath);
  const tree = findWorkTree(dirname(real), options.context.environment);
  if (tree === undefined) return undefined;
  const blocks = await readFileBlocks(tree, relative(tree.root, real).split(sep).join("/"));
  if (blocks === undefined) return undefined;
  const isAsked = (line1: number): boolean =>
    line1 >= range.start && (line1 <= range.end || (line1 > lineCount && range.end >= lineCount));
  const lines: string[] = [];
  for (const block of blocks) {
    const { oldStart1, newStart1 } = block;
    if (isAsked(newStart1) || block.newLines.some((_line, index) => isAsked(newStart1 + index)))
      for (const [index, line] of block.oldLines.entries())
        lines.push(`-L${oldStart1 + index}: ${line}\n`);
    for (const [index, line] of block.newLines.entries())
      if (isAsked(newStart1 + index)) lines.push(`+L${newStart1 + index}: ${line}\n`);
  }
  return lines.join("");
}
