import {
  type BudgetsAbove,
  type HeldAbove,
  type JsonObject,
  type Log,
  modelErrors,
  type PricedCall,
  type System,
} from "../../core/index.ts";
import type { ControlChannel } from "../../links/index.ts";
import { supervisorTopic } from "../protocol.ts";
import { budgetTypes, callPayload, endPayload } from "./budget-protocol.ts";

/** How long the supervisor may take to save what it holds back, milliseconds. */
const holdTimeoutMs = 10_000;
/** How long its answer to an end may take, the wait before it is said again, and how often that is tried. */
const [endTimeoutMs, retryWaitMs, tryCountMax] = [5000, 1000, 60];

/** What it is made from. */
interface WorkerBudgetsInit {
  readonly channel: ControlChannel;
  readonly log: Log;
  readonly system: Pick<System, "setTimer" | "nextId">;
  readonly process: string;
  readonly processId: string;
  readonly countFor: (agent: string) => boolean;
}

/** The budgets of the supervisor's process that the agents of a worker spend. */
export class WorkerBudgets implements BudgetsAbove {
  readonly #init: WorkerBudgetsInit;

  constructor(init: WorkerBudgetsInit) {
    this.#init = init;
  }

  /** {@inheritDoc BudgetsAbove.countFor} */
  countFor(agent: string): boolean {
    return this.#init.countFor(agent);
  }

  /** {@inheritDoc BudgetsAbove.hold} */
  async hold(call: PricedCall): Promise<HeldAbove> {
    const id = this.#init.system.nextId();
    const held: HeldAbove = { end: (how) => void this.#end({ id, ...endPayload(how) }, 1) };
    try {
      await this.#ask(budgetTypes.hold, { id, ...callPayload(call) }, holdTimeoutMs);
      return held;
    } catch (cause) {
      const { code } = cause as { readonly code?: unknown };
      if (String(code).startsWith("AGENTRT_MODEL_")) throw cause;
      // It may be held back though its answer did not come.
      held.end({ kind: "release" });
      const details = { agent: call.agent, budget: "its supervisors", work: "reached" };
      throw new modelErrors.BUDGET_NOT_SAVED(details, { cause });
    }
  }

  /** Until the supervisor has answered it holds back what may have been spent. */
  async #end(payload: JsonObject, tryCount: number): Promise<void> {
    const { system, log } = this.#init;
    try {
      await this.#ask(budgetTypes.end, payload, endTimeoutMs);
    } catch (error) {
      if (tryCount < tryCountMax)
        system.setTimer(retryWaitMs, () => void this.#end(payload, tryCount + 1));
      else log.warn("the supervisor does not hear what a call of a model cost", { error });
    }
  }

  async #ask(type: string, payload: JsonObject, timeoutMs: number): Promise<void> {
    const { channel, process, processId } = this.#init;
    const sent = { ...payload, process, process_id: processId };
    await channel.ask(supervisorTopic, { type, payload: sent }, timeoutMs);
  }
}
