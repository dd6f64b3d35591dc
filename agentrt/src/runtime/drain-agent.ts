import {
  agentErrors,
  type DrainRequest,
  type DrainUnderWay,
  type Log,
  type RuntimeEvent,
  type SuspensionRequest,
  type System,
} from "../core/index.ts";

/** What can be drained: an agent, a whole pool, a whole keyed agent, or a key. */
export interface Drainable {
  readonly name: string;
  /** True from the beginning of a drain until somebody resumes. */
  readonly isRefusing: boolean;
  /**
   * True while messages are at hand, replies are put off, or messages wait. What waits for somebody to resume or to decide
   * waits for no time, and does not count.
   */
  readonly isWorking: boolean;
  readonly isSuspended?: boolean;
  /**
   * Refuses new messages from now on.
   *
   * @returns Settles when it is saved that it does.
   */
  beginDrain(asked: DrainRequest): Promise<void>;
  /** Takes a request, which is served at the next message boundary. */
  askSuspension(request: SuspensionRequest): void;
}

const lookMsMin = 2;
const lookMsMax = 50;

/** What drains are made with. */
export interface DrainHome {
  readonly system: System;
  readonly log: Log;
  emit(event: RuntimeEvent): void;
}

/** A drain, and what settles at its end. */
interface Drain extends DrainUnderWay {
  readonly done: Promise<void>;
}

/** The agents of a runtime that are being drained. */
export class AgentDrains {
  readonly #home: DrainHome;
  readonly #underWay = new Map<string, Drain>();

  constructor(home: DrainHome) {
    this.#home = home;
  }

  /** @returns The drain of an agent that has begun and has not come to its end. */
  underWay(name: string): DrainUnderWay | undefined {
    const drain = this.#underWay.get(name);
    if (drain === undefined) return undefined;
    const { reason, initiatedBy, sinceMs } = drain;
    return { reason, initiatedBy, sinceMs };
  }

  /**
   * Lets an agent finish what it has and take nothing new, and suspends it then. One that is being drained already is
   * waited for.
   *
   * @param actor The agent.
   * @param asked Who asked, and why.
   * @returns Settles when it is suspended.
   * @throws AGENTRT_AGENT_DRAIN_ENDED, AGENTRT_AGENT_STOPPED, AGENTRT_AGENT_SUSPENSION_BUSY.
   */
  drain(actor: Drainable, asked: DrainRequest): Promise<void> {
    const known = this.#underWay.get(actor.name);
    if (known !== undefined) return known.done;
    const sinceMs = this.#home.system.nowMs();
    const done = this.#drain(actor, asked).finally(() => this.#underWay.delete(actor.name));
    this.#underWay.set(actor.name, { ...asked, sinceMs, done });
    return done;
  }

  async #drain(actor: Drainable, { reason, initiatedBy }: DrainRequest): Promise<void> {
    const { name: agent } = actor;
    const { system, log } = this.#home;
    log.info("agent takes no new messages: it is drained", { agent, initiatedBy, reason });
    this.#home.emit({
      type: "agent.draining",
      name: agent,
      atMs: system.nowMs(),
      reason,
      initiatedBy,
    });
    actor.beginDrain({ reason, initiatedBy }).catch((error: unknown) => {
      const otherwise = "a death of the process before its end ends it";
      log.error("a drain could not be saved", { agent, otherwise, error });
    });
    let lookMs = lookMsMin;
    // What waits for a suspended agent waits for somebody, not for time.
    while (actor.isWorking && actor.isSuspended !== true) {
      await new Promise<void>((resolve) => {
        system.setTimer(lookMs, resolve);
      });
      lookMs = Math.min(lookMsMax, 2 * lookMs);
      if (!actor.isRefusing) throw new agentErrors.DRAIN_ENDED({ agent });
    }
    await new Promise<void>((onDone, onGone) => {
      const asked = { reason, category: "other", initiatedBy, isDrained: true } as const;
      actor.askSuspension({ kind: "suspend", ...asked, onDone, onGone });
    });
  }
}
