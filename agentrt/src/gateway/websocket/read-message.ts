import { isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "../../core/index.ts";
import { changedNumber, isDeeperThan } from "../chain/index.ts";

/** The client's name for a call: text of at most 128 characters, or a whole number. */
export type CallId = string | number;

/**
 * What a client's message says, or why nobody can tell: a message for the agent, with an `id` where it is a call, or the
 * cancelling of a call.
 */
export type ReadMessage =
  | { readonly body: JsonObject; readonly id?: CallId }
  | { readonly cancelled: CallId }
  | { readonly fault: string };

const idLengthMax = 128;

/**
 * Reads one message, text or binary: a JSON object is itself, any other JSON value becomes `{"data": value}`. An object of
 * `id` and `payload`, and nothing else, is a call with that payload; one of `id` and `cancel: true` cancels it.
 *
 * @param bytes The whole message.
 * @param jsonDepthMax Deepest nesting of arrays and objects that is accepted.
 * @returns The object, or one line for the client.
 */
export function readMessage(bytes: Buffer, jsonDepthMax: number): ReadMessage {
  const text = textOf(bytes);
  const value = text === undefined ? undefined : parse(text);
  if (text === undefined || value === undefined) return { fault: "message is not JSON" };
  // A message of n bytes nests at most n/2 deep, so short ones need no walk.
  if (bytes.byteLength > 2 * jsonDepthMax && isDeeperThan(value, jsonDepthMax)) {
    return { fault: `message nests deeper than ${jsonDepthMax} levels` };
  }
  const changed = changedNumber(text);
  if (changed !== undefined) return { fault: `message holds ${changed}` };
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? readObject(value) : { body: { data: value } };
}

function readObject(value: JsonObject): ReadMessage {
  const { id, payload, cancel } = value;
  if (!isCallId(id) || Object.keys(value).length !== 2) return { body: value };
  if (cancel === true) return { cancelled: id };
  const isPayload = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  return isPayload ? { body: payload, id } : { body: value };
}

function isCallId(value: JsonValue | undefined): value is CallId {
  if (typeof value === "string") return value !== "" && value.length <= idLengthMax;
  return Number.isSafeInteger(value);
}

/** @returns `undefined` where the bytes are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  // What is no UTF-8 is read as this character; a text that has it is looked at once more.
  return text.includes("\ufffd") && !isUtf8(bytes) ? undefined : text;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Not JSON: the one outcome the client is told about.
  }
}
