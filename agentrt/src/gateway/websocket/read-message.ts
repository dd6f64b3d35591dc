import { isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "../../core/index.ts";
import { isDeeperThan } from "../chain/index.ts";

/** What a client's message says, or why nobody can tell. */
export type ReadMessage = { readonly body: JsonObject } | { readonly fault: string };

/**
 * Reads one message, text or binary: a JSON object is itself, any other JSON value becomes `{"data": value}`.
 *
 * @param bytes The whole message.
 * @param jsonDepthMax Deepest nesting of arrays and objects that is accepted.
 * @returns The object, or one line for the client.
 */
export function readMessage(bytes: Buffer, jsonDepthMax: number): ReadMessage {
  const value = parse(bytes);
  if (value === undefined) return { fault: "message is not JSON" };
  // A message of n bytes nests at most n/2 deep, so short ones need no walk.
  if (bytes.byteLength > 2 * jsonDepthMax && isDeeperThan(value, jsonDepthMax)) {
    return { fault: `message nests deeper than ${jsonDepthMax} levels` };
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { body: isObject ? value : { data: value } };
}

function parse(bytes: Buffer): JsonValue | undefined {
  const text = bytes.toString();
  // What is no UTF-8 is read as this character; a text that has it is looked at once more.
  if (text.includes("\ufffd") && !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Not JSON: the one outcome the client is told about.
  }
}
