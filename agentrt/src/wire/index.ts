/**
 * What goes between processes, as bytes: the envelope of a message, the serializers that write it, and signatures.
 *
 *   Message → Envelope → Serializer → (signMessage) ── bytes ── (openSigned) → Serializer → readEnvelope → Message
 *
 * Whatever arrives is foreign until it was read here: fields are checked, values that are not JSON are refused, sizes and
 * nesting are bounded. Readers leave out fields that they do not know; an envelope of a newer schema is refused.
 *
 * It must not know transports, agents or the bus.
 */
export { type Envelope, type EnvelopeKind, readEnvelope, schemaVersion } from "./envelope.ts";
export { wireErrors } from "./errors.ts";
export {
  messageBytesMax,
  type Serializer,
  serializerNamed,
  type SerializerName,
} from "./serializer.ts";
export {
  defaultKeyFolder,
  isSignedBy,
  type KeyPair,
  keyPairOf,
  nonceCountMax,
  openSigned,
  publicKeyOf,
  readKeyPair,
  ReplayWindow,
  replayWindowMs,
  signMessage,
  type SignedMessage,
} from "./signing/index.ts";
