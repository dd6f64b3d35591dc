/**
 * What goes between processes, as bytes: the envelope of a message, and the serializers that write it.
 *
 *   Message → Envelope → Serializer ── bytes ── Serializer → Message
 *
 * Whatever arrives is foreign until it was read here: fields are checked, values that are not JSON are refused, sizes and
 * nesting are bounded. Readers leave out fields that they do not know; an envelope of a newer schema is refused.
 *
 * It must not know transports, agents or the bus.
 */
export { type Envelope, type EnvelopeKind, schemaVersion } from "./envelope.ts";
export { wireErrors } from "./errors.ts";
export {
  nonceSizeBytes,
  readSealedMessage,
  sealBytesMax,
  type SealedMessage,
  sealMessage,
  signedBytes,
} from "./sealed-message.ts";
export {
  messageBytesMax,
  type Serializer,
  serializerNamed,
  type SerializerName,
} from "./serializer.ts";
