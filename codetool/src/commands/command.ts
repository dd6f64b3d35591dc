import type { AnswerSchema } from "./answers/index.ts";
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
  /** True where its value is a path: MCP keeps it inside of the client's roots. */
  readonly isPath?: boolean;
  /** Other spellings on the command line, snake_case. */
  readonly aliases?: readonly string[];
  /** The word for the value in `--help`, for example `"N-M"`. */
  readonly placeholder?: string;
  /** The allowed values of a string flag. */
  readonly choices?: readonly string[];
  readonly minimum?: number;
  /** With `choices`: a whole number is as good as one of them. */
  readonly isCountAllowed?: boolean;
  /** Given only together with a minimum. */
  readonly maximum?: number;
  /** Of a boolean: it is true where it is not given. Also written `--no-name` and `--name false`. */
  readonly isOnByDefault?: boolean;
  readonly summary: string;
}

/** One positional argument. */
export interface PositionalDefinition {
  readonly name: string;
  /** True where it names a file or a folder: MCP keeps it inside of the client's roots. */
  readonly isPath?: boolean;
  /** Other names of it in `batch` and MCP, where arguments are named. */
  readonly aliases?: readonly string[];
  readonly isRequired: boolean;
  /** The allowed words. */
  readonly choices?: readonly string[];
  /** Takes all that follow, as a list. */
  readonly isVariadic?: boolean;
  /** On the command line, everything after its first word belongs to it, flags and `--` too. */
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
  /** Opens indexes where they are kept from command to command, or opened ahead; absent where each is opened as it is asked for. */
  readonly corpora?: Pick<ResidentIndexes, "open">;
  /** True when the command must not use an index because it turned out damaged. */
  readonly isIndexLeftAside?: boolean;
  /** True when a command that fails internally reports that, and no other program answers instead. */
  readonly isFallbackOff?: boolean;
  /**
   * Tells whether a file or folder may be read and named in an answer, beyond the paths of the input: absolute path.
   * Absent where everything may.
   */
  readonly mayShow?: (absolutePath: string) => boolean;
  /** Reads standard input to its end; absent where there is none to read, as in `batch`. */
  readonly readInput?: () => Promise<Uint8Array>;
  /** True when the answer is printed as text for people: what `renderPlain` does not show need not be computed. */
  readonly isPlain?: boolean;
  /** Whether that text goes to a terminal that shows colours; absent where it does not. */
  readonly isColored?: () => boolean;
  /** Writes one line for developers; absent where nobody listens. */
  readonly log?: (level: LogLevel, message: string) => void;
  /** True where nobody else reads standard input: a program that `run` starts may read it. */
  readonly isInputFree?: boolean;
  /**
   * Subscribes to the signals that ask this process to end; while somebody is subscribed, the signals do not
   * end the process by themselves. The function returned ends the subscription.
   */
  readonly onSignal?: (listener: (signal: NodeJS.Signals) => void) => () => void;
  /** How this program is started, for what writes that down; absent where the program is not a process of the command line. */
  readonly program?: {
    /** A command line without arguments: absolute paths, of the executable, or of Node and the launcher. */
    readonly words: readonly string[];
    /** The names of all commands, those too that only a command line has. */
    readonly commandNames: readonly string[];
  };
  /**
   * Aborted when nobody wants the answer any more: long work then ends, and throws the signal's reason. Absent where a
   * command always runs to its end.
   */
  readonly signal?: AbortSignal;
  /** Reports the progress of long work; absent where nobody watches, as in `batch`. */
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total: number;
    /** What is counted; default files. */
    readonly unit?: string;
  }) => void;
}

/** Any payload, as seen by code that only prints it. Each command declares a more exact type. */
export type CommandData = { readonly [key: string]: unknown };

/** The payload of a command that succeeded, with the other parts of its envelope. */
export interface CommandResult<Payload extends CommandData = CommandData> {
  readonly data: Payload;
  /** Remarks a caller should see, for example that no index was there; in the envelope next to `data`. */
  readonly warnings?: readonly string[];
  /** The exit code, for a command whose answer is a verdict; default 0. */
  readonly exitCode?: number;
  /** True when the command itself failed and its Unix equivalent gave this answer. */
  readonly isFallback?: boolean;
  /** The text for people, where it shows more than the payload has; default `renderPlain` of the payload. */
  readonly plain?: () => string;
  /** What the Unix way would have printed for the same question; absent where nothing honest can be said. */
  readonly unixOutput?: UnixOutput;
}

/** How many bytes the Unix way prints. Where not all of it is known, it is what is known, and never more. */
export interface UnixOutput {
  /** `grep -rn`; `cat` of a file or of several; `sed -n` of lines; `find` with `wc -l`; `git diff`; the program that was run. */
  readonly way: "grep_rn" | "cat" | "sed" | "find" | "git_diff" | "command";
  readonly sizeBytes: number;
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
  readonly string: Flag extends { readonly choices: readonly (infer Choice)[] }
    ? Choice | (Flag extends { readonly isCountAllowed: true } ? `${number}` : never)
    : string;
}[Flag["kind"]];

type PositionalValueOf<Positional> = Positional extends { readonly isVariadic: true }
  ? readonly string[]
  : string;

/**
 * The input of a command, made from its table: a property for each flag and positional, by its own name, and the budget.
 * For a table that is not known at compile time it is a dictionary of values by name.
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

/** What the command line, `batch` and MCP check of a command before they run it. */
export interface CommandTraits {
  /** True when `batch` may run it. */
  readonly isBatchable: boolean;
  /** True when its calls are not recorded for `stats`. Default false. */
  readonly isUncounted?: boolean;
  /** True when it may change files: a batch runs nothing else at the same time, and MCP announces it. Default false. */
  readonly isWriting?: boolean;
}

/** One command: a row of the command table that feeds argv, `--help`, `batch` and MCP. `defineCommand` makes it. */
export interface CommandDefinition extends CommandDescription, CommandTraits {
  /** The schema of its payload; absent where it is not described. */
  readonly answerSchema?: () => Promise<AnswerSchema<unknown>>;
  /**
   * Checks an input.
   *
   * @throws invalid_argument, see `checkInput`.
   */
  readonly bind: (raw: { readonly [name: string]: unknown }) => BoundCommand;
}

/** A command with an input that was checked. */
export interface BoundCommand {
  /** The input after the check: for a log. */
  readonly input: object;
  /** Runs it. Throws errors of the envelope's table; everything else is a defect (`internal_error`). */
  readonly run: (context: CommandContext) => Promise<Answer>;
  /**
   * Gives several answers, until `signal` is aborted, nobody reads any more, or there is nothing left to do. Absent
   * when the input asks for one answer.
   *
   * @throws errors of the envelope's table, as `run` does: the last answer.
   */
  readonly stream?: (context: CommandContext, options: StreamOptions) => Promise<void>;
  /** The Unix command that answers when this one fails internally; absent where there is none. */
  readonly unixEquivalent?: () => Promise<UnixCommand>;
}

/** The answer of a command that worked. */
export type Answer = CommandResult & { readonly plain: () => string };

/** A program with its arguments. */
export interface UnixCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** What a command with several answers gets. */
export interface StreamOptions<Data extends CommandData = CommandData> {
  /** Writes one answer; false when nobody reads any more. */
  readonly emit: (
    answer: CommandResult<Data> | { readonly error: CommandError },
  ) => Promise<boolean>;
  readonly signal: AbortSignal;
}
