import type { Outcome } from "../envelope/index.ts";
import type { ResidentIndexes } from "./resident-indexes.ts";

/** The value of one flag or positional after parsing; a flag that was not given is absent. */
export type FlagValue = boolean | number | string | readonly string[];

/** What a command is run with: names are snake_case, as in `batch` and MCP; argv fronts translate. */
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
  /** On the command line all that stands after its first word is its own, flags and `--` too. */
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

/** The payload of a command that worked, and what goes beside it into the envelope. */
export interface CommandResult {
  readonly data: { readonly [key: string]: unknown };
  /** Remarks a caller should see, for example that no index was there; in the envelope beside `data`. */
  readonly warnings?: readonly string[];
  /** What the process exits with, where the answer itself is a verdict; default 0. */
  readonly exitCode?: number;
  /** True when the command failed at its own way, and this is what another way gave. */
  readonly isFallback?: boolean;
  /** The human form, where more belongs to it than the payload has; default `renderPlain` of the payload. */
  readonly plain?: () => string;
}

/** What a command takes and what it is for, as data. */
export interface CommandDescription {
  readonly name: string;
  readonly summary: string;
  /** Command lines with a remark each, shown first in `--help`. */
  readonly examples: readonly { readonly commandLine: string; readonly remark: string }[];
  readonly positionals: readonly PositionalDefinition[];
  /** Its own flags; the global ones stand in `global-flags.ts`. */
  readonly flags: readonly FlagDefinition[];
}

/**
 * One command: a row of the command table that feeds argv, `--help`, `batch` and MCP.
 *
 * The file of a definition imports types and the envelope alone; `run` loads the rest with `await import()`, so that
 * a command costs nothing to those who run another.
 */
export interface CommandDefinition extends CommandDescription {
  /** True when `batch` and MCP may run it. */
  readonly isBatchable: boolean;
  /** True when MCP may not, whatever `isBatchable` says: it does more than read. */
  readonly isLocalOnly?: boolean;
  /** It may change files: in a batch nothing runs beside it, and MCP says so. Default false. */
  readonly isWriting?: boolean;
  /** Runs it. Throws errors of the envelope's table; everything else is a defect (`internal_error`). */
  run(input: CommandInput, context: CommandContext): CommandResult | Promise<CommandResult>;
  /** For a command that may go on and on: when it is asked to, and how. */
  readonly stream?: CommandStream;
  /** The human form of the payload for `--plain`. */
  renderPlain(data: CommandResult["data"]): string;
}

/** A command that answers more than once, until it is ended. */
export interface CommandStream {
  /** Whether an input asks for it; else the command answers once. */
  isAsked(input: CommandInput): boolean;
  /**
   * Runs until `signal` is aborted, nobody reads any more, or there is nothing left to do.
   *
   * @throws errors of the envelope's table, as `run` does: the last answer.
   */
  run(input: CommandInput, context: CommandContext, options: StreamOptions): Promise<void>;
}

/** What a stream of answers takes. */
export interface StreamOptions {
  /** Answers; false when nobody reads any more. */
  readonly emit: (outcome: Outcome) => Promise<boolean>;
  readonly signal: AbortSignal;
}
