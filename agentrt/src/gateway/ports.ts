import type { JsonObject } from "../core/index.ts";
import type { TraceContext } from "./trace-context.ts";

/** One message the gateway sends for a client. */
export interface GatewayMessage {
  /** Name of the agent. */
  readonly recipient: string;
  /** Message type, `http.request` unless the client chose another. */
  readonly type: string;
  readonly payload: JsonObject;
  /** What it belongs to: the connection of a WebSocket, or what a client of gRPC gave. Default its own id. */
  readonly correlationId?: string | undefined;
  /** Address of the connection, where one stays open. */
  readonly session?: string | undefined;
  /** Key of a keyed agent. Default: where the agent's own setting says. */
  readonly key?: string | undefined;
  /** Where the client's trace is, from its `traceparent`. */
  readonly trace: TraceContext | undefined;
  /** Call and stream: true fails at once when the agent is suspended. Default false. A cast waits in its mailbox. */
  readonly failIfSuspended?: boolean | undefined;
  /** Upper bound in milliseconds: of a call the wait for the reply, of a cast the wait for room in the mailbox. */
  readonly timeoutMs: number;
  /** Aborted when the client has gone away: the wait is then cancelled. */
  readonly signal: AbortSignal;
}

/** What the gateway needs of the message bus. Agents that are closed to clients are not there. */
export interface AgentBus {
  /**
   * Sends and waits for the reply.
   *
   * @returns The reply's payload.
   * @throws AGENTRT_BUS_* and AGENTRT_AGENT_* errors; their `httpStatus` decides the response.
   */
  call(message: GatewayMessage): Promise<JsonObject>;
  /**
   * Asks for a streamed reply.
   *
   * @returns The chunks; what fails, fails at the first read. `return()` tells the agent to stop.
   */
  stream(
    message: Omit<GatewayMessage, "signal">,
    limits: {
      readonly bufferLengthMax: number;
      /** Longest wait for the first chunk, milliseconds; default what the message says. */
      readonly firstChunkTimeoutMs?: number;
      /** Longest wait for room in the mailbox, milliseconds; default as long as for the first chunk. */
      readonly roomTimeoutMs?: number;
      readonly idleTimeoutMs: number;
      readonly durationMsMax: number;
    },
  ): AsyncIterator<JsonObject, undefined>;
  /** Sends; settles when the recipient's mailbox has taken the message. Throws as `call` does. */
  cast(message: GatewayMessage): Promise<void>;
  /**
   * Chooses an agent that declares a capability and takes messages.
   *
   * @returns Its name.
   * @throws AGENTRT_BUS_NO_CAPABLE.
   */
  chooseCapable(tag: string): string;
  /** True when an agent of that name is in the tree, and open to clients. */
  hasAgent(name: string): boolean;
  /** True for an agent that is reached only where settings name it. */
  isInfrastructure(name: string): boolean;
}

/** The connection of a client that agents may send to. */
export interface OpenSession {
  /** To be called when the client has taken what it was sent. */
  onRoom(): void;
  /** To be called when the client has gone. */
  close(): void;
}

/** What the gateway needs of the log: one line, with fields next to it. */
export interface GatewayLog {
  warn(message: string, fields?: { readonly [name: string]: unknown }): void;
  error(message: string, fields: { readonly [name: string]: unknown }): void;
}
