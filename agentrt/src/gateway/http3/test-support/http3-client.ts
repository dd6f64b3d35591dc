import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import { createRealSystem, type TimerHandle } from "../../../core/ports/system.ts";
import { DatagramPair } from "../quic/datagram-pair.ts";
import { FrameReader, frameTypes } from "../framing/frame-reader.ts";
import { packIp } from "../quic/ip-bytes.ts";
import { loadOpenSsl, type OpenSsl } from "../quic/open-ssl.ts";
import { OpenSslConnection } from "../quic/openssl-connection.ts";
import { OpenSslStream, Scratch } from "../quic/openssl-stream.ts";
import { decodeFieldSection } from "../qpack/decode-field-section.ts";
import { createTlsContext } from "../quic/tls-context.ts";
import { varintAt } from "../framing/varint.ts";
import { frame, headersFrame, plainGet } from "./request-bytes.ts";

const clientDefinitions = {
  OSSL_QUIC_client_method: { arguments: [], return: "pointer" },
  SSL_new: { arguments: ["pointer"], return: "pointer" },
  SSL_set_alpn_protos: { arguments: ["pointer", "pointer", "u32"], return: "i32" },
  SSL_set1_initial_peer_addr: { arguments: ["pointer", "pointer"], return: "i32" },
  SSL_set_connect_state: { arguments: ["pointer"], return: "void" },
  SSL_do_handshake: { arguments: ["pointer"], return: "i32" },
  SSL_set1_host: { arguments: ["pointer", "pointer"], return: "i32" },
  SSL_ctrl: { arguments: ["pointer", "i32", "i64", "pointer"], return: "i64" },
} as const;

/** State of a stream whose other end refuses what is sent, or has broken off. */
const resetByPeer = 5;

/** Where to connect, and as whom. */
export interface Http3ClientOptions {
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Authority of the server's certificate, PEM. Without one any certificate is taken. */
  readonly ca?: Uint8Array;
  /** The client's own certificate, PEM. */
  readonly cert?: Uint8Array;
  readonly key?: Uint8Array;
  /** Default h3. */
  readonly alpn?: string;
  /** Address to send from. */
  readonly localAddress?: string;
  /** Sends no more datagrams than this. Default all. */
  readonly datagramCountMax?: number;
  /** Called with each datagram that is not sent because of that; those before it have been sent. */
  readonly onSilent?: () => void;
  /** Falls silent when aborted: nothing is sent any more, not even that it has ended. */
  readonly signal?: AbortSignal;
}

/** What came on one stream so far. */
export class ClientStream {
  status: number | undefined;
  readonly headers: { [name: string]: string } = {};
  text = "";
  /** Bytes of the body. */
  sizeBytes = 0;
  /** `end` when the server finished it, `broken` when it was reset or the connection ended. */
  outcome: "end" | "broken" | undefined;
  /** False to take nothing from the server. */
  isReading = true;
  readonly done: Promise<this>;
  readonly #stream: OpenSslStream;
  readonly #settle: (self: this) => void;
  readonly #frames: FrameReader;
  readonly #onChange: () => void;
  #waiting: Uint8Array = new Uint8Array(0);
  #isEnding = false;

