import { ownFolder } from "../own-folder.ts";
import { TableError } from "../values/index.ts";

const frameCountMax = 50;
const frameLengthMax = 1000;
const [stackLineCountMax, stackLineLengthMax] = [50, 2000] as const;

/** One line of a stack: `at name (file:///shop/agents.ts:7:9)`, or without a name. */
const framePattern = /^\s+at (?:async )?(?:.*? \()?(\S.*:\d+:\d+)\)?$/;

/** The places of a stack, innermost first; Node's own are left out. */
function placesOf(error: Error): string[] {
  return framesOf(error)
    .split("\n", frameCountMax)
    .filter((line) => line.length <= frameLengthMax)
    .map((line) => framePattern.exec(line)?.[1] ?? "")
    .filter((place) => place !== "" && !place.startsWith("node:"));
}

/** The stack below the message, with which it begins: that may hold anything, lines that look like places too. */
function framesOf(error: unknown): string {
  const stack = textOf(error, "stack");
  const message = textOf(error, "message");
  const messageAt = message === "" ? -1 : stack.indexOf(message);
  return messageAt === -1 ? stack : stack.slice(messageAt + message.length);
}

/** User code may throw anything, also what throws when it is read. */
function textOf(error: unknown, name: "message" | "stack"): string {
  try {
    const value = (error as { readonly [name: string]: unknown } | null | undefined)?.[name];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

/**
 * Reads the stack of what was thrown, without its message.
 *
 * @param error Anything.
 * @returns Lines such as `at name (file:///shop/agents.ts:7:9)`, innermost first, at most 50 of at most 2000 characters.
 */
export function stackLinesOf(error: unknown): string[] {
  return framesOf(error)
    .split("\n", stackLineCountMax * 4)
    .filter((line) => /^\s+at /.test(line))
    .slice(0, stackLineCountMax)
    .map((line) => line.trim().slice(0, stackLineLengthMax));
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
