// The part of `ws` that the WebSocket listener and its tests use; the package brings no types of its own.
declare module "ws" {
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  interface ServerOptions {
    readonly noServer: true;
    readonly clientTracking: boolean;
    readonly perMessageDeflate: boolean;
    readonly maxPayload: number;
    readonly maxFragments: number;
    readonly maxBufferedChunks: number;
    readonly closeTimeout: number;
    readonly handleProtocols: (offered: Set<string>) => string | false;
  }

  interface ClientOptions {
    readonly headers?: { readonly [name: string]: string };
    readonly origin?: string;
    readonly perMessageDeflate?: boolean;
    readonly autoPong?: boolean;
    readonly ca?: string | Buffer;
    readonly cert?: Buffer;
    readonly key?: Buffer;
  }

  export class WebSocket {
    static readonly OPEN: 1;
    constructor(url: string, protocols?: readonly string[], options?: ClientOptions);
    readonly readyState: number;
    readonly bufferedAmount: number;
    readonly protocol: string;
    readonly extensions: string;
    send(data: string | Uint8Array, callback?: (error?: Error) => void): void;
    ping(): void;
    pause(): void;
    resume(): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
    on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): this;
    on(event: "close", listener: (code: number, reason: Buffer) => void): this;
    on(event: "ping" | "pong", listener: (data: Buffer) => void): this;
    on(event: "open", listener: () => void): this;
    on(event: "error", listener: (error: Error) => void): this;
    on(
      event: "unexpected-response",
      listener: (request: unknown, response: IncomingMessage) => void,
    ): this;
  }

  export class WebSocketServer {
    constructor(options: ServerOptions);
    on(event: "headers", listener: (lines: string[]) => void): this;
    // oxlint-disable-next-line max-params -- the form of the library
    handleUpgrade(
      message: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      callback: (socket: WebSocket) => void,
    ): void;
  }
}
