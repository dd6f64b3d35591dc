import type { CommandError } from "../envelope/index.ts";
import type { ResidentIndexes } from "./resident-indexes.ts";

/** The value of one flag or positional after parsing; a flag that was not given is absent. */
export type FlagValue = boolean | number | string | readonly string[];

/** What a front gives to a command: names are snake_case, as in `batch` and MCP; argv is translated. */
export type CommandInput = { readonly [name: string]: FlagValue | undefined };

/** One flag of a command, as data: argv parsing, `--help`, `batch` and MCP are made from it. */
export interface FlagDefinition {
  /** snake_case; on the command line `--kebab-case`. */
  readonly name: string;
  readonly kind: "boolean" | "integer" | "number" | "string" | "strings";
  /** One short letter without dash, if there is one. */
  readonly short?: string;
  /** Other spellings on the command line, snake_case. */
  readonly aliases?: readonly string[];
  /** What stands for the value in `--help`, for example `"N-M"`. */
  readonly placeholder?: string;
  /** The allowed values of a string flag. */
  readonly choices?: readonly string[];
  readonly minimum?: number;
  /** Given only beside a minimum. */
  readonly maximum?: number;
  /** Of a boolean: it is true where it is not given. Also written `--no-name` and `--name false`. */
  readonly isOnByDefault?: boolean;
  readonly summary: string;
}

/** One positional argument. */
export interface PositionalDefinition {
  readonly name: string;
  /** Other names of it in `batch` and MCP, where arguments are named. */
  readonly aliases?: readonly string[];
  readonly isRequired: boolean;
  /** Takes all that follow, as a list. */
  readonly isVariadic?: boolean;
  /** On the command line all that is after its first word is its own, flags and `--` too. */
  readonly takesRest?: boolean;
  /** Of a variadic one: in `batch` and MCP a single string counts as a list of one. */
  readonly isOneAllowed?: boolean;
  readonly summary: string;
}

/** The levels of the log on standard error, from the fewest lines to the most. */
export const logLevels = ["error", "warn", "info", "debug", "trace"] as const;

/** How much a log line matters. */
export type LogLevel = (typeof logLevels)[number];

