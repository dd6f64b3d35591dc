import type { Log, LogFields } from "../../core/index.ts";
import type { CommandIo } from "../command.ts";
import type { LogSettings } from "./run-log.ts";

/**
 * The lines of a run about its own life. Where the log is JSON they are lines of the log, because a program reads them
 * there. Otherwise they are plain lines for people.
 */
export class RunLines {
  readonly #io: CommandIo;
  readonly #log: Log;
  readonly #isJson: boolean;

  /**
   * @param io Where plain lines go.
   * @param log Of the run.
   * @param settings How it logs.
   */
  constructor(io: CommandIo, log: Log, settings: LogSettings) {
    this.#io = io;
    this.#log = log;
    this.#isJson = settings.format === "json";
  }

  /** Something that goes as it should. The fields are for programs: the text says the same. */
  info(text: string, fields?: LogFields): void {
    if (this.#isJson) this.#log.info(text, fields);
    else this.#io.tell(text);
  }

  /** Something that somebody has to know of. */
  warn(text: string, fields?: LogFields): void {
    if (this.#isJson) this.#log.warn(text, fields);
    else this.#io.tell(`agentrt: ${text}`);
  }
}
