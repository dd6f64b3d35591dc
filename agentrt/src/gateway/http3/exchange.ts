import { FollowedController } from "../../core/index.ts";
import {
  addHeaders,
  addOwnHeaders,
  answerHeaders,
  type Exchange,
  type HeaderLines,
  type OutgoingHeaders,
} from "../listening/index.ts";
import type { StringMap } from "../request.ts";
import type { RequestRecord } from "../request-record.ts";
import { Http3Fault, http3Codes } from "./fault.ts";
import {
  frameHead,
  frameTypes,
  type RequestHead,
  RequestReader,
  type RequestSink,
} from "./framing/index.ts";
import { type FieldSectionLimits, encodeFieldSection } from "./qpack/index.ts";
import type { QuicStream } from "./quic/index.ts";

/** The connection of an exchange. */
export interface ExchangeOwner {
  readonly clientIp: string;
  readonly clientCertificate: Uint8Array | undefined;
  /** The headers have come. */
  onHead(exchange: Http3Exchange, excess: "size" | "count" | undefined): void;
  /** The stream was given back; nothing more happens. */
  onOver(exchange: Http3Exchange): void;
  onWaste(): void;
  /** The client broke the protocol of the connection. */
  onFault(fault: Http3Fault): void;
}

const noHeaders: StringMap = {};
/** A piece that finds more than this waiting is to wait itself. */
const queuedSizeBytesMax = 65_536;

/** One request and its response: a stream of an HTTP/3 connection. Reads no further than somebody wants to know. */
export class Http3Exchange implements Exchange, RequestSink {
  readonly protocol = "HTTP/3";
  method = "";
  target = "";
  headers: StringMap = noHeaders;
  record: RequestRecord | undefined;
  ownHeaders: readonly string[] = [];
  /** When it began, on the monotonic clock. */
  readonly begunAtMs: number;
  /** True when the headers have come, or were refused. */
  hasHead = false;
  isAuthorityUnclear = false;
  /** True when the whole response was handed over. */
  isAnswered = false;
  /** When that was first seen, on the monotonic clock. */
  answeredAtMs: number | undefined;
  isBegun = false;
  readonly #stream: QuicStream;
  readonly #owner: ExchangeOwner;
  readonly #reader: RequestReader;
  #isReceived = false;
  #isReceiving = false;
  #isReleased = false;
  #gone: FollowedController | undefined;
  #chunks: Uint8Array[] = [];
  #bodySizeBytes = 0;
  #body: { readonly sizeBytesMax: number; settle(body: BodyOutcome): void } | undefined;
  readonly #queue: Uint8Array[] = [];
  #queuedSizeBytes = 0;
  #onRoom: (() => void)[] = [];

  constructor(
    stream: QuicStream,
    options: {
      readonly owner: ExchangeOwner;
      readonly limits: FieldSectionLimits;
      readonly nowMs: number;
    },
  ) {
    this.#stream = stream;
    this.#owner = options.owner;
    this.begunAtMs = options.nowMs;
    this.#reader = new RequestReader(this, options.limits);
  }

  get clientIp(): string {
    return this.#owner.clientIp;
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.#owner.clientCertificate;
  }