/** What a command runs in. Paths of the input are relative to `workingDirectory`. */
export interface CommandContext {
  /** Absolute. */
  readonly workingDirectory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Keeps indexes open from command to command; absent where a process runs one. */
  readonly corpora?: ResidentIndexes;
  /** Answers without the index, where there is one: it turned out damaged. */
  readonly isIndexLeftAside?: boolean;
  /** A command that fails inside says so, and no other program answers for it. */
  readonly isFallbackOff?: boolean;
  /**
   * Tells whether a file or folder may be read and named in an answer, beyond the paths of the input: absolute path.
   * Absent where everything may.
   */
  readonly mayShow?: (absolutePath: string) => boolean;
  /** Reads standard input to its end; absent where there is none to read, as in `batch`. */
  readonly readInput?: () => Promise<Uint8Array>;
  /** The answer is printed as text for people: what `renderPlain` does not show need not be found out. */
  readonly isPlain?: boolean;
  /** Writes one line for developers; absent where nobody listens. */
  readonly log?: (level: LogLevel, message: string) => void;
  /** True where nobody else reads standard input: a program that is run may have it. */
  readonly isInputFree?: boolean;
  /**
   * Subscribes to the signals that ask this process to end; while somebody does, they do not end it by themselves. The
   * function returned ends the subscription.
   */
  readonly onSignal?: (listener: (signal: NodeJS.Signals) => void) => () => void;
  /** Shows how far long work is; absent where nobody looks, as in `batch`. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** What any payload is to those who only print it. A command's own payload is a type of its own, without this. */
export type CommandData = { readonly [key: string]: unknown };

/** The payload of a command that worked, and what goes with it into the envelope. */
export interface CommandResult<Payload extends CommandData = CommandData> {
  readonly data: Payload;
  /** Remarks a caller should see, for example that no index was there; in the envelope next to `data`. */
  readonly warnings?: readonly string[];
  /** What the process exits with, where the answer itself is a verdict; default 0. */
  readonly exitCode?: number;
  /** True when the command failed at its own way, and this is what another way gave. */
  readonly isFallback?: boolean;
  /** The human form, where more belongs to it than the payload has; default `renderPlain` of the payload. */
  readonly plain?: () => string;
}

/** What a command takes, as data. */
export interface InputDefinition {
  readonly positionals: readonly PositionalDefinition[];
  /** Its own flags; the global ones are in `global-flags.ts`. */
  readonly flags: readonly FlagDefinition[];
}

type FlagValueOf<Flag extends FlagDefinition> = {
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
  readonly strings: readonly string[];
  readonly string: Flag extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;
}[Flag["kind"]];

type PositionalValueOf<Positional> = Positional extends { readonly isVariadic: true }
  ? readonly string[]
  : string;

/**
 * The input of a command, made from its table: a property for each flag and positional, by its own name, and the budget.
 * Of a table that is not known at compile time it is the dictionary that the fronts know.
 */
export type InputOf<Table extends InputDefinition> = string extends Table["flags"][number]["name"]
  ? CommandInput
  : {
      readonly [Flag in Table["flags"][number] as Flag["name"]]?: FlagValueOf<Flag> | undefined;
    } & {
      readonly [
        Given in Table["positionals"][number] as Given extends { readonly isRequired: true }
          ? Given["name"]
          : never
      ]: PositionalValueOf<Given>;
    } & {
      readonly [
        Given in Table["positionals"][number] as Given extends { readonly isRequired: true }
          ? never
          : Given["name"]
      ]?: PositionalValueOf<Given> | undefined;
    } & { readonly budget?: number | undefined };

/** What a command takes and what it is for, as data. */
export interface CommandDescription extends InputDefinition {
  readonly name: string;
  readonly summary: string;
  /** Command lines with a remark each, shown first in `--help`. */
  readonly examples: readonly { readonly commandLine: string; readonly remark: string }[];
}

/** What the fronts ask of a command before they run it. */
export interface CommandTraits {
  /** True when `batch` and MCP may run it. */
  readonly isBatchable: boolean;
  /** True when MCP may not, whatever `isBatchable` says: it does more than read. */
  readonly isLocalOnly?: boolean;
  /** It may change files: in a batch nothing runs at the same time, and MCP says so. Default false. */
  readonly isWriting?: boolean;
}

/** One command: a row of the command table that feeds argv, `--help`, `batch` and MCP. `defineCommand` makes it. */
export interface CommandDefinition extends CommandDescription, CommandTraits {
  /**
   * Checks an input.
   *
   * @throws invalid_argument, see `checkInput`.
   */
  readonly bind: (raw: { readonly [name: string]: unknown }) => BoundCommand;
}

/** A command with an input that was checked. */
export interface BoundCommand {
  /** As it was checked: for a log. */
  readonly input: object;
  /** Runs it. Throws errors of the envelope's table; everything else is a defect (`internal_error`). */
  readonly run: (context: CommandContext) => Promise<Answer>;
  /**
   * Answers more than once: until `signal` is aborted, nobody reads any more, or there is nothing left to do. Absent where
   * the input asks for one answer.
   *
   * @throws errors of the envelope's table, as `run` does: the last answer.
   */
  readonly stream?: (context: CommandContext, options: StreamOptions) => Promise<void>;
  /** The Unix command that answers where this one fails inside; absent where there is none. */
  readonly unixEquivalent?: () => Promise<UnixCommand>;
}

/** The answer of a command that worked. */
export type Answer = CommandResult & { readonly plain: () => string };

/** A program with its arguments. */
export interface UnixCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** What a stream of answers takes. */
export interface StreamOptions<Data extends CommandData = CommandData> {
  /** Answers; false when nobody reads any more. */
  readonly emit: (
    answer: CommandResult<Data> | { readonly error: CommandError },
  ) => Promise<boolean>;
  readonly signal: AbortSignal;
}
