import type { ZmqClient, ZmqPublisher, ZmqSubscriber } from "./client-types.ts";
import {
  addressOptions,
  heartbeat,
  highWaterMarks,
  partBytesMax,
  reconnect,
  type ZmqAddresses,
} from "./zmq-settings.ts";

/** Who hears of a pair of sockets. */
export interface SocketsInit extends ZmqAddresses {
  readonly client: ZmqClient;
  /** Called with the parts of each message. */
  readonly onMessage: (parts: readonly Buffer[]) => void;
  /** Called when one of both has reached the proxy. */
  readonly onConnected: () => void;
  /** Called when one of both has lost the proxy. */
  readonly onLost: () => void;
  /** Called when one of both cannot be read any more. */
  readonly onFailed: (error: unknown) => void;
}

/** The two sockets of a process: one to the proxy, one from it. They connect by themselves, as often as it takes. */
export class ZmqSockets {
  readonly #pub: ZmqPublisher;
  readonly #sub: ZmqSubscriber;
  readonly #init: SocketsInit;
  #isClosed = false;
  #isPubConnected = false;

  constructor(init: SocketsInit) {
    this.#init = init;
    const { client, pubAddress, subAddress } = init;
    const shared = { linger: 0, ...heartbeat, ...reconnect };
    this.#pub = new client.Publisher({
      ...shared,
      ...addressOptions(pubAddress),
      sendHighWaterMark: highWaterMarks.sender,
      noDrop: true,
    });
    this.#sub = new client.Subscriber({
      ...shared,
      ...addressOptions(subAddress),
      receiveHighWaterMark: highWaterMarks.receiver,
      maxMessageSize: partBytesMax,
    });
  }

  /** True while what is sent does not wait for the proxy. */
  get canSend(): boolean {
    return this.#isPubConnected;
  }

  /** Connects both; what comes is handed over from now on. */
  open(): void {
    const { pubAddress, subAddress, onConnected, onLost } = this.#init;
    this.#pub.events.on("handshake", () => {
      this.#isPubConnected = true;
      if (!this.#isClosed) onConnected();
    });
    this.#sub.events.on("handshake", () => {
      if (!this.#isClosed) onConnected();
    });
    this.#pub.events.on("disconnect", () => {
      this.#isPubConnected = false;
      if (!this.#isClosed) onLost();
    });
    this.#sub.events.on("disconnect", () => {
      if (!this.#isClosed) onLost();
    });
    this.#pub.connect(connectable(pubAddress));
    this.#sub.connect(connectable(subAddress));
    void this.#receive();
  }

  /** Sends one message; not called again before it has settled. */
  async send(parts: Uint8Array[]): Promise<void> {
    await this.#pub.send(parts);
  }

  subscribe(prefix: Buffer): void {
    if (!this.#isClosed) this.#sub.subscribe(prefix);
  }

  unsubscribe(prefix: Buffer): void {
    if (!this.#isClosed) this.#sub.unsubscribe(prefix);
  }

  /** Disconnects at once. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pub.close();
    this.#sub.close();
  }

  async #receive(): Promise<void> {
    try {
      for await (const parts of this.#sub) {
        if (this.#isClosed) return;
        this.#init.onMessage(parts);
      }
    } catch (error) {
      if (!this.#isClosed) this.#init.onFailed(error);
    }
  }
}

/** A proxy may listen on all addresses of its machine; from there it is reached over the loopback. */
function connectable(address: string): string {
  return address.replace(/^tcp:\/\/(?:\*|0\.0\.0\.0)(?=:\d+$)/, "tcp://127.0.0.1");
}
