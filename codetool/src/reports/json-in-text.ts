import { cleanText } from "./clean-text.ts";

/** A JSON value of which nothing is known yet. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object of which nothing is known yet. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Starts of lines that are looked at for the begin of a document, at most. */
const beginsMax = 50;

/**
 * Finds the JSON document in a text that may hold other lines before and after it.
 *
 * @param isWanted Tells whether a value is the document, not something else that is JSON too.
 */
export function findJson<Found extends Json>(
  text: string,
  isWanted: (value: Json) => value is Found,
): Found | undefined {
  const whole = parseJson(text.trim());
  if (whole !== undefined) return isWanted(whole) ? whole : undefined;
  const begins = [...text.matchAll(/^[ \t]*[[{]/gm)].slice(0, beginsMax);
  let end = 0;
  for (const begin of begins) {
    // Inside of a document that was no wanted one.
    if (begin.index < end) continue;
    const close = endOfDocument(text, begin.index);
    if (close === undefined) continue;
    const value = parseJson(text.slice(begin.index, close).trim());
    if (value === undefined) continue;
    if (isWanted(value)) return value;
    end = close;
  }
  return undefined;
}

/** Where the brackets that open at an offset are all closed; `undefined` when they never are. */
function endOfDocument(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (isInString) {
      if (char === "\\") at += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The JSON objects that are on a line each. */
export function jsonLines(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    const value = parseJson(line);
    if (isObject(value)) found.push(value);
  }
  return found;
}

/** Narrows to an object that is not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Narrows to a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The objects of a list; none when it is not a list. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** The text of a value, cleaned as all text is; empty for one that is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? cleanText(value) : "";
}

/** The number of a value; 0 for one that is none. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

function parseJson(text: string): Json | undefined {
  const first = text[0];
  if (first !== "{" && first !== "[") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON, or not whole: the caller looks elsewhere.
    return undefined;
  }
}
