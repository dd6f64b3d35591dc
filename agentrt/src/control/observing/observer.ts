import {
  createRedactor,
  type DeadLetter,
  type Entrance,
  type JsonObject,
  type Message,
  type Redactor,
  type RuntimeEvent,
  type System,
} from "../../core/index.ts";
import { FigureBook } from "../figures/index.ts";
import { AgentSeries } from "./agent-series.ts";
import { CrashBook } from "./crash-book.ts";
import { Feed } from "./feed.ts";
import { HistoryBook } from "./history-book.ts";
import { LetterBox } from "./letter-box.ts";
import { LogBook } from "./log-book.ts";
import { EventTeller, type ToldEvent } from "./told-event.ts";

/** Events that are kept for watchers who come back, or are slow. */
const eventCountMax = 2000;
/** Watchers at once. */
const watcherCountMax = 500;
const quietMs = 15_000;

/** What is watched: a `Runtime` is one. */
export interface Observed {
  onEvent(callback: (event: RuntimeEvent) => void): () => void;
  onDeadLetter(callback: (letter: DeadLetter, message: Message | undefined) => void): () => void;
  addEntrance(entrance: Entrance): () => void;
}

/**
 * Keeps what happened lately in one tree, for those who ask later: the history of each agent, the latest crashes, and the
 * events themselves. All of it is bounded, and nothing is written anywhere.
 */
export class Observer {
  /** Tells this run from others: ids of another one mean nothing here. */
  readonly epoch: string;
  readonly history = new HistoryBook();
  readonly crashes: CrashBook;
  readonly events: Feed<ToldEvent>;
  readonly logs: LogBook;
  /** Payloads of messages that nobody handled: none are kept unless somebody asks for it. */
  readonly letters = new LetterBox();
  /** Which agents have series with their names in metrics. */
  readonly series = new AgentSeries();
  /** What the workers have counted, where there are some. */
  readonly figures = new FigureBook();
  /** Takes secrets out of texts. */
  readonly redactor: Redactor;
  readonly #teller: EventTeller;
  readonly #system: System;

  /**
   * @param options.system Clock and timers.
   * @param options.redactor Takes secrets out of what is kept; default one that knows names and forms of secrets.
   * @param options.isOneOfMany True where other processes of the topology have an observer, too; default false.
   */
  constructor({ system, redactor = createRedactor(), isOneOfMany = false }: ObserverOptions) {
    this.#system = system;
    const begun = Math.floor(system.nowMs()).toString(36);
    // Workers are started in the same millisecond.
    const own = (): string => Math.floor(system.random() * 36 ** 4).toString(36);
    this.epoch = isOneOfMany ? `${begun}${own().padStart(4, "0")}` : begun;
    this.redactor = redactor;
    this.logs = new LogBook(system, redactor);
    this.crashes = new CrashBook(this.epoch, redactor);
    this.events = new Feed({
      system,
      lengthMax: eventCountMax,
      followerCountMax: watcherCountMax,
      quietMs,
    });
    this.#teller = new EventTeller(this.crashes, redactor);
  }

  /** The clock that dates what is kept. */
  get nowMs(): number {
    return this.#system.nowMs();
  }

  /** Begins to watch a runtime. Watchers are sent away when it stops. */
  watch(runtime: Observed): void {
    runtime.onEvent((event) => this.#accept(event));
    runtime.onDeadLetter((letter, message) => this.letters.add(letter, message));
    runtime.addEntrance({
      name: "watchers",
      requestTimeoutMs: 0,
      announce: () => undefined,
      close: async () => this.#end(),
      end: async () => ({ cutCount: 0 }),
    });
  }

  /** {@inheritDoc EventTeller.hideRoot} */
  hideRoot(name: string): void {
    this.#teller.hideRoot(name);
  }

  /** Takes note of an event of another process, as that has told it. */
  publishElsewhere(event: ToldEvent): void {
    const { agent, entry, body } = event;
    if (agent !== null && entry !== undefined) {
      const { type: _, agent: __, ...fields } = body;
      this.history.add(agent, { event: entry, ...fields });
    }
    this.events.publish(event);
  }

  /** Settles in a while. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#system.setTimer(delayMs, resolve));
  }

  /** Settles with what is waited for, or when the time is over. */
  async within(done: Promise<unknown>, timeMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#system.setTimer(timeMs, resolve);
    await Promise.race([done, promise]);
    this.#system.clearTimer(timer);
  }

  /**
   * Tells watchers of something that no event of the tree says, such as an act of an operator.
   *
   * @param type `audit.write` and the like.
   * @param agent Whom it is about; null for nobody.
   * @param fields What else there is to say: nothing secret.
   */
  publish(type: string, agent: string | null, fields: JsonObject): void {
    const timestamp = this.#system.nowMs() / 1000;
    this.events.publish({ type, agent, body: { type, agent, timestamp, ...fields } });
  }

  #accept(event: RuntimeEvent): void {
    const told = this.#teller.tell(event);
    if (told === undefined) return;
    for (const [agent, entry] of told.entries) this.history.add(agent, entry);
    this.events.publish(told.event);
  }

  #end(): void {
    this.events.end();
    this.logs.feed.end();
  }
}

/** What an observer needs. */
export interface ObserverOptions {
  readonly system: System;
  readonly redactor?: Redactor | undefined;
  readonly isOneOfMany?: boolean;
}
