import type { System } from "../../core/index.ts";
import { FrameBudget, type HttpLimits } from "../listening/index.ts";
import { http3Codes, Http3Fault } from "./fault.ts";
import {
  frameHead,
  frameTypes,
  type PeerStream,
  PeerStreams,
  pushVarint,
} from "./framing/index.ts";
import { type ExchangeOwner, Http3Exchange } from "./exchange.ts";
import type { QuicConnection, QuicConnectionHandler, QuicStream } from "./quic/index.ts";

/** What a connection of HTTP/3 needs. */
export interface Http3ConnectionOptions {
  readonly system: System;
  readonly limits: HttpLimits;
  /** Answers a request whose headers have come, or were too many or too large. */
  onRequest(exchange: Http3Exchange, excess: "size" | "count" | undefined): void;
  /** Answers one that did not come in time. */
  onLate(exchange: Http3Exchange): void;
  onClosed(connection: Http3Connection): void;
  /** A request has ended. */
  onEnded(): void;
}

const controlStreamType = 0;
const settings = { qpackTableCapacity: 0x01, fieldSectionSizeMax: 0x06, qpackBlockedStreams: 0x07 };
const nextRequestStep = 4;
/** Three are of use; those of extensions are given back as soon as they say so. */
const peerStreamCountMax = 16;

/** One connection of HTTP/3: its control streams, and the requests in work. */
export class Http3Connection implements QuicConnectionHandler, ExchangeOwner {
  readonly exchanges = new Set<Http3Exchange>();
  readonly #quic: QuicConnection;
  readonly #options: Http3ConnectionOptions;
  readonly #budget: FrameBudget;
  readonly #begunAtMs: number;
  readonly #peerStreams = new PeerStreams(() => this.onWaste());
  readonly #reading = new Map<QuicStream, PeerStream>();
  #control: QuicStream | undefined;
  #certificate: { readonly der: Uint8Array | undefined } | undefined;
  #idleSinceMs: number;
  #nextRequestId = 0;
  #isGoingAway = false;
  #isClosed = false;

