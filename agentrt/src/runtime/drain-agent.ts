import { agentErrors, type Log, type SuspensionRequest, type System } from "../core/index.ts";

/** What can be drained: an agent, a whole pool, a whole keyed agent, or a key. */
export interface Drainable {
  readonly name: string;
  /** True from the beginning of a drain until somebody resumes. */
  readonly isRefusing: boolean;
  /** True while messages wait or are at hand, or replies are put off. */
  readonly isWorking: boolean;
  readonly isSuspended?: boolean;
  /**
   * Refuses new messages from now on.
   *
   * @returns Settles when it is saved that it does.
   */
  beginDrain(initiatedBy: string): Promise<void>;
  /** Takes a request, which is served at the next message boundary. */
  askSuspension(request: SuspensionRequest): void;
}

const lookMsMin = 2;
const lookMsMax = 50;

/** The agents of a runtime that are being drained. */
export class AgentDrains {
  readonly #system: System;
  readonly #log: Log;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(system: System, log: Log) {
    this.#system = system;
    this.#log = log;
  }

  /**
   * Lets an agent finish what it has and take nothing new, and suspends it then. One that is being drained already is
   * waited for.
   *
   * @param actor The agent.
   * @param initiatedBy Who asked.
   * @returns Settles when it is suspended.
   * @throws AGENTRT_AGENT_DRAIN_ENDED, AGENTRT_AGENT_STOPPED, AGENTRT_AGENT_SUSPENSION_BUSY.
   */
  drain(actor: Drainable, initiatedBy: string): Promise<void> {
    const known = this.#underWay.get(actor.name);
    if (known !== undefined) return known;
    const done = this.#drain(actor, initiatedBy).finally(() => this.#underWay.delete(actor.name));
    this.#underWay.set(actor.name, done);
    return done;
  }

  async #drain(actor: Drainable, initiatedBy: string): Promise<void> {
    const { name: agent } = actor;
    this.#log.info("agent takes no new messages: it is drained", { agent, initiatedBy });
    actor.beginDrain(initiatedBy).catch((error: unknown) => {
      const otherwise = "a death of the process before its end ends it";
      this.#log.error("a drain could not be saved", { agent, otherwise, error });
    });
    let lookMs = lookMsMin;
    // What waits for a suspended agent waits for somebody, not for time.
    while (actor.isWorking && actor.isSuspended !== true) {
      await new Promise<void>((resolve) => {
        this.#system.setTimer(lookMs, resolve);
      });
      lookMs = Math.min(lookMsMax, 2 * lookMs);
      if (!actor.isRefusing) throw new agentErrors.DRAIN_ENDED({ agent });
    }
    await new Promise<void>((onDone, onGone) => {
      const asked = { reason: "drained", category: "other", initiatedBy, isDrained: true } as const;
      actor.askSuspension({ kind: "suspend", ...asked, onDone, onGone });
    });
  }
}