  constructor(stream: OpenSslStream, onChange: () => void) {
    this.#stream = stream;
    this.#onChange = onChange;
    const { promise, resolve } = Promise.withResolvers<this>();
    this.done = promise;
    this.#settle = resolve;
    this.#frames = new FrameReader({
      onFrame: (type) => {
        if (type === frameTypes.HEADERS) return "collect";
        return type === frameTypes.DATA ? "pass" : "skip";
      },
      onCollected: (_type, payload) => this.#onHeaders(payload),
      onPiece: (piece) => {
        this.sizeBytes += piece.byteLength;
        if (this.sizeBytes < 1_000_000) this.text += Buffer.from(piece).toString("utf8");
      },
    });
  }

  get id(): number {
    return this.#stream.id;
  }

  /** Bytes that the server has not taken yet. */
  get unsentSizeBytes(): number {
    return this.#waiting.byteLength;
  }

  send(bytes: Uint8Array, isLast = false): this {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    this.#isEnding = isLast;
    if (isLast && this.#waiting.byteLength === 0) this.#stream.conclude();
    this.#onChange();
    return this;
  }

  /** Breaks the sending side off. */
  reset(code = 0x10c): void {
    this.#stream.reset(code);
    this.#onChange();
  }

  /** Gives the stream up: the server is told to stop sending. */
  release(): void {
    this.#stream.release();
    this.#onChange();
  }

  onActivity(): void {
    while (this.#waiting.byteLength > 0) {
      const taken = this.#stream.write(this.#waiting, this.#isEnding);
      if (taken === 0) break;
      this.#waiting = this.#waiting.subarray(taken);
    }
    while (this.isReading && this.outcome === undefined) {
      const bytes = this.#stream.read();
      if (bytes === "later") return;
      if (typeof bytes === "string") {
        this.outcome = bytes;
        this.#settle(this);
      } else this.#frames.push(bytes);
    }
  }

  onClosed(): void {
    this.outcome ??= "broken";
    this.#settle(this);
    this.#stream.release();
  }

  #onHeaders(payload: Uint8Array): void {
    const section = decodeFieldSection(payload, { sizeBytesMax: 1e6, countMax: 1e6 });
    if ("excess" in section) return;
    for (const [name, value] of section.lines) {
      if (name === ":status") this.status = Number(value);
      else this.headers[name] = name in this.headers ? `${this.headers[name]}, ${value}` : value;
    }
  }
}

/** An HTTP/3 client for tests, which can also say what no client should. */
export class Http3Client {
  readonly streams: ClientStream[] = [];
  /** Frames of the server's control stream: type and payload. */
  readonly controlFrames: [number, Uint8Array][] = [];
  /** Settles with the server's code when the connection has ended; -1 for its own clock. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #openSsl: OpenSsl;
  readonly #pair: DatagramPair;
  readonly #socket: Socket;
  readonly #connection: OpenSslConnection;
  readonly #pointer: bigint;
  readonly #server: { readonly address: string; readonly port: number };
  readonly #scratch: Scratch;
  readonly #system = createRealSystem();
  readonly #onClosed: (info: { code: number; reason: string }) => void;
  readonly #freeContext: () => void;
  readonly #established = Promise.withResolvers<void>();
  readonly #datagramCountMax: number;
  readonly #onSilent: (() => void) | undefined;
  #datagramCount = 0;
  #timer: TimerHandle | undefined;
  #isPlanned = false;
  #isOver = false;
  #controlFrames: FrameReader | undefined;
  /** True once the server has broken off a control stream, its own or the client's, on an open connection. */
  hasLostControl = false;
  #uniStreams: OpenSslStream[] = [];
  /** Of the streams that the client has opened. */
  readonly #ownUniPointers: bigint[] = [];

  /**
   * Connects.
   *
   * @throws When the handshake fails: the message holds the code.
   */
  static async connect(options: Http3ClientOptions): Promise<Http3Client> {
    const host = options.host ?? "127.0.0.1";
    const family = isIPv6(host) ? 6 : 4;
    const socket = createSocket({
      type: `udp${family}`,
      // At once, so that the last words leave before the socket closes.
      lookup: (name, _options, callback) => callback(null, name, family),
    });
    await new Promise<void>((resolve) =>
      socket.bind({ port: 0, address: options.localAddress }, () => resolve()),
    );
    const client = new Http3Client(socket, { ...options, host });
    options.signal?.addEventListener("abort", () => {
      client.#finish({ code: -1, reason: "it fell silent" });
    });
    await client.#established.promise;
    return client;
  }

