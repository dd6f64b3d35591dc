import { type Agent, type AgentCell, Alarm, type Kernel, reasonOf } from "../../core/index.ts";
import { changeErrors } from "./errors.ts";

/** Saves the states of agents that are about to stop, so that who comes after them begins with what they had. */
export class StateSaver {
  readonly #kernel: Kernel;
  readonly #cells: readonly AgentCell[];
  /** What could not be saved at a stop, by the name of the agent. */
  readonly #failures = new Map<string, unknown>();

  /**
   * @param kernel Has the clock and the log.
   * @param cells The agents.
   */
  constructor(kernel: Kernel, cells: readonly AgentCell[]) {
    this.#kernel = kernel;
    this.#cells = cells.filter(({ checkpoints }) => !checkpoints.isStateless);
  }

  /**
   * Saves what they have now, each between two messages; one that comes to no boundary within the time for its stop is
   * not waited for.
   *
   * @throws AGENTRT_CHANGE_STATE_NOT_SAVED: then nothing was stopped.
   */
  async saveNow(): Promise<void> {
    await Promise.all(this.#cells.map((cell) => this.#saveBetween(cell)));
  }

  /** From now on each of them saves its state at its stop, until `release`. */
  watch(): void {
    for (const cell of this.#cells) {
      cell.beforeStop = async (agent) => {
        try {
          await this.#save(cell, agent);
        } catch (error) {
          this.#failures.set(cell.name, error);
        }
      };
    }
  }

  /**
   * Looks whether an agent that was stopped has saved its state.
   *
   * @throws AGENTRT_CHANGE_STATE_NOT_SAVED.
   */
  refuseUnsaved(agent: string): void {
    const error = this.#failures.get(agent);
    if (error !== undefined) throw notSaved(agent, error);
  }

  release(): void {
    for (const cell of this.#cells) cell.beforeStop = undefined;
  }

  async #saveBetween(cell: AgentCell): Promise<void> {
    if (cell.status !== "RUNNING" && cell.status !== "SUSPENDED") return;
    const { wheel, system } = this.#kernel;
    await new Promise<void>((resolve, reject) => {
      const alarm = new Alarm(resolve);
      wheel.arm(alarm, system.monotonicMs() + cell.shutdownTimeoutMs);
      cell.askToLeave(async (agent) => {
        try {
          await this.#save(cell, agent);
          resolve();
        } catch (error) {
          reject(notSaved(cell.name, error));
        } finally {
          wheel.disarm(alarm);
        }
      });
    });
  }

  /** What is not JSON was never to be saved, and what is empty says nothing. */
  async #save(cell: AgentCell, { state }: Agent): Promise<void> {
    if (Object.keys(state).length === 0 && cell.checkpoints.isEmpty) return;
    try {
      await cell.checkpoints.write(state);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code !== "AGENTRT_AGENT_STATE_NOT_JSON") throw error;
      const text = "the state is not plain JSON and is not kept over the change of the tree";
      this.#kernel.log.warn(text, { agent: cell.name });
    }
  }
}

function notSaved(agent: string, error: unknown): Error {
  return new changeErrors.STATE_NOT_SAVED({ agent, reason: reasonOf(error) }, { cause: error });
}
