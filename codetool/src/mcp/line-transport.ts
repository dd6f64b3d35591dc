import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

/** Longest line of a request. */
const lineBytesMax = 4 * 1024 * 1024;

/** JSON-RPC messages, one a line, over two streams. */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: AsyncIterable<Uint8Array | string>;
  readonly #write: (text: string) => Promise<void>;
  #isClosed = false;
  /** Requests that have no answer yet. */
  readonly #open = new Set<string | number>();
  #whenAnswered: (() => void) | undefined;

  /**
   * @param input Bytes of the client.
   * @param write Writes to the client, in order.
   */
  constructor(input: AsyncIterable<Uint8Array | string>, write: (text: string) => Promise<void>) {
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
    // A client may send its last requests and end its side: they are answered all the same.
    if (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#whenAnswered = resolve;
      });
    await this.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(serializeMessage(message));
    if ("method" in message || message.id === undefined) return;
    this.#open.delete(message.id);
    if (this.#open.size === 0) this.#whenAnswered?.();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    try {
      const message = JSONRPCMessageSchema.parse(JSON.parse(line));
      if ("method" in message && "id" in message) this.#open.add(message.id);
      this.onmessage?.(message);
    } catch {
      this.onerror?.(new Error("a line is not a message of JSON-RPC"));
    }
  }
}
