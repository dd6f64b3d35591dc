import type { CommandContext, CommandResult } from "../command.ts";
import type { EditedFiles } from "./payload.ts";
import type { FilePlaces } from "./request.ts";

/**
 * Edits files at places that another command has found, as `edit` does: all of them or none.
 *
 * @throws what `runEdit` throws; file_changed for a file that was changed since its places were found.
 */
export async function editPlaces(
  asked: {
    readonly places: readonly FilePlaces[];
    readonly isApplied: boolean;
    readonly budget: number | undefined;
  },
  context: CommandContext,
): Promise<CommandResult<EditedFiles>> {
  const { places, isApplied, budget } = asked;
  const request = {
    files: places.map(({ argument }) => ({ argument, isNamed: true })),
    named: "",
    isList: true,
    warnings: [],
    operation: { kind: "places" as const, files: places },
    isApplied,
    isSyntaxChecked: true,
    expectedHash: undefined,
  };
  // Loaded only here: this file is in the way of every command.
  const { answerEdit } = await import("./run.ts");
  const { data, ...rest } = await answerEdit(request, budget, context);
  if (!("files" in data)) throw new Error("an edit of several files is answered with a list");
  return { data, ...rest };
}
