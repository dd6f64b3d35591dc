import type { Socket } from "node:net";
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { FollowedController } from "../../core/index.ts";
import type { StringMap } from "../request.ts";
import type { RequestRecord } from "../request-record.ts";
import {
  addHeaders,
  addOwnHeaders,
  answerHeaders,
  type Exchange,
  type HeaderLines,
  type OutgoingHeaders,
  peerCertificate,
  type TurnEnd,
  type TurnTask,
  withOwnHeaders,
} from "../listening/index.ts";

/** The connection a stream belongs to. What is read of it once serves all its streams. */
export class Http2Peer {
  readonly ip: string;
  readonly #socket: Socket;
  #certificate: { readonly der: Uint8Array | undefined } | undefined;

  constructor(socket: Socket) {
    this.ip = socket.remoteAddress ?? "";
    this.#socket = socket;
  }

  /** The client's certificate as DER; see `InboundRequest`. */
  get certificate(): Uint8Array | undefined {
    this.#certificate ??= { der: peerCertificate(this.#socket) };
    return this.#certificate.der;
  }
}

// Instances inherit nothing, as with a null prototype, and V8 keeps them as fast as ordinary objects.
const Headers = function Headers() {} as unknown as new () => { [name: string]: string };
Headers.prototype = Object.create(null);

const endStreamFlag = constants.NGHTTP2_FLAG_END_STREAM;

/** One request and its response: a stream of an HTTP/2 connection. */
export class Http2Exchange implements Exchange, TurnTask {
  readonly protocol = "HTTP/2";
  readonly method: string;
  readonly target: string;
  readonly headers: StringMap;
  record: RequestRecord | undefined;
  ownHeaders: readonly string[] = [];
  /** When it began, on the monotonic clock. */
  readonly begunAtMs: number;
  /** True when the whole response was handed over. */
  isAnswered = false;
  /** When that was first seen, on the monotonic clock. */
  answeredAtMs: number | undefined;
  /** True while its text comes piece by piece. */
  isStreaming = false;
  readonly #stream: ServerHttp2Stream;
  readonly #peer: Http2Peer;
  readonly #turnEnd: TurnEnd;
  #giveBody: (() => void) | undefined;
  #isReceived: boolean;
  #isContinueOwed: boolean;
  #gone: FollowedController | undefined;
  #onCutShort: (() => void) | undefined;

  constructor(
    stream: ServerHttp2Stream,
    incoming: IncomingHttpHeaders,
    options: {
      readonly flags: number;
      readonly peer: Http2Peer;
      readonly nowMs: number;
      readonly turnEnd: TurnEnd;
    },
  ) {
    this.#stream = stream;
    this.#peer = options.peer;
    this.#turnEnd = options.turnEnd;
    this.begunAtMs = options.nowMs;
    this.#isReceived = (options.flags & endStreamFlag) !== 0;
    this.method = incoming[":method"] ?? "";
    this.target = incoming[":path"] ?? "";
    const headers = new Headers();
    for (const name of Object.keys(incoming)) {
      if (name.charCodeAt(0) !== 58) headers[name] = incoming[name] as string;
    }
    const authority = incoming[":authority"];
    if (authority !== undefined) headers["host"] = authority;
    this.headers = headers;
    this.#isContinueOwed = headers["expect"] !== undefined;
  }

  get clientIp(): string {
    return this.#peer.ip;
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.#peer.certificate;
  }

