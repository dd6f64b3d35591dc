import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { JsonObject, SessionSink, System } from "../../core/index.ts";
import { agentFor, type Recipient, streamFailure } from "../dispatch/index.ts";
import { FrameBudget, type TurnEnd, type TurnTask } from "../listening/index.ts";
import type { MessageLimit } from "../rate-limit/index.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";
import type { WebSocketLimits } from "./limits.ts";
import { OpenCalls, type Reply } from "./open-calls.ts";
import { readMessage } from "./read-message.ts";
import { writeTextFrame } from "./text-frame.ts";

/** Why a connection is closed: codes of RFC 6455 section 7.4.1, and of our own from 4000. */
export const closeCodes = {
  goingAway: 1001,
  policyViolation: 1008,
  /** The token of the handshake has expired; a handshake without a valid one is refused with HTTP 401. */
  unauthorized: 4401,
  idle: 4408,
} as const;

/** What one connection is served with. */
export interface WebSocketSessionOptions {
  /** The connection, upgraded. */
  readonly socket: WebSocket;
  /** What it runs on. */
  readonly transport: Duplex & { readonly bytesRead?: number };
  /** Whom it talks to; of several the one for a message is chosen when it comes. */
  readonly recipient: Recipient;
  /** When the identity of the client stops to count, on the wall clock; `undefined` for never. */
  readonly expiresAtMs: number | undefined;
  /** Longest wait of a message without an id for room in the agent's mailbox, milliseconds. */
  readonly castTimeoutMs: number;
  /** What every message has in common. */
  readonly message: Pick<
    GatewayMessage,
    "type" | "correlationId" | "trace" | "timeoutMs" | "failIfSuspended" | "session" | "key"
  >;
  /** Counts messages; `undefined` where nobody counts. */
  readonly limit: MessageLimit | undefined;
  /** Turns what the client sent into the payload. */
  readonly assemble: (body: JsonObject) => JsonObject;
  readonly bus: AgentBus;
  readonly log: GatewayLog;
  readonly system: System;
  readonly limits: WebSocketLimits;
  /** When what has come is looked at: messages of one turn of the event loop are answered together. */
  readonly turnEnd: TurnEnd;
  /** Called when the last reply in work was written. */
  readonly onIdle: () => void;
  /** Called when a client that had a backlog has taken it. */
  readonly onRoom: () => void;
}

const ignore = (): void => undefined;

/**
 * One connection. Each message of the client goes to the agent at once; replies are written in the order of the
 * messages, each chunk as a separate text message, and a failure as `{"error": text}`. Such messages are casts: the time limit of
 * requests does not end them. Messages with an id are calls, which are answered for themselves: see `OpenCalls`. What
 * agents send to the connection by itself goes between, each as a text message.
 */
export class WebSocketSession implements SessionSink, TurnTask {
  readonly #options: WebSocketSessionOptions;
  /** Messages of this turn of the event loop. */
  #arrived: Buffer[] = [];
  readonly #replies: Reply[] = [];
  /** Came with the last bytes that were read, when enough was in work: no more than those bytes hold. */
  readonly #waiting: Buffer[] = [];
  readonly #budget: FrameBudget;
  /** The moment of `expiresAtMs` on the monotonic clock, as the two clocks stood at the handshake. */
  readonly #expiresAtMonotonicMs: number;
  readonly #calls: OpenCalls;
  #isWriting = false;
  #isEnding = false;
  /** Ending because the gateway stops: what was read is still answered. */
  #isStopping = false;
  #isOver = false;
  #isPaused = false;
  /** Since when the client has taken nothing, while it has a backlog. */
  #stalledSinceMs: number | undefined;
  /** Messages that wait for the client. */
  #backlogLength = 0;
  /** When the last reply ended: idle is only who waits for none. */
  #activeAtMs: number;
  #readSizeBytes = 0;
  #heardAtMs: number;
  #pingedAtMs: number | undefined;

