import {
  type Address,
  type AgentCell,
  type Entrance,
  type Kernel,
  timeoutMsMax,
} from "../core/index.ts";
import type { HandOver } from "./runtime-types.ts";

/** How a runtime stops: see `RuntimeOptions.shutdown`. */
export interface ShutdownTimes {
  readonly lameDuckMs: number;
  readonly graceMs: number;
}

/** Where messages wait for several agents. */
interface SharedMailbox extends Pick<Address, "mailboxDepth"> {
  /** True while nobody takes them before a person resumes somebody, or decides. */
  readonly awaitsResume: boolean;
}

/** What a drain works on. */
export interface DrainSubject {
  readonly kernel: Pick<Kernel, "system" | "log">;
  readonly entrances: ReadonlySet<Entrance>;
  /** The agents of the tree at this moment. */
  readonly cells: () => Iterable<AgentCell>;
  /** What several of them share, and where messages wait for them. */
  readonly sharedMailboxes: () => Iterable<SharedMailbox>;
  /** Gives what is here to other processes, where there are some. */
  readonly handOver: () => HandOver | undefined;
}

const quietCheckMsMin = 2;
const quietCheckMsMax = 50;
/** How long handlers have to leave when their callers were sent away. */
const leaveTimeMs = 1_000;

/**
 * What a runtime does before it stops its tree: it tells the world, closes its entrances, and lets what was accepted
 * come to its end. Each phase has a deadline, and the log names who was late.
 */
export class Drain {
  readonly #subject: DrainSubject;
  readonly #times: ShutdownTimes;
  #deadlineMs: number;
  /** Wakes the wait that is under way: the deadline has moved. */
  #wake: (() => void) | undefined;
  #isClosed = false;
  /** Agents that did not end their message at hand in time. */
  readonly late: AgentCell[] = [];

  /**
   * @param subject The runtime.
   * @param times Of each phase.
   * @param deadlineMs Of all of it, on the monotonic clock.
   */
  constructor(subject: DrainSubject, times: ShutdownTimes, deadlineMs: number) {
    this.#subject = subject;
    this.#times = times;
    this.#deadlineMs = deadlineMs;
  }

  /** Moves the deadline of the whole drain nearer. */
  hasten(deadlineMs: number): void {
    this.#deadlineMs = Math.min(this.#deadlineMs, deadlineMs);
    this.#wake?.();
  }

