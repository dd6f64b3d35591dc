import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { FollowedController, type System, type TimerHandle } from "../../core/index.ts";
import type { Edge } from "../edge/index.ts";
import { type TurnEnd, withOwnHeaders } from "../listening/index.ts";
import type { RequestRecord } from "../request-record.ts";
import type { TraceContext } from "../trace-context.ts";
import type { GrpcLimits } from "./limits.ts";
import { acceptedEncodings, pack, unpack } from "./compression.ts";
import { MessageReader, type ReceivedMessage } from "./message-reader.ts";
import { encodeMessage, grpcCodes, GrpcFault, type GrpcStatus } from "./status.ts";

/** What a call is made with. */
export interface GrpcCallOptions {
  readonly system: System;
  readonly limits: GrpcLimits;
  readonly turnEnd: TurnEnd;
  readonly record: RequestRecord;
  readonly edge: Edge;
}

const prefixSizeBytes = 5;
const head = [
  ":status",
  "200",
  "content-type",
  "application/grpc",
  "grpc-accept-encoding",
  acceptedEncodings,
] as const;

/** One call: messages in, messages out, one status. */
export class GrpcCall {
  readonly metadata: IncomingHttpHeaders;
  readonly #stream: ServerHttp2Stream;
  readonly #options: GrpcCallOptions;
  readonly #gone = new FollowedController();
  #deadlineTimer: TimerHandle | undefined;
  #deadlineMs = Number.POSITIVE_INFINITY;
  /** True when the client was sent a status. */
  isAnswered = false;
  #isOver = false;
  #status: GrpcStatus | undefined;
  #sentSizeBytes = 0;

  constructor(stream: ServerHttp2Stream, metadata: IncomingHttpHeaders, options: GrpcCallOptions) {
    this.#stream = stream;
    this.metadata = metadata;
    this.#options = options;
    stream.on("close", () => this.#onClosed());
  }

  /** Aborted when the client has gone, or the deadline has passed, while the call is in work: nobody waits for the reply. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** What is found out about it on its way. */
  get record(): RequestRecord {
    return this.#options.record;
  }

  /** Address of the client: see `RequestRecord`. */
  get clientIp(): string {
    return this.record.clientIp;
  }

  /** True when a status was sent, or nobody is there to read one. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Time until the deadline, milliseconds, at least 1: what is done for the call gets no more. */
  get leftMs(): number {
    return Math.max(1, this.#deadlineMs - this.#options.system.monotonicMs());
  }

  /** Says that the call's message names its place in a trace. */
  continueTrace(caller: TraceContext): void {
    this.#options.edge.continueTrace(this.record, caller);
  }

  /** Ends the call with DEADLINE_EXCEEDED when it lasts longer. */
  setDeadline(timeoutMs: number): void {
    const { system } = this.#options;
    this.#deadlineMs = system.monotonicMs() + timeoutMs;
    this.#deadlineTimer = system.setTimer(timeoutMs, () =>
      this.finish({ code: grpcCodes.deadlineExceeded, message: "deadline exceeded" }),
    );
  }

  /**
   * Reads the one message of a call whose client sends no stream.
   *
   * @throws GrpcFault when there is none, more than one, or one that cannot be read.
   */
  readOne(): Promise<Buffer> {
    const stream = this.#stream;
    if (stream.destroyed) return Promise.reject(clientGone());
    const reader = new MessageReader(this.#options.limits.messageSizeBytesMax);
    let found: ReceivedMessage | undefined;
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): void => {
        stream.off("data", onData);
        stream.off("end", onEnd);
        stream.off("close", onClose);
        if (error === undefined && found !== undefined) resolve(this.#plain(found));
        else reject(error instanceof Error ? error : noMessage());
      };
      const onData = (chunk: Buffer): void => {
        try {
          for (const message of reader.push(chunk)) {
            if (found !== undefined) throw severalMessages();
            found = message;
          }
        } catch (error) {
          settle(error);
        }
      };
      // See `Http2Exchange.onTurnEnd`: a reply within Node's own reading of frames costs more.
      const onEnd = (): void => {
        try {
          reader.end();
          this.#options.turnEnd.add({ onTurnEnd: () => settle(undefined) });
        } catch (error) {
          settle(error);
        }
      };
      const onClose = (): void => settle(clientGone());
      stream.on("data", onData);
      stream.on("end", onEnd);
      stream.on("close", onClose);
    });
  }

