import type { IncomingMessage, ServerResponse } from "node:http";
import type { StringMap } from "../request.ts";
import type { RequestProtocol, RequestRecord } from "../request-record.ts";
import {
  peerCertificate,
  addHeaders,
  addOwnHeaders,
  type Exchange,
  type HeaderLines,
  type OutgoingHeaders,
  type TurnEnd,
  type TurnTask,
} from "../listening/index.ts";

type ReceivedBody = Uint8Array | "too_large" | "cut_short";

interface WaitingForBody {
  readonly sizeBytesMax: number;
  readonly resolve: (body: ReceivedBody) => void;
}

const noBytes = new Uint8Array(0);

/** One request and its response on an HTTP/1.1 connection. */
export class Http1Exchange implements Exchange, TurnTask {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  /** One for all requests of the connection: when it ends, nobody waits for any of them. */
  readonly signal: AbortSignal;
  record: RequestRecord | undefined;
  ownHeaders: readonly string[] = [];
  /** The connection is closed after the response. */
  isLast = false;
  /** What is still read of an unfinished request body before the connection is closed. */
  readonly #discardSizeBytesMax: number;
  readonly #turnEnd: TurnEnd;
  #waiting: WaitingForBody | undefined;
  /** The client waits for `100 Continue` before it sends the body. */
  #isContinueOwed: boolean;

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    options: {
      readonly isContinueOwed: boolean;
      readonly signal: AbortSignal;
      readonly discardSizeBytesMax: number;
      readonly turnEnd: TurnEnd;
    },
  ) {
    this.#message = message;
    this.#response = response;
    this.#isContinueOwed = options.isContinueOwed;
    this.signal = options.signal;
    this.#discardSizeBytesMax = options.discardSizeBytesMax;
    this.#turnEnd = options.turnEnd;
  }

  get method(): string {
    return this.#message.method ?? "GET";
  }

  get target(): string {
    return this.#message.url ?? "/";
  }

  get headers(): StringMap {
    // Node joins repeated headers into one string; `set-cookie`, an array, means nothing in a request.
    return this.#message.headers as StringMap;
  }

  get protocol(): RequestProtocol {
    return this.#message.httpVersion === "1.0" ? "HTTP/1.0" : "HTTP/1.1";
  }

  get clientIp(): string {
    return this.#message.socket.remoteAddress ?? "";
  }

  get clientCertificate(): Uint8Array | undefined {
    return peerCertificate(this.#message.socket);
  }

  /** True when the whole request has arrived. */
  get isReceived(): boolean {
    return this.#message.complete;
  }

  /** See `InboundRequest.readBody`. */
  readBody(sizeBytesMax: number): Promise<ReceivedBody> {
    const message = this.#message;
    const announced = message.headers["content-length"];
    if (message.headers["transfer-encoding"] === undefined && (announced ?? "0") === "0") {
      return Promise.resolve(noBytes);
    }
    if (Number(announced ?? 0) > sizeBytesMax) return Promise.resolve("too_large");
    if (this.#isContinueOwed) {
      this.#isContinueOwed = false;
      this.#response.writeContinue();
    }
    return new Promise((resolve) => {
      this.#waiting = { sizeBytesMax, resolve };
      this.#turnEnd.add(this);
    });
  }

  /** A body that came together with its head is there whole by now, and nobody needs to listen for it. */
  onTurnEnd(): void {
    const message = this.#message;
    const { sizeBytesMax, resolve } = this.#waiting as WaitingForBody;
    this.#waiting = undefined;
    if (message.destroyed) {
      resolve("cut_short");
      return;
    }
    if (!message.complete) {
      this.#collect(sizeBytesMax, resolve);
      return;
    }
    const bytes = readAll(message);
    resolve(bytes.byteLength > sizeBytesMax ? "too_large" : bytes);
  }

  #collect(sizeBytesMax: number, resolve: (body: ReceivedBody) => void): void {
    const message = this.#message;
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    message.on("data", (chunk: Uint8Array) => {
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= sizeBytesMax) {
        chunks.push(chunk);
      } else {
        chunks.length = 0;
        resolve("too_large");
      }
    });
    message.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Emitted after every end too, when the promise has settled already. Node emits no "error" to nobody.
    message.on("close", () => resolve("cut_short"));
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  get isBegun(): boolean {
    return this.#response.headersSent;
  }

  /**
   * See `Exchange.respond`. When the body of the request has not arrived whole, the rest is read and thrown away up to
   * a limit before the connection is closed: a client that is still sending would otherwise lose the response.
   */
  respond(status: number, body: string | Uint8Array, more: OutgoingHeaders | undefined): void {
    const message = this.#message;
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    const sizeBytes = body === "" ? 0 : Buffer.byteLength(body);
    const isPlain = more === undefined && sizeBytes > 0 && !this.isLast && message.complete;
    if (isPlain && status !== 204 && status !== 304) {
      // What nearly every response is: Node takes a list with less work than an object.
      response.writeHead(status, [
        "content-type",
        "application/json",
        "content-length",
        `${sizeBytes}`,
        ...this.ownHeaders,
      ]);
      // One byte a character is all that ASCII needs, and less work.
      if (typeof body === "string")
        response.end(body, sizeBytes === body.length ? "latin1" : "utf8");
      else response.end(body);
      return;
    }
    const headers: HeaderLines =
      sizeBytes === 0
        ? { "content-length": 0 }
        : { "content-type": "application/json", "content-length": sizeBytes };
    if (status === 204 || status === 304) delete headers["content-length"];
    addOwnHeaders(headers, this.ownHeaders);
    addHeaders(headers, more);
    if (this.isLast || !message.complete) headers["connection"] = "close";
    response.writeHead(status, headers);
    if (message.complete || this.#isContinueOwed) {
      response.end(body);
      return;
    }
    response.flushHeaders();
    if (sizeBytes > 0) response.write(body);
    let discardedSizeBytes = 0;
    message.on("data", (chunk: Uint8Array) => {
      discardedSizeBytes += chunk.byteLength;
      if (discardedSizeBytes > this.#discardSizeBytesMax) response.end();
    });
    message.once("end", () => response.end());
    message.on("error", () => response.end());
  }

  /** See `Exchange.begin`. */
  begin(status: number, more: OutgoingHeaders): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    const headers: HeaderLines = {};
    addOwnHeaders(headers, this.ownHeaders);
    addHeaders(headers, more);
    if (this.isLast || !this.#message.complete) headers["connection"] = "close";
    response.writeHead(status, headers);
    response.flushHeaders();
    // A stream may stand still for long; its own times bound it.
    this.#message.socket.setTimeout(0);
  }

  /** See `Exchange.write`. */
  write(text: string): boolean {
    return this.#response.write(text);
  }

  /** See `Exchange.onRoom`. */
  onRoom(callback: () => void): void {
    const response = this.#response;
    if (this.isOver) {
      callback();
      return;
    }
    const settle = (): void => {
      response.off("drain", settle);
      response.off("close", settle);
      callback();
    };
    response.on("drain", settle);
    response.on("close", settle);
  }

  /** See `Exchange.end`. */
  end(): void {
    if (!this.isOver) this.#response.end();
  }

  /** See `Exchange.breakOff`. */
  breakOff(): void {
    this.#response.destroy();
  }
}

/** Reads what a request that has ended holds. */
function readAll(message: IncomingMessage): Uint8Array {
  const first = (message.read() as Uint8Array | null) ?? noBytes;
  if (message.readableLength === 0) return first;
  const chunks = [first];
  for (;;) {
    const chunk = message.read() as Uint8Array | null;
    if (chunk === null) return Buffer.concat(chunks);
    chunks.push(chunk);
  }
}
