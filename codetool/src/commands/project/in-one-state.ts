import type { CommandContext, CommandData, CommandResult } from "../command.ts";
import type { Target } from "../paths.ts";
import { openProjectCorpus, type ProjectCorpus } from "./project-corpus.ts";
import { ProjectTexts } from "./project-texts.ts";

/** How often a project is opened whose files change before they are read. */
const openingCountMax = 3;

/**
 * Answers from a project and the texts of its files, all of one state: where a file changed between the two, the project
 * is opened again. A file that changes each time is not read in the end, and the answer says so.
 *
 * @param options.target What the project is around.
 * @param answer Makes the answer; `readText` gives `undefined` for binary files and those that cannot be read or may not be shown.
 * @throws IndexFault when the index is damaged; what `answer` throws.
 */
export async function answerInOneState<Payload extends CommandData>(
  { target, context }: { readonly target: Target; readonly context: CommandContext },
  answer: (
    project: ProjectCorpus,
    readText: (file: number) => string | undefined,
  ) => Promise<CommandResult<Payload>>,
): Promise<CommandResult<Payload>> {
  const changed = new Set<string>();
  for (let count = 1; ; count += 1) {
    using project = await openProjectCorpus(target, context);
    const isLast = count === openingCountMax;
    const texts = new ProjectTexts(project, context, isLast ? changed : new Set());
    const result = await answer(project, texts.read);
    const changedNow = await texts.changed();
    if (changedNow.length === 0 && !(isLast && changed.size > 0)) return result;
    for (const path of changedNow) changed.add(path);
    if (isLast) return { ...result, warnings: [...(result.warnings ?? []), remarkOn(changed)] };
  }
}

function remarkOn(changed: ReadonlySet<string>): string {
  const files = changed.size === 1 ? "1 file" : `${changed.size} files`;
  return `${files} changed while this was answered: what they use is not known`;
}
