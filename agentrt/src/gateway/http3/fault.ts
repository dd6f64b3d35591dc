/** Error codes of RFC 9114 §8.1 and RFC 9204 §6, as they go over the wire. */
export const http3Codes = {
  NO_ERROR: 0x100,
  GENERAL_PROTOCOL_ERROR: 0x101,
  INTERNAL_ERROR: 0x102,
  STREAM_CREATION_ERROR: 0x103,
  CLOSED_CRITICAL_STREAM: 0x104,
  FRAME_UNEXPECTED: 0x105,
  FRAME_ERROR: 0x106,
  EXCESSIVE_LOAD: 0x107,
  ID_ERROR: 0x108,
  SETTINGS_ERROR: 0x109,
  MISSING_SETTINGS: 0x10a,
  REQUEST_REJECTED: 0x10b,
  REQUEST_CANCELLED: 0x10c,
  REQUEST_INCOMPLETE: 0x10d,
  MESSAGE_ERROR: 0x10e,
  QPACK_DECOMPRESSION_FAILED: 0x200,
  QPACK_ENCODER_STREAM_ERROR: 0x201,
  QPACK_DECODER_STREAM_ERROR: 0x202,
} as const;

/** Name of an error code. */
export type Http3Code = keyof typeof http3Codes;

/** The peer broke the protocol. Never leaves the folder: it becomes an error code on the wire. */
export class Http3Fault extends Error {
  readonly code: Http3Code;
  /** What is lost: the one stream, or the whole connection. */
  readonly scope: "stream" | "connection";

  /**
   * @param code The error code that the peer gets.
   * @param reason What it did, for the close frame.
   * @param scope Default the connection, as RFC 9114 wants for all but malformed messages.
   */
  constructor(code: Http3Code, reason: string, scope: "stream" | "connection" = "connection") {
    super(reason);
    this.name = "Http3Fault";
    this.code = code;
    this.scope = scope;
  }
}