  constructor(options: WebSocketSessionOptions) {
    this.#options = options;
    const { socket, limits, system, expiresAtMs } = options;
    const nowMs = system.monotonicMs();
    const untilExpiryMs =
      expiresAtMs === undefined ? Number.POSITIVE_INFINITY : expiresAtMs - system.nowMs();
    this.#expiresAtMonotonicMs = nowMs + untilExpiryMs;
    this.#activeAtMs = nowMs;
    this.#heardAtMs = nowMs;
    this.#budget = new FrameBudget({
      countMax: limits.controlFrameCountMax,
      forgivenPerSecond: limits.controlFramesForgivenPerSecond,
      nowMs,
    });
    this.#calls = new OpenCalls({
      countMax: limits.inWorkCountMax,
      send: (value) => this.#send(value),
      isOpen: () => socket.readyState === WebSocket.OPEN,
      describe: (error, agent) => streamFailure(error, agent, options.log),
      onEnded: () => this.#onWorkEnded(),
    });
    socket.on("message", (bytes) => this.#onMessage(bytes));
    socket.on("ping", () => this.#onControlFrame());
    socket.on("pong", () => this.#onControlFrame());
    socket.on("error", () => undefined); // The client broke the protocol and has been told; `close` follows.
    socket.on("close", () => this.#onClosed());
  }

  /** True while the agent works for the client, or its reply is being written. */
  get isBusy(): boolean {
    return this.#replies.length > 0 || this.#arrived.length > 0 || this.#calls.count > 0;
  }

  /** See `SessionSink.hasRoom`. */
  get hasRoom(): boolean {
    const isOpen = this.#options.socket.readyState === WebSocket.OPEN;
    return isOpen && this.#stalledSinceMs === undefined;
  }

  /** See `SessionSink.send`. */
  send(payload: JsonObject): void {
    this.#activeAtMs = this.#options.system.monotonicMs();
    void this.#send(payload);
  }

  /** Reads no further message, and closes behind the last reply. */
  stop(): void {
    if (this.#isEnding) return;
    this.onTurnEnd();
    this.#isEnding = true;
    this.#isStopping = true;
    if (this.isBusy) this.#pause();
    else this.#close(closeCodes.goingAway, "gateway is stopping");
  }

  /** Ends the replies in work, and closes. */
  giveUp(): void {
    if (this.#isOver || !this.isBusy) return;
    this.#isEnding = true;
    this.#isStopping = false;
    this.#close(closeCodes.goingAway, "gateway is stopping");
    this.#endReplies();
  }

  #endReplies(): void {
    for (const reply of this.#replies) if (typeof reply !== "string") void reply.chunks.return?.();
    this.#calls.close();
  }

  /** Looks at the times of the connection. */
  sweep(nowMs: number): void {
    const { socket, transport, limits } = this.#options;
    const { bytesRead = 0 } = transport;
    if (bytesRead !== this.#readSizeBytes) {
      this.#readSizeBytes = bytesRead;
      this.#heardAtMs = nowMs;
      this.#pingedAtMs = undefined;
    }
    const stalledSinceMs = this.#stalledSinceMs ?? nowMs;
    if (nowMs - stalledSinceMs >= limits.stallTimeoutMs) {
      socket.terminate();
    } else if (this.#isExpired(nowMs)) {
      this.#close(closeCodes.unauthorized, "token has expired");
    } else if (!this.isBusy && nowMs - this.#activeAtMs >= limits.idleTimeoutMs) {
      this.#close(closeCodes.idle, "connection was idle");
    } else if (this.#isPaused) {
      this.#heardAtMs = nowMs; // What the client says is not read now.
    } else if (this.#pingedAtMs !== undefined) {
      if (nowMs - this.#pingedAtMs >= limits.pongTimeoutMs) socket.terminate();
    } else if (nowMs - this.#heardAtMs >= limits.pingIntervalMs) {
      this.#pingedAtMs = nowMs;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }
  }

  /**
   * Says whether the identity counts no more. The clock that says so first decides: a wall clock that is set back
   * lengthens nothing, and one that went on while this machine slept is believed.
   */
  #isExpired(nowMs: number): boolean {
    const { expiresAtMs, system } = this.#options;
    if (expiresAtMs === undefined) return false;
    return nowMs >= this.#expiresAtMonotonicMs || system.nowMs() >= expiresAtMs;
  }

  #onMessage(bytes: Buffer): void {
    if (this.#isEnding) return;
    this.#arrived.push(bytes);
    if (this.#arrived.length === 1) this.#options.turnEnd.add(this);
  }

  /** Hands on the messages that have come. */
  onTurnEnd(): void {
    if (this.#arrived.length === 0) return;
    const arrived = this.#arrived;
    this.#arrived = [];
    const { inWorkCountMax } = this.#options.limits;
    for (const bytes of arrived)
      if (this.#replies.length >= inWorkCountMax) this.#waiting.push(bytes);
      else this.#take(bytes);
    if (this.#replies.length >= inWorkCountMax) this.#pause();
    if (!this.#isWriting) void this.#writeReplies();
  }

  /** Does what one message says. */
  #take(bytes: Buffer): void {
    const read = readMessage(bytes, this.#options.limits.jsonDepthMax);
    if ("fault" in read) this.#replies.push(read.fault);
    else if ("cancelled" in read) this.#calls.cancel(read.cancelled);
    else if (read.id === undefined) this.#replies.push(this.#cast(read.body));
    else this.#calls.begin(read.id, () => this.#ask(read.body, {}));
  }

  /** Hands on a message whose answer nobody waits for with a clock: it has until the end of what a stream may last. */
  #cast(body: JsonObject): Reply {
    const { limits, castTimeoutMs: roomTimeoutMs } = this.#options;
    return this.#ask(body, { firstChunkTimeoutMs: limits.durationMsMax, roomTimeoutMs });
  }

  /** Hands one message to the agent. */
  #ask(
    body: JsonObject,
    until: { readonly firstChunkTimeoutMs?: number; readonly roomTimeoutMs?: number },
  ): Reply {
    const { recipient, message, assemble, bus, limits, limit } = this.#options;
    if (limit?.hit() === false) return "rate limit exceeded";
    let agent = "";
    try {
      agent = agentFor(recipient, bus);
      const { queueLengthMax: bufferLengthMax, idleTimeoutMs, durationMsMax } = limits;
      const chunks = bus.stream(
        { ...message, recipient: agent, payload: assemble(body) },
        { bufferLengthMax, idleTimeoutMs, durationMsMax, ...until },
      );
      return { agent, chunks };
    } catch (error) {
      return streamFailure(error, agent, this.#options.log);
    }
  }

  async #writeReplies(): Promise<void> {
    this.#isWriting = true;
    for (let reply = this.#replies[0]; reply !== undefined; reply = this.#replies[0]) {
      await this.#writeReply(reply);
      this.#replies.shift();
      this.#activeAtMs = this.#options.system.monotonicMs();
      if (this.#isEnding && !this.#isStopping) continue;
      const bytes = this.#waiting.shift();
      if (bytes !== undefined) this.#take(bytes);
      else if (!this.#isEnding) this.#resume();
    }
    this.#isWriting = false;
    this.#onWorkEnded();
  }

  #onWorkEnded(): void {
    this.#activeAtMs = this.#options.system.monotonicMs();
    if (this.isBusy) return;
    this.#options.onIdle();
    if (this.#isEnding && !this.#isOver) {
      this.#close(closeCodes.goingAway, "gateway is stopping");
    }
  }

  async #writeReply(reply: Reply): Promise<void> {
    if (typeof reply === "string") {
      await this.#send({ error: reply });
      return;
    }
    try {
      for (;;) {
        const step = await reply.chunks.next();
        if (step.done === true) return;
        const taken = this.#send(step.value);
        if (taken !== undefined) await taken;
        // Closed, or being closed by the client: an agent that never tires would be asked for ever.
        if (this.#options.socket.readyState !== WebSocket.OPEN) {
          await reply.chunks.return?.();
          return;
        }
      }
    } catch (error) {
      const { agent } = reply;
      await this.#send({ error: streamFailure(error, agent, this.#options.log) });
    }
  }

  /** @returns Undefined while the client keeps up, otherwise what settles when it has taken what was sent. */
  #send(value: JsonObject): Promise<void> | undefined {
    const { socket, transport, limits, system } = this.#options;
    if (socket.readyState !== WebSocket.OPEN) return undefined;
    const text = JSON.stringify(value);
    if (socket.bufferedAmount + text.length <= limits.bufferedSizeBytesMax) {
      writeTextFrame(transport, text, ignore);
      return undefined;
    }
    this.#stalledSinceMs ??= system.monotonicMs(); // More behind a backlog is no sign of life.
    this.#backlogLength += 1;
    return new Promise((resolve) =>
      writeTextFrame(transport, text, () => {
        resolve();
        this.#onTaken();
      }),
    );
  }

  /** The client has taken one message of its backlog, and from now on has time for the next one. */
  #onTaken(): void {
    this.#backlogLength -= 1;
    const isTaken = this.#backlogLength === 0;
    this.#stalledSinceMs = isTaken ? undefined : this.#options.system.monotonicMs();
    if (isTaken) this.#options.onRoom();
  }

  #onControlFrame(): void {
    const { system } = this.#options;
    if (this.#budget.spend(system.monotonicMs(), 1)) return;
    this.#isEnding = true;
    this.#close(closeCodes.policyViolation, "too many control frames");
    this.#pause(); // Nothing more is read; who does not go is cut off.
  }

  #onClosed(): void {
    this.onTurnEnd();
    this.#isEnding = true;
    this.#isOver = true;
    this.#endReplies();
  }

  #close(code: number, reason: string): void {
    this.#isEnding = true;
    this.#resume(); // The client's own close has to be read.
    this.#options.socket.close(code, reason);
  }

  #pause(): void {
    this.#isPaused = true;
    this.#options.socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.socket.resume();
  }
}
