import { errors } from "../../envelope/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { leavingDamageAside } from "../open-index.ts";
import { resolveTarget } from "../paths.ts";
import { openProjectCorpus } from "../project/index.ts";
import { answerRename } from "./answer.ts";
import { findDefinition } from "./find-definition.ts";
import { findPlaces } from "./find-places.ts";
import type { RenameInput } from "./input.ts";
import { findMember, findMemberPlaces, readOld } from "./members/index.ts";
import type { RenamePayload } from "./payload.ts";

/**
 * Renames a definition and the names that resolve to it.
 *
 * @throws invalid_argument for a name that is none, is not defined, is defined in several files, is a member of a type, is of a
 * language whose names are not read here, and where the new name is in use; what `edit` throws when files are written.
 */
export async function runRename(
  input: RenameInput,
  context: CommandContext,
): Promise<CommandResult<RenamePayload>> {
  return await leavingDamageAside(context, async (own) => await rename(input, own));
}

async function rename(
  input: RenameInput,
  context: CommandContext,
): Promise<CommandResult<RenamePayload>> {
  const { old, new: newName } = input;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(newName) || newName === old)
    throw new errors.invalid_argument({
      argument: `new ${newName}`,
      reason: "wanted another name: letters, digits and _",
    });
  const target = resolveTarget(input.path ?? ".", context);
  using project = await openProjectCorpus(target, context);
  const asked = { ...readOld(input), newName };
  const member = findMember(asked, project, context);
  const definition =
    member ?? findDefinition({ old: asked.name, inFile: asked.file, project, context });
  const found =
    member === undefined
      ? await findPlaces({ old, newName, definer: definition.file, project, context })
      : await findMemberPlaces(member, { old: asked.name, newName }, { project, context });
  const { file, line1 } = definition;
  const place = { file: project.shownPathOf(file), line: line1 };
  const { warnings = [], ...answer } = await answerRename(found, place, { input, context });
  return { ...answer, warnings: [...project.warnings, ...warnings] };
}
