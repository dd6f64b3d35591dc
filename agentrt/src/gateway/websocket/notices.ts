import type { JsonObject } from "../../core/index.ts";
import { agentFor, type Recipient } from "../dispatch/index.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";

/** What notices of one connection are made from. */
export interface NoticesOptions {
  readonly recipient: Recipient;
  /** What every message of the connection has in common. */
  readonly message: Pick<
    GatewayMessage,
    "correlationId" | "trace" | "timeoutMs" | "session" | "key"
  >;
  /** Makes the payload of a notice: the parameters of the handshake, and these fields, which win. */
  readonly assemble: (fixed: JsonObject) => JsonObject;
  readonly bus: AgentBus;
  readonly log: GatewayLog;
}

/** Type of the message that says that a client has connected. */
export const openType = "ws.open";
/** Type of the message that says that a client has gone. */
export const closeType = "ws.close";

const nothing: JsonObject = Object.freeze({});

/** Tells the agent of a route of one connection: that it is open, before anything comes of it, and that it has ended. */
export class Notices {
  readonly #options: NoticesOptions;
  /** Never aborted: the agent hears of what has happened, when the client has gone, too. */
  readonly #signal = new AbortController().signal;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** The client has connected. */
  open(): void {
    void this.#tell(openType, nothing);
  }

  /** The client has gone, or was sent away. */
  close(code: number, reason: string): void {
    void this.#tell(closeType, { code, reason });
  }

  async #tell(type: string, fixed: JsonObject): Promise<void> {
    const { recipient, message, assemble, bus, log } = this.#options;
    try {
      const agent = agentFor(recipient, bus);
      const signal = this.#signal;
      await bus.cast({ ...message, recipient: agent, type, payload: assemble(fixed), signal });
    } catch (error) {
      log.error("An agent was not told of a connection", { type, session: message.session, error });
    }
  }
}
