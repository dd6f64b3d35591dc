import { Decoder, Encoder } from "@msgpack/msgpack";
import { didYouMean, type JsonObject, reasonOf } from "../core/index.ts";
import { checkJson } from "./check-json.ts";
import { type Envelope, withoutDefaults } from "./envelope.ts";
import { wireErrors } from "./errors.ts";
import { escapeProtoMembers, mayHoldProtoMember, unescapeProtoMembers } from "./proto-members.ts";

/** Writes and reads what goes between processes. */
export interface Serializer {
  readonly name: SerializerName;
  /**
   * Writes an envelope, without the fields that have their defaults.
   *
   * @throws AGENTRT_WIRE_TOO_LARGE over `messageBytesMax`.
   */
  encode(envelope: Envelope): Uint8Array;
  /**
   * @returns Plain JSON, whatever the bytes are: nothing that has behaviour, and nothing nested deeper than payloads may be.
   * @throws AGENTRT_WIRE_UNREADABLE for anything else.
   */
  decode(bytes: Uint8Array): JsonObject;
}

/** As `AGENCY_SERIALIZER` names it. */
export type SerializerName = "msgpack" | "json";

/** Most bytes of a message between processes. */
export const messageBytesMax = 16 * 1024 * 1024;

/** Throws where bytes are none: texts that are not UTF-8 are refused, never mended. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const json: Serializer = {
  name: "json",
  encode: (envelope) => checkSize(Buffer.from(JSON.stringify(withoutDefaults(envelope)))),
  decode: (bytes) => decodeWith(bytes, () => JSON.parse(utf8.decode(bytes)) as unknown),
};

const encoder = new Encoder({ ignoreUndefined: true });
const decoder = new Decoder({ maxBinLength: 0, maxExtLength: 0 });

const msgpack: Serializer = {
  name: "msgpack",
  encode: (envelope) => {
    const value = withoutDefaults(envelope);
    const bytes = checkSize(encoder.encode(value));
    if (!mayHoldProtoMember(bytes)) return bytes;
    return checkSize(encoder.encode(escapeProtoMembers(value)));
  },
  decode: (bytes) => {
    const value = decodeWith(bytes, () => decoder.decode(bytes));
    return mayHoldProtoMember(bytes) ? (unescapeProtoMembers(value) as JsonObject) : value;
  },
};

/**
 * Chooses the serializer.
 *
 * @param name As `AGENCY_SERIALIZER` gives it; MessagePack when it is undefined or empty.
 * @throws AGENTRT_WIRE_SERIALIZER for any other name.
 */
export function serializerNamed(name: string | undefined): Serializer {
  if (name === undefined || name === "" || name === "msgpack") return msgpack;
  if (name === "json") return json;
  const hint = didYouMean(name, ["msgpack", "json"]);
  throw new wireErrors.SERIALIZER({ found: name.slice(0, 60), hint });
}

function checkSize(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= messageBytesMax) return bytes;
  throw new wireErrors.TOO_LARGE({
    what: "a message",
    sizeBytes: bytes.length,
    sizeBytesMax: messageBytesMax,
  });
}

function decodeWith(bytes: Uint8Array, decode: () => unknown): JsonObject {
  if (bytes.length > messageBytesMax)
    throw new wireErrors.UNREADABLE({
      reason: `it has ${bytes.length} bytes, at most ${messageBytesMax} are read`,
    });
  let value: unknown;
  try {
    value = decode();
  } catch (error) {
    throw new wireErrors.UNREADABLE({ reason: reasonOf(error) }, { cause: error });
  }
  return checkJson(value);
}
