import type { JsonObject, JsonValue } from "../../../core/index.ts";
import { rpcCodes, RpcFault } from "./rpc-fault.ts";
import type { Part } from "./task.ts";

/** What a client sends to an agent. */
export interface SentMessage {
  readonly messageId: string;
  readonly contextId: string | undefined;
  /** The task that it says more about. */
  readonly taskId: string | undefined;
  readonly parts: readonly Part[];
  readonly metadata: JsonObject;
}

const partCountMax = 100;
const idLengthMax = 256;

/**
 * Reads the message of either version of the protocol: they differ in what they call its parts, and in words that nobody
 * needs.
 *
 * @param params Of the request.
 * @throws RpcFault.
 */
export function readMessage(params: JsonObject): SentMessage {
  const { message } = params;
  if (!isObject(message)) throw invalid("message is missing");
  const { parts, metadata, role } = message;
  const messageId = idIn(message, "messageId");
  if (messageId === undefined) throw invalid("message.messageId is missing");
  if (role !== "user" && role !== "ROLE_USER") throw invalid("message.role is not that of a user");
  if (!Array.isArray(parts) || parts.length === 0) throw invalid("message.parts is empty");
  if (parts.length > partCountMax)
    throw invalid(`message.parts has ${parts.length}, wanted at most ${partCountMax}`);
  return {
    messageId,
    contextId: idIn(message, "contextId"),
    taskId: idIn(message, "taskId"),
    parts: parts.map(readPart),
    metadata: isObject(metadata) ? metadata : {},
  };
}

/**
 * Makes the payload for an agent: data is the payload itself, and text a member of it.
 *
 * @param parts Of the message.
 * @param textField Name of that member.
 */
export function payloadOf(parts: readonly Part[], textField: string): JsonObject {
  const payload: { [name: string]: JsonValue } = Object.create(null);
  const texts: string[] = [];
  for (const part of parts) {
    if ("text" in part) texts.push(part.text);
    else for (const [name, value] of Object.entries(part.data)) payload[name] = value ?? null;
  }
  if (texts.length > 0) payload[textField] = texts.join("\n");
  return payload;
}

/**
 * Makes the part of a reply: an agent that says nothing but text answers with text.
 *
 * @param reply Of the agent.
 * @param textField As in `payloadOf`.
 */
export function partOf(reply: JsonObject, textField: string): Part {
  const text = reply[textField];
  return typeof text === "string" && Object.keys(reply).length === 1 ? { text } : { data: reply };
}

/** True for a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads an identifier.
 *
 * @returns Undefined where it is missing or empty.
 * @throws RpcFault for what is not a text, or too long.
 */
export function idIn(object: JsonObject, name: string): string | undefined {
  const id = object[name];
  if (id === undefined || id === null || id === "") return undefined;
  if (typeof id === "string" && id.length <= idLengthMax) return id;
  throw invalid(`${name} is not a text of at most ${idLengthMax} characters`);
}

function readPart(part: JsonValue): Part {
  if (!isObject(part)) throw invalid("message.parts holds what is not an object");
  const { text, data } = part;
  if (typeof text === "string") return { text };
  if (isObject(data)) return { data };
  throw new RpcFault(
    rpcCodes.contentNotSupported,
    "a part is not supported: send text, or data that is an object",
  );
}

function invalid(reason: string): RpcFault {
  return new RpcFault(rpcCodes.invalidParams, reason);
}
