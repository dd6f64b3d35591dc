import { type Address, type AgentCell, agentErrors, keyErrors } from "../../core/index.ts";
import { Part, type PartInit } from "./part.ts";

/** What it is made from. */
export interface AgentPartInit extends PartInit {
  readonly cell: AgentCell;
  /** Starts it, or a new object of it. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<{ readonly lateNames: readonly string[] }>;
}

/** An agent that is at one of several workers: here, or not. It is one partition. */
export class AgentPart extends Part {
  readonly door: Address;
  protected readonly name: string;
  readonly #init: AgentPartInit;
  /** The latest that its object began with. */
  #beginning = "";

  constructor(init: AgentPartInit) {
    super(init);
    this.#init = init;
    this.name = init.cell.name;
    this.door = this.#makeDoor();
  }

  /** Where it runs already, a new object of it begins, unless it is only asked again. */
  protected async begin(isNew: boolean, beginning: string): Promise<void> {
    if (!isNew && beginning !== "" && beginning === this.#beginning) return;
    if (isNew) this.#init.cell.reread();
    try {
      await this.#init.start();
    } catch (error) {
      // It is here, and nothing but a resume starts it.
      if (!(error instanceof agentErrors.HALTED)) throw error;
    }
    this.#beginning = beginning;
  }

  /** What a suspended agent has to do waits for somebody, not for time. */
  protected letGo(partitions: readonly number[]): readonly number[] {
    const { cell } = this.#init;
    const isAtWork = cell.busyCount > 0 || (cell.mailboxDepth > 0 && !cell.awaitsResume);
    return isAtWork ? partitions : [];
  }

  protected async end(partitions: readonly number[]): Promise<readonly number[]> {
    const { lateNames } = await this.#init.stop();
    return lateNames.length > 0 ? partitions : [];
  }

  #makeDoor(): Address {
    const { cell } = this.#init;
    const isOpen = (): boolean => this.isOpen(0);
    return {
      get concurrency() {
        return cell.concurrency;
      },
      get isSuspended() {
        return cell.isSuspended;
      },
      get isRefusing() {
        return cell.isRefusing;
      },
      get isAccepting() {
        return cell.isAccepting;
      },
      get mailboxDepth() {
        return cell.mailboxDepth;
      },
      get mailboxLengthMax() {
        return cell.mailboxLengthMax;
      },
      accept: (message, deadlineMs) => {
        if (!isOpen()) throw new keyErrors.ELSEWHERE({ agent: cell.name });
        return cell.accept(message, deadlineMs);
      },
      control: (message) => isOpen() && cell.control(message),
    };
  }
}
