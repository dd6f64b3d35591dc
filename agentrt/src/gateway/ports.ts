import type { JsonObject } from "../core/json.ts";

/** One message the gateway sends for a client. */
export interface GatewayCast {
  /** Name of the agent. */
  readonly recipient: string;
  /** Message type, `http.request` unless the client chose another. */
  readonly type: string;
  readonly payload: JsonObject;
  /** 32 lower-case hexadecimal digits from the client's `traceparent`. */
  readonly traceId?: string;
  /** 16 lower-case hexadecimal digits from the client's `traceparent`. */
  readonly parentSpanId?: string;
}

/** One message the gateway sends for a client and whose reply it waits for. */
export interface GatewayCall extends GatewayCast {
  /** Upper bound on the wait in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the client has gone away: the call is then cancelled. */
  readonly signal: AbortSignal;
}

/** What the gateway needs of the message bus. */
export interface GatewayBus {
  /**
   * Sends and waits.
   *
   * @returns The reply's payload, `undefined` when the agent replied with none.
   * @throws AGENTRT_BUS_* and AGENTRT_AGENT_* errors; their `httpStatus` decides the response.
   */
  call(call: GatewayCall): Promise<JsonObject | undefined>;
  /** Sends; settles when the recipient's mailbox has taken the message, with the errors of `call`. */
  cast(cast: GatewayCast): Promise<void>;
  /** True when an agent of that name is in the tree. */
  hasAgent(name: string): boolean;
}

/** What the gateway needs of the log: one line, with fields beside it. */
export interface GatewayLog {
  error(message: string, fields: { readonly [name: string]: unknown }): void;
}
