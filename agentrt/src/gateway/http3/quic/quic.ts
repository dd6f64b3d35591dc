import type { TlsMaterial } from "../../listening/index.ts";

/**
 * What HTTP/3 needs of QUIC. Nothing blocks and nothing calls back by itself but the two handlers: streams are asked
 * when their connection has something new.
 */

/** One stream of a connection. After `release` everything is harmless and does nothing. */
export interface QuicStream {
  /** Of the connection; those of requests are 0, 4, 8, … */
  readonly id: number;
  /** False for a stream that only the peer writes to. */
  readonly isBidirectional: boolean;
  /** The next bytes, or why there are none: not yet, all were read, or the stream is broken. */
  read(): Uint8Array | "later" | "end" | "broken";
  /**
   * Hands over as much as there is room for.
   *
   * @param bytes At least one.
   * @param isLast Nothing follows; said again until all bytes are taken.
   * @returns How many bytes were taken.
   */
  write(bytes: Uint8Array, isLast: boolean): number;
  /** Ends the writing side when no last bytes were written. */
  conclude(): void;
  /** True when the peer has given up the stream, or the connection is gone. */
  readonly isBroken: boolean;
  /** Breaks off the writing side. */
  reset(code: number): void;
  /** Gives the stream back: what is not read is refused, what was concluded is still delivered. */
  release(): void;
}

/** One connection. */
export interface QuicConnection {
  /** Address of the peer, without port. */
  readonly peerIp: string;
  /** True when the handshake is done: only then streams exist. */
  readonly isEstablished: boolean;
  /** The peer's certificate as DER, when it showed one; it was verified then. */
  readonly peerCertificate: Uint8Array | undefined;
  /** What was wrong with the peer's certificate, where the handshake has failed for it. */
  readonly certificateFault: string | undefined;
  /** The next stream that the peer has opened, if any waits. */
  acceptStream(): QuicStream | undefined;
  /** Opens a stream that the peer cannot write to; `undefined` when the peer allows no more. */
  openStream(): QuicStream | undefined;
  /**
   * Closes.
   *
   * @param code Of the application's protocol.
   * @param reason For people.
   * @param isFlushed True to deliver first what was written; otherwise it is given up.
   */
  close(code: number, reason: string, isFlushed: boolean): void;
}

/** Receives the events of one connection. */
export interface QuicConnectionHandler {
  /** Something came: bytes, room to write, a stream, the end of the handshake, the end of a stream. */
  onActivity(): void;
  /** The connection is gone, closed by either side. Called once; streams are to be released. */
  onClosed(): void;
}

/** Where connections come in. */
export interface QuicListener {
  /**
   * Binds.
   *
   * @returns The bound port.
   * @throws What the socket reports.
   */
  start(): Promise<{ readonly port: number }>;
  /** Serves new connections with other certificates. */
  useTls(tls: TlsMaterial): void;
  /** Looks which connections have ended by their own clock. To be called now and then. */
  sweep(): void;
  /** Closes the port and drops every connection. */
  stop(): Promise<void>;
}
