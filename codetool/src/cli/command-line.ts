import type { CommandContext } from "../commands/index.ts";
import type { Output, OutputStream } from "./output.ts";

/** The process as the command line sees it. */
export interface CommandLine {
  /** Words after the program's name. */
  readonly argv: readonly string[];
  /** Names the program may have been started by, for `codetool-search` and the like. */
  readonly invokedAs: readonly string[];
  /** How the program is started, without arguments; absent where it is not a process. */
  readonly programWords?: readonly string[];
  readonly environment: CommandContext["environment"];
  /** `undefined` where it was deleted: then only help and version are answered. */
  readonly workingDirectory: string | undefined;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Pick<OutputStream, "isTTY" | "write">;
  /** As in `CommandContext`; absent where the command line does not handle signals. */
  readonly onSignal?: CommandContext["onSignal"];
  /**
   * In a service: the indexes that it keeps open. Then an internal failure is thrown: the process that asked answers by itself.
   */
  readonly corpora?: CommandContext["corpora"];
  /** Subscribes to the moment when the process should end; absent where it ends only when its work is done. */
  readonly onEnd?: (end: (exitCode: number) => void) => void;
}