  /**
   * Reads messages as they come.
   *
   * @throws GrpcFault when one is too large, cut short, or not compressed as the metadata say.
   */
  async *messages(): AsyncGenerator<Buffer, void> {
    const reader = new MessageReader(this.#options.limits.messageSizeBytesMax);
    for await (const chunk of this.#stream.iterator({ destroyOnReturn: false }))
      for (const message of reader.push(chunk as Buffer)) yield await this.#plain(message);
    reader.end();
  }

  #plain({ bytes, isCompressed }: ReceivedMessage): Buffer | Promise<Buffer> {
    if (!isCompressed) return bytes;
    if (this.#isGzip) return unpack(bytes, this.#options.limits.messageSizeBytesMax);
    const message = "message is compressed, and no grpc-encoding says how";
    return Promise.reject(new GrpcFault(grpcCodes.internal, message));
  }

  /** True when the client compresses: replies to it are compressed, too. */
  get #isGzip(): boolean {
    return this.metadata["grpc-encoding"] === "gzip";
  }

  /**
   * Sends a message.
   *
   * @returns Settles when there is room for the next; false when nobody is there any more.
   */
  async send(message: Buffer): Promise<boolean> {
    const stream = this.#stream;
    if (this.#isOver || stream.destroyed) return false;
    const packed = this.#isGzip ? await pack(message) : undefined;
    if (this.#isOver || stream.destroyed) return false;
    this.#begin();
    const content = packed ?? message;
    const frame = Buffer.allocUnsafe(prefixSizeBytes + content.length);
    frame[0] = packed === undefined ? 0 : 1;
    frame.writeUInt32BE(content.length, 1);
    content.copy(frame, prefixSizeBytes);
    this.#sentSizeBytes += content.length;
    if (stream.write(frame)) return true;
    const { system, limits } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = system.setTimer(limits.stallTimeoutMs, () => {
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.once("drain", resolve);
    stream.once("close", resolve);
    await promise;
    stream.off("drain", resolve);
    stream.off("close", resolve);
    system.clearTimer(timer);
    return !this.#isOver && !stream.destroyed;
  }

  /** Ends the call, and with its signal what is in work for it; a second status is left out. */
  finish(status: GrpcStatus): void {
    if (this.#isOver) return;
    this.#end();
    this.#sendStatus(status);
  }

  /** Ends a call that nothing is in work for any more: its signal, which costs more than the rest of an end, stays as it is. */
  complete(status: GrpcStatus): void {
    if (this.#isOver) return;
    this.#stopWaiting();
    this.#sendStatus(status);
  }

  #sendStatus({ code, message }: GrpcStatus): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    this.isAnswered = true;
    this.#status = { code, message };
    const trailers: { [name: string]: string } = { "grpc-status": String(code) };
    if (message !== "") trailers["grpc-message"] = encodeMessage(message);
    if (stream.headersSent) {
      stream.on("wantTrailers", () => stream.sendTrailers(trailers));
      stream.end();
    } else {
      stream.respond([...this.#head(), ...Object.entries(trailers).flat()], { endStream: true });
    }
    if (!stream.readableEnded) this.#discard();
  }

  /** Reads away what still comes. A reset at once would overtake the status in some clients. */
  #discard(): void {
    const stream = this.#stream;
    const { system, limits } = this.#options;
    let leftBytes = limits.messageSizeBytesMax;
    stream.on("data", (chunk: Buffer) => {
      leftBytes -= chunk.length;
      if (leftBytes < 0) stream.close(constants.NGHTTP2_NO_ERROR);
    });
    stream.resume();
    const timer = system.setTimer(limits.stallTimeoutMs, () =>
      stream.close(constants.NGHTTP2_NO_ERROR),
    );
    stream.on("close", () => system.clearTimer(timer));
  }

  #begin(): void {
    if (this.#stream.headersSent) return;
    this.#stream.respond(this.#head(), { waitForTrailers: true });
  }

  #head(): string[] {
    const { edge, record } = this.#options;
    const list: string[] = [...head];
    if (this.#isGzip) list.push("grpc-encoding", "gzip");
    return withOwnHeaders(list, edge.headersOf(record));
  }

  #onClosed(): void {
    this.#end();
    const { edge, record } = this.#options;
    const { code } = this.#status ?? { code: grpcCodes.cancelled };
    edge.close(record, { status: 200, grpcStatus: code, sizeBytes: this.#sentSizeBytes });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#stopWaiting();
    this.#gone.abort();
  }

  #stopWaiting(): void {
    this.#isOver = true;
    if (this.#deadlineTimer !== undefined) this.#options.system.clearTimer(this.#deadlineTimer);
  }
}

function severalMessages(): GrpcFault {
  return new GrpcFault(grpcCodes.unimplemented, "call takes one message, not a stream");
}

function noMessage(): GrpcFault {
  return new GrpcFault(grpcCodes.unimplemented, "call came without a message");
}

/** An error that no client sees, because the call is over. */
function clientGone(): Error {
  return new Error("the client has gone");
}
