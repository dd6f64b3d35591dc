import type { System } from "../../core/index.ts";

/** What a listener does to stop. */
export interface DrainingSteps {
  /** How many connections were accepted so far. */
  readonly acceptedCount: () => number;
  /** Asks clients whose protocol has a way to say so to send their next request elsewhere. They are still served. */
  readonly announce: () => void;
  /** Closes the port. Open connections are still served. */
  readonly closePort: () => void;
  /** From now on new requests are refused. */
  readonly refuse: () => void;
  /** How many requests are in work. */
  readonly workCount: () => number;
  /** Ends the requests in work as their protocol says: with an answer, a status or a close frame. */
  readonly endWork: () => void;
  /** Ends this side of the connections without work. */
  readonly hangUp: () => void;
  /** True while a connection is open. */
  readonly isOpen: () => boolean;
  /** Closes what is left at once. */
  readonly cut: () => void;
  /** Settles when the port is closed. */
  readonly closed: () => Promise<void>;
}

/** How a stop of one listener ended. */
export interface Drained {
  /** How many requests were cut off. */
  readonly cutCount: number;
}

/** What a client sent before the port closed arrives within this time, and is served. */
const arrivalTimeMs = 200;
/** How long clients have to take the last answer and to close their side of the connection. */
const lingerTimeMsMax = 1_000;
/** Connections that wait to be accepted are taken in this many turns at most, so that a flood does not hold the stop. */
const acceptTurnCountMax = 100;
const shortTurnMs = 0.1;
/** Turns of the event loop until what has come on a connection is read. */
const readTurnCount = 4;

/**
 * The stop of one listener. The port closes first; requests that were sent before are served; then requests are refused
 * while those in work are finished; at last the connections are closed, each after its client has read what was sent.
 */
export class Draining {
  readonly #system: System;
  readonly #steps: DrainingSteps;
  readonly #waiting = new Set<() => void>();
  #closing: Promise<void> | undefined;
  #ending: Promise<Drained> | undefined;
  #isRefusing = false;
  readonly #portClosed = Promise.withResolvers<void>();

  /**
   * @param system For the deadlines.
   * @param steps Of the listener.
   */
  constructor(system: System, steps: DrainingSteps) {
    this.#system = system;
    this.#steps = steps;
  }

  /** True once new requests are refused. */
  get isRefusing(): boolean {
    return this.#isRefusing;
  }

  /** See `DrainingSteps.announce`. */
  announce(): void {
    this.#steps.announce();
  }

  /**
   * Closes the port. Requests that were sent until then are served, later ones are refused.
   *
   * @returns Settles when no request is in work any more.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close(arrivalTimeMs);
    return this.#closing;
  }

  /** Begins `close`. @returns Settles when the port is closed: another listener can have it. */
  leavePort(): Promise<void> {
    void this.close();
    return this.#portClosed.promise;
  }

  /**
   * Ends what is in work, and the connections. A second call waits with the first.
   *
   * @returns How many requests were cut off.
   */
  end(): Promise<Drained> {
    this.#ending ??= this.#end(lingerTimeMsMax);
    return this.#ending;
  }

  /**
   * Does all of it. A second stop waits with the first.
   *
   * @param options.timeoutMs Time for what is in work, and for each of the later steps, milliseconds.
   */
  async stop({ timeoutMs }: { readonly timeoutMs: number }): Promise<Drained> {
    this.#closing ??= this.#close(Math.min(timeoutMs, arrivalTimeMs));
    const timer = Promise.withResolvers<void>();
    const handle = this.#system.setTimer(timeoutMs, timer.resolve);
    await Promise.race([this.#closing, timer.promise]);
    this.#system.clearTimer(handle);
    this.#ending ??= this.#end(Math.min(timeoutMs, lingerTimeMsMax));
    return await this.#ending;
  }

  /** To be called when a request or a connection has ended: the stop goes on when it was the last. */
  onEnded(): void {
    for (const look of this.#waiting) look();
  }

  async #close(arrivalMs: number): Promise<void> {
    const { closePort, announce, isOpen, workCount } = this.#steps;
    announce();
    if (arrivalMs > 0) await this.#acceptAll();
    closePort();
    this.#portClosed.resolve();
    await this.#until(() => !isOpen(), arrivalMs);
    // A process that had no turn for so long has not read yet what came in that time.
    if (isOpen()) await this.#turns(readTurnCount);
    this.#refuse();
    await this.#until(() => workCount() === 0, undefined);
  }

  /**
   * Clients whose connection waits to be accepted may have sent a request: a closed port resets them. The port is
   * closed after a turn of the event loop that took next to no time, so that hardly anybody can have come in it.
   */
  async #acceptAll(): Promise<void> {
    for (let turn = 0; turn < acceptTurnCountMax; turn += 1) {
      const before = this.#steps.acceptedCount();
      await this.#turns(1);
      const beginMs = this.#system.monotonicMs();
      await this.#turns(1);
      const isShort = this.#system.monotonicMs() - beginMs < shortTurnMs;
      if (isShort && this.#steps.acceptedCount() === before) return;
    }
  }

  async #turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) {
      await new Promise<void>((resolve) => {
        this.#system.yieldTurn(resolve);
      });
    }
  }

  #refuse(): void {
    if (this.#isRefusing) return;
    this.#isRefusing = true;
    this.#steps.refuse();
  }

  async #end(lingerMs: number): Promise<Drained> {
    const { endWork, workCount, hangUp, isOpen, cut, closed } = this.#steps;
    this.#refuse();
    const cutCount = workCount();
    if (cutCount > 0) {
      endWork();
      await this.#until(() => workCount() === 0, lingerMs);
    }
    hangUp();
    await this.#until(() => !isOpen(), lingerMs);
    cut();
    await closed();
    return { cutCount };
  }

  /** Waits until something is so, or the time is over; without a time, until it is so. */
  async #until(isSo: () => boolean, timeoutMs: number | undefined): Promise<void> {
    if (isSo() || timeoutMs === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (isSo()) resolve();
    };
    this.#waiting.add(look);
    const timer =
      timeoutMs === undefined ? undefined : this.#system.setTimer(timeoutMs, () => resolve());
    await promise;
    this.#waiting.delete(look);
    if (timer !== undefined) this.#system.clearTimer(timer);
  }
}
