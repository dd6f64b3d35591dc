import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";

/** One frame as a server sends it: neither masked nor fragmented in these tests. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A client that sends whatever bytes a test says. */
export class RawWebSocket implements AsyncDisposable {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isEnded = false;
  #wake: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake?.();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isEnded = true;
      this.#wake?.();
    });
  }

  /** Connects, over TLS where it is told whom to trust. */
  static async connect(port: number, tls?: ConnectionOptions): Promise<RawWebSocket> {
    const socket =
      tls === undefined
        ? connect(port, "127.0.0.1")
        : connectTls({ port, host: "localhost", ...tls });
    await new Promise<void>((resolve, reject) => {
      socket.once(tls === undefined ? "connect" : "secureConnect", resolve);
      socket.once("error", reject);
    });
    return new RawWebSocket(socket);
  }

  /** Connects and upgrades. */
  static async open(port: number, path: string): Promise<RawWebSocket> {
    const client = await RawWebSocket.connect(port);
    const head = await client.handshake({ path });
    if (!head.startsWith("HTTP/1.1 101 ")) throw new Error(`no upgrade: ${head}`);
    return client;
  }

  /** Sends a handshake, and gives what comes back up to its body. A header of `undefined` is left out, a list sent line by line. */
  async handshake({
    path,
    headers = {},
  }: {
    readonly path: string;
    readonly headers?: { readonly [name: string]: string | readonly string[] | undefined };
  }): Promise<string> {
    const all = {
      Host: "127.0.0.1",
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, value]) =>
      (value === undefined ? [] : typeof value === "string" ? [value] : value).map(
        (one) => `${name}: ${one}\r\n`,
      ),
    );
    this.#socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      if (end !== -1) {
        const head = this.#received.subarray(0, end + 4).toString("latin1");
        this.#received = this.#received.subarray(end + 4);
        return head;
      }
      if (this.#isEnded) return "";
      await this.#more();
    }
  }

  /** Reads the body of a refused handshake, as long as its head says. */
  async body(head: string): Promise<string> {
    const sizeBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    while (this.#received.byteLength < sizeBytes && !this.#isEnded) await this.#more();
    const text = this.#received.subarray(0, sizeBytes).toString();
    this.#received = this.#received.subarray(sizeBytes);
    return text;
  }

  write(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Takes nothing from the connection any more. */
  stall(): void {
    this.#socket.pause();
  }

  /** Gives up: who waits for a frame gets none. */
  end(): void {
    this.#socket.destroy();
  }

  takeAgain(): void {
    this.#socket.resume();
  }

  /** Gives the next frame; `undefined` when the connection has ended. */
  async frame(): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#parse();
      if (frame !== undefined || this.#isEnded) return frame;
      await this.#more();
    }
  }

  /** Reads up to the server's close frame and gives its code; `undefined` when the connection ends without. */
  async closeCode(): Promise<number | undefined> {
    for (;;) {
      const frame = await this.frame();
      if (frame === undefined) return undefined;
      if (frame.opcode === 8) return frame.payload.readUInt16BE(0);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEnded) {
        resolve();
        return;
      }
      this.#socket.once("close", () => resolve());
      this.#socket.destroy();
    });
  }

  #parse(): Frame | undefined {
    const [first, second] = this.#received;
    if (first === undefined || second === undefined) return undefined;
    const extraSize = second === 126 ? 2 : second === 127 ? 8 : 0;
    const start = 2 + extraSize;
    if (this.#received.length < start) return undefined;
    const size =
      extraSize === 0
        ? second
        : extraSize === 2
          ? this.#received.readUInt16BE(2)
          : Number(this.#received.readBigUInt64BE(2));
    if (this.#received.length < start + size) return undefined;
    const payload = Buffer.from(this.#received.subarray(start, start + size));
    this.#received = this.#received.subarray(start + size);
    return { opcode: first & 0x0f, payload };
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Writes a client's frame.
 *
 * @param payload Its content.
 * @param how.first The first byte: FIN, reserved bits and opcode; default a whole text message.
 * @param how.isMasked Default true.
 */
export function clientFrame(
  payload: Buffer | string,
  { first = 0x81, isMasked = true }: { readonly first?: number; readonly isMasked?: boolean } = {},
): Buffer {
  const content = Buffer.from(payload);
  const mask = isMasked ? Buffer.from([1, 2, 3, 4]) : Buffer.alloc(0);
  const size = content.length;
  const flag = isMasked ? 0x80 : 0;
  const head =
    size < 126
      ? Buffer.from([first, flag | size])
      : size < 65_536
        ? Buffer.from([first, flag | 126, size >> 8, size & 0xff])
        : Buffer.concat([Buffer.from([first, flag | 127]), bigSize(size)]);
  if (isMasked)
    for (const [index, byte] of content.entries()) content[index] = byte ^ mask[index % 4]!;
  return Buffer.concat([head, mask, content]);
}

function bigSize(size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(size));
  return bytes;
}
