import type { ZmqClient, ZmqPublisher, ZmqSubscriber } from "./client-types.ts";
import {
  addressOptions,
  clientOptions,
  type CurveClientKeys,
  heartbeat,
  highWaterMarks,
  partBytesMax,
  reconnect,
  type ZmqAddresses,
} from "./zmq-settings.ts";

/** Who hears of a pair of sockets. */
export interface SocketsInit extends ZmqAddresses {
  readonly client: ZmqClient;
  readonly clientKeys?: CurveClientKeys | undefined;
  /** Called with the parts of each message. */
  readonly onMessage: (parts: readonly Buffer[]) => void;
  /** Called when one of both has reached the proxy. */
  readonly onConnected: () => void;
  /** Called with the reason when the proxy lets one of both not in; it does not try again. */
  readonly onRefused: (reason: string) => void;
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
    const { client, clientKeys, pubAddress, subAddress } = init;
    const shared = { linger: 0, ...heartbeat, ...reconnect, ...clientOptions(clientKeys) };
    this.#pub = new client.Publisher({
      ...shared,
      ...addressOptions(pubAddress),
      sendHighWaterMark: highWaterMarks.sender,
      noDrop: true,
      // The queue in front of it waits: nothing tells this kind of socket that there is room again.
      sendTimeout: 0,
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
    const { pubAddress, subAddress } = this.#init;
    this.#pub.events.on("handshake", () => (this.#isPubConnected = true));
    this.#pub.events.on("disconnect", () => (this.#isPubConnected = false));
    for (const { events } of [this.#pub, this.#sub]) this.#watch(events);
    this.#pub.connect(connectable(pubAddress));
    this.#sub.connect(connectable(subAddress));
    void this.#receive();
  }

  /** Sends one message, or rejects with EAGAIN where there is no room; not called again before it has settled. */
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

  #watch(events: ZmqPublisher["events"]): void {
    const { onConnected, onLost, onRefused } = this.#init;
    const unlessClosed = (tell: () => void) => () => {
      if (!this.#isClosed) tell();
    };
    events.on("handshake", unlessClosed(onConnected));
    events.on("disconnect", unlessClosed(onLost));
    const keyRefused = "it does not allow the public key of this process";
    events.on(
      "handshake:error:auth",
      unlessClosed(() => onRefused(keyRefused)),
    );
    const otherForm = "one of both uses CURVE and the other does not";
    events.on(
      "handshake:error:protocol",
      unlessClosed(() => onRefused(otherForm)),
    );
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
