/** A JSON object, of whose members nothing is known. */
export type JsonFields = { readonly [key: string]: unknown };

/**
 * Reads JSON with comments and commas at the ends of lists, as configuration files have it.
 *
 * @returns `undefined` for what is not an object in JSON.
 */
export function parseJsonObject(text: string): JsonFields | undefined {
  return objectIn(parsed(text) ?? parsed(withoutComments(text)));
}

/** The value when it is an object and no list. */
export function objectIn(value: unknown): JsonFields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as JsonFields;
}

/** The value when it is a string that says something. */
export function stringIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The strings of a list, or the one string; nothing of other values. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === "string");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A broken manifest says nothing; the import is resolved without it.
    return undefined;
  }
}

function withoutComments(text: string): string {
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g,
      (_all, quoted: string | undefined) => quoted ?? " ",
    )
    .replace(
      /("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g,
      (_all, quoted: string | undefined) => quoted ?? "",
    );
}