  private constructor(socket: Socket, options: Http3ClientOptions & { readonly host: string }) {
    const openSsl = loadOpenSsl();
    if ("missing" in openSsl) throw new Error(openSsl.missing);
    this.#openSsl = openSsl;
    this.#socket = socket;
    this.#datagramCountMax = options.datagramCountMax ?? Number.POSITIVE_INFINITY;
    this.#onSilent = options.onSilent;
    this.#server = { address: options.host, port: options.port };
    const { functions } = openSsl;
    const client = openSsl.library.getFunctions(clientDefinitions);
    const { cert, key, ca } = options;
    const clientCertMode = ca === undefined ? "none" : "optional";
    const material = { context: { cert, key, ca }, clientCertMode } as const;
    const context = createTlsContext(
      openSsl,
      material as Parameters<typeof createTlsContext>[1],
      client.OSSL_QUIC_client_method(),
    );
    this.#freeContext = () => context.free();
    const ssl = client.SSL_new(context.pointer);
    this.#pointer = ssl;
    const alpn = options.alpn ?? "h3";
    client.SSL_set_alpn_protos(
      ssl,
      Buffer.from(`${String.fromCharCode(alpn.length)}${alpn}`),
      alpn.length + 1,
    );
    client.SSL_ctrl(ssl, 55, 0n, Buffer.from("localhost\0"));
    if (ca !== undefined) client.SSL_set1_host(ssl, Buffer.from("localhost\0"));
    const address = functions.BIO_ADDR_new();
    const ip = packIp(options.host)!;
    const port = ((options.port & 0xff) << 8) | (options.port >> 8);
    functions.BIO_ADDR_rawmake(
      address,
      ip.byteLength === 4 ? 2 : 10,
      ip,
      BigInt(ip.byteLength),
      port,
    );
    client.SSL_set1_initial_peer_addr(ssl, address);
    functions.BIO_ADDR_free(address);
    this.#pair = new DatagramPair(openSsl);
    functions.SSL_set_bio(ssl, this.#pair.inner, this.#pair.inner);
    client.SSL_set_connect_state(ssl);
    this.#scratch = new Scratch(openSsl);
    this.#connection = new OpenSslConnection(ssl, {
      openSsl,
      scratch: this.#scratch,
      peerIp: options.host,
      onWritten: () => this.#plan(),
      onClosing: () => this.#plan(),
    });
    const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
    this.closed = promise;
    this.#onClosed = resolve;
    socket.on("message", (bytes) => {
      this.#pair.put(bytes, this.#server);
      this.#plan();
    });
    socket.on("error", () => undefined);
    client.SSL_do_handshake(ssl);
    functions.ERR_clear_error();
    this.#tick();
  }

  /** False while the server allows no more request streams, and when the connection has ended. */
  get hasRoom(): boolean {
    const count = Buffer.alloc(8);
    const { functions } = this.#openSsl;
    return (
      !this.#isOver &&
      functions.SSL_get_value_uint(this.#pointer, 0, 1, count) === 1 &&
      count.readUInt32LE(0) > 0
    );
  }

  /** Opens a request stream; nothing is sent on it. */
  open(): ClientStream {
    const pointer = this.#openSsl.functions.SSL_new_stream(this.#pointer, 2n);
    if (pointer === 0n) throw new Error("the server allows no more streams");
    const stream = new ClientStream(this.#wrap(pointer), () => this.#plan());
    this.streams.push(stream);
    return stream;
  }

  /** Sends a request. */
  request(
    path: string,
    more: {
      readonly method?: string;
      readonly headers?: { readonly [name: string]: string | readonly string[] };
      readonly body?: string | Uint8Array;
    } = {},
  ): ClientStream {
    const pseudo = { ...plainGet, ":path": path, ":method": more.method ?? "GET" };
    const head = headersFrame({ ...pseudo, ...more.headers });
    const body = more.body === undefined ? [] : [frame(frameTypes.DATA, Buffer.from(more.body))];
    return this.open().send(Buffer.concat([head, ...body]), true);
  }

  /** Sends bytes on a stream of the client's own. */
  openUni(bytes: Uint8Array, isLast = false): void {
    const pointer = this.#openSsl.functions.SSL_new_stream(this.#pointer, 3n);
    const stream = this.#wrap(pointer);
    stream.write(bytes, isLast);
    this.#uniStreams.push(stream);
    this.#ownUniPointers.push(pointer);
    this.#plan();
  }

  /** Ends the connection, and waits until everything is freed. */
  async close(): Promise<void> {
    this.#connection.close(0x100, "", false);
    this.#plan();
    await this.closed;
  }

  #wrap(pointer: bigint): OpenSslStream {
    return new OpenSslStream(pointer, {
      openSsl: this.#openSsl,
      scratch: this.#scratch,
      onWritten: () => this.#plan(),
    });
  }

  #plan(): void {
    if (this.#isPlanned || this.#isOver) return;
    this.#isPlanned = true;
    this.#system.yieldTurn(() => {
      this.#isPlanned = false;
      this.#tick();
    });
  }

  #tick(): void {
    if (this.#isOver) return;
    const { functions } = this.#openSsl;
    functions.SSL_handle_events(this.#pointer);
    if (this.#connection.isEstablished) {
      this.#established.resolve();
      this.#readControl();
      this.#watchControl();
      for (const stream of this.streams) stream.onActivity();
    }
    const isOver = this.#connection.isOver();
    functions.SSL_handle_events(this.#pointer);
    for (let next = this.#pair.take(); next !== undefined; next = this.#pair.take()) {
      this.#datagramCount += 1;
      if (this.#datagramCount > this.#datagramCountMax) {
        this.#onSilent?.();
        continue;
      }
      this.#socket.send(next.bytes, next.to.port, next.to.address, () => undefined);
    }
    functions.ERR_clear_error();
    if (isOver) this.#finish(this.#closeInfo());
    else this.#planTimer();
  }

  #readControl(): void {
    for (let stream = this.#connection.acceptStream(); stream !== undefined;) {
      this.#uniStreams.push(stream as OpenSslStream);
      stream = this.#connection.acceptStream();
    }
    for (const stream of this.#uniStreams) {
      if (stream.id % 4 !== 3) continue;
      for (let bytes = stream.read(); typeof bytes !== "string"; bytes = stream.read()) {
        if (this.#controlFrames === undefined) {
          this.#controlFrames = new FrameReader({
            onFrame: () => "collect",
            onCollected: (type, payload) => this.controlFrames.push([type, payload]),
            onPiece: () => undefined,
          });
          bytes = bytes.subarray(1);
        }
        this.#controlFrames.push(bytes);
      }
    }
  }

  #watchControl(): void {
    if (this.#connection.isOver()) return;
    const { functions } = this.#openSsl;
    const isOwnRefused = this.#ownUniPointers.some(
      (pointer) => functions.SSL_get_stream_write_state(pointer) === resetByPeer,
    );
    const isTheirsBroken = this.#uniStreams.some(({ id, isBroken }) => id % 4 === 3 && isBroken);
    if (isOwnRefused || isTheirsBroken) this.hasLostControl = true;
  }

  #closeInfo(): { code: number; reason: string } {
    const { functions, ffi } = this.#openSsl;
    const info = Buffer.alloc(40);
    functions.SSL_get_conn_close_info(this.#pointer, info, 40n);
    const length = Number(info.readBigUInt64LE(24));
    const at = info.readBigUInt64LE(16);
    const reason = length === 0 ? "" : ffi.toBuffer(at, length, true).toString("utf8");
    const code = info.readBigUInt64LE(0);
    return { code: code > 0xffff_ffffn ? -1 : Number(code), reason };
  }

  #planTimer(): void {
    const time = Buffer.alloc(24);
    this.#openSsl.functions.SSL_get_event_timeout(this.#pointer, time, time.subarray(16));
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
    if (time.readInt32LE(16) !== 0) return;
    const waitMs = Number(time.readBigInt64LE(0)) * 1000 + time.readInt32LE(8) / 1000;
    this.#timer = this.#system.setTimer(Math.max(1, Math.ceil(waitMs)), () => this.#tick());
  }

  #finish(info: { code: number; reason: string }): void {
    this.#isOver = true;
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    for (const stream of this.streams) stream.onClosed();
    for (const stream of this.#uniStreams) stream.release();
    this.#connection.free();
    this.#freeContext();
    this.#pair.free();
    this.#socket.close();
    const text = `the connection was closed with 0x${info.code.toString(16)} ${info.reason}`;
    this.#established.promise.catch(() => undefined);
    this.#established.reject(new Error(text));
    this.#onClosed(info);
  }
}

/** The number in a frame that holds one. */
export function numberIn(payload: Uint8Array): number {
  return varintAt(payload, 0);
}
