/**
 * Frames, streams of the peer and requests of HTTP/3 (RFC 9114) as pure readers: bytes in, events out. What breaks the
 * protocol throws an `Http3Fault`. The room must not know QUIC, sockets or answers.
 */
export { frameHead, frameTypes } from "./frame-reader.ts";
export { type PeerStream, PeerStreams } from "./peer-streams.ts";
export { pushVarint } from "./varint.ts";
export { type RequestHead } from "./request-head.ts";
export { RequestReader, type RequestSink } from "./request-reader.ts";
