import { Agent, type HandleResult } from "./agent.ts";
import type { SendAfterOptions, SendTimer } from "./agent-port.ts";
import {
  type OutgoingPayload,
  isStateRequest,
  messageInternals,
  type Message,
} from "../messages/index.ts";
import { agentErrors } from "../errors.ts";

/** An agent with a handler for each kind of message, as in OTP's gen_server: calls, casts and everything else. */
export abstract class GenServer extends Agent {
  /**
   * Answers a call or a stream request. For a stream it may be a generator, and it may return nothing.
   *
   * @param _message The request.
   * @returns The reply payload or the chunks. For a call it must return something, because the caller waits.
   */
  handleCall(_message: Message): HandleResult | PromiseLike<HandleResult> {
    return undefined;
  }

  /**
   * Handles a cast: a message that nobody waits for, sent by `cast`.
   *
   * @param _message The message.
   */
  handleCast(_message: Message): void | PromiseLike<void> {}

  /**
   * Handles what is neither call nor cast: timers of `sendAfter` and plain sends.
   *
   * @param _message The message; `type` is `"genserver.info"` when `sendAfter` sent it.
   */
  handleInfo(_message: Message): void | PromiseLike<void> {}

  /** Passes each message to one of the three handlers; override these instead. */
  override handle(message: Message): HandleResult | PromiseLike<HandleResult> {
    if (messageInternals.replyOf(message) !== undefined) return this.#answer(message);
    if (messageInternals.isCast(message)) return this.handleCast(message);
    return this.handleInfo(message);
  }

  async #answer(message: Message): Promise<HandleResult> {
    const reply = await this.handleCall(message);
    if (reply !== undefined || message.isStream || isStateRequest(message)) return reply;
    if (messageInternals.isDeferred(message)) return undefined;
    throw new agentErrors.HANDLER_RESULT({ agent: this.name, found: "nothing" });
  }

  /** {@inheritDoc Agent.sendAfter} Its type is `"genserver.info"`, so that it comes to `handleInfo`. */
  override sendAfter(
    delayMs: number,
    payload: OutgoingPayload,
    options: SendAfterOptions = {},
  ): SendTimer {
    return super.sendAfter(delayMs, payload, { type: "genserver.info", ...options });
  }
}
