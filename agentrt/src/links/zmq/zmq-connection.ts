import type { System, TimerHandle } from "../../core/index.ts";
import type { ZmqClient } from "./client-types.ts";
import { type Head, prefixOf, readHead, writeHead } from "./frames.ts";
import { SendQueue, type TopicCounters } from "./send-queue.ts";
import type { CurveClientKeys, ZmqAddresses } from "./zmq-settings.ts";
import { ZmqSockets } from "./zmq-sockets.ts";

/** A probe that did not come back is sent again after these times, milliseconds; each doubles the one before. */
const [probeFirstMs, probeLastMs] = [1, 64];

/** What a connection is made from. */
export interface ConnectionInit extends ZmqAddresses {
  readonly client: ZmqClient;
  readonly clientKeys?: CurveClientKeys | undefined;
  readonly system: Pick<System, "setTimer" | "clearTimer" | "yieldTurn">;
  /** Name of this process among those that send. */
  readonly sender: string;
  readonly counters: TopicCounters;
  /** Numbers of probes: a connection knows its own. */
  readonly nextProbe: () => number;
  /** Called once: what is sent arrives, and what is sent to the topics of this process comes. */
  readonly onJoined: () => void;
  /** Called when a probe of a topic has come back. */
  readonly onProven: (topic: string) => void;
  /** {@inheritDoc SocketsInit.onRefused} */
  readonly onRefused: (reason: string) => void;
  /** Called when the proxy is gone. */
  readonly onLost: () => void;
  /** Called with messages for a topic. */
  readonly onMessages: (head: Head, messages: readonly Uint8Array[]) => void;
  /** Called with the reason for what could not be used. */
  readonly onFailed: (error: unknown, unsentCount?: number) => void;
}

/**
 * One pair of sockets, from when it is opened until the proxy is gone. A new one takes its place then: the old sockets would keep
 * what is sent meanwhile, and send it to agents that start again.
 *
 * Nothing says when a proxy knows of a subscription. So each topic is probed: a message to oneself is sent until it comes back.
 */
export class ZmqConnection {
  readonly #init: ConnectionInit;
  readonly #sockets: ZmqSockets;
  readonly #queue: SendQueue;
  readonly #ownTopic: string;
  readonly #ownPrefix: Buffer;
  readonly #firstProbe: number;
  /** Topics whose probes have not come back. */
  readonly #unproven = new Map<string, Buffer>();
  /** Those of them that were there when it was opened. */
  readonly #joining = new Set<string>();
  readonly #fences = new Map<number, () => void>();
  #isJoined = false;
  #probeMs = probeFirstMs;
  #timer: TimerHandle | undefined;

  constructor(init: ConnectionInit) {
    this.#init = init;
    const { sender, counters, system } = init;
    this.#ownTopic = `_probe.${sender}`;
    this.#ownPrefix = prefixOf(this.#ownTopic);
    this.#firstProbe = init.nextProbe();
    this.#sockets = new ZmqSockets({
      ...init,
      onMessage: (parts) => this.#take(parts),
      onConnected: () => this.#probeSoon(),
    });
    const send = async (parts: Uint8Array[]): Promise<void> => await this.#sockets.send(parts);
    const { onFailed } = init;
    this.#queue = new SendQueue({ sender, send, system, onFailed }, counters);
  }

  /** True once its topics are proven. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** True while another message has room. */
  get hasRoom(): boolean {
    return this.#queue.hasRoom;
  }

  /** Connects, and subscribes to these topics. */
  open(topics: ReadonlyMap<string, { readonly prefix: Buffer }>): void {
    this.#sockets.open();
    const all = new Map([[this.#ownTopic, { prefix: this.#ownPrefix }], ...topics]);
    for (const [topic, { prefix }] of all) {
      this.#joining.add(topic);
      this.subscribe(topic, prefix);
    }
  }

  /** Takes what comes for a topic; `onProven` tells when. */
  subscribe(topic: string, prefix: Buffer): void {
    this.#unproven.set(topic, prefix);
    this.#sockets.subscribe(prefix);
    this.#probeSoon();
  }

  /** Takes no more of it. */
  unsubscribe(topic: string, prefix: Buffer): void {
    this.#sockets.unsubscribe(prefix);
    this.#settle(topic);
  }

  /** Sends a message. */
  publish(topic: string, bytes: Uint8Array): void {
    this.#queue.push(topic, bytes);
  }

  /** Settles when all that was published has left the proxy's front, or the connection has ended. */
  async flush(): Promise<void> {
    if (!this.#isJoined) return;
    const number = this.#init.nextProbe();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#fences.set(number, resolve);
    this.#queue.pushHead(this.#probe(this.#ownPrefix, number));
    await promise;
  }

  /**
   * Disconnects at once.
   *
   * @returns How many messages were still to be sent.
   */
  end(): number {
    const unsentCount = this.#queue.end();
    this.#clear();
    this.#unproven.clear();
    this.#sockets.close();
    this.#isJoined = false;
    for (const release of this.#fences.values()) release();
    this.#fences.clear();
    return unsentCount;
  }

  #take([first, ...messages]: readonly Buffer[]): void {
    const head = first === undefined ? undefined : readHead(first);
    if (head === undefined) this.#init.onFailed(new Error("a message of another form came"));
    else if (head.kind === "messages") this.#init.onMessages(head, messages);
    else if (head.sender === this.#init.sender) this.#takeProbe(head);
  }

  #takeProbe({ topic, sequence }: Head): void {
    // One of an earlier connection proves that its sockets worked.
    if (sequence < this.#firstProbe) return;
    this.#fences.get(sequence)?.();
    this.#fences.delete(sequence);
    if (this.#unproven.has(topic)) {
      this.#init.onProven(topic);
      this.#settle(topic);
    }
  }

  #settle(topic: string): void {
    this.#unproven.delete(topic);
    this.#joining.delete(topic);
    if (this.#unproven.size === 0) this.#clear();
    if (this.#isJoined || this.#joining.size > 0) return;
    this.#isJoined = true;
    this.#init.onJoined();
  }

  #probeSoon(): void {
    this.#probeMs = probeFirstMs;
    this.#clear();
    if (this.#unproven.size > 0)
      this.#timer = this.#init.system.setTimer(0, () => this.#probeAll());
  }

  #probeAll(): void {
    // What is sent without a proxy would wait in the socket.
    if (!this.#sockets.canSend) return;
    for (const prefix of this.#unproven.values())
      this.#queue.pushHead(this.#probe(prefix, this.#init.nextProbe()));
    const waitMs = this.#probeMs;
    this.#probeMs = Math.min(probeLastMs, waitMs * 2);
    this.#timer = this.#init.system.setTimer(waitMs, () => this.#probeAll());
  }

  #probe(prefix: Buffer, sequence: number): Buffer {
    return writeHead(prefix, { kind: "probe", sequence, sender: this.#init.sender });
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#init.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }
}
