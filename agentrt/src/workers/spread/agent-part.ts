import {
  type Address,
  type AgentCell,
  agentErrors,
  keyErrors,
  type System,
} from "../../core/index.ts";
import type { FencedStateStore } from "./fenced-state-store.ts";
import type { PartApprovals } from "./part-approvals.ts";

/** What a part of a node is asked by, at the worker that has it. */
export interface Part {
  /** Takes the messages for it. */
  readonly door: Address;
  /** Partitions that it has. */
  readonly partitions: readonly number[];
  /** Those of them that it gives up: nothing comes in for them. */
  readonly closing: readonly number[];
  /** Takes partitions over. @throws What the store throws. */
  take(partitions: readonly number[]): Promise<void>;
  /** Gives partitions up. @returns Those that are given up; the others go on, and are asked for again. */
  release(partitions: readonly number[]): Promise<readonly number[]>;
  /** Keeps partitions that could not be given up. */
  keep(partitions: readonly number[]): void;
  /** Nothing comes in any more. */
  close(): void;
  /** It has nothing any more. */
  forget(): void;
}

/** How long a worker looks whether an agent has nothing to do before it answers, and how often, milliseconds. */
const [releaseMs, lookMs] = [1000, 20];

/** What it is made from. */
export interface AgentPartInit {
  readonly system: Pick<System, "monotonicMs" | "setTimer">;
  readonly cell: AgentCell;
  /** Keeps its state; without one it is not fenced. */
  readonly store: FencedStateStore | undefined;
  readonly approvals: PartApprovals;
  /** True while messages may be handled. */
  readonly isLeased: () => boolean;
  /** Starts it, or a new object of it. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<unknown>;
}

/** An agent that is at one of several workers: here, or not. It is one partition. */
export class AgentPart implements Part {
  readonly door: Address;
  readonly #init: AgentPartInit;
  #isOwned = false;
  #isClosing = false;

  constructor(init: AgentPartInit) {
    this.#init = init;
    this.door = this.#makeDoor();
  }

  get partitions(): readonly number[] {
    return this.#isOwned ? [0] : [];
  }

  get closing(): readonly number[] {
    return this.#isOwned && this.#isClosing ? [0] : [];
  }

  /** Starts it here; where it runs already, a new object of it. @throws What the store throws. */
  async take(): Promise<void> {
    const { cell, store, approvals, start } = this.#init;
    if (!this.#isOwned) {
      await store?.take(cell.name, [0]);
      await approvals.adopt(cell.name, [0]);
      cell.reread();
    }
    this.#isOwned = true;
    this.#isClosing = false;
    try {
      await start();
    } catch (error) {
      // It is here, and nothing but a resume starts it.
      if (!(error instanceof agentErrors.HALTED)) throw error;
    }
  }

  /** What it has is handled before; until then it stays. */
  async release(): Promise<readonly number[]> {
    const { system } = this.#init;
    this.close();
    const untilMs = system.monotonicMs() + releaseMs;
    while (this.#isAtWork) {
      if (system.monotonicMs() >= untilMs) return [];
      await new Promise<void>((resolve) => void system.setTimer(lookMs, resolve));
    }
    await this.#init.stop();
    await this.#init.approvals.abandon(this.#init.cell.name, [0]);
    this.forget();
    return [0];
  }

  keep(): void {
    this.#isClosing = false;
  }

  close(): void {
    this.#isClosing = true;
  }

  forget(): void {
    const { cell, store, approvals } = this.#init;
    void approvals.abandon(cell.name, [0]);
    store?.drop(cell.name, [0]);
    this.#isOwned = false;
    this.#isClosing = false;
  }

  /** What a suspended agent has to do waits for somebody, not for time. */
  get #isAtWork(): boolean {
    const { cell } = this.#init;
    return cell.busyCount > 0 || (cell.mailboxDepth > 0 && !cell.awaitsResume);
  }

  get #isOpen(): boolean {
    return this.#isOwned && !this.#isClosing;
  }

  #makeDoor(): Address {
    const { cell, isLeased } = this.#init;
    const isOpen = (): boolean => this.#isOpen && isLeased();
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
