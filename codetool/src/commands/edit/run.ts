import { lineChangesOf, lineHunksOf, type EditedLines, unifiedDiff } from "../../edits/index.ts";
import { CommandError, fitBudget } from "../../envelope/index.ts";
import { releaseTrees } from "../../syntax/index.ts";
import { applyPlans } from "./apply-plans.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import type { EditInput } from "./input.ts";
import type { EditedFile, EditPayload } from "./payload.ts";
import { planFile, type PlannedFile } from "./plan-file.ts";
import { displayCommonRoot } from "../paths.ts";
import { readEditRequest, type EditRequest } from "./request.ts";
import { requireBudget } from "../require-budget.ts";
import { isBinary, loadTokenCounter } from "../../text/index.ts";

/** Changes of one answer that are described without a budget. */
const changeCountMax = 10_000;

/**
 * Runs `edit`: everything is read, edited and checked before anything is written.
 *
 * @throws what `readEditRequest`, `planFile` and `applyPlans` throw; budget_exceeded. No file is changed then.
 */
export async function runEdit(
  input: EditInput,
  context: CommandContext,
): Promise<CommandResult<EditPayload>> {
  return await answerEdit(await readEditRequest(input, context), input.budget, context);
}

/** Plans a request, carries it out where it is to be applied, and describes it. */
export async function answerEdit(
  request: EditRequest,
  budget: number | undefined,
  context: CommandContext,
): Promise<CommandResult<EditPayload>> {
  const planned = await planFiles(request, context);
  // What is written cannot be taken back because the answer is too large.
  if (request.isApplied && budget !== undefined)
    await requireBudget(await dataOf(planned, request, budget), budget);
  const plans = request.isApplied ? await applyPlans(planned, request, context) : planned;
  const warnings = warningsOf(plans, request);
  const data = await dataOf(plans, request, budget);
  if (data.truncated === true) return { data, warnings };
  return { data, warnings, plain: () => plans.map(diffOf).join("") };
}

async function planFiles(request: EditRequest, context: CommandContext): Promise<PlannedFile[]> {
  const plans: PlannedFile[] = [];
  const paths = new Set<string>();
  for (const { argument, isNamed } of request.files) {
    const plan = isNamed
      ? await planFile(argument, request, context)
      : await planFound(argument, request, context);
    await releaseTrees();
    if (plan === undefined) continue;
    const isLeftOut = !isNamed && (plan.hunks.length === 0 || isBinary(plan.before.bytes));
    // One file under two names is one file.
    if (isLeftOut || paths.has(plan.path)) continue;
    paths.add(plan.path);
    plans.push(plan);
  }
  return plans;
}

/** Plans a file that a folder brought: one without the scope that was asked for, or gone by now, is left out. */
async function planFound(
  argument: string,
  request: EditRequest,
  context: CommandContext,
): Promise<PlannedFile | undefined> {
  try {
    return await planFile(argument, request, context);
  } catch (error) {
    const isLeftOut =
      error instanceof CommandError && /^(?:invalid_range|file_not_found)$/.test(error.code);
    if (isLeftOut) return undefined;
    throw error;
  }
}

/** Remarks of one answer at most. */
const warningCountMax = 50;

function warningsOf(plans: readonly PlannedFile[], request: EditRequest): readonly string[] {
  const all = [...request.warnings, ...plans.flatMap((plan) => plan.warnings)];
  if (plans.length === 0) all.push(`Nothing was found in "${request.named}"`);
  if (all.length <= warningCountMax) return all;
  return [...all.slice(0, warningCountMax), `${all.length - warningCountMax} more remarks`];
}

interface Described {
  readonly changes: readonly EditedLines[];
  readonly totalCount: number;
}

function describe({ before, after, hunks, symbols }: PlannedFile): Described {
  const texts = { before: before.text, after: after.text };
  return lineChangesOf(texts, hunks, { symbols, countMax: changeCountMax });
}

function payloadOf(plan: PlannedFile, described: Described, request: EditRequest): EditedFile {
  const { verdict } = plan;
  const isBroken = verdict.kind === "broken";
  return {
    file: plan.file,
    dry_run: !request.isApplied,
    applied: request.isApplied && plan.hunks.length > 0,
    changes: described.changes,
    total_replacements: plan.replacementCount,
    total_changes: described.totalCount,
    syntax_valid: verdict.kind === "unknown" ? null : !isBroken,
    syntax_error: isBroken ? `line ${verdict.line1}: ${verdict.reason}` : null,
    hash_before: plan.before.hash,
    hash_after: plan.after.hash,
  };
}

/** The payload of a single file is the answer itself; several are in a list, after the fields about all of them. */
function shapeOf(
  payloads: readonly EditedFile[],
  {
    root,
    isTruncated,
    request,
  }: {
    readonly root: string | null;
    readonly isTruncated: boolean;
    readonly request: EditRequest;
  },
): EditPayload {
  const [only] = payloads;
  const mark = isTruncated ? { truncated: true as const } : {};
  if (only !== undefined && root !== null && payloads.length === 1 && !request.isList)
    return { root, ...only, ...mark };
  const broken = payloads.find(({ syntax_valid: isValid }) => isValid === false);
  const isChecked = payloads.every(({ syntax_valid: isValid }) => isValid !== null);
  return {
    root,
    dry_run: !request.isApplied,
    applied: payloads.some(({ applied }) => applied),
    total_replacements: payloads.reduce((sum, { total_replacements: count }) => sum + count, 0),
    total_changes: payloads.reduce((sum, { total_changes: count }) => sum + count, 0),
    syntax_valid: broken === undefined ? (isChecked ? true : null) : false,
    syntax_error: broken === undefined ? null : `${broken.file}: ${broken.syntax_error ?? ""}`,
    files: payloads,
    ...mark,
  };
}

async function dataOf(
  plans: readonly PlannedFile[],
  request: EditRequest,
  budgetTokens: number | undefined,
): Promise<EditPayload> {
  const payloads = plans.map((plan) => payloadOf(plan, describe(plan), request));
  const root = displayCommonRoot(plans);
  const isCut = payloads.some(({ changes, total_changes: count }) => changes.length < count);
  if (budgetTokens === undefined) return shapeOf(payloads, { root, isTruncated: isCut, request });
  const items = payloads.flatMap(({ changes }, index) =>
    changes.map((change) => ({ index, change })),
  );
  const fit = fitBudget({
    items,
    budgetTokens,
    countTokens: await loadTokenCounter(),
    addedText: ({ change }) => `${JSON.stringify(change)},`,
    render: (kept, _used, isTruncated) =>
      shapeOf(
        payloads.map((payload, index) => ({
          ...payload,
          changes: kept.filter((item) => item.index === index).map(({ change }) => change),
        })),
        { root, isTruncated: isTruncated || isCut, request },
      ),
  });
  return fit.data;
}

function diffOf({ file, before, after, hunks }: PlannedFile): string {
  const texts = { before: before.text, after: after.text };
  return unifiedDiff(file, texts, lineHunksOf(texts, hunks));
}
