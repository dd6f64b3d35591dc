import type { JsonObject, System, TimerHandle } from "../core/index.ts";
import type { Link } from "./link.ts";
import type { RemoteRequest } from "./open-request.ts";

/** Where each process says that its connection was cut. */
const rejoinedTopic = "_agency.rejoined";
/** How long others have to connect again, too, milliseconds. What is asked for later is asked for again when they do. */
const delayMs = 500;
/** How often requests that stay open are asked for though no connection was cut, milliseconds. */
const lookMs = 5000;
/** Most requests that are asked for together. */
const idCountMax = 500;

/** What one process says to another. */
interface Said {
  readonly kind: "check" | "rejoined";
  /** Id of the request that is not worked on; empty in a question. */
  readonly about: string;
  readonly to: string;
  readonly payload: JsonObject;
}

/** What the checks of a process are made from. */
export interface OpenChecksInit {
  readonly link: Link;
  readonly system: Pick<System, "setTimer" | "clearTimer">;
  /** Requests of this process that wait for answers, by their ids. */
  readonly asked: ReadonlyMap<string, RemoteRequest>;
  /** Requests of others that this process works on, by their ids. */
  readonly served: { has(id: string): boolean };
  readonly say: (said: Said) => void;
}

/**
 * What is on its way while a connection is cut can be lost, a question as well as its answer. A process that is connected again
 * says so to all, and all ask the other ends of their open requests whether they are still worked on. Those that are not fail,
 * so that no caller waits for an answer that will never come. A message can also be lost without a cut: so a request that
 * stays open is asked for every few seconds. A question and the request before it go the same way, in their order.
 */
export class OpenChecks {
  readonly #init: OpenChecksInit;
  #timer: TimerHandle | undefined;
  #lookTimer: TimerHandle | undefined;
  #end: (() => void) | undefined;

  constructor(init: OpenChecksInit) {
    this.#init = init;
  }

  /** Begins. The link is connected. */
  async start(): Promise<void> {
    const { link, say } = this.#init;
    this.#end = await link.subscribe(rejoinedTopic, () => this.#checkLater());
    link.onRejoined(() => {
      if (this.#end === undefined) return;
      say({ kind: "rejoined", about: "", to: rejoinedTopic, payload: {} });
      this.#checkLater();
    });
  }

  /** Asks no more. */
  stop(): void {
    this.#end?.();
    this.#end = undefined;
    for (const timer of [this.#timer, this.#lookTimer])
      if (timer !== undefined) this.#init.system.clearTimer(timer);
    this.#timer = undefined;
    this.#lookTimer = undefined;
  }

  /** A request was sent: it is asked for when it stays open. */
  watch(): void {
    if (this.#end === undefined) return;
    this.#lookTimer ??= this.#init.system.setTimer(lookMs, () => {
      this.#lookTimer = undefined;
      this.#look();
    });
  }

  /**
   * Takes a question, and names each request that this process does not work on; or takes such an answer.
   *
   * @param about Empty for a question.
   * @param from The process that says it.
   */
  take(about: string, { ids }: JsonObject, from: string): void {
    const { asked, served, say } = this.#init;
    if (about !== "") asked.get(about)?.cut();
    else if (Array.isArray(ids))
      for (const id of ids.slice(0, idCountMax))
        if (typeof id === "string" && !served.has(id))
          say({ kind: "check", about: id, to: from, payload: {} });
  }

  #checkLater(): void {
    this.#timer ??= this.#init.system.setTimer(delayMs, () => {
      this.#timer = undefined;
      this.#check([...this.#init.asked]);
    });
  }

  /** Those that were open at the last look, too, are asked for. */
  #look(): void {
    const { asked } = this.#init;
    const old = [...asked].filter(([, { wasOpen }]) => wasOpen);
    for (const request of asked.values()) request.wasOpen = true;
    this.#check(old);
    if (asked.size > 0) this.watch();
  }

  #check(requests: readonly (readonly [string, RemoteRequest])[]): void {
    const topics = Map.groupBy(requests, ([, { topic }]) => topic);
    for (const [to, open] of topics)
      for (let at = 0; at < open.length; at += idCountMax) {
        const ids = open.slice(at, at + idCountMax).map(([id]) => id);
        this.#init.say({ kind: "check", about: "", to, payload: { ids } });
      }
  }
}
