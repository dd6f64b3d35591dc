import {
  type JsonObject,
  type Log,
  type ModelBudget,
  refuseUnpriced,
  Reservation,
} from "../../core/index.ts";
import { workerErrors } from "../errors.ts";
import { textOf } from "../protocol.ts";
import { readCall, readEnd } from "./budget-protocol.ts";

/** What it is made from. */
interface HeldBudgetsInit {
  readonly log: Log;
  /** True for the process that a worker is at the moment. */
  readonly isThere: (process: string, processId: string) => boolean;
  /** What calls of an agent of that worker count against in this process; undefined for none. */
  readonly budgetOf: (agent: string, process: string) => ModelBudget | undefined;
}

/** What is held back in the budgets of this process for model calls of workers. */
export class HeldBudgets {
  readonly #init: HeldBudgetsInit;
  /** By the id of the process, then by the id of the call. */
  readonly #held = new Map<string, Map<string, Reservation>>();

  constructor(init: HeldBudgetsInit) {
    this.#init = init;
  }

  /** Holds back what a call may cost. @throws As `BudgetsAbove.hold`; AGENTRT_WORKER_AWAY for an agent that it does not have. */
  async hold(payload: JsonObject): Promise<void> {
    const { log, isThere, budgetOf } = this.#init;
    const call = readCall(payload);
    const { agent } = call;
    const process = textOf(payload["process"]);
    const processId = textOf(payload["process_id"]);
    if (!isThere(process, processId)) throw new workerErrors.AWAY({ agent, process });
    const ledgers = budgetOf(agent, process)?.ledgersOf(agent) ?? [];
    refuseUnpriced(ledgers, call);
    const held = { usd: call.usd, tokens: call.tokens };
    const reservation = new Reservation({ agent, log, ledgers, held });
    const id = textOf(payload["id"]);
    const ofProcess = this.#held.get(processId) ?? new Map<string, Reservation>();
    this.#held.set(processId, ofProcess);
    ofProcess.set(id, reservation);
    try {
      await reservation.begin();
    } catch (error) {
      this.#take(processId, id);
      throw error;
    }
  }

  /** Counts what became of one. That of an earlier supervisor counts as spent already. */
  async end(payload: JsonObject): Promise<void> {
    const reservation = this.#take(textOf(payload["process_id"]), textOf(payload["id"]));
    await reservation?.end(readEnd(payload));
  }

  /** A worker is gone: nobody knows what became of its calls. */
  lose(processId: string): void {
    const held = this.#held.get(processId);
    this.#held.delete(processId);
    for (const reservation of held?.values() ?? []) void reservation.end({ kind: "forfeit" });
  }

  #take(processId: string, id: string): Reservation | undefined {
    const ofProcess = this.#held.get(processId);
    const found = ofProcess?.get(id);
    ofProcess?.delete(id);
    if (ofProcess?.size === 0) this.#held.delete(processId);
    return found;
  }
}