  get signal(): AbortSignal {
    this.#gone ??= new FollowedController();
    if (this.#stream.destroyed && !this.isAnswered) this.#gone.abort();
    return this.#gone.signal;
  }

  get isOver(): boolean {
    return this.#stream.destroyed || this.#stream.closed || this.#stream.writableEnded;
  }

  get isBegun(): boolean {
    return this.#stream.headersSent;
  }

  /** True when the request has arrived whole. */
  get isReceived(): boolean {
    return this.#isReceived;
  }

  /** To be called when the stream has closed: it notifies the code that still works on the request. */
  onClosed(): void {
    this.#onCutShort?.();
    if (!this.isAnswered) this.#gone?.abort();
  }

  /** Tells the code that works on the request that nobody waits for it. */
  cancel(): void {
    this.#onCutShort?.();
    (this.#gone ??= new FollowedController()).abort();
  }

  /** See `InboundRequest.readBody`. */
  readBody(sizeBytesMax: number): Promise<Uint8Array | "too_large" | "cut_short"> {
    const stream = this.#stream;
    if (this.#isReceived) return Promise.resolve(new Uint8Array(0));
    if (Number(this.headers["content-length"] ?? 0) > sizeBytesMax) {
      return Promise.resolve("too_large");
    }
    if (this.#isContinueOwed) {
      this.#isContinueOwed = false;
      if (!stream.destroyed && !stream.closed) stream.additionalHeaders({ ":status": 100 });
    }
    return new Promise((resolve) => {
      const chunks: Uint8Array[] = [];
      let sizeBytes = 0;
      stream.on("data", (chunk: Uint8Array) => {
        sizeBytes += chunk.byteLength;
        if (sizeBytes <= sizeBytesMax) {
          chunks.push(chunk);
          return;
        }
        chunks.length = 0;
        stream.pause();
        resolve("too_large");
      });
      stream.on("end", () => {
        if (stream.aborted || stream.closed) {
          resolve("cut_short");
          return;
        }
        this.#isReceived = true;
        this.#giveBody = () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
        this.#turnEnd.add(this);
      });
      this.#onCutShort = () => resolve("cut_short");
    });
  }

  /**
   * What is answered within Node's own reading of frames costs much more: its stream closes before its write is done,
   * and an error nobody sees is made of each.
   */
  onTurnEnd(): void {
    this.#giveBody?.();
  }

  /** See `Exchange.respond`. If the body has not arrived whole, it tells the client to send no more. */
  respond(status: number, body: string | Uint8Array, more: OutgoingHeaders | undefined): void {
    const stream = this.#stream;
    // Of a HEAD request Node has ended the writable side already.
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    const sizeBytes = body === "" ? 0 : Buffer.byteLength(body);
    const isPlain = more === undefined && sizeBytes > 0 && status !== 204 && status !== 304;
    const headers = isPlain
      ? this.#plainHeaders(status, sizeBytes)
      : answerHeaders(status, { sizeBytes, own: this.ownHeaders, more });
    const isEmpty = sizeBytes === 0 || this.method === "HEAD";
    stream.respond(headers, isEmpty ? { endStream: true } : undefined);
    this.isAnswered = true;
    if (!isEmpty) stream.end(body);
    if (this.#isReceived) return;
    const close = (): void => stream.close(constants.NGHTTP2_NO_ERROR);
    // Headers that end the stream are still on their way: a reset at once would overtake them.
    if (isEmpty) this.#turnEnd.add({ onTurnEnd: close });
    else close();
  }

  /** What nearly every response has. */
  #plainHeaders(status: number, sizeBytes: number): string[] {
    return withOwnHeaders(
      [
        ":status",
        `${status}`,
        "content-type",
        "application/json",
        "content-length",
        `${sizeBytes}`,
      ],
      this.ownHeaders,
    );
  }

  /** See `Exchange.begin`. */
  begin(status: number, more: OutgoingHeaders): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    const headers: HeaderLines = { ":status": status };
    addOwnHeaders(headers, this.ownHeaders);
    addHeaders(headers, more);
    this.isStreaming = true;
    stream.respond(headers, this.method === "HEAD" ? { endStream: true } : undefined);
  }

  /** See `Exchange.write`. */
  write(text: string): boolean {
    return this.isOver || this.#stream.write(text);
  }

  /** See `Exchange.onRoom`. */
  onRoom(callback: () => void): void {
    const stream = this.#stream;
    if (this.isOver) {
      callback();
      return;
    }
    const settle = (): void => {
      stream.off("drain", settle);
      stream.off("close", settle);
      callback();
    };
    stream.on("drain", settle);
    stream.on("close", settle);
  }

  /** See `Exchange.end`. */
  end(): void {
    this.isAnswered = true;
    if (!this.isOver) this.#stream.end();
  }

  /** See `Exchange.breakOff`. */
  breakOff(): void {
    if (!this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}
