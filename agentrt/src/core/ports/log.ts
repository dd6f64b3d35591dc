import { printable } from "../values/index.ts";
import { placeOfError } from "./error-place.ts";
import { createRedactor, isSecretName, redacted, type Redactor } from "./redaction.ts";

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
  /** Says whether lines of a level are written at all; without this method callers assume that they are. */
  isEnabled?(level: LogLevel): boolean;
}

/** Severities, least first. */
export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** What an `error` field adds to a line: its cause and its place. */
function explain(error: unknown): LogFields {
  try {
    return error instanceof Error ? { cause: error.cause, at: placeOfError(error) } : {};
  } catch {
    return {};
  }
}

function fieldText(name: string, value: unknown, redactor: Redactor): string {
  if (isSecretName(name)) return redacted;
  if (value instanceof Error) return quoted(redactor.text(`${value.name}: ${value.message}`));
  if (typeof value === "string") {
    const shown = redactor.text(value);
    return /^[\w./:-]+$/.test(shown) ? printable(shown) : quoted(shown);
  }
  if (typeof value === "bigint") return String(value);
  return printable(redactor.json(name, value) ?? String(value));
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/** The fields of a line; one that cannot be shown does not keep the line from being written. */
function pairText(name: string, value: unknown, redactor: Redactor): string {
  let text: string;
  try {
    text = fieldText(name, value, redactor);
  } catch {
    text = `"(${typeof value} that cannot be shown)"`;
  }
  return ` ${printable(name)}=${text}`;
}

/** What every log takes. */
export interface LogOptions {
  /** Receives each line, newline included. */
  readonly write: (line: string) => void;
  /** Least severity that is written; default `"info"`. */
  readonly level?: LogLevel | undefined;
  /** Fields added to each line. */
  readonly fields?: LogFields | undefined;
  /** Takes secrets out of the lines; default one that knows names and forms of secrets, and no environment. */
  readonly redactor?: Redactor | undefined;
}

type WriteLine = (level: LogLevel, message: string, fields: LogFields) => void;

/** Makes a log whose lines are written by a function; what is below the level costs nothing. */
function makeLog(options: LogOptions, write: WriteLine): Log {
  const leastIndex = logLevels.indexOf(options.level ?? "info");
  const logWith = (own: LogFields): Log => {
    const line = (level: LogLevel, message: string, fields: LogFields | undefined): void => {
      if (logLevels.indexOf(level) >= leastIndex) write(level, message, { ...own, ...fields });
    };
    return {
      debug: (message, fields) => line("debug", message, fields),
      info: (message, fields) => line("info", message, fields),
      warn: (message, fields) => line("warn", message, fields),
      error: (message, fields) => line("error", message, fields),
      with: (fields) => logWith({ ...own, ...fields }),
      isEnabled: (level) => logLevels.indexOf(level) >= leastIndex,
    };
  };
  return logWith(options.fields ?? {});
}

/**
 * Makes a log that writes one text line an entry: time, level, message, then `name=value` pairs. Control characters
 * are written as escapes, so that no text of a message or a field can forge a line or command a terminal; secrets are
 * replaced by `***`.
 *
 * @param options Where lines go, from which level on, what is added to each.
 * @param options.nowMs Wall clock that dates each line, in UTC; default none, for lines without a date.
 * @returns The log.
 */
export function createTextLog(
  options: LogOptions & { readonly nowMs?: (() => number) | undefined },
): Log {
  const redactor = options.redactor ?? createRedactor();
  return makeLog(options, (level, message, fields) => {
    // A span is of use to programs; people follow a trace, which comes last because it is long.
    const { spanId: _, traceId, ...shown } = fields;
    const pairs = Object.entries({ ...shown, ...explain(fields["error"]), traceId })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => pairText(name, value, redactor));
    const date = options.nowMs === undefined ? "" : `${new Date(options.nowMs()).toISOString()} `;
    const text = printable(redactor.text(message));
    options.write(`${date}${level.padEnd(5)} ${text}${pairs.join("")}\n`);
  });
}

/**
 * Makes a log that writes one JSON object a line: `time`, `level`, `message`, then the fields; an `error` is an object
 * with `name`, `message`, `code`, `cause` and `at`, the place where it was thrown. Secrets are replaced by `***`.
 *
 * @param options Where lines go, from which level on, what is added to each.
 * @param options.nowMs Wall clock that dates each line, in UTC.
 * @returns The log.
 */
export function createJsonLog(options: LogOptions & { readonly nowMs: () => number }): Log {
  const redactor = options.redactor ?? createRedactor();
  return makeLog(options, (level, message, fields) => {
    const head = { time: new Date(options.nowMs()).toISOString(), level, message };
    // What dates and names the line comes first, whatever a field is called.
    const pairs = Object.entries({ ...head, ...fields, ...head })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${JSON.stringify(name)}:${jsonText(name, value, redactor)}`);
    options.write(`{${pairs.join(",")}}\n`);
  });
}

/** A field as JSON; one that cannot be shown does not keep the line from being written. */
function jsonText(name: string, value: unknown, redactor: Redactor): string {
  try {
    const shown = value instanceof Error ? errorFields(value) : value;
    return redactor.json(name, shown) ?? JSON.stringify(String(value));
  } catch {
    return JSON.stringify(`(${typeof value} that cannot be shown)`);
  }
}

function errorFields(error: Error, depth = 0): object {
  const { code } = error as { readonly code?: unknown };
  const cause =
    error.cause instanceof Error && depth < 4 ? errorFields(error.cause, depth + 1) : undefined;
  const at = depth === 0 ? placeOfError(error) : undefined;
  return {
    name: error.name,
    message: error.message,
    code: typeof code === "string" ? code : undefined,
    cause,
    at,
  };
}
