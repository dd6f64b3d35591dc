import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { isFullCode } from "./call-queue.ts";
import { startTimer, type Timer } from "../system/index.ts";

/** Longest line of a request. */
const lineBytesMax = 4 * 1024 * 1024;

/** Requests that wait for their answers hold no more than this together: another one is refused. */
const openBytesMax = 32 * 1024 * 1024;

/** With more than this that the client has not read yet, no call begins. */
const unreadBytesMax = 4 * 1024 * 1024;

/** The SDK takes the id 0 for none when it is cancelled, so it never sees it. */
const zeroId = "codetool-zero";

/** Between two looks whether a client still reads that has ended its side. */
const pingMs = 1000;

/** JSON-RPC messages, one a line, over two streams. */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: AsyncIterable<Uint8Array | string>;
  readonly #write: (text: string) => Promise<boolean>;
  readonly #closed = Promise.withResolvers<void>();
  #isClosed = false;
  /** Requests that have no answer yet, with the bytes of each. */
  readonly #open = new Map<string | number, number>();
  #openBytes = 0;
  #unreadBytes = 0;
  #whenAnswered: (() => void) | undefined;
  #read = Promise.withResolvers<void>();

  /**
   * @param input Bytes of the client.
   * @param write Writes to the client, in order; resolves to false when nobody reads any more.
   */
  constructor(
    input: AsyncIterable<Uint8Array | string>,
    write: (text: string) => Promise<boolean>,
  ) {
    this.#input = input;
    this.#write = write;
  }

  /** Does nothing yet: `run` reads. */
  async start(): Promise<void> {}

  /** Reads to the end of the input, or until it is closed: input that is still open stays open. */
  async run(): Promise<void> {
    await Promise.race([this.#closed.promise, this.#readAll()]);
  }

  /** Resolves when the client has read most of what was written to it: what answers a lot waits for that. */
  async whenRead(): Promise<void> {
    while (this.#unreadBytes > unreadBytesMax && !this.#isClosed) await this.#read.promise;
  }

  async #readAll(): Promise<void> {
    let rest = Buffer.alloc(0);
    for await (const part of this.#input) {
      if (this.#isClosed) return;
      rest = Buffer.concat([rest, typeof part === "string" ? Buffer.from(part) : part]);
      for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
        this.#take(rest.toString("utf8", 0, end));
        rest = rest.subarray(end + 1);
      }
      if (rest.length > lineBytesMax) {
        this.onerror?.(new Error(`a line is longer than ${lineBytesMax} bytes`));
        break;
      }
    }
    // A client may send its last requests and end its side: they are answered all the same, as long as it reads.
    if (this.#open.size > 0 && !this.#isClosed) await this.#answered();
    await this.close();
  }

  /** Waits for the answers to what is open; a client that is gone is seen by a question that it need not answer. */
  async #answered(): Promise<void> {
    const answered = Promise.withResolvers<void>();
    this.#whenAnswered = answered.resolve;
    let timer: Timer | undefined;
    const look = (count: number): void => {
      timer = startTimer(pingMs, () => {
        void this.send({ jsonrpc: "2.0", id: `alive-${count}`, method: "ping" });
        look(count + 1);
      });
    };
    look(1);
    await answered.promise;
    timer?.stop();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isReply = !("method" in message);
    const isRead = await this.#writeCounted(
      serializeMessage(isReply && message.id === zeroId ? { ...message, id: 0 } : message),
    );
    // The protocol aborts all calls that are open when it is closed.
    if (!isRead) await this.close();
    if (isReply && message.id !== undefined) this.#settle(message.id);
  }

  async #writeCounted(text: string): Promise<boolean> {
    this.#unreadBytes += text.length;
    try {
      return await this.#write(text);
    } finally {
      this.#unreadBytes -= text.length;
      this.#wake();
    }
  }

  #wake(): void {
    this.#read.resolve();
    this.#read = Promise.withResolvers<void>();
  }

  /** A request has its answer, or nobody wants it any more. */
  #settle(id: string | number): void {
    this.#openBytes -= this.#open.get(id) ?? 0;
    this.#open.delete(id);
    if (this.#open.size === 0) this.#whenAnswered?.();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#whenAnswered?.();
    this.#wake();
    this.#closed.resolve();
    this.onclose?.();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    let given: unknown;
    try {
      given = JSON.parse(line);
    } catch {
      this.onerror?.(new Error("a line is not JSON"));
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(given).data;
    if (message === undefined) this.#refuseNoMessage(given);
    else if ("method" in message && "id" in message) this.#takeRequest(message, line.length);
    else this.#takeOther(message);
  }

  #takeRequest(message: JSONRPCRequest, bytes: number): void {
    const id = message.id === 0 ? zeroId : message.id;
    if (this.#openBytes + bytes > openBytesMax) {
      this.#refuse(message.id, isFullCode, "too many requests wait already: try again later");
      return;
    }
    this.#openBytes += bytes - (this.#open.get(id) ?? 0);
    this.#open.set(id, bytes);
    this.onmessage?.({ ...message, id });
  }

  #takeOther(message: JSONRPCMessage): void {
    const cancelled = CancelledNotificationSchema.safeParse(message).data;
    if (cancelled?.params.requestId === undefined) {
      this.onmessage?.(message);
      return;
    }
    const { requestId } = cancelled.params;
    const id = requestId === 0 ? zeroId : requestId;
    this.onmessage?.({
      jsonrpc: "2.0",
      ...cancelled,
      params: { ...cancelled.params, requestId: id },
    });
    this.#settle(id);
  }

  /** What asks for an answer gets one, so that its client does not wait. */
  #refuseNoMessage(given: unknown): void {
    const { id, method } = Object(given) as { readonly id?: unknown; readonly method?: unknown };
    this.onerror?.(new Error("a line is not a message of JSON-RPC"));
    if (method !== undefined && (typeof id === "string" || typeof id === "number"))
      this.#refuse(id, ErrorCode.InvalidRequest, "this is not a request of JSON-RPC 2.0");
  }

  #refuse(id: string | number, code: ErrorCode, message: string): void {
    void this.send({ jsonrpc: "2.0", id, error: { code, message } });
  }
}
