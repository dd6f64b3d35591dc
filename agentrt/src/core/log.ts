import { TableError } from "./define-errors.ts";
import { printable } from "./printable.ts";

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

/** Where this package's own code lies, as stacks write it: `src/`, or `dist/` once built. */
const ownFolder = new URL("..", import.meta.url).href;

const frameCountMax = 50;
const frameLengthMax = 1000;

/** One line of a stack: `at name (file:///shop/agents.ts:7:9)`, or without a name. */
const framePattern = /^\s+at (?:async )?(?:.*? \()?(\S.*:\d+:\d+)\)?$/;

/** The places of a stack, innermost first; Node's own are left out. */
function placesOf(error: Error): string[] {
  const stack = String(error.stack);
  // The stack begins with the message, which may hold anything.
  const messageAt = stack.indexOf(error.message);
  const frames = messageAt === -1 ? stack : stack.slice(messageAt + error.message.length);
  return frames
    .split("\n", frameCountMax)
    .filter((line) => line.length <= frameLengthMax)
    .map((line) => framePattern.exec(line)?.[1] ?? "")
    .filter((place) => place !== "" && !place.startsWith("node:"));
}

/** Where an error was thrown: the first place in the user's code, or in that of its cause. */
function placeOf(error: Error): string | undefined {
  const places = placesOf(error);
  const inCause = error.cause instanceof Error ? placesOf(error.cause) : [];
  const inUserCode = [...places, ...inCause].find((place) => !place.startsWith(ownFolder));
  // Errors of our tables say what is wrong by themselves; a place in our code would send the reader astray.
  const place = inUserCode ?? (error instanceof TableError ? undefined : places[0]);
  return place?.startsWith("file://") ? decodeURI(place.slice("file://".length)) : place;
}

/** What an `error` field adds to a line: its cause and its place. */
function explain(error: unknown): LogFields {
  try {
    return error instanceof Error ? { cause: error.cause, at: placeOf(error) } : {};
  } catch {
    return {};
  }
}

function fieldText(value: unknown): string {
  if (value instanceof Error) return quoted(`${value.name}: ${value.message}`);
  if (typeof value === "string")
    return /^[\w./:-]+$/.test(value) ? printable(value) : quoted(value);
  if (typeof value === "bigint") return String(value);
  return printable(JSON.stringify(value) ?? String(value));
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/** The fields of a line; one that cannot be shown does not keep the line from being written. */
function pairText(name: string, value: unknown): string {
  let text: string;
  try {
    text = fieldText(value);
  } catch {
    text = `"(${typeof value} that cannot be shown)"`;
  }
  return ` ${printable(name)}=${text}`;
}

/**
 * Makes a log that writes one text line an entry: time, level, message, then `name=value` pairs. Control characters
 * are written as escapes, so that no text of a message or a field can forge a line or command a terminal.
 *
 * @param options.write Receives each line, newline included.
 * @param options.level Least severity that is written; default `"info"`.
 * @param options.nowMs Wall clock that dates each line, in UTC; default none, for lines without a date.
 * @param options.fields Fields added to each line.
 * @returns The log.
 */
export function createTextLog(options: {
  readonly write: (line: string) => void;
  readonly level?: LogLevel;
  readonly nowMs?: () => number;
  readonly fields?: LogFields;
}): Log {
  const leastIndex = levels.indexOf(options.level ?? "info");
  const line = (level: LogLevel, message: string, fields: LogFields | undefined): void => {
    if (levels.indexOf(level) < leastIndex) return;
    const pairs = Object.entries({ ...options.fields, ...fields, ...explain(fields?.["error"]) })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => pairText(name, value));
    const date = options.nowMs === undefined ? "" : `${new Date(options.nowMs()).toISOString()} `;
    options.write(`${date}${level.padEnd(5)} ${printable(message)}${pairs.join("")}\n`);
  };
  return {
    debug: (message, fields) => line("debug", message, fields),
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields) => line("warn", message, fields),
    error: (message, fields) => line("error", message, fields),
    with: (fields) => createTextLog({ ...options, fields: { ...options.fields, ...fields } }),
  };
}
