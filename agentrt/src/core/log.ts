/** Severities, least first. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Named values that belong to a log line; an `error` is printed with its name, its message and where it was thrown. */
export type LogFields = { readonly [name: string]: unknown };

/** Where the runtime and its agents report what happened. */
export interface Log {
  /** Details for finding a fault. */
  debug(message: string, fields?: LogFields): void;
  /** What an operator wants to know. */
  info(message: string, fields?: LogFields): void;
  /** What went wrong and was dealt with. */
  warn(message: string, fields?: LogFields): void;
  /** What went wrong and needs somebody. */
  error(message: string, fields?: LogFields): void;
  /** @returns A log that adds `fields` to each of its lines. */
  with(fields: LogFields): Log;
}

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Where an error was thrown: the first place in its stack, without the scheme of a file address. */
function placeOf(error: Error): string | undefined {
  return /\n\s+at (?:.*\()?(?:file:\/\/)?([^()\n]+:\d+:\d+)\)?/.exec(error.stack ?? "")?.[1];
}

function fieldText(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(`${value.name}: ${value.message}`);
  if (typeof value === "string") return /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? String(value);
}

/**
 * Makes a log that writes one text line an entry: level, message, then `name=value` pairs.
 *
 * @param options.write Receives each line, newline included.
 * @param options.level Least severity that is written; default `"info"`.
 * @param options.fields Fields added to each line.
 * @returns The log.
 */
export function createTextLog(options: {
  readonly write: (line: string) => void;
  readonly level?: LogLevel;
  readonly fields?: LogFields;
}): Log {
  const leastIndex = levels.indexOf(options.level ?? "info");
  const line = (level: LogLevel, message: string, fields: LogFields | undefined): void => {
    if (levels.indexOf(level) < leastIndex) return;
    const error = fields?.["error"];
    const place = error instanceof Error ? { at: placeOf(error) } : {};
    const pairs = Object.entries({ ...options.fields, ...fields, ...place })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}=${fieldText(value)}`);
    options.write(`${level.padEnd(5)} ${message.replaceAll("\n", " ")}${pairs.join("")}\n`);
  };
  return {
    debug: (message, fields) => line("debug", message, fields),
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields) => line("warn", message, fields),
    error: (message, fields) => line("error", message, fields),
    with: (fields) => createTextLog({ ...options, fields: { ...options.fields, ...fields } }),
  };
}
