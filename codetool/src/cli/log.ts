import { logLevels, type LogLevel } from "../commands/index.ts";

/** Writes log lines of at least the wanted urgency, for developers. */
export type LogWriter = (level: LogLevel, message: string) => void;

/**
 * Makes a log, or none when no level is wanted.
 *
 * @param options.write Writes one line, with its newline, to standard error.
 * @param options.isColored Levels in colour, for terminals.
 */
export function makeLog(options: {
  readonly level: LogLevel | undefined;
  readonly write: (text: string) => void;
  readonly isColored: boolean;
}): LogWriter | undefined {
  if (options.level === undefined) return undefined;
  const shown = logLevels.slice(0, logLevels.indexOf(options.level) + 1);
  return (level, message) => {
    if (!shown.includes(level)) return;
    const label = options.isColored ? `\u001B[${colorOf(level)}m${level}\u001B[0m` : level;
    options.write(`codetool: ${label}: ${message}\n`);
  };
}

function colorOf(level: LogLevel): number {
  if (level === "error") return 31;
  return level === "warn" ? 33 : 2;
}
