import type { AnswerSchema } from "./answers/index.ts";
import { checkInput } from "./check-input.ts";
import type {
  Answer,
  CommandContext,
  CommandData,
  CommandDefinition,
  CommandDescription,
  CommandResult,
  CommandTraits,
  FlagDefinition,
  InputOf,
  PositionalDefinition,
  StreamOptions,
  UnixCommand,
} from "./command.ts";

/** A command as its own file writes it: typed by its table of flags and positionals, and by its payload. */
export interface CommandSource<
  Flags extends readonly FlagDefinition[],
  Positionals extends readonly PositionalDefinition[],
  Payload extends CommandData,
>
  extends CommandDescription, CommandTraits {
  readonly flags: Flags;
  readonly positionals: Positionals;
  /** The schema of its payload; loaded only where tools are listed. */
  readonly answerSchema?: () => Promise<AnswerSchema<NoInfer<Payload>>>;
  /** Runs it. Loads what it needs with `await import()`, so that other commands do not pay for it. */
  readonly run: (
    input: InputOf<{ flags: Flags; positionals: Positionals }>,
    context: CommandContext,
  ) => Promise<CommandResult<Payload>>;
  /** For a command that can give several answers: when the input asks for that, and how they are made. */
  readonly stream?: {
    isAsked(input: InputOf<{ flags: Flags; positionals: Positionals }>): boolean;
    run(
      input: InputOf<{ flags: Flags; positionals: Positionals }>,
      context: CommandContext,
      options: StreamOptions<Payload>,
    ): Promise<void>;
  };
  /** The Unix command that answers when this one fails internally. */
  readonly unixEquivalent?: (
    input: InputOf<{ flags: Flags; positionals: Positionals }>,
  ) => Promise<UnixCommand>;
  /** The payload as text for people, for `--plain`. */
  readonly renderPlain: (payload: Payload) => string;
}

/**
 * Makes a row of the command table. The row hides the command's own types: it binds a checked input
 * to what the command does with it, so that its callers need neither type and no cast.
 */
export function defineCommand<
  const Flags extends readonly FlagDefinition[],
  const Positionals extends readonly PositionalDefinition[],
  Payload extends CommandData,
>(source: CommandSource<Flags, Positionals, Payload>): CommandDefinition {
  const { run, stream, unixEquivalent, renderPlain, ...row } = source;
  const answerOf = (result: CommandResult<Payload>): Answer => ({
    ...result,
    plain: result.plain ?? (() => renderPlain(result.data)),
  });
  return {
    ...row,
    bind: (raw) => {
      const input = checkInput(source, raw);
      return {
        input,
        run: async (context) => answerOf(await run(input, context)),
        ...(stream?.isAsked(input) === true
          ? {
              stream: async (context, { emit, signal }) =>
                await stream.run(input, context, {
                  signal,
                  emit: async (answer) => await emit("error" in answer ? answer : answerOf(answer)),
                }),
            }
          : {}),
        ...(unixEquivalent === undefined
          ? {}
          : { unixEquivalent: async () => await unixEquivalent(input) }),
      };
    },
  };
}
