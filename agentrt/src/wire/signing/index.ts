/**
 * Signatures of messages between processes: who sent a message, and that nobody sends it a second time. Ed25519 by
 * `node:crypto`; keys lie in files, or come with the registration of an agent.
 *
 * It must not know transports, agents, or what a message says.
 */
export { defaultKeyFolder, readKeyPair } from "./key-files.ts";
export { type KeyPair, keyPairOf, publicKeyOf } from "./key-pair.ts";
export { nonceCountMax, ReplayWindow, replayWindowMs } from "./replay-window.ts";
export { isSignedBy, openSigned, signMessage, type SignedMessage } from "./signature.ts";
