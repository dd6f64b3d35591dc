import { reasonOf, type System, type TimerHandle } from "../../core/index.ts";
import { linkErrors } from "../errors.ts";
import type { Link } from "../link.ts";
import type { ZmqClient } from "./client-types.ts";
import type { Head } from "./frames.ts";
import { LossCounter } from "./loss-counter.ts";
import { loadZmqClient } from "./load-client.ts";
import { TopicCounters } from "./send-queue.ts";
import { Subscription } from "./subscription.ts";
import { ZmqConnection } from "./zmq-connection.ts";
import { type ProxySettings, type StartedProxy, startProxy } from "./zmq-proxy.ts";
import { type CurveClientKeys, messageBytesMax } from "./zmq-settings.ts";

/** What a link over ZeroMQ is made from. */
export interface ZmqLinkOptions extends ProxySettings {
  /** Start the proxy in this process; else one is there already, or comes. */
  readonly isProxyStarted: boolean;
  /** Keys of this process; without them nothing is encrypted. */
  readonly clientKeys?: CurveClientKeys | undefined;
  readonly system: Pick<System, "setTimer" | "clearTimer" | "yieldTurn" | "nextId" | "monotonicMs">;
  /** How long a proxy is waited for at the start, milliseconds. Default 30 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Loads the client library. Default: the package of the user. */
  readonly loadClient?: (() => Promise<ZmqClient>) | undefined;
  /** Called for each thing that happens to the connection. */
  readonly onEvent: (event: ZmqLinkEvent) => void;
}

