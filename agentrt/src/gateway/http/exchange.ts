import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayResponse, InboundRequest, StringMap } from "../request.ts";

/** How a response is to leave. */
export interface RespondOptions {
  /** The connection is closed after this response. */
  readonly isLast: boolean;
  /** What is still read of an unfinished request body before the connection is closed. */
  readonly discardSizeBytesMax: number;
}

/** One request and its response on an HTTP/1.1 connection. */
export class HttpExchange implements InboundRequest {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  /** One for all requests of the connection: when it ends, nobody waits for any of them. */
  readonly signal: AbortSignal;
  /** The client waits for `100 Continue` before it sends the body. */
  #isContinueOwed: boolean;

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    options: { readonly isContinueOwed: boolean; readonly signal: AbortSignal },
  ) {
    this.#message = message;
    this.#response = response;
    this.#isContinueOwed = options.isContinueOwed;
    this.signal = options.signal;
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

  get clientIp(): string {
    return this.#message.socket.remoteAddress ?? "";
  }

  get clientCertificate(): undefined {
    return undefined;
  }

  /** True when the whole request has arrived. */
  get isReceived(): boolean {
    return this.#message.complete;
  }

  /** True when the response has begun to leave. */
  get isAnswered(): boolean {
    return this.#response.headersSent;
  }

  /** See `InboundRequest.readBody`. */
  readBody(sizeBytesMax: number): Promise<Uint8Array | "too_large" | "cut_short"> {
    const message = this.#message;
    const announced = message.headers["content-length"];
    if (message.headers["transfer-encoding"] === undefined && (announced ?? "0") === "0") {
      return Promise.resolve(new Uint8Array(0));
    }
    if (Number(announced ?? 0) > sizeBytesMax) return Promise.resolve("too_large");
    if (this.#isContinueOwed) {
      this.#isContinueOwed = false;
      this.#response.writeContinue();
    }
    return new Promise((resolve) => {
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
    });
  }

  /**
   * Sends the response. When the body of the request has not arrived whole, the rest is read and thrown away up to
   * a limit before the connection is closed: a client that is still sending would otherwise lose the response.
   */
  respond(answer: GatewayResponse, text: string, options: RespondOptions): void {
    const message = this.#message;
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    const headers: { [name: string]: string | number } =
      text === ""
        ? { "content-length": 0 }
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    if (answer.status === 204) delete headers["content-length"];
    if (answer.headers !== undefined) Object.assign(headers, answer.headers);
    if (options.isLast || !message.complete) headers["connection"] = "close";
    response.writeHead(answer.status, headers);
    if (message.complete || this.#isContinueOwed) {
      response.end(text);
      return;
    }
    response.flushHeaders();
    if (text !== "") response.write(text);
    let discardedSizeBytes = 0;
    message.on("data", (chunk: Uint8Array) => {
      discardedSizeBytes += chunk.byteLength;
      if (discardedSizeBytes > options.discardSizeBytesMax) response.end();
    });
    message.once("end", () => response.end());
    message.on("error", () => response.end());
  }
}
