import { Agent, type NoList } from "./agent.ts";
import type { SendAfterOptions, SendTimer } from "./agent-port.ts";
import {
  type CallOf,
  type CastOf,
  type CheckedMessages,
  isStateRequest,
  type Message,
  messageInternals,
  type MessageOf,
  type ResultOf,
  type UntypedMessages,
} from "../messages/index.ts";
import type { JsonMembers, JsonObject } from "../values/index.ts";
import { agentErrors } from "../errors.ts";

/**
 * An agent with a handler for each kind of message, as in OTP's gen_server: calls, casts and everything else. Of declared
 * messages, those with a reply or chunks come to `handleCall`, the others to `handleCast`.
 */
export abstract class GenServer<
  State extends JsonMembers<State> & NoList = JsonObject,
  Messages extends CheckedMessages<Messages> = UntypedMessages,
  Config extends JsonMembers<Config> & NoList = JsonObject,
> extends Agent<State, Messages, Config> {
  /**
   * Answers a call or a stream request. For a stream it may be a generator, and it may return nothing.
   *
   * @param _message The request.
   * @returns The reply payload or the chunks. For a call it must return something, because the caller waits.
   */
  handleCall(_message: CallOf<Messages>): ResultOf<Messages> | PromiseLike<ResultOf<Messages>> {
    return undefined;
  }

  /**
   * Handles a cast: a message that nobody waits for, sent by `cast`.
   *
   * @param _message The message.
   */
  handleCast(_message: CastOf<Messages>): void | PromiseLike<void> {}

  /**
   * Handles what is neither call nor cast: timers of `sendAfter` and plain sends.
   *
   * @param _message The message; `type` is `"genserver.info"` when `sendAfter` sent it.
   */
  handleInfo(_message: Message): void | PromiseLike<void> {}

  /** Passes each message to one of the three handlers; override these instead. */
  override handle(
    given: MessageOf<Messages>,
  ): ResultOf<Messages> | PromiseLike<ResultOf<Messages>> {
    const message = given as object as Message;
    if (messageInternals.replyOf(message) !== undefined) return this.#answer(message);
    const done = messageInternals.isCast(message)
      ? this.handleCast(message as object as CastOf<Messages>)
      : this.handleInfo(message);
    return done as ResultOf<Messages> | PromiseLike<ResultOf<Messages>>;
  }

  async #answer(message: Message): Promise<ResultOf<Messages>> {
    const reply = await this.handleCall(message as object as CallOf<Messages>);
    if (reply !== undefined || message.isStream || isStateRequest(message)) return reply;
    if (messageInternals.isDeferred(message)) return reply;
    throw new agentErrors.HANDLER_RESULT({ agent: this.name, found: "nothing" });
  }

  /** {@inheritDoc Agent.sendAfter} Its type is `"genserver.info"`, so that it comes to `handleInfo`. */
  override sendAfter<Payload extends object>(
    delayMs: number,
    payload: Payload & JsonMembers<Payload>,
    options: SendAfterOptions = {},
  ): SendTimer {
    return super.sendAfter(delayMs, payload, { type: "genserver.info", ...options });
  }
}
