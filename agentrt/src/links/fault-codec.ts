import { errorClassOf, type JsonObject, placeOfError, reasonOf } from "../core/index.ts";

/** How many causes of a cause go along. */
const causeCountMax = 4;
const textLengthMax = 4000;

/**
 * Writes an error for another process: what it is, what it says, where it was thrown, and what caused it. Stacks stay here.
 *
 * @param error What was thrown: anything.
 * @param redactText Takes secrets out of its messages and details, and those of its causes; default nothing does.
 * @param causeCount How many errors it is the cause of.
 */
export function encodeFault(
  error: unknown,
  redactText: (text: string) => string = (text) => text,
  causeCount = 0,
): JsonObject {
  const { code, name, details, cause } = Object(error) as { readonly [member: string]: unknown };
  // A part of a secret is not known as one: it is cut afterwards.
  const message = redactText(reasonOf(error).slice(0, 4 * textLengthMax)).slice(0, textLengthMax);
  const fault: JsonObject = { message };
  if (typeof code === "string") fault["code"] = code;
  if (typeof name === "string") fault["name"] = name.slice(0, textLengthMax);
  if (typeof details === "object" && details !== null && errorClassOf(String(code)) !== undefined)
    fault["details"] = JSON.parse(JSON.stringify(details), (_, value: unknown) =>
      typeof value === "string" ? redactText(value) : value,
    ) as JsonObject;
  const at = placeOf(error);
  if (at !== undefined) fault["at"] = at;
  if (cause !== undefined && causeCount < causeCountMax)
    fault["cause"] = encodeFault(cause, redactText, causeCount + 1);
  return fault;
}

/**
 * Reads an error of another process: of the same class where it is one of the runtime's, so that `code`, `httpStatus` and
 * `isRetryable` are what they are inside of one process; else an `Error` with its name, message and code.
 */
export function decodeFault(fault: JsonObject, causeCount = 0): Error {
  const { message, code, name, details, cause, at } = fault;
  const options =
    isObject(cause) && causeCount < causeCountMax
      ? { cause: decodeFault(cause, causeCount + 1) }
      : undefined;
  const made = typeof code === "string" ? remake(code, details, options) : undefined;
  if (made !== undefined) return made;
  const error = new Error(typeof message === "string" ? message : "no reason was given", options);
  if (typeof name === "string") error.name = name;
  if (typeof code === "string") Object.assign(error, { code });
  // It was not thrown here.
  const place = typeof at === "string" ? `\n    at ${at.slice(0, textLengthMax)}` : "";
  error.stack = `${error.name}: ${error.message}${place}`;
  return error;
}

/** User code may throw what throws when it is read. */
function placeOf(error: unknown): string | undefined {
  try {
    return error instanceof Error ? placeOfError(error) : undefined;
  } catch {
    return undefined;
  }
}

/** The other process may run another version, or be no friend: what cannot be made again stays a plain error. */
function remake(
  code: string,
  details: unknown,
  options: ErrorOptions | undefined,
): Error | undefined {
  const Known = errorClassOf(code);
  if (Known === undefined || !isObject(details)) return undefined;
  try {
    return new Known(details, options);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
