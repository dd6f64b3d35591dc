import type { OpenSsl } from "./open-ssl.ts";
import { OpenSslStream, type Scratch } from "./openssl-stream.ts";
import type { QuicConnection, QuicConnectionHandler, QuicStream } from "./quic.ts";

const acceptPolicy = 1;
const noDefaultStream = 0;
const acceptNoBlock = 1n;
const newStreamFlags = { unidirectional: 1n, noBlock: 2n } as const;
const shutdownFlags = { rapid: 1n, noFlush: 2n, noBlock: 4n } as const;
const eventHandling = { valueClass: 0, id: 6, explicit: 2n } as const;
const closeInfoSizeBytes = 40;
const closeFlagsOffset = 32;
/** It was closed from here, and below the application's protocol. */
const closedByTls = 0b11;
/** A handshake that fails closes with 0x100 and its alert (RFC 9001, 4.8). */
const alertBase = 0x100;
/** Alerts about certificates (RFC 8446, 6.2). */
const certificateAlerts: { readonly [alert: number]: string } = {
  42: "bad certificate",
  43: "unsupported certificate",
  44: "certificate revoked",
  45: "certificate expired",
  46: "certificate unknown",
  48: "unknown authority",
  116: "certificate required",
};

/** A connection of OpenSSL. The only place that holds its pointer, which is never used once it is freed. */
export class OpenSslConnection implements QuicConnection {
  readonly peerIp: string;
  /** Gets the events of this connection; set by the code that accepts the connection. */
  handler: QuicConnectionHandler | undefined;
  readonly #openSsl: OpenSsl;
  readonly #scratch: Scratch;
  readonly #onWritten: () => void;
  readonly #onClosing: () => void;
  readonly #closeInfo = Buffer.alloc(closeInfoSizeBytes);
  #pointer: bigint | undefined;
  #isEstablished = false;
  #certificateFault: string | undefined;
  #closing: { readonly arguments: Buffer; readonly reason: Buffer; flags: bigint } | undefined;

  /**
   * @param pointer Belongs to this object from now on.
   * @param options.peerIp Address of the peer, without port.
   * @param options.onWritten Called when OpenSSL has something to send.
   * @param options.onClosing Called when `isOver` may have changed.
   */
  constructor(
    pointer: bigint,
    options: {
      readonly openSsl: OpenSsl;
      readonly scratch: Scratch;
      readonly peerIp: string;
      readonly onWritten: () => void;
      readonly onClosing: () => void;
    },
  ) {
    this.#pointer = pointer;
    this.#openSsl = options.openSsl;
    this.#scratch = options.scratch;
    this.#onWritten = options.onWritten;
    this.#onClosing = options.onClosing;
    this.peerIp = options.peerIp;
    const { functions } = options.openSsl;
    functions.SSL_set_blocking_mode(pointer, 0);
    functions.SSL_set_default_stream_mode(pointer, noDefaultStream);
    functions.SSL_set_incoming_stream_policy(pointer, acceptPolicy, 0n);
    const { valueClass, id, explicit } = eventHandling;
    functions.SSL_set_value_uint(pointer, valueClass, id, explicit);
  }

  get isEstablished(): boolean {
    if (!this.#isEstablished && this.#pointer !== undefined) {
      this.#isEstablished = this.#openSsl.functions.SSL_is_init_finished(this.#pointer) === 1;
    }
    return this.#isEstablished;
  }

  get certificateFault(): string | undefined {
    return this.#certificateFault;
  }

  get peerCertificate(): Uint8Array | undefined {
    if (this.#pointer === undefined || !this.isEstablished) return undefined;
    const { functions } = this.#openSsl;
    const certificate = functions.SSL_get1_peer_certificate(this.#pointer);
    if (certificate === 0n) return undefined;
    const der = Buffer.alloc(functions.i2d_X509(certificate, null));
    // The function moves the pointer that it is given behind what it wrote.
    const at = Buffer.alloc(8);
    at.writeBigUInt64LE(this.#openSsl.ffi.getRawPointer(der));
    functions.i2d_X509(certificate, at);
    functions.X509_free(certificate);
    return der;
  }

  /** See `QuicConnection.acceptStream`. */
  acceptStream(): QuicStream | undefined {
    if (this.#pointer === undefined || this.#closing !== undefined) return undefined;
    const stream = this.#openSsl.functions.SSL_accept_stream(this.#pointer, acceptNoBlock);
    return stream === 0n ? undefined : this.#wrap(stream);
  }

  /** See `QuicConnection.openStream`. */
  openStream(): QuicStream | undefined {
    if (this.#pointer === undefined || this.#closing !== undefined) return undefined;
    const flags = newStreamFlags.unidirectional | newStreamFlags.noBlock;
    const stream = this.#openSsl.functions.SSL_new_stream(this.#pointer, flags);
    this.#openSsl.functions.ERR_clear_error();
    return stream === 0n ? undefined : this.#wrap(stream);
  }

  /** See `QuicConnection.close`. */
  close(code: number, reason: string, isFlushed: boolean): void {
    const flags = shutdownFlags.rapid | shutdownFlags.noBlock;
    if (this.#closing !== undefined) {
      if (!isFlushed) this.#closing.flags = flags | shutdownFlags.noFlush;
    } else {
      const text = Buffer.from(`${reason}\0`);
      const given = Buffer.alloc(16);
      given.writeBigUInt64LE(BigInt(code));
      given.writeBigUInt64LE(this.#openSsl.ffi.getRawPointer(text), 8);
      const closeFlags = isFlushed ? flags : flags | shutdownFlags.noFlush;
      this.#closing = { arguments: given, reason: text, flags: closeFlags };
    }
    this.#onClosing();
  }

  /**
   * Goes on with closing, and looks whether the connection has ended.
   *
   * @returns True when it can be freed.
   */
  isOver(): boolean {
    if (this.#pointer === undefined) return true;
    const { functions } = this.#openSsl;
    if (this.#closing !== undefined) {
      const { flags, arguments: given } = this.#closing;
      const outcome = functions.SSL_shutdown_ex(this.#pointer, flags, given, 16n);
      functions.ERR_clear_error();
      this.#onWritten();
      if (outcome !== 0) return true;
    }
    const info = this.#closeInfo;
    const size = BigInt(closeInfoSizeBytes);
    const isClosed = functions.SSL_get_conn_close_info(this.#pointer, info, size) === 1;
    functions.ERR_clear_error();
    if (isClosed && info.readUInt32LE(closeFlagsOffset) === closedByTls) {
      const alert = Number(info.readBigUInt64LE(0)) - alertBase;
      this.#certificateFault ??= certificateAlerts[alert];
    }
    return isClosed;
  }

  /** Tells the handler that the connection is gone, and frees it. */
  free(): void {
    if (this.#pointer === undefined) return;
    this.handler?.onClosed();
    this.#openSsl.functions.SSL_free(this.#pointer);
    this.#pointer = undefined;
  }

  #wrap(stream: bigint): QuicStream {
    return new OpenSslStream(stream, {
      openSsl: this.#openSsl,
      scratch: this.#scratch,
      onWritten: this.#onWritten,
    });
  }
}
