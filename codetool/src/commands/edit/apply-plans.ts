import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { lineHunksOf } from "../../edits/index.ts";
import { errors } from "../../envelope/index.ts";
import { lockFolders, ReplaceError } from "../../files/index.ts";
import { releaseTrees } from "../../syntax/index.ts";
import { thisProcess } from "../../system/index.ts";
import type { CommandContext } from "../command.ts";
import { nearestTo, planFile, type PlannedFile, shortened } from "./plan-file.ts";
import type { EditRequest } from "./request.ts";

/** How long an edit waits for others that edit in the same folders. */
const waitMs = 5000;

/**
 * Writes what was planned: all files or none. A file that another codetool has edited since it was planned is planned
 * again, so that both edits are in it.
 *
 * @returns The plans as they were written.
 * @throws no_match where a text is in none of the files, or a file has none of the texts; syntax_error for an edit that
 * adds errors; permission_denied, file_changed and disk_full where a file cannot be written; what `planFile` throws.
 */
export async function applyPlans(
  planned: readonly PlannedFile[],
  request: EditRequest,
  context: CommandContext,
): Promise<readonly PlannedFile[]> {
  refuse(planned, request);
  const changed = planned.filter(({ hunks }) => hunks.length > 0);
  if (changed.length === 0) return planned;
  try {
    const paths = changed.map(({ path }) => path);
    using locked = await lockFolders(paths, { process: thisProcess(), waitMs });
    const plans: PlannedFile[] = [];
    for (const plan of planned) {
      const isOld = changed.includes(plan) && !readFileSync(plan.path).equals(plan.before.bytes);
      plans.push(isOld ? await planFile(plan.argument, request, context) : plan);
      if (isOld) await releaseTrees();
    }
    refuse(plans, request);
    locked.replace(
      plans
        .filter(({ hunks }) => hunks.length > 0)
        .map(({ path, before, after }) => ({ path, before: before.bytes, after: after.bytes })),
    );
    return plans;
  } catch (error) {
    throw error instanceof ReplaceError ? asCommandError(error, changed) : error;
  }
}

function refuse(plans: readonly PlannedFile[], request: EditRequest): void {
  refuseUnfound(plans, request);
  refuseBroken(plans);
}

/** Each text must be somewhere, and each file must have one of them. */
function refuseUnfound(plans: readonly PlannedFile[], { operation, named }: EditRequest): void {
  if (operation.kind === "structural") {
    const without = plans.find(({ unfound }) => unfound.length > 0);
    if (without === undefined && plans.length > 0) return;
    const what = `"${shortened(operation.rewrite.pattern)}"`;
    throw new errors.no_match({ path: without?.file ?? named, what, nearest: "" });
  }
  if (operation.kind !== "replace") return;
  const { replacements, scope } = operation;
  const [first] = replacements;
  if (plans.length === 0 && first !== undefined)
    throw new errors.no_match({
      path: named,
      what: `"${shortened(first.find)}"`,
      nearest: "",
    });
  for (const [index, replacement] of replacements.entries()) {
    const without = plans.find(
      ({ unfound }) =>
        unfound.includes(index) &&
        (unfound.length === replacements.length ||
          plans.every((each) => each.unfound.includes(index))),
    );
    if (without === undefined) continue;
    const which = replacements.length === 1 ? "" : `text ${index + 1} `;
    const quoted = `"${shortened(replacement.find)}"`;
    throw new errors.no_match({
      path: without.file,
      what: which === "" ? quoted : `${which}(${quoted})`,
      nearest: nearestTo(without.before.text, replacement, scope),
    });
  }
}

function refuseBroken(plans: readonly PlannedFile[]): void {
  for (const { verdict, file, replacementCount, hunks, before, after } of plans)
    if (verdict.kind === "broken")
      throw new errors.syntax_error({
        file,
        line: verdict.line1,
        reason: verdict.reason,
        total_replacements: replacementCount,
        total_changes: lineHunksOf({ before: before.text, after: after.text }, hunks).length,
        hash_before: before.hash,
      });
}

function asCommandError(error: ReplaceError, plans: readonly PlannedFile[]): Error {
  const plan = plans.find(({ path }) => path === error.path || dirname(path) === error.path);
  const path = plan?.file ?? error.path;
  const options = { cause: error };
  switch (error.failure) {
    case "denied":
      return new errors.permission_denied({ path, action: "write" }, options);
    case "full":
      return new errors.disk_full({ path }, options);
    case "missing":
      return new errors.file_not_found({ path }, options);
    case "changed":
      return new errors.file_changed(
        { action: "edit", path, reason: "it was changed while it was edited" },
        options,
      );
    case "busy":
      return new errors.file_changed(
        { action: "edit", path, reason: "another process is editing it" },
        options,
      );
    case "failed":
      return new errors.invalid_argument(
        { argument: path, reason: `it cannot be written: ${error.message}` },
        options,
      );
  }
}
