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
 * Says where an error was thrown: the first place in the user's own code or in that of its cause, else in a package of theirs.
 *
 * @param error The error.
 * @returns As `/shop/agents.ts:7:9`; nothing when the stack does not say.
 */
export function userPlaceOfError(error: Error): string | undefined {
  const inCause = error.cause instanceof Error ? placesOf(error.cause) : [];
  const all = [...placesOf(error), ...inCause];
  const outside = all.filter((place) => !place.startsWith(ownFolder));
  return pathOf(outside.find((place) => !place.includes("/node_modules/")) ?? outside[0]);
}

/**
 * Says where an error was thrown, as `userPlaceOfError`; a fault of our own code, which has to be found too, was thrown there.
 *
 * @param error The error.
 * @returns As `/shop/agents.ts:7:9`; nothing when the stack does not say.
 */
export function placeOfError(error: Error): string | undefined {
  // Errors of our tables say what is wrong by themselves; a place in our code would send the reader astray.
  const isKnown = error instanceof TableError;
  return userPlaceOfError(error) ?? (isKnown ? undefined : pathOf(placesOf(error)[0]));
}

function pathOf(place: string | undefined): string | undefined {
  return place?.startsWith("file://") ? decodeURI(place.slice("file://".length)) : place;
}
