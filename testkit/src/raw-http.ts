import { connect, type Socket } from "node:net";

/** One HTTP response as it came over the wire. */
export interface RawHttpResponse {
  readonly status: number;
  /** Lower-case names to values; of a repeated name the last value. */
  readonly headers: { readonly [name: string]: string };
  /** The body as text. */
  readonly body: string;
}

/** A client that sends exactly the bytes it is given, for what no HTTP library would send. */
export class RawHttpClient implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  #received = Buffer.alloc(0);
  #isEnded = false;
  #onProgress: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#onProgress?.();
    });
    // A reset by the server is an outcome the tests look at, as the end of the connection.
    socket.on("error", () => this.#end());
    socket.on("close", () => this.#end());
  }

  /** Connects to a port of this machine. */
  static async open(port: number, host = "127.0.0.1"): Promise<RawHttpClient> {
    const socket = connect({ port, host, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", () => resolve());
      socket.once("error", reject);
    });
    return new RawHttpClient(socket);
  }

  /** Sends bytes as they are; `latin1` keeps each character one byte. */
  send(text: string | Uint8Array): void {
    this.#socket.write(typeof text === "string" ? Buffer.from(text, "latin1") : text);
  }

  /** Sends no more; the server's answer can still be read. */
  finish(): void {
    this.#socket.end();
  }

  /** Waits for the next final response; `undefined` when the connection ended without one. */
  async response(): Promise<RawHttpResponse | undefined> {
    for (;;) {
      const parsed = parseResponse(this.#received);
      if (parsed !== undefined) {
        this.#received = this.#received.subarray(parsed.sizeBytes);
        if (parsed.response.status >= 200) return parsed.response;
        continue;
      }
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#onProgress = resolve;
      });
    }
  }

  /** Waits until the server has closed the connection; what came and was not read is returned as text. */
  async closed(): Promise<string> {
    await this.#closed;
    return this.#received.toString("latin1");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.#closed;
  }

  #end(): void {
    this.#isEnded = true;
    this.#onProgress?.();
  }
}

function parseResponse(
  bytes: Buffer,
): { readonly response: RawHttpResponse; readonly sizeBytes: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const headers: { [name: string]: string } = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(statusLine.split(" ")[1]);
  if (headers["transfer-encoding"] === "chunked") {
    const whole = parseChunks(bytes, headEnd + 4);
    if (whole === undefined) return undefined;
    return { response: { status, headers, body: whole.body }, sizeBytes: whole.end };
  }
  const sizeBytes = headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (bytes.length < sizeBytes) return undefined;
  const body = bytes.toString("utf8", headEnd + 4, sizeBytes);
  return { response: { status, headers, body }, sizeBytes };
}

/** A chunked body without trailers, whole or `undefined`. */
function parseChunks(
  bytes: Buffer,
  start: number,
): { readonly body: string; readonly end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let offset = start; ;) {
    const lineEnd = bytes.indexOf("\r\n", offset);
    if (lineEnd === -1) return undefined;
    const sizeBytes = Number.parseInt(bytes.toString("latin1", offset, lineEnd), 16);
    const end = lineEnd + 2 + sizeBytes;
    if (bytes.length < end + 2) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, end));
    offset = end + 2;
    if (sizeBytes === 0) return { body: Buffer.concat(chunks).toString("utf8"), end: offset };
  }
}
