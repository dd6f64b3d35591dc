import { dirname } from "node:path";
import { findIndexRoot, IndexFault, openCorpus, type OpenCorpus } from "../store/index.ts";
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
