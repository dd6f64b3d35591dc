import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import type { System, TimerHandle } from "../../../core/index.ts";
import type { TlsMaterial } from "../../listening/index.ts";
import { DatagramPair } from "./datagram-pair.ts";
import type { OpenSsl } from "./open-ssl.ts";
import { OpenSslConnection } from "./openssl-connection.ts";
import { Scratch } from "./openssl-stream.ts";
import type { QuicConnection, QuicConnectionHandler, QuicListener } from "./quic.ts";
import { createTlsContext, type TlsContext } from "./tls-context.ts";

/** What a QUIC listener needs. */
export interface OpenSslListenerOptions {
  readonly openSsl: OpenSsl;
  /** Address or name to bind. */
  readonly host: string;
  /** UDP port, 0 to 65 535; 0 lets the system choose. */
  readonly port: number;
  readonly tls: TlsMaterial;
  readonly system: System;
  /** Takes each connection, before its handshake is done. */
  onConnection(connection: QuicConnection): QuicConnectionHandler;
}

/** OpenSSL takes no more datagrams than this at a time. */
const pendingDatagramCountMax = 16;
/** Long header, and type 0 (RFC 9000 §17.2.2). */
const [typeMask, initialType] = [0xb0, 0x80];
/** Those that wait, while turns are dear; more are lost, and sent again. */
const initialCountMax = 256;
/** What a turn may cost for each connection, generously: what is more was the machine's, not ours. */
const turnMsPerConnectionMax = 0.01;
const acceptNoBlock = 1n;
const receiveBufferSizeBytes = 1_048_576;

/**
 * Connections of one peer address and port. OpenSSL 3.5 tells nobody where a connection comes from: it is the sender
 * of the datagram that was put in last, so datagrams that can begin a connection are put in one at a time.
 */
type Peers = Map<string, Set<OpenSslConnection>>;

/** QUIC by the OpenSSL of the running Node, on a socket of our own. */
export class OpenSslListener implements QuicListener {
  readonly #options: OpenSslListenerOptions;
  readonly #peers: Peers = new Map();
  readonly #connections = new Map<OpenSslConnection, string>();
  readonly #active = new Set<OpenSslConnection>();
  #engine: Engine | undefined;
  #socket: Socket | undefined;
  #timer: { readonly handle: TimerHandle; readonly atMs: number } | undefined;
  #pendingCount = 0;
  #isTickPlanned = false;
  #isInTick = false;
  /** Datagrams that can begin a connection. */
  #initials: { readonly bytes: Uint8Array; readonly from: RemoteInfo }[] = [];
  #turnMs = 0;
  /** True when OpenSSL was given something since its last turn, which costs as much as there are connections. */
  #isTurnOwed = false;

  /** @param options Where to listen, with what, and who takes connections. */
  constructor(options: OpenSslListenerOptions) {
    this.#options = options;
  }

