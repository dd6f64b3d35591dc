/** One positional argument of a command. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: boolean;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** True for the name of an agent of the running topology: shells complete it. */
  readonly isAgent?: boolean;
  /** Takes all that follow; the last one only. */
  readonly isVariadic?: boolean;
}

/** One flag of a command. */
export interface FlagSpec {
  /** Long name without dashes, in kebab-case: `nats-url`. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** Placeholder of the value, for example `path`; without it the flag is a switch. */
  readonly value?: string;
  /** True where the flag is also given without its value; then the value follows behind `=` only. */
  readonly isValueOptional?: boolean;
  readonly summary: string;
  readonly default?: string;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** True when the flag may be given several times; all values count. */
  readonly isRepeatable?: boolean;
}

/** The arguments and flags of one call. Asking for a name that the command does not declare is a bug of the program. */
export interface CommandInput {
  /** The value of a required argument. */
  argument(name: string): string;
  /** The values of an optional or variadic argument. */
  arguments(name: string): readonly string[];
  /** The value of a flag, or its default. */
  text(flag: string): string | undefined;
  /** All values of a repeatable flag. */
  texts(flag: string): readonly string[];
  /** Whether a switch was given, or a flag whose value is optional. */
  isSet(flag: string): boolean;
}

/** The world as a command sees it. */
export interface CommandIo {
  /** Writes data: what a script reads. */
  readonly print: (text: string) => void;
  /** Writes a message for people; the line end is added. */
  readonly tell: (line: string) => void;
  /** From now on every message for people goes through this, and so does the report of an error. */
  readonly hide: (mask: (text: string) => string) => void;
  /** Sets variables of the process that are not set. */
  readonly addVariables: (variables: CommandIo["environment"]) => void;
  /** Styles for data; plain text when stdout is not a terminal or NO_COLOR is set. */
  readonly style: Style;
  /** From now on the program goes on when nobody reads its output any more; without it, it ends then. */
  readonly outliveOutput: () => void;
  /**
   * The process ends when the command returns, whatever timers and sockets are open: for commands that load user code,
   * which may leave some behind.
   */
  readonly endAtReturn: () => void;
  /** Asks a yes-or-no question; not there when nobody sits at a terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The working directory. */
  readonly directory: string;
}

/** Puts colour around a text, or leaves it as it is. */
export type Style = {
  readonly [Name in "green" | "red" | "yellow" | "grey" | "bold"]: (text: string) => string;
};

/** One command as a row of the table: help, completions and parsing come from it. */
export interface CommandSpec {
  /** Words after `agentrt`, for example `["topology", "validate"]`. */
  readonly words: readonly [string, ...string[]];
  readonly summary: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Command lines for the help, each with what it does. */
  readonly examples: readonly (readonly [commandLine: string, effect: string])[];
  /**
   * Does the work. Heavy modules are imported here, not at the top of the file.
   *
   * @returns The exit code: 0 done, 1 the check or the work failed.
   */
  readonly run: (input: CommandInput, io: CommandIo) => Promise<number>;
}

/** The flag of every reading command. */
export const jsonFlag: FlagSpec = {
  name: "json",
  summary: "print one JSON document instead of text",
};
