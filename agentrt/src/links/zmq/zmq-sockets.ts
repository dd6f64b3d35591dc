import type { ZmqClient, ZmqPublisher, ZmqSubscriber } from "./client-types.ts";
import {
  addressOptions,
  clientOptions,
  type CurveClientKeys,
  heartbeat,
  highWaterMarks,
  type InsideProxy,
  partBytesMax,
  reconnect,
  type ZmqAddresses,
} from "./zmq-settings.ts";

/** Who hears of a pair of sockets. */
export interface SocketsInit extends ZmqAddresses {
  readonly client: ZmqClient;
  readonly clientKeys?: CurveClientKeys | undefined;
  /** The proxy of this process; without it the addresses and keys count. */
  readonly inside?: InsideProxy | undefined;
  /** Called with the parts of each message. */
  readonly onMessage: (parts: readonly Buffer[]) => void;
  /** Called when what is sent reaches the proxy from then on. */
  readonly onSending: () => void;
  /** Called when the proxy takes subscriptions, in their order, until it is lost. */
  readonly onReceiving: () => void;
  /** Called with the reason when the proxy lets one of both not in; it does not try again. */
  readonly onRefused: (reason: string) => void;
  /** Called when one of both has lost the proxy. */
  readonly onLost: () => void;
  /** Called when one of both cannot be read any more. */
  readonly onFailed: (error: unknown) => void;
}

/** What a socket sends to its peer in front of a prefix. */
const [cancel, subscribe] = [Buffer.of(0), Buffer.of(1)];

/** The two sockets of a process: one to the proxy, one from it. They connect by themselves, as often as it takes. */
export class ZmqSockets {
  readonly #pub: ZmqPublisher;
  readonly #sub: ZmqSubscriber;
  readonly #init: SocketsInit;
  #isClosed = false;
  #isPubConnected = false;
  #isSubConnected = false;

  constructor(init: SocketsInit) {
    this.#init = init;
    const { client, clientKeys, inside, pubAddress, subAddress } = init;
    const shared =
      inside === undefined
        ? { linger: 0, ...heartbeat, ...reconnect, ...clientOptions(clientKeys) }
        : { linger: 0, context: inside.context };
    this.#pub = new client.Publisher({
      ...shared,
      ...addressOptions(pubAddress),
      sendHighWaterMark: highWaterMarks.sender,
      noDrop: true,
      // The queue in front of it waits: nothing tells this kind of socket that there is room again.
      sendTimeout: 0,
    });
    this.#sub = new client.XSubscriber({
      ...shared,
      ...addressOptions(subAddress),
      receiveHighWaterMark: highWaterMarks.receiver,
      // It sends nothing but subscriptions, and drops those that have no room: 1000 by default, also when it connects again.
      sendHighWaterMark: 0,
      sendTimeout: 0,
      maxMessageSize: partBytesMax,
    });
  }

  /** True while what is sent does not wait for the proxy. */
  get canSend(): boolean {
    return this.#isPubConnected;
  }

  /** True while subscriptions reach the proxy, in their order. */
  get canReceive(): boolean {
    return this.#isSubConnected;
  }

  /** Connects both; what comes is handed over from now on. */
  open(): void {
    const { inside, onSending, onReceiving } = this.#init;
    const { pubAddress, subAddress } = inside ?? this.#init;
    if (inside === undefined) {
      this.#watch(this.#pub.events, onSending, (isThere) => (this.#isPubConnected = isThere));
      this.#watch(this.#sub.events, onReceiving, (isThere) => (this.#isSubConnected = isThere));
    }
    this.#pub.connect(connectable(pubAddress));
    this.#sub.connect(connectable(subAddress));
    void this.#receive();
    if (inside === undefined) return;
    // It is there, and nothing tells.
    this.#isPubConnected = true;
    this.#isSubConnected = true;
    onReceiving();
  }

  /** Sends one message, or rejects with EAGAIN where there is no room; not called again before it has settled. */
  async send(parts: Uint8Array[]): Promise<void> {
    await this.#pub.send(parts);
  }

  subscribe(prefix: Buffer): void {
    this.#order(subscribe, prefix);
  }

  unsubscribe(prefix: Buffer): void {
    this.#order(cancel, prefix);
  }

  /** Disconnects at once. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pub.close();
    this.#sub.close();
  }

  #order(what: Buffer, prefix: Buffer): void {
    if (this.#isClosed) return;
    this.#sub.send(Buffer.concat([what, prefix])).catch((error: unknown) => {
      if (!this.#isClosed) this.#init.onFailed(error);
    });
  }

  #watch(
    events: ZmqPublisher["events"],
    onConnected: () => void,
    note: (isThere: boolean) => void,
  ): void {
    const { onLost, onRefused } = this.#init;
    const unlessClosed = (tell: () => void) => () => {
      if (!this.#isClosed) tell();
    };
    const connected = (): void => {
      note(true);
      onConnected();
    };
    const lost = (): void => {
      note(false);
      onLost();
    };
    events.on("handshake", unlessClosed(connected));
    events.on("disconnect", unlessClosed(lost));
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
      while (!this.#isClosed) {
        // oxlint-disable-next-line no-await-in-loop -- one message after the other; the iterator of the library makes more promises
        const parts = await this.#sub.receive();
        if (!this.#isClosed) this.#handOver(parts);
      }
    } catch (error) {
      if (!this.#isClosed) this.#init.onFailed(error);
    }
  }

  /** Those that come after one that cannot be used are taken all the same. */
  #handOver(parts: readonly Buffer[]): void {
    try {
      this.#init.onMessage(parts);
    } catch (error) {
      this.#init.onFailed(error);
    }
  }
}

/** A proxy may listen on all addresses of its machine; from there it is reached over the loopback. */
function connectable(address: string): string {
  return address.replace(/^tcp:\/\/(?:\*|0\.0\.0\.0)(?=:\d+$)/, "tcp://127.0.0.1");
}