  /**
   * @param quic The connection, whose handshake may not be done.
   * @param options Of the server.
   */
  constructor(quic: QuicConnection, options: Http3ConnectionOptions) {
    this.#quic = quic;
    this.#options = options;
    const { system, limits } = options;
    this.#begunAtMs = system.monotonicMs();
    this.#idleSinceMs = this.#begunAtMs;
    this.#budget = new FrameBudget({
      countMax: limits.wastedFrameCountMax,
      forgivenPerSecond: limits.wastedFramesForgivenPerSecond,
      nowMs: this.#begunAtMs,
    });
  }

  get clientIp(): string {
    return this.#quic.peerIp;
  }

  /** See `QuicConnection`. */
  get certificateFault(): string | undefined {
    return this.#quic.certificateFault;
  }

  /** The client's certificate as DER; see `InboundRequest`. Read once. */
  get clientCertificate(): Uint8Array | undefined {
    this.#certificate ??= { der: this.#quic.peerCertificate };
    return this.#certificate.der;
  }

  /** See `QuicConnectionHandler`. */
  onActivity(): void {
    if (this.#isClosed || !this.#quic.isEstablished) return;
    try {
      this.#control ??= this.#openControl();
      this.#acceptStreams();
      for (const [stream, reader] of this.#reading) this.#read(stream, reader);
      for (const exchange of this.exchanges) exchange.onActivity();
      // Requests that had to wait for others to end.
      this.#acceptStreams();
    } catch (error) {
      if (!(error instanceof Http3Fault)) throw error;
      this.onFault(error);
    }
  }

  /** See `QuicConnectionHandler`. */
  onClosed(): void {
    this.#end();
    for (const stream of this.#reading.keys()) stream.release();
    this.#reading.clear();
    this.#control?.release();
    this.#control = undefined;
    this.#options.onClosed(this);
  }

  /** See `ExchangeOwner`. */
  onHead(exchange: Http3Exchange, excess: "size" | "count" | undefined): void {
    this.#options.onRequest(exchange, excess);
  }

  /** See `ExchangeOwner`. */
  onOver(exchange: Http3Exchange): void {
    this.exchanges.delete(exchange);
    if (this.exchanges.size === 0) this.#idleSinceMs = this.#options.system.monotonicMs();
    if (!exchange.isAnswered) this.onWaste();
    if (this.exchanges.size === 0 && this.#isGoingAway) this.#close("NO_ERROR", "", true);
    this.#options.onEnded();
  }

  /** See `ExchangeOwner`. A client that wastes too much work gets EXCESSIVE_LOAD, and its connection is closed. */
  onWaste(): void {
    if (this.#isClosed || this.#budget.spend(this.#options.system.monotonicMs(), 1)) return;
    this.#close("EXCESSIVE_LOAD", "too much work for nothing", false);
  }

  /** See `ExchangeOwner`. */
  onFault(fault: Http3Fault): void {
    this.#close(fault.code, fault.message, false);
  }

  /** Tells the client to open no more requests; the connection closes behind the last. */
  goAway(): void {
    if (this.#isClosed || this.#isGoingAway) return;
    this.#isGoingAway = true;
    const payload: number[] = [];
    pushVarint(payload, this.#nextRequestId);
    const head = frameHead(frameTypes.GOAWAY, payload.length);
    this.#control?.write(Buffer.from([...head, ...payload]), false);
    if (this.exchanges.size === 0) this.#close("NO_ERROR", "", true);
  }

  /** Closes at once. */
  cut(): void {
    this.#close("NO_ERROR", "", false);
  }

  /** Enforces the time limits: of the handshake, between requests, of a request, of a response that stalls. */
  sweep(nowMs: number): void {
    const { limits } = this.#options;
    if (this.#isClosed) return;
    if (!this.#quic.isEstablished) {
      if (nowMs - this.#begunAtMs >= limits.headersTimeoutMs) this.cut();
      return;
    }
    if (this.exchanges.size === 0 && nowMs - this.#idleSinceMs >= limits.idleTimeoutMs) {
      this.goAway();
    }
    for (const exchange of this.exchanges) {
      const ageMs = nowMs - exchange.begunAtMs;
      if (exchange.isAnswered) {
        exchange.answeredAtMs ??= nowMs;
        if (nowMs - exchange.answeredAtMs >= limits.stallTimeoutMs) exchange.breakOff();
      } else if (!exchange.hasHead && ageMs >= limits.headersTimeoutMs) {
        this.#options.onLate(exchange);
      } else if (!exchange.isReceived && ageMs >= limits.receiveTimeoutMs) {
        this.#options.onLate(exchange);
      }
    }
  }

  #openControl(): QuicStream | undefined {
    const stream = this.#quic.openStream();
    const payload: number[] = [];
    const values: [number, number][] = [
      [settings.qpackTableCapacity, 0],
      [settings.fieldSectionSizeMax, 2 * this.#options.limits.headerSizeBytesMax],
      [settings.qpackBlockedStreams, 0],
    ];
    for (const [identifier, value] of values) {
      pushVarint(payload, identifier);
      pushVarint(payload, value);
    }
    const head = frameHead(frameTypes.SETTINGS, payload.length);
    stream?.write(Buffer.from([controlStreamType, ...head, ...payload]), false);
    return stream;
  }

  /** What is not accepted counts against the number of streams that the client may open. */
  #acceptStreams(): void {
    const { system, limits } = this.#options;
    while (!this.#isClosed && this.exchanges.size < limits.concurrentStreamCountMax) {
      const stream = this.#quic.acceptStream();
      if (stream === undefined) return;
      if (!stream.isBidirectional) {
        this.#reading.set(stream, this.#peerStreams.open());
        if (this.#reading.size > peerStreamCountMax) {
          throw new Http3Fault("EXCESSIVE_LOAD", "streams that do not say what they are for");
        }
        continue;
      }
      if (this.#isGoingAway) {
        stream.reset(http3Codes.REQUEST_REJECTED);
        stream.release();
        this.onWaste();
        continue;
      }
      this.#nextRequestId = Math.max(this.#nextRequestId, stream.id + nextRequestStep);
      const nowMs = system.monotonicMs();
      const fields = { sizeBytesMax: limits.headerSizeBytesMax, countMax: limits.headerCountMax };
      this.exchanges.add(new Http3Exchange(stream, { owner: this, limits: fields, nowMs }));
    }
  }

  #read(stream: QuicStream, reader: PeerStream): void {
    for (;;) {
      const bytes = stream.read();
      if (bytes === "later") return;
      if (typeof bytes === "string") reader.end();
      else reader.push(bytes);
      if (typeof bytes === "string" || reader.isUnwanted) {
        this.#reading.delete(stream);
        stream.release();
        return;
      }
    }
  }

  /** Control streams are open until the connection is gone: a peer must take their end for an error (RFC 9114, 6.2.1). */
  #close(code: keyof typeof http3Codes, reason: string, isFlushed: boolean): void {
    this.#end();
    this.#quic.close(http3Codes[code], reason, isFlushed);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const exchange of this.exchanges) exchange.onConnectionClosed();
  }
}