  /** See `QuicListener.start`. */
  async start(): Promise<{ readonly port: number }> {
    const { host, port, openSsl, tls } = this.#options;
    const { address, family } = await lookup(host);
    const type = family === 6 ? "udp6" : "udp4";
    const socket = createSocket({
      type,
      recvBufferSize: receiveBufferSizeBytes,
      // Every address is a number already.
      lookup: (name, _options, callback) => callback(null, name, family),
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind({ port, address }, () => {
        socket.off("error", reject);
        resolve();
      });
    });
    socket.on("error", () => undefined); // Of one datagram; QUIC sends again what is lost.
    socket.on("message", (bytes, from) => this.#onDatagram(bytes, from));
    this.#socket = socket;
    this.#engine = createEngine(openSsl, tls);
    return { port: socket.address().port };
  }

  /** See `QuicListener.useTls`. */
  useTls(tls: TlsMaterial): void {
    this.#engine?.context.use(tls);
  }

  /** See `QuicListener.sweep`. */
  sweep(): void {
    this.#freeOver([...this.#connections.keys()]);
  }

  /** See `QuicListener.stop`. */
  async stop(): Promise<void> {
    const socket = this.#socket;
    const engine = this.#engine;
    if (socket === undefined || engine === undefined) return;
    this.#tick();
    this.sweep();
    this.#socket = undefined;
    for (const connection of this.#connections.keys()) this.#drop(connection);
    if (this.#timer !== undefined) this.#options.system.clearTimer(this.#timer.handle);
    this.#engine = undefined;
    engine.free();
    // What was handed to the socket leaves before it closes.
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  }

  #onDatagram(bytes: Uint8Array, from: RemoteInfo): void {
    const engine = this.#engine;
    const first = bytes[0];
    if (engine === undefined || first === undefined) return;
    if ((first & typeMask) === initialType) {
      if (this.#initials.length < initialCountMax) this.#initials.push({ bytes, from });
    } else {
      engine.pair.put(bytes, from);
      this.#isTurnOwed = true;
      this.#pendingCount += 1;
      if (this.#pendingCount >= pendingDatagramCountMax) this.#handleEvents(engine);
      const known = this.#peers.get(keyOf(from));
      if (known !== undefined) for (const connection of known) this.#active.add(connection);
    }
    this.#planTick();
  }

  #handleEvents({ listener }: Engine): void {
    const { system, openSsl } = this.#options;
    const begunAtMs = system.monotonicMs();
    this.#pendingCount = 0;
    this.#isTurnOwed = false;
    openSsl.functions.SSL_handle_events(listener);
    this.#turnMs = system.monotonicMs() - begunAtMs;
  }

  /** Puts in what can begin connections, each with its own turn. */
  #takeInitials(engine: Engine): void {
    do {
      const initial = this.#initials.shift();
      if (initial === undefined) return;
      const { bytes, from } = initial;
      if (this.#isTurnOwed) this.#handleEvents(engine);
      this.#refuseWaiting(engine, 0);
      engine.pair.put(bytes, from);
      this.#handleEvents(engine);
      this.#refuseWaiting(engine, 1);
      this.#accept(engine, from);
      for (const connection of this.#peers.get(keyOf(from)) ?? []) this.#active.add(connection);
    } while (this.#pauseMs < 1);
  }

  /** Connections above those that a datagram can have begun: nobody can say whose they are. */
  #refuseWaiting({ listener }: Engine, countMax: number): void {
    const { functions } = this.#options.openSsl;
    const count = Number(functions.SSL_get_accept_connection_queue_len(listener));
    if (count <= countMax) return;
    for (let index = 0; index < count; index += 1) {
      functions.SSL_free(functions.SSL_accept_connection(listener, acceptNoBlock));
    }
  }

  #accept({ listener, scratch }: Engine, from: RemoteInfo): void {
    const { openSsl } = this.#options;
    const { functions } = openSsl;
    // Asked for in vain, OpenSSL would take a whole turn.
    if (functions.SSL_get_accept_connection_queue_len(listener) === 0n) return;
    const pointer = functions.SSL_accept_connection(listener, acceptNoBlock);
    if (pointer === 0n) return;
    const connection = new OpenSslConnection(pointer, {
      openSsl,
      scratch,
      peerIp: from.address,
      onWritten: () => {
        this.#isTurnOwed = true;
        this.#planTick();
      },
      onClosing: () => {
        this.#active.add(connection);
        this.#isTurnOwed = true;
        this.#planTick();
      },
    });
    const key = keyOf(from);
    this.#connections.set(connection, key);
    const known = this.#peers.get(key);
    if (known === undefined) this.#peers.set(key, new Set([connection]));
    else known.add(connection);
    connection.handler = this.#options.onConnection(connection);
  }

  #drop(connection: OpenSslConnection): void {
    const key = this.#connections.get(connection);
    if (key === undefined) return;
    this.#connections.delete(connection);
    this.#active.delete(connection);
    const known = this.#peers.get(key);
    known?.delete(connection);
    if (known?.size === 0) this.#peers.delete(key);
    connection.free();
  }

  /** Datagrams and answers of one turn of the event loop are worked off together. */
  #planTick(): void {
    if (this.#isTickPlanned || this.#isInTick || this.#engine === undefined) return;
    this.#isTickPlanned = true;
    const { system } = this.#options;
    const tick = (): void => {
      this.#isTickPlanned = false;
      this.#tick();
    };
    const pauseMs = this.#pauseMs;
    if (pauseMs < 1) system.yieldTurn(tick);
    else system.setTimer(pauseMs, tick);
  }

  /** As long as the last turn, where there are many connections: others have half of the time. */
  get #pauseMs(): number {
    return Math.min(this.#turnMs, this.#connections.size * turnMsPerConnectionMax);
  }

  #tick(): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    this.#isInTick = true; // What the handlers write leaves at the end of this tick.
    try {
      this.#takeInitials(engine);
      if (this.#isTurnOwed) this.#handleEvents(engine);
      // Connections that begin to close meanwhile are added, and asked as well.
      for (const connection of this.#active) connection.handler?.onActivity();
      this.#freeOver([...this.#active]);
    } finally {
      this.#active.clear();
      this.#isInTick = false;
    }
    if (this.#initials.length > 0) this.#planTick();
  }

  /** Frees those that have ended; their last words leave before. */
  #freeOver(connections: readonly OpenSslConnection[]): void {
    const over = connections.filter((connection) => connection.isOver());
    this.#advance();
    for (const connection of over) this.#drop(connection);
  }

  /** Lets OpenSSL write and wait, and sends what it wrote. */
  #advance(): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    if (this.#isTurnOwed) this.#handleEvents(engine);
    for (;;) {
      const datagram = engine.pair.take();
      if (datagram === undefined) break;
      const { bytes, to } = datagram;
      this.#socket?.send(bytes, to.port, to.address, () => undefined);
    }
    this.#options.openSsl.functions.ERR_clear_error();
    this.#planTimer(engine);
  }

  #planTimer({ listener, time }: Engine): void {
    const { openSsl, system } = this.#options;
    const isInfinite = time.subarray(16);
    openSsl.functions.SSL_get_event_timeout(listener, time, isInfinite);
    if (isInfinite.readInt32LE(0) !== 0) return;
    const waitMs = Number(time.readBigInt64LE(0)) * 1000 + time.readInt32LE(8) / 1000;
    const delayMs = Math.max(1, Math.ceil(waitMs));
    const atMs = system.monotonicMs() + delayMs;
    // A timer that fires too early finds out, and is cheaper than one that is set anew for every datagram.
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return;
    if (this.#timer !== undefined) system.clearTimer(this.#timer.handle);
    const handle = system.setTimer(delayMs, () => {
      this.#timer = undefined;
      this.#isTurnOwed = true;
      this.#tick();
    });
    this.#timer = { handle, atMs };
  }
}

function keyOf({ address, port }: RemoteInfo): string {
  return `${address} ${port}`;
}

/** What OpenSSL holds for one listener. */
interface Engine {
  readonly context: TlsContext;
  readonly listener: bigint;
  readonly pair: DatagramPair;
  readonly scratch: Scratch;
  /** A `timeval`, then an `int`. */
  readonly time: Buffer;
  free(): void;
}

function createEngine(openSsl: OpenSsl, tls: TlsMaterial): Engine {
  const { functions } = openSsl;
  const context: TlsContext = createTlsContext(openSsl, tls, functions.OSSL_QUIC_server_method());
  const listener = functions.SSL_new_listener(context.pointer, 0n);
  const pair = new DatagramPair(openSsl);
  functions.SSL_set_bio(listener, pair.inner, pair.inner);
  functions.SSL_set_blocking_mode(listener, 0);
  functions.SSL_listen(listener);
  functions.ERR_clear_error();
  return {
    context,
    listener,
    pair,
    scratch: new Scratch(openSsl),
    time: Buffer.alloc(24),
    free: () => {
      functions.SSL_free(listener);
      context.free();
      pair.free();
    },
  };
}
