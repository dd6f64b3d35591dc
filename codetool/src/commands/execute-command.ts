import { CommandError, errors, renderEnvelope, type Outcome } from "../envelope/index.ts";
import { checkInput } from "./check-input.ts";
import type {
  CommandContext,
  CommandDefinition,
  CommandInput,
  CommandResult,
  CommandStream,
  StreamOptions,
} from "./command.ts";
import { readSettings } from "./settings.ts";
import { loadTokenCounter } from "../text/index.ts";

/**
 * Runs one command to its outcome. It never throws: what is not an error of the table becomes `internal_error`, and that
 * is answered by the command's Unix equivalent where it has one (`fall-back.ts`).
 *
 * @param raw The command's input as it came, names in snake_case.
 */
export async function executeCommand(
  definition: CommandDefinition,
  raw: { readonly [name: string]: unknown },
  context: CommandContext,
): Promise<Outcome> {
  let input: CommandInput | undefined;
  try {
    input = checkInput(definition, raw);
    readSettings(context.environment);
    return await definition.run(input, context);
  } catch (error) {
    const failure = error instanceof CommandError ? error : defect(error, context);
    const isOwn = failure.code === "internal_error";
    if (!isOwn || input === undefined || context.isFallbackOff === true) return { error: failure };
    const { fallBack } = await import("./fallback/index.ts");
    return (await fallBack(definition.name, input, failure, context)) ?? { error: failure };
  }
}

/** What is not an error of the table is a defect: its stack goes to the log, its first line to the caller. */
function defect(error: unknown, context: CommandContext): CommandError {
  context.log?.("error", error instanceof Error ? (error.stack ?? error.message) : String(error));
  const reason = error instanceof Error ? error.message : String(error);
  return new errors.internal_error({ reason: firstLine(reason) }, { cause: error });
}

/**
 * Runs a command that goes on, to its end. What ends it with an error is its last answer.
 *
 * @returns 0, or the error's exit code.
 */
export async function executeStream(
  stream: CommandStream,
  parts: {
    readonly definition: CommandDefinition;
    readonly raw: { readonly [name: string]: unknown };
    readonly context: CommandContext;
  },
  options: StreamOptions,
): Promise<number> {
  const { definition, raw, context } = parts;
  const run = async (input: CommandInput): Promise<CommandResult> => {
    await stream.run(input, context, options);
    return { data: {} };
  };
  const outcome = await executeCommand({ ...definition, run }, raw, context);
  if (!("error" in outcome)) return 0;
  await options.emit(outcome);
  return outcome.error.exitCode;
}

/**
 * Writes the envelope of an outcome, counting exactly when the input has a budget.
 *
 * @param options.id Only in `batch`: echoed first.
 */
export async function envelopeLine(options: {
  readonly command: string;
  readonly outcome: Outcome;
  readonly hasBudget: boolean;
  readonly id?: string | number;
}): Promise<string> {
  return renderEnvelope({
    command: options.command,
    outcome: options.outcome,
    ...(options.id === undefined ? {} : { id: options.id }),
    ...(options.hasBudget ? { countTokens: await loadTokenCounter() } : {}),
  });
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 500);
}
