import { CommandError, errors, renderEnvelope, type Outcome } from "../envelope/index.ts";
import type {
  BoundCommand,
  CommandContext,
  CommandDefinition,
  CommandResult,
  StreamOptions,
  UnixOutput,
} from "./command.ts";
import { requireBudget } from "./require-budget.ts";
import { readSettings } from "./settings.ts";
import { steadyMs } from "../system/index.ts";
import { loadTokenCounter } from "../text/index.ts";
import { countAnswer } from "./usage/index.ts";

/** An input before any check, names in snake_case. */
export type RawInput = { readonly [name: string]: unknown };

/**
 * Runs one command to its outcome. It never throws: an error that is not in the table becomes `internal_error`, and then
 * the command's Unix equivalent answers, if it has one (`fallback/`).
 */
export async function executeCommand(
  definition: CommandDefinition,
  raw: RawInput,
  context: CommandContext,
): Promise<Outcome> {
  const startMs = steadyMs();
  let unixOutput: UnixOutput | undefined;
  const run = async (bound: BoundCommand): Promise<CommandResult> => {
    const answer = await bound.run(context);
    ({ unixOutput } = answer);
    return answer;
  };
  const outcome = await outcomeOf(definition, raw, { context, run });
  if ("error" in outcome || outcome.isFallback === true || definition.isUncounted === true)
    return outcome;
  const wallMs = steadyMs() - startMs;
  const { name: command } = definition;
  const onRendered = (actualBytes: number): void =>
    countAnswer({ command, actualBytes, unixOutput, wallMs }, context);
  return { ...outcome, onRendered };
}

/**
 * Runs a command with several answers to its end. If an error ends it, the error is its last answer.
 *
 * @returns 0, or the error's exit code.
 */
export async function executeStream(
  definition: CommandDefinition,
  raw: RawInput,
  options: StreamOptions & { readonly context: CommandContext },
): Promise<number> {
  const { context } = options;
  const run = async (bound: BoundCommand): Promise<CommandResult> => {
    await bound.stream?.(context, options);
    return { data: {} };
  };
  const outcome = await outcomeOf(definition, raw, { context, run });
  if (!("error" in outcome)) return 0;
  await options.emit(outcome);
  return outcome.error.exitCode;
}

async function outcomeOf(
  definition: CommandDefinition,
  raw: RawInput,
  how: {
    readonly context: CommandContext;
    readonly run: (bound: BoundCommand) => Promise<CommandResult>;
  },
): Promise<Outcome> {
  const { context, run } = how;
  let bound: BoundCommand | undefined;
  try {
    bound = definition.bind(raw);
    readSettings(context.environment);
    const result = await run(bound);
    const { input } = bound;
    // What was written cannot be refused any more: such a command looks before it writes.
    if (result.data["applied"] !== true)
      await requireBudget(result.data, "budget" in input ? input.budget : undefined);
    return result;
  } catch (error) {
    const failure = error instanceof CommandError ? error : defect(error, context);
    const isOwn = failure.code === "internal_error";
    if (!isOwn || bound === undefined || context.isFallbackOff === true) return { error: failure };
    const { fallBack } = await import("./fallback/index.ts");
    const { name: command } = definition;
    return (await fallBack(bound, { command, failure, context })) ?? { error: failure };
  }
}

/** An error that is not in the table is a defect: its stack goes to the log, its first line to the caller. */
function defect(error: unknown, context: CommandContext): CommandError {
  context.log?.("error", error instanceof Error ? (error.stack ?? error.message) : String(error));
  const reason = error instanceof Error ? error.message : String(error);
  return new errors.internal_error({ reason: firstLine(reason) }, { cause: error });
}

/**
 * Writes the envelope of an outcome, counting exactly when the input has a budget. A call that was answered is recorded
 * (`usage/`).
 *
 * @param options.id Only in `batch`: echoed first.
 */
export async function envelopeLine(options: {
  readonly command: string;
  readonly outcome: Outcome;
  readonly hasBudget: boolean;
  readonly id?: string | number;
}): Promise<string> {
  const { command, outcome } = options;
  const line = renderEnvelope({
    command,
    outcome,
    ...(options.id === undefined ? {} : { id: options.id }),
    ...(options.hasBudget ? { countTokens: await loadTokenCounter() } : {}),
  });
  if ("data" in outcome) outcome.onRendered?.(Buffer.byteLength(line));
  return line;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 500);
}
