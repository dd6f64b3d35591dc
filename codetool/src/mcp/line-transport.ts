import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { startTimer, type Timer } from "../system/index.ts";

/** Longest line of a request. */
const lineBytesMax = 4 * 1024 * 1024;

/** Between two looks whether a client still reads that has ended its side. */
const pingMs = 1000;

/** JSON-RPC messages, one a line, over two streams. */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: AsyncIterable<Uint8Array | string>;
  readonly #write: (text: string) => Promise<boolean>;
  #isClosed = false;
  /** Requests that have no answer yet. */
  readonly #open = new Set<string | number>();
  #whenAnswered: (() => void) | undefined;

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

  /** Reads to the end of the input. */
  async run(): Promise<void> {
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
    const isRead = await this.#write(serializeMessage(message));
    // The protocol aborts all calls that are open when it is closed.
    if (!isRead) await this.close();
    if ("method" in message || message.id === undefined) return;
    this.#settle(message.id);
  }

  /** A request has its answer, or nobody wants it any more. */
  #settle(id: string | number): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#whenAnswered?.();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#whenAnswered?.();
    this.onclose?.();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    try {
      const message = JSONRPCMessageSchema.parse(JSON.parse(line));
      if ("method" in message && "id" in message) this.#open.add(message.id);
      this.onmessage?.(message);
      const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
      if (cancelled !== undefined) this.#settle(cancelled);
    } catch {
      this.onerror?.(new Error("a line is not a message of JSON-RPC"));
    }
  }
}
