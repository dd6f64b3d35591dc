import type { System, TimerHandle } from "../../core/index.ts";
import type { ZmqClient } from "./client-types.ts";
import { type Head, prefixOf, readHead, writeHead } from "./frames.ts";
import { SendQueue, type TopicCounters } from "./send-queue.ts";
import {
  type CurveClientKeys,
  type InsideProxy,
  messageBytesMax,
  type ZmqAddresses,
} from "./zmq-settings.ts";
import { ZmqSockets } from "./zmq-sockets.ts";

/** A probe that did not come back is sent again after these times, milliseconds; each doubles the one before. */
const [probeFirstMs, probeLastMs] = [1, 64];

/** What is said of what cannot be read. */
const otherForm =
  "a message of another form came: perhaps another version of agentrt sends it; all processes of a topology need one version";

/** What a connection is made from. */
export interface ConnectionInit extends ZmqAddresses {
  readonly client: ZmqClient;
  readonly clientKeys?: CurveClientKeys | undefined;
  /** {@inheritDoc SocketsInit.inside} */
  readonly inside?: InsideProxy | undefined;
  readonly system: Pick<System, "setTimer" | "clearTimer" | "yieldTurn">;
  /** Name of this process among those that send. */
  readonly sender: string;
  readonly counters: TopicCounters;
  /** Numbers of probes: a connection knows its own. */
  readonly nextProbe: () => number;
  /** Called once: what is sent arrives, and what is sent to the topics of this process comes. */
  readonly onJoined: () => void;
  /** Called when what is sent to a topic from then on comes. */
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
 * Nothing says when a proxy knows of a subscription. But it takes those of one connection in their order: so a last one is made, to
 * a topic that nobody has had before, and a message to it is sent until it comes back. That proves all before it, thousands at
 * once. Those that are wanted meanwhile wait for the next one.
 */
export class ZmqConnection {
  readonly #init: ConnectionInit;
  readonly #sockets: ZmqSockets;
  readonly #queue: SendQueue;
  readonly #ownTopic: string;
  readonly #ownPrefix: Buffer;
  /** Topics that are not subscribed to yet. */
  readonly #wanted = new Map<string, Buffer>();
  /** Those that are and wait for their proof, and the topic behind them. */
  #proof: { readonly topic: string; readonly prefix: Buffer } | undefined;
  readonly #unproven = new Map<string, Buffer>();
  readonly #fences = new Map<number, () => void>();
  #isJoined = false;
  #probeMs = probeFirstMs;
  #timer: TimerHandle | undefined;

  constructor(init: ConnectionInit) {
    this.#init = init;
    const { sender, counters, system } = init;
    this.#ownTopic = `_probe.${sender}`;
    this.#ownPrefix = prefixOf(this.#ownTopic);
    this.#sockets = new ZmqSockets({
      ...init,
      onMessage: (parts) => this.#take(parts),
      onSending: () => this.#proveSoon(),
      onReceiving: () => this.#startOver(),
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
    this.#wanted.set(this.#ownTopic, this.#ownPrefix);
    for (const [topic, { prefix }] of topics) this.#wanted.set(topic, prefix);
  }

  /** Takes what comes for a topic; `onProven` tells when. */
  subscribe(topic: string, prefix: Buffer): void {
    this.#wanted.set(topic, prefix);
    if (this.#proof === undefined) this.#proveSoon();
  }

  /** Takes no more of it. */
  unsubscribe(topic: string, prefix: Buffer): void {
    if (!this.#wanted.delete(topic)) this.#sockets.unsubscribe(prefix);
    this.#unproven.delete(topic);
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
    this.#wanted.clear();
    this.#unproven.clear();
    this.#sockets.close();
    this.#isJoined = false;
    for (const release of this.#fences.values()) release();
    this.#fences.clear();
    return unsentCount;
  }

  #take([first, ...messages]: readonly Buffer[]): void {
    const head = first === undefined ? undefined : readHead(first);
    if (head === undefined) this.#init.onFailed(new Error(otherForm));
    else if (head.kind === "messages") this.#init.onMessages(head, messages);
    else if (head.kind === "pieces") this.#takePieces(head, messages);
    else if (head.sender === this.#init.sender) this.#takeProbe(head);
  }

  #takePieces(head: Head, pieces: readonly Buffer[]): void {
    const byteCount = pieces.reduce((sum, each) => sum + each.length, 0);
    if (byteCount <= messageBytesMax)
      this.#init.onMessages(head, [Buffer.concat(pieces, byteCount)]);
    else
      this.#init.onFailed(
        new Error(`a message of ${byteCount} bytes came; it may have ${messageBytesMax}`),
      );
  }

  #takeProbe({ topic, sequence }: Head): void {
    if (topic === this.#proof?.topic) this.#proven();
    else {
      this.#fences.get(sequence)?.();
      this.#fences.delete(sequence);
    }
  }

  #proven(): void {
    this.#endProof();
    const topics = [...this.#unproven.keys()];
    this.#unproven.clear();
    for (const topic of topics) this.#init.onProven(topic);
    this.#proveSoon();
    if (this.#isJoined) return;
    this.#isJoined = true;
    this.#init.onJoined();
  }

  /** The order of subscriptions on another connection is not the one in which they were made. */
  #startOver(): void {
    this.#endProof();
    for (const [topic, prefix] of this.#unproven) this.#wanted.set(topic, prefix);
    this.#unproven.clear();
    this.#proveSoon();
  }

  #endProof(): void {
    this.#clear();
    if (this.#proof !== undefined) this.#sockets.unsubscribe(this.#proof.prefix);
    this.#proof = undefined;
  }

  /** Subscribes to all that is wanted at the end of this turn. */
  #proveSoon(): void {
    this.#clear();
    this.#timer = this.#init.system.setTimer(0, () => this.#prove());
  }

  #prove(): void {
    // What is sent without a proxy would wait in the socket.
    if (!this.#sockets.canReceive || !this.#sockets.canSend) return;
    if (this.#proof === undefined) {
      if (this.#wanted.size === 0) return;
      for (const [topic, prefix] of this.#wanted) {
        this.#unproven.set(topic, prefix);
        this.#sockets.subscribe(prefix);
      }
      this.#wanted.clear();
      const topic = `${this.#ownTopic}.${this.#init.nextProbe()}`;
      this.#proof = { topic, prefix: prefixOf(topic) };
      this.#sockets.subscribe(this.#proof.prefix);
      this.#probeMs = probeFirstMs;
    }
    this.#queue.pushHead(this.#probe(this.#proof.prefix, this.#init.nextProbe()));
    this.#timer = this.#init.system.setTimer(this.#probeMs, () => this.#prove());
    this.#probeMs = Math.min(probeLastMs, this.#probeMs * 2);
  }

  #probe(prefix: Buffer, sequence: number): Buffer {
    return writeHead(prefix, { kind: "probe", sequence, sender: this.#init.sender });
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#init.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }
}
