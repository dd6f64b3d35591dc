/** Programs that run until they are ended. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import process from "node:process";

/** A program that runs for ever, and is connected to the test for as long as it lives. */
export class Endless implements AsyncDisposable {
  readonly #server: Server;
  readonly #connected: Promise<Socket>;
  readonly words: readonly string[];

  private constructor(server: Server, { isStubborn }: { readonly isStubborn: boolean }) {
    this.#server = server;
    this.#connected = once(server, "connection").then(([socket]) => socket as Socket);
    const { port } = server.address() as AddressInfo;
    this.words = [
      process.execPath,
      "-e",
      `${isStubborn ? 'process.on("SIGTERM", () => undefined);' : ""}require("node:net").connect(${port}, "127.0.0.1").resume()`,
    ];
  }

  /** @param options.isStubborn True for one that does not end when it is asked to. */
  static async create(
    options: { readonly isStubborn: boolean } = { isStubborn: false },
  ): Promise<Endless> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Endless(server, options);
  }

  /** Waits until it runs. */
  async started(): Promise<void> {
    await this.#connected;
  }

  /** Waits until it is gone. */
  async ended(): Promise<void> {
    const socket = await this.#connected;
    socket.resume();
    if (!socket.destroyed) await once(socket, "close");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
  }
}
