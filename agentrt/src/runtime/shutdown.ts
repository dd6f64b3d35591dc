import { type Entrance, supervisionErrors, timeoutMsMax } from "../core/index.ts";
import { Drain, type DrainSubject, type ShutdownTimes } from "./drain.ts";
import type { ShutdownOptions } from "./runtime-types.ts";

/** What is shut down. */
export interface ShutdownSubject extends Omit<DrainSubject, "entrances"> {
  /** The grace when nobody says one, milliseconds. */
  readonly graceMsDefault: () => number;
}

/** The entrances of a runtime, and how what came in by them comes to its end before the tree stops. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  readonly #subject: ShutdownSubject;
  readonly #entrances = new Set<Entrance>();
  #drain: Drain | undefined;

  /**
   * @param options The times, as they were given.
   * @param subject The runtime.
   */
  constructor(options: ShutdownOptions, subject: ShutdownSubject) {
    this.#options = options;
    this.#subject = subject;
  }

  /** The entrances that are open. */
  get entrances(): ReadonlySet<Entrance> {
    return this.#entrances;
  }

  /** The entrance of an agent, if it has one: of two, the one that opened last. */
  entranceOf(name: string): Entrance | undefined {
    return [...this.#entrances].findLast((each) => each.name === name);
  }

  /** Adds an entrance; one that opens during the drain is closed at once. @returns Takes it out again. */
  add(entrance: Entrance): () => void {
    this.#entrances.add(entrance);
    this.#drain?.onEntrance(entrance);
    return () => void this.#entrances.delete(entrance);
  }

  /** How long each phase takes at most. The grace is that of the slowest entrance, when nobody says one. */
  get times(): ShutdownTimes {
    const { lameDuckMs = 0, graceMs } = this.#options;
    const requestTimes = [...this.#entrances].map(({ requestTimeoutMs }) => requestTimeoutMs);
    const graceMsMin = this.#subject.graceMsDefault();
    return { lameDuckMs, graceMs: graceMs ?? Math.max(graceMsMin, ...requestTimes) };
  }

  /** True where there is an entrance to close, or a grace. */
  get takesTime(): boolean {
    return this.#entrances.size > 0 || this.times.graceMs > 0;
  }

  /**
   * Closes the entrances and lets what was accepted be handled.
   *
   * @param deadlineMs Of all of it, on the monotonic clock.
   */
  async drain(deadlineMs: number): Promise<void> {
    const { times } = this;
    const drain = new Drain({ ...this.#subject, entrances: this.#entrances }, times, deadlineMs);
    this.#drain = drain;
    await drain.run();
    this.#drain = undefined;
    // Those had the whole grace, where there was one.
    if (this.times.graceMs > 0) for (const cell of drain.late) cell.giveUpWork();
  }

  /** Moves the deadline of the drain nearer. @returns False when none is under way. */
  hasten(deadlineMs: number): boolean {
    this.#drain?.hasten(deadlineMs);
    return this.#drain !== undefined;
  }
}

/**
 * Refuses times that no timer can hold.
 *
 * @param supervisor Name of the root, for the error.
 * @param shutdown The times, as they were given.
 * @throws AGENTRT_SUPERVISION_OPTION_INVALID
 */
export function checkShutdown(supervisor: string, shutdown: ShutdownOptions = {}): void {
  for (const option of ["lameDuckMs", "graceMs"] as const) {
    const value: unknown = shutdown[option];
    if (value === undefined) continue;
    if (typeof value === "number" && value >= 0 && value <= timeoutMsMax) continue;
    const found = typeof value === "number" ? `${value}` : `a ${typeof value}`;
    const wanted = `a number from 0 to ${timeoutMsMax}`;
    const details = { supervisor, option: `shutdown.${option}`, found, wanted };
    throw new supervisionErrors.OPTION_INVALID(details);
  }
}