  /** An entrance that opens during the drain, because its agent restarts, is closed at once. */
  onEntrance(entrance: Entrance): void {
    if (this.#isClosed) void this.#close(entrance);
  }

  /** Goes through the phases. Never rejects. */
  async run(): Promise<void> {
    const { system } = this.#subject.kernel;
    const { entrances } = this.#subject;
    if (entrances.size > 0 && this.#times.lameDuckMs > 0) {
      for (const entrance of entrances) entrance.announce();
      const { promise: never } = Promise.withResolvers<void>();
      await this.#wait(never, system.monotonicMs() + this.#times.lameDuckMs);
    }
    const graceEndMs = system.monotonicMs() + this.#times.graceMs;
    this.#isClosed = true;
    await this.#handOver(graceEndMs);
    const closing = [...entrances].map((entrance) => this.#close(entrance));
    await this.#wait(Promise.all(closing), graceEndMs);
    const [cutCount, isQuiet] = await Promise.all([
      this.#endEntrances(),
      this.#until(() => this.#isQuiet(), graceEndMs),
    ]);
    // Handlers that were told that nobody waits any more get a moment to leave in good order.
    if (cutCount > 0) {
      await this.#until(() => !this.#isAtWork(), system.monotonicMs() + leaveTimeMs);
    }
    // What comes after that moment is handled before the agent stops: it is not late.
    if (!isQuiet) this.#nameLate();
  }

  /** While others take over what is here, it goes on. */
  async #handOver(deadlineMs: number): Promise<void> {
    const handOver = this.#subject.handOver();
    if (handOver === undefined) return;
    await this.#wait(handOver.begin(), deadlineMs);
    await this.#until(() => handOver.isDone, deadlineMs);
  }

  async #close(entrance: Entrance): Promise<void> {
    try {
      await entrance.close();
    } catch (error) {
      this.#subject.kernel.log.error("a gateway could not be closed", {
        gateway: entrance.name,
        error,
      });
    }
  }

  /** @returns How many requests were cut off. */
  async #endEntrances(): Promise<number> {
    const { log } = this.#subject.kernel;
    const { graceMs } = this.#times;
    const ending = [...this.#subject.entrances].map(async (entrance) => {
      try {
        const { cutCount } = await entrance.end();
        if (cutCount === 0) return 0;
        const fields = { gateway: entrance.name, count: cutCount, graceMs };
        log.warn("requests were cut off: they did not end within the grace of the stop", fields);
        return cutCount;
      } catch (error) {
        log.error("a gateway could not be closed", { gateway: entrance.name, error });
        return 0;
      }
    });
    return (await Promise.all(ending)).reduce((sum, count) => sum + count, 0);
  }

  /** Looks again and again whether something is so, until a deadline. @returns False when it was not so by then. */
  async #until(isSo: () => boolean | Promise<boolean>, deadlineMs: number): Promise<boolean> {
    const { system } = this.#subject.kernel;
    const { promise: never } = Promise.withResolvers<void>();
    let checkMs = quietCheckMsMin;
    while (!(await isSo())) {
      if (system.monotonicMs() >= this.#nearer(deadlineMs)) return false;
      await this.#wait(never, Math.min(deadlineMs, system.monotonicMs() + checkMs));
      checkMs = Math.min(quietCheckMsMax, 2 * checkMs);
    }
    return true;
  }

  #nameLate(): void {
    const { graceMs } = this.#times;
    for (const cell of this.#subject.cells()) {
      const { name, busyCount } = cell;
      if (busyCount === 0) continue;
      this.late.push(cell);
      if (graceMs === 0) continue;
      const fields = { agent: name, messagesAtHand: busyCount, graceMs };
      const text = "agent is still at work at the end of the grace of the stop";
      this.#subject.kernel.log.warn(text, fields);
    }
  }

  #isAtWork(): boolean {
    for (const { busyCount } of this.#subject.cells()) if (busyCount > 0) return true;
    return false;
  }

  /** True when no agent has anything to do, in two turns one after the other: what is on its way has come then. */
  async #isQuiet(): Promise<boolean> {
    for (let turn = 0; turn < 2; turn += 1) {
      for (const cell of this.#subject.cells()) if (isBusy(cell)) return false;
      for (const { mailboxDepth, awaitsResume } of this.#subject.sharedMailboxes()) {
        if (mailboxDepth > 0 && !awaitsResume) return false;
      }
      await new Promise<void>((resolve) => {
        this.#subject.kernel.system.yieldTurn(resolve);
      });
    }
    return true;
  }

  #nearer(deadlineMs: number): number {
    return Math.min(deadlineMs, this.#deadlineMs);
  }

  /** Waits for a promise, until a deadline, or until the deadline of the drain if that is nearer. */
  async #wait(promise: Promise<unknown>, deadlineMs: number): Promise<void> {
    const { system } = this.#subject.kernel;
    const over = promise.then(() => true);
    for (;;) {
      const leftMs = this.#nearer(deadlineMs) - system.monotonicMs();
      if (leftMs <= 0) return;
      const { promise: woken, resolve } = Promise.withResolvers<false>();
      const wake = (): void => resolve(false);
      this.#wake = wake;
      const timer = system.setTimer(Math.min(leftMs, timeoutMsMax), wake);
      const isOver = await Promise.race([over, woken]);
      system.clearTimer(timer);
      if (isOver) return;
    }
  }
}

/** A reply that was put off is work, too. What a suspended agent has to do waits for somebody, not for time. */
function isBusy(cell: AgentCell): boolean {
  if (cell.busyCount > 0 || cell.deferredCount > 0) return true;
  return cell.mailbox.hasMessages && !cell.awaitsResume;
}