/** What happens to a connection. */
export type ZmqLinkEvent =
  | { readonly kind: "connected" | "disconnected" | "waiting"; readonly where: string }
  /** Messages that were not sent, or that did not come though later ones did. */
  | { readonly kind: "lost"; readonly unsentCount: number; readonly missingCount: number }
  /** The proxy does not let this process in; it is tried again. */
  | { readonly kind: "refused"; readonly where: string; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

const connectTimeoutMsDefault = 30_000;
/** How long it is waited in silence at the start, milliseconds; it doubles each time. */
const waitFirstMs = 1000;
/** How long it is waited after a refusal, milliseconds; it doubles up to the second. */
const [refusedFirstMs, refusedLastMs] = [500, 30_000];
/** How long a flush and a stop wait for what was published, milliseconds. */
const flushTimeoutMs = 2000;

/** Messages between processes over ZeroMQ: at most once, in the order of each sender. */
export class ZmqLink implements Link {
  readonly name = "zmq";
  readonly messageBytesMax = messageBytesMax;
  readonly #options: ZmqLinkOptions;
  readonly #sender: string;
  readonly #counters = new TopicCounters();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #losses: LossCounter;
  readonly #rejoined: (() => void)[] = [];
  #client: ZmqClient | undefined;
  #proxy: StartedProxy | undefined;
  #connection: ZmqConnection | undefined;
  #probeCount = 0;
  #firstJoin = Promise.withResolvers<void>();
  #isStopped = false;
  #refusal: { readonly reason: string; waitMs: number } | undefined;
  #refusalTimer: TimerHandle | undefined;
  /** True once a connection was lost. */
  #isReplaced = false;

  constructor(options: ZmqLinkOptions) {
    this.#options = options;
    const { system, onEvent } = options;
    this.#sender = system.nextId();
    this.#losses = new LossCounter(system, (counts) => onEvent({ kind: "lost", ...counts }));
    this.#firstJoin.promise.catch(() => undefined);
  }

  /** {@inheritDoc Link.losses} */
  get losses(): { readonly unsentCount: number; readonly missingCount: number } {
    return this.#losses.totals;
  }

  /** {@inheritDoc Link.start} */
  async start(): Promise<void> {
    const { isProxyStarted, loadClient } = this.#options;
    const client = await loadZmqClient(loadClient);
    if (this.#isStopped) throw this.#down("other processes");
    if (isProxyStarted) this.#proxy = await startProxy(client, this.#options);
    this.#client = client;
    this.#connect(client);
    const waiting = this.#tellWaiting();
    try {
      await this.#firstJoin.promise;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      waiting.end();
    }
  }

  /** {@inheritDoc Link.publish} */
  publish(topic: string, bytes: Uint8Array): void {
    const connection = this.#connection;
    if (connection?.isJoined !== true) throw this.#down(topic);
    if (!connection.hasRoom) throw new linkErrors.FULL({ link: this.name, address: topic });
    connection.publish(topic, bytes);
  }

  /** {@inheritDoc Link.subscribe} */
  async subscribe(topic: string, receive: (bytes: Uint8Array) => void): Promise<() => void> {
    if (this.#connection === undefined) throw this.#down(topic);
    let subscription = this.#subscriptions.get(topic);
    if (subscription === undefined) {
      subscription = new Subscription(topic);
      this.#subscriptions.set(topic, subscription);
      this.#connection.subscribe(topic, subscription.prefix);
    }
    const remove = subscription.add(receive);
    await subscription.proven;
    return () => {
      remove();
      this.#leave(topic, subscription);
    };
  }

  /** {@inheritDoc Link.flush} */
  async flush(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const { system } = this.#options;
    const late = Promise.withResolvers<void>();
    const timer = system.setTimer(flushTimeoutMs, () => late.resolve());
    await Promise.race([connection.flush(), late.promise]);
    system.clearTimer(timer);
  }

  /** {@inheritDoc Link.onRejoined} */
  onRejoined(callback: () => void): void {
    this.#rejoined.push(callback);
  }

  /** {@inheritDoc Link.stop} */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.flush();
    const { system } = this.#options;
    if (this.#refusalTimer !== undefined) system.clearTimer(this.#refusalTimer);
    const down = this.#down("other processes");
    this.#firstJoin.reject(down);
    this.#losses.add({ unsentCount: this.#connection?.end() ?? 0 });
    this.#connection = undefined;
    for (const subscription of this.#subscriptions.values()) subscription.fail(down);
    this.#subscriptions.clear();
    this.#losses.end();
    const proxy = this.#proxy;
    this.#proxy = undefined;
    await proxy?.stop();
  }

  #connect(client: ZmqClient): void {
    const connection: ZmqConnection = new ZmqConnection({
      ...this.#options,
      client,
      inside: this.#proxy?.inside,
      sender: this.#sender,
      counters: this.#counters,
      nextProbe: () => (this.#probeCount += 1),
      onJoined: () => this.#join(),
      onProven: (topic) => this.#subscriptions.get(topic)?.prove(),
      onLost: () => this.#replace(connection),
      onRefused: (reason) => this.#retryLater(connection, reason),
      onMessages: (head, messages) => this.#take(head, messages),
      onFailed: (error, unsentCount) => this.#fail(error, unsentCount),
    });
    this.#connection = connection;
    connection.open(this.#subscriptions);
  }

  #join(): void {
    this.#refusal = undefined;
    this.#firstJoin.resolve();
    if (!this.#isReplaced) return;
    this.#options.onEvent({ kind: "connected", where: this.#where });
    for (const callback of this.#rejoined) callback();
  }

  /** The proxy is gone. What it had not got is lost: it would come to agents that have started again since. */
  #replace(connection: ZmqConnection): void {
    // Before it has joined there is nothing to lose, and its sockets connect again by themselves.
    if (connection !== this.#connection || !connection.isJoined || this.#client === undefined)
      return;
    this.#isReplaced = true;
    this.#options.onEvent({ kind: "disconnected", where: this.#where });
    this.#losses.add({ unsentCount: connection.end() });
    this.#connect(this.#client);
  }

  /** A socket that was refused does not try again, so others take its place after a while. */
  #retryLater(connection: ZmqConnection, reason: string): void {
    const { system, onEvent } = this.#options;
    if (connection !== this.#connection || this.#refusalTimer !== undefined) return;
    const waitMs = Math.min(refusedLastMs, (this.#refusal?.waitMs ?? refusedFirstMs / 2) * 2);
    this.#refusal = { reason, waitMs };
    onEvent({ kind: "refused", where: this.#where, reason });
    this.#refusalTimer = system.setTimer(waitMs, () => {
      this.#refusalTimer = undefined;
      if (connection !== this.#connection || this.#client === undefined) return;
      this.#losses.add({ unsentCount: connection.end() });
      this.#connect(this.#client);
    });
  }

  #take({ topic, sender, sequence }: Head, messages: readonly Uint8Array[]): void {
    const missingCount = this.#subscriptions.get(topic)?.take(sender, sequence, messages) ?? 0;
    this.#losses.add({ missingCount });
  }

  #fail(error: unknown, unsentCount = 0): void {
    this.#losses.add({ unsentCount });
    this.#options.onEvent({ kind: "failed", reason: reasonOf(error) });
  }

  #leave(topic: string, subscription: Subscription): void {
    if (!subscription.isUnused || this.#subscriptions.get(topic) !== subscription) return;
    this.#subscriptions.delete(topic);
    this.#connection?.unsubscribe(topic, subscription.prefix);
  }

  get #where(): string {
    return `${this.#options.pubAddress} and ${this.#options.subAddress}`;
  }

  #down(address: string): Error {
    return new linkErrors.DOWN({ link: this.name, address });
  }

  /** Says that no proxy is there yet, again and again, and fails the start when none has come in time. */
  #tellWaiting(): { end(): void } {
    const { system, onEvent, connectTimeoutMs = connectTimeoutMsDefault } = this.#options;
    const deadlineMs = system.monotonicMs() + connectTimeoutMs;
    let timer: TimerHandle | undefined;
    const wait = (waitMs: number): void => {
      const leftMs = Math.max(0, deadlineMs - system.monotonicMs());
      timer = system.setTimer(Math.min(waitMs, leftMs), () => {
        if (leftMs <= waitMs) this.#firstJoin.reject(this.#unreachable());
        else {
          onEvent({ kind: "waiting", where: this.#where });
          wait(waitMs * 2);
        }
      });
    };
    wait(waitFirstMs);
    return { end: () => timer !== undefined && system.clearTimer(timer) };
  }

  #unreachable(): Error {
    const { connectTimeoutMs = connectTimeoutMsDefault } = this.#options;
    const seconds = connectTimeoutMs / 1000;
    const { reason = `no proxy has answered there in ${seconds} s` } = this.#refusal ?? {};
    return new linkErrors.UNREACHABLE({ link: this.name, where: this.#where, reason });
  }
}
