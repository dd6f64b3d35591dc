import { ownFolder } from "../own-folder.ts";
import { TableError } from "../values/index.ts";

const frameCountMax = 50;
const frameLengthMax = 1000;

/** One line of a stack: `at name (file:///shop/agents.ts:7:9)`, or without a name. */
const framePattern = /^\s+at (?:async )?(?:.*? \()?(\S.*:\d+:\d+)\)?$/;

/** The places of a stack, innermost first; Node's own are left out. */
function placesOf(error: Error): string[] {
  const stack = stackOf(error);
  // The stack begins with the message, which may hold anything.
  const messageAt = stack.indexOf(error.message);
  const frames = messageAt === -1 ? stack : stack.slice(messageAt + error.message.length);
  return frames
    .split("\n", frameCountMax)
    .filter((line) => line.length <= frameLengthMax)
    .map((line) => framePattern.exec(line)?.[1] ?? "")
    .filter((place) => place !== "" && !place.startsWith("node:"));
}

/** User code may throw an error whose stack is a getter that throws. */
function stackOf(error: Error): string {
  try {
    return String(error.stack);
  } catch {
    return "";
  }
}

/**
 * Says where an error was thrown: the first place in the user's code, or in that of its cause.
 *
 * @param error The error.
 * @returns As `/shop/agents.ts:7:9`; nothing when the stack does not say.
 */
export function placeOfError(error: Error): string | undefined {
  const places = placesOf(error);
  const inCause = error.cause instanceof Error ? placesOf(error.cause) : [];
  const inUserCode = [...places, ...inCause].find((place) => !place.startsWith(ownFolder));
  // Errors of our tables say what is wrong by themselves; a place in our code would send the reader astray.
  const place = inUserCode ?? (error instanceof TableError ? undefined : places[0]);
  return place?.startsWith("file://") ? decodeURI(place.slice("file://".length)) : place;
}
