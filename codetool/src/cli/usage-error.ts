/** A command line that cannot be understood: exit code 2, usage on standard error, and an error envelope unless `--plain`. */
export class UsageError extends Error {
  /** The command whose usage is shown, if the command line got that far. */
  readonly command: string | undefined;
  /** Code of the envelope. */
  readonly code: "invalid_argument" | "invalid_command";

  constructor(
    message: string,
    options: {
      readonly command?: string | undefined;
      readonly code?: "invalid_argument" | "invalid_command";
    } = {},
  ) {
    super(message);
    this.name = "UsageError";
    this.command = options.command;
    this.code = options.code ?? "invalid_argument";
  }
}
