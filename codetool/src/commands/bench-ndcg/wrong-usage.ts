import { CommandError } from "../../envelope/index.ts";

/** Flags that each are right and together are not: exit code 2, as for a command line that cannot be understood. */
export class WrongUsage extends CommandError {
  /** @param message What is wrong, and how it is made right; whole. */
  constructor(message: string) {
    const remedy = "See the command's --help";
    const row = { exitCode: 2, isRetryable: false, message: () => message, remedy };
    super({ code: "invalid_argument", row }, {});
  }
}
