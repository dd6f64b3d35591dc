import { Decoder, Encoder } from "@msgpack/msgpack";
import { didYouMean, type JsonObject, reasonOf } from "../core/index.ts";
import { checkJson } from "./check-json.ts";
import { readCompact, writeCompact } from "./compact-envelope.ts";
import { type Envelope, readEnvelope, withoutDefaults } from "./envelope.ts";
import { wireErrors } from "./errors.ts";
import { escapeProtoMembers, mayHoldProtoMember, unescapeProtoMembers } from "./proto-members.ts";

/** Writes and reads what goes between processes. */
export interface Serializer {
  readonly name: SerializerName;
  /**
  
   * @throws AGENTRT_WIRE_TOO_LARGE over `messageBytesMax`.
   */
  encode(envelope: Envelope): Uint8Array;
  /**
   * Reads an envelope, in each form that it may be written in. Fields that nobody knows are left out, fields that are missing get
   * their defaults.
   *
   * @returns Plain JSON, whatever the bytes are: nothing that has behaviour, and nothing nested deeper than payloads may be.
   * @throws AGENTRT_WIRE_NEWER_SCHEMA before anything else is looked at; AGENTRT_WIRE_UNREADABLE for anything else.
   */
  decode(bytes: Uint8Array): Envelope;
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
  decode: (bytes) => {
    checkReadSize(bytes);
    return readEnvelope(checkJson(read(() => JSON.parse(utf8.decode(bytes)) as unknown)));
  },
};

const encoder = new Encoder({ ignoreUndefined: true });
const decoder = new Decoder({ maxBinLength: 0, maxExtLength: 0 });

/** MessagePack is read with the names of fields as well: so others write it, and so are envelopes that do not fit. */
const msgpack: Serializer = {
  name: "msgpack",
  encode: (envelope) =>
    checkSize(
      writeCompact(envelope, encodeValue) ?? encodeValue(withoutDefaults(envelope)).slice(),
    ),
  decode: (bytes) => {
    checkReadSize(bytes);
    return readCompact(bytes, decodeValue) ?? readEnvelope(decodeValue(bytes));
  },
};

/** @returns Bytes that the next value overwrites. */
function encodeValue(value: unknown): Uint8Array {
  const bytes = encoder.encodeSharedRef(value);
  return mayHoldProtoMember(bytes) ? encoder.encodeSharedRef(escapeProtoMembers(value)) : bytes;
}

function decodeValue(bytes: Uint8Array): JsonObject | readonly unknown[] {
  const value = checkJson(read(() => decoder.decode(bytes)));
  return mayHoldProtoMember(bytes) ? (unescapeProtoMembers(value) as typeof value) : value;
}

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

function checkReadSize({ length }: Uint8Array): void {
  if (length <= messageBytesMax) return;
  throw new wireErrors.UNREADABLE({
    reason: `it has ${length} bytes, at most ${messageBytesMax} are read`,
  });
}

function read(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    throw new wireErrors.UNREADABLE({ reason: reasonOf(error) }, { cause: error });
  }
}