  get signal(): AbortSignal {
    this.#gone ??= new FollowedController();
    if (this.#isReleased && !this.isAnswered) this.#gone.abort();
    return this.#gone.signal;
  }

  get isOver(): boolean {
    return this.#isReleased || this.isAnswered;
  }

  /** True when the request has arrived whole. */
  get isReceived(): boolean {
    return this.#isReceived;
  }

  /**
   * Takes what came and sends what waits. To be called when the connection has something new. A broken request ends the exchange, a broken connection is the owner's to end.
   */
  onActivity(): void {
    try {
      this.#receive();
    } catch (error) {
      if (!(error instanceof Http3Fault)) throw error;
      if (error.scope === "connection") this.#owner.onFault(error);
      else this.cancel(http3Codes[error.code]);
    }
    if (this.#isReleased || this.#isReceiving) return;
    if (this.#stream.isBroken) this.#release();
    else this.#send();
  }

  /** Breaks the exchange off. */
  cancel(code: number): void {
    if (this.#isReleased) return;
    this.#stream.reset(code);
    this.#release();
  }

  /** Tells the code that works on the request that nobody waits for it. */
  abandon(): void {
    this.#settleBody("cut_short");
    (this.#gone ??= new FollowedController()).abort();
  }

  /** To be called when the connection is gone. */
  onConnectionClosed(): void {
    this.#release();
  }

  /** See `InboundRequest.readBody`. */
  readBody(sizeBytesMax: number): Promise<BodyOutcome> {
    return new Promise((settle) => {
      this.#body = { sizeBytesMax, settle };
      if (this.headers["expect"] !== undefined) this.#sendContinue();
      if (Number(this.headers["content-length"] ?? 0) > sizeBytesMax) this.#settleBody("too_large");
      else if (this.#isReleased) this.#settleBody("cut_short");
      else {
        this.#checkBodySize();
        this.onActivity();
      }
    });
  }

  /** See `Exchange.respond`. */
  respond(status: number, content: string | Uint8Array, more: OutgoingHeaders | undefined): void {
    if (this.#isReleased || this.isBegun) return;
    const body = typeof content === "string" ? Buffer.from(content) : content;
    const sizeBytes = body.byteLength;
    const headers = answerHeaders(status, { sizeBytes, own: this.ownHeaders, more });
    this.#begin(headers);
    if (sizeBytes > 0 && this.method !== "HEAD") this.#pushFrame(frameTypes.DATA, body);
    this.end();
  }

  /** See `Exchange.begin`. */
  begin(status: number, more: OutgoingHeaders): void {
    if (this.#isReleased || this.isBegun) return;
    const headers: HeaderLines = { ":status": status };
    addOwnHeaders(headers, this.ownHeaders);
    addHeaders(headers, more);
    this.#begin(headers);
    this.#send();
  }

  /** See `Exchange.write`. */
  write(text: string): boolean {
    if (this.isOver) return true;
    if (text !== "") this.#pushFrame(frameTypes.DATA, Buffer.from(text));
    this.#send();
    return this.#queuedSizeBytes < queuedSizeBytesMax;
  }

  /** See `Exchange.onRoom`. */
  onRoom(callback: () => void): void {
    if (this.isOver || this.#queuedSizeBytes === 0) callback();
    else this.#onRoom.push(callback);
  }

  /** See `Exchange.end`. */
  end(): void {
    if (this.isOver) return;
    this.isAnswered = true;
    this.#send();
  }

  /** See `Exchange.breakOff`. */
  breakOff(): void {
    this.cancel(http3Codes.INTERNAL_ERROR);
  }

  /** See `RequestSink`. */
  onHead(head: RequestHead | { readonly excess: "size" | "count" }): void {
    this.hasHead = true;
    if ("excess" in head) {
      this.#owner.onHead(this, head.excess);
      return;
    }
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.isAuthorityUnclear = head.isAuthorityUnclear;
    this.#owner.onHead(this, undefined);
  }

  /** See `RequestSink`. */
  onBody(piece: Uint8Array): void {
    this.#bodySizeBytes += piece.byteLength;
    this.#chunks.push(piece);
    this.#checkBodySize();
  }

  /** See `RequestSink`. */
  onWaste(): void {
    this.#owner.onWaste();
  }

  /** Reads until the head is there, and then while somebody wants the body: the rest is the sender's to keep. */
  #receive(): void {
    // Whoever gets the head may ask for the body at once, while the bytes behind the head are not looked at yet.
    if (this.#isReceiving) return;
    this.#isReceiving = true;
    try {
      while (this.#isWanted && this.#takeNext());
    } finally {
      this.#isReceiving = false;
    }
  }

  get #isWanted(): boolean {
    return !this.#isReleased && !this.#isReceived && (!this.hasHead || this.#body !== undefined);
  }

  /** @returns False when there is no more for now. */
  #takeNext(): boolean {
    const bytes = this.#stream.read();
    if (bytes === "later") return false;
    if (bytes === "broken") this.#release();
    else if (bytes === "end") {
      this.#reader.end();
      this.#isReceived = true;
      const chunks = this.#chunks;
      this.#settleBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    } else this.#reader.push(bytes);
    return true;
  }

  #checkBodySize(): void {
    if (this.#body !== undefined && this.#bodySizeBytes > this.#body.sizeBytesMax) {
      this.#settleBody("too_large");
    }
  }

  #settleBody(outcome: BodyOutcome): void {
    const body = this.#body;
    this.#body = undefined;
    if (body === undefined) return;
    this.#chunks = [];
    body.settle(outcome);
  }

  /** The client waits with its body until it is asked for it. */
  #sendContinue(): void {
    if (this.isBegun || this.#isReceived) return;
    this.#pushFrame(frameTypes.HEADERS, encodeFieldSection({ ":status": 100 }));
    this.#send();
  }

  #begin(headers: HeaderLines): void {
    this.isBegun = true;
    this.#pushFrame(frameTypes.HEADERS, encodeFieldSection(headers));
  }

  #pushFrame(type: number, payload: Uint8Array): void {
    const head = frameHead(type, payload.byteLength);
    this.#queue.push(head, payload);
    this.#queuedSizeBytes += head.byteLength + payload.byteLength;
  }

  /** Hands over what waits. The last byte of a finished response gives the stream back. */
  #send(): void {
    const queue = this.#queue;
    // One call for what is small; what is large is not copied once more.
    if (queue.length > 1 && this.#queuedSizeBytes <= queuedSizeBytesMax) {
      queue.splice(0, queue.length, Buffer.concat(queue));
    }
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const taken = this.#stream.write(first, this.isAnswered && queue.length === 1);
      if (taken === 0) break;
      this.#queuedSizeBytes -= taken;
      if (taken === first.byteLength) queue.shift();
      else queue[0] = first.subarray(taken);
    }
    if (this.#queuedSizeBytes > 0) return;
    const waiting = this.#onRoom;
    this.#onRoom = [];
    for (const callback of waiting) callback();
    if (!this.isAnswered) return;
    this.#stream.conclude();
    this.#release();
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#stream.release();
    this.#queue.length = 0;
    this.#settleBody("cut_short");
    if (!this.isAnswered) this.#gone?.abort();
    const waiting = this.#onRoom;
    this.#onRoom = [];
    for (const callback of waiting) callback();
    this.#owner.onOver(this);
  }
}

type BodyOutcome = Uint8Array | "too_large" | "cut_short";
