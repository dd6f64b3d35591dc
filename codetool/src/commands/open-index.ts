import { dirname } from "node:path";
import {
  CorporaAhead,
  findIndexRoot,
  IndexFault,
  openCorpus,
  type OpenCorpus,
} from "../store/index.ts";
import type { CommandContext, CommandData, CommandResult } from "./command.ts";
import type { Target } from "./paths.ts";
import { readSettings } from "./settings.ts";

/**
 * Opens the index at or above a target, with the changes of the tree since it was written.
 *
 * @returns The index, which the caller disposes of, and the folder that it covers; `undefined` if there is none.
 * @throws IndexFault when it is damaged; later reads may throw it too.
 */
export async function openIndexOf(
  target: Target,
  context: CommandContext,
): Promise<{ readonly root: string; readonly open: OpenCorpus } | undefined> {
  if (context.isIndexLeftAside === true) return undefined;
  const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
  const root = findIndexRoot(folder);
  if (root === undefined) return undefined;
  const { fileSizeBytesMax } = readSettings(context.environment);
  const options = { root, environment: context.environment, fileSizeBytesMax };
  const open = await (context.corpora === undefined
    ? openCorpus(options)
    : context.corpora.open(options));
  return open === undefined ? undefined : { root, open };
}

/**
 * Runs a command that only reads. In a process that runs one command, it answers from the index as it was written
 * while another thread looks whether the tree is still the same, and runs once more if it is not.
 */
export async function answeringAhead<Result>(
  context: CommandContext,
  run: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  if (context.corpora !== undefined || context.isIndexLeftAside === true) return await run(context);
  using corpora = new CorporaAhead();
  const own = { ...context, corpora };
  try {
    const result = await run(own);
    if (await corpora.isConfirmed()) return result;
  } catch (error) {
    if (error instanceof IndexFault || (await corpora.isConfirmed())) throw error;
  }
  return await run(own);
}

/**
 * Runs a command that may use an index. If the index turns out damaged at any point, the command runs once more without
 * it, and the answer says so.
 */
export async function leavingDamageAside<Payload extends CommandData>(
  context: CommandContext,
  run: (context: CommandContext) => Promise<CommandResult<Payload>>,
): Promise<CommandResult<Payload>> {
  try {
    return await run(context);
  } catch (error) {
    if (!(error instanceof IndexFault)) throw error;
    context.log?.("warn", error.message);
    const result = await run({ ...context, isIndexLeftAside: true });
    return { ...result, warnings: [remarkOn(error), ...(result.warnings ?? [])] };
  }
}

function remarkOn({ path, reason }: IndexFault): string {
  return `The index was left aside, "${path}": ${reason}; \`codetool index\` repairs it`;
}
