import { existsSync } from "node:fs";
import { errors } from "../../envelope/index.ts";
import type { CommandContext } from "../command.ts";
import { locate, realPathOf } from "../locate.ts";
import type { ReadInput } from "./input.ts";
import { splitLineSuffix } from "../line-suffix.ts";

/**
 * Takes lines that are written behind the file into `lines`, unless a file has that very name.
 *
 * @throws invalid_argument where the lines are given twice, or by a symbol too; permission_denied for a file that may not
 *   be shown.
 */
export function readAskedPart(input: ReadInput, context: CommandContext): ReadInput {
  const { mayShow } = context;
  const workingDirectory = realPathOf(context.workingDirectory);
  const isThere = (file: string): boolean => existsSync(locate(file, workingDirectory));
  const placed = splitLineSuffix(input.file);
  const isPlace = placed.lines !== undefined && !isThere(input.file);
  // The caller of this command has looked at the argument as a whole only.
  if (isPlace && isThere(placed.file) && mayShow?.(locate(placed.file, workingDirectory)) === false)
    throw new errors.permission_denied({ path: placed.file });
  const answers = [isPlace ? placed.lines : undefined, input.lines, input.symbol];
  const given = answers.filter((answer) => answer !== undefined);
  if (given.length > 1)
    throw new errors.invalid_argument({
      argument: given.join(" and "),
      reason: "these are two answers to which lines, wanted one",
    });
  return isPlace ? { ...input, ...placed } : input;
}
