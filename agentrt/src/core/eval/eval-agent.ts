import {
  Agent,
  agentInternals,
  type AgentOptions,
  evaluates,
  infrastructure,
} from "../agents/index.ts";
import { agentErrors } from "../errors.ts";
import { type JsonObject, timeoutMsMax } from "../values/index.ts";
import {
  type HandleResult,
  type Message,
  evalEventType,
  type EvalEvent,
  type EvalSignal,
  evalSeverities,
} from "../messages/index.ts";
import { CorrectionLimit } from "./correction-limit.ts";

/** What an eval agent takes beyond an agent's own options. */
export interface EvalAgentOptions extends AgentOptions {
  /** Corrections of one target allowed within the window, 0 or more; those beyond are dropped. Default 10. */
  readonly correctionCountMax?: number | undefined;
  /** Length of the sliding window, 1 or more; default 60_000. */
  readonly correctionWindowMs?: number | undefined;
}

/**
 * Watches what agents report with `emitEval`, and corrects them: a nudge or a redirect comes to the target's
 * `onCorrection`, a halt stops the target until somebody resumes it, also over the death of the process. Derive from it and override `onEvalEvent`: the default corrects
 * nothing.
 *
 * @example
 * class Judge extends EvalAgent {
 *   override onEvalEvent({ eventType, payload }: EvalEvent) {
 *     if (eventType !== "answer" || String(payload["text"]).length < 1000) return null;
 *     return { severity: "nudge", reason: "be brief" } as const;
 *   }
 * }
 */
export class EvalAgent extends Agent {
  /** See `infrastructure`. */
  static readonly [infrastructure] = true;
  /** See `evaluates`. */
  static readonly [evaluates] = true;
  readonly #limit: CorrectionLimit;

  constructor(name: string, options: EvalAgentOptions = {}) {
    super(name, options);
    const { correctionCountMax = 10, correctionWindowMs = 60_000 } = options;
    check(name, { option: "correctionCountMax", value: correctionCountMax, least: 0 });
    check(name, { option: "correctionWindowMs", value: correctionWindowMs, least: 1 });
    this.#limit = new CorrectionLimit(correctionCountMax, correctionWindowMs);
  }

  /**
   * Judges one event.
   *
   * @param _event What an agent reported.
   * @returns The correction of that agent, or null for none.
   */
  onEvalEvent(_event: EvalEvent): EvalSignal | null | PromiseLike<EvalSignal | null> {
    return null;
  }

  /** Takes the events; messages of other types are answered with nothing. Override `onEvalEvent` instead. */
  override async handle(message: Message): Promise<HandleResult> {
    if (message.type !== evalEventType) return undefined;
    const { event_type: eventType, payload } = message.payload;
    const event: EvalEvent = {
      agentName: message.sender,
      eventType: typeof eventType === "string" ? eventType : "",
      payload: payload as JsonObject,
      traceId: message.traceId,
      messageId: message.id,
      timestampMs: message.timestampMs,
    };
    const signal = await this.onEvalEvent(event);
    if (signal !== null && signal !== undefined) this.#correct(event.agentName, signal);
    return undefined;
  }

  #correct(target: string, signal: EvalSignal): void {
    const { severity, reason } = signal;
    if (!evalSeverities.includes(severity)) {
      const found = `the severity ${JSON.stringify(severity)}`;
      throw new agentErrors.EVAL_SIGNAL({ agent: this.name, found });
    }
    const port = agentInternals.portOf(this, "onEvalEvent");
    if (target === this.name) {
      this.log.warn("an eval agent does not correct itself", { reason });
      return;
    }
    if (!this.#limit.allows(target, port.monotonicMs())) {
      this.log.warn("correction dropped: too many in the window", { target, severity, reason });
      return;
    }
    if (!port.correct(target, signal)) {
      this.log.warn("correction dropped: nobody of that name takes it", { target, severity });
    }
  }
}

function check(
  agent: string,
  { option, value, least }: { option: string; value: unknown; least: number },
): void {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= timeoutMsMax)
    return;
  const wanted = `a whole number from ${least} to ${timeoutMsMax}`;
  throw new agentErrors.OPTION_INVALID({ agent, option, found: String(value), wanted });
}
