import type { JsonObject, System } from "../../core/index.ts";
import { askControl, streamedEvents } from "../remote/index.ts";
import type { Operation } from "./intent.ts";
import { type Polled, steadyRoutes, type Tab } from "./tab.ts";

/** Longest wait for an answer of a poll, milliseconds. */
const timeoutMs = 3000;

/** A tree of so many rows is asked for when something happened, and every some rounds. */
const largeTreeRows = 1000;
const wholeRoundEvery = 15;

/** Whose server is asked, and how. */
export interface Source {
  readonly tab: Tab;
  /** Sent along with each question. */
  readonly headers: Headers;
  /** @returns The URL of a route. */
  readonly url: (route: string) => string;
}

/** Asks the servers of all tabs again and again, each route by itself: one that is slow holds up no other. */
export class PolledBodies {
  readonly #sources: readonly Source[];
  readonly #options: PolledBodiesOptions;
  /** `label route` of questions that are not answered yet. */
  readonly #open = new Set<string>();
  #isStopped = false;
  #roundCount = 0;

  constructor(sources: readonly Source[], options: PolledBodiesOptions) {
    this.#sources = sources;
    this.#options = options;
  }

  /** Asks for everything once, then each time the pause is over, until it is stopped. */
  async run(): Promise<void> {
    const { system, refreshMs } = this.#options;
    while (!this.#isStopped) {
      for (const source of this.#sources) void this.#askAll(source);
      await new Promise<void>((resolve) => void system.setTimer(refreshMs, resolve));
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Asks now for what a tab looks at, besides what is polled anyway. */
  refresh(tab: Tab): void {
    const source = this.#sourceOf(tab);
    for (const route of tab.wantedRoutes) void this.#ask(source, route);
  }

  /** Asks for everything once. */
  async once(): Promise<void> {
    await Promise.all(this.#sources.map(async (source) => await this.#askAll(source)));
  }

  /** Has something changed. @returns What came of it, in one line. */
  async post(tab: Tab, operation: Operation): Promise<string> {
    const { headers, url } = this.#sourceOf(tab);
    const { route, body, done } = operation;
    const answer = await askControl(url(route), { headers, timeoutMs, body });
    this.refresh(tab);
    if (answer.kind === "body") return done;
    if (answer.kind === "failure") return `not done: ${answer.reason}`;
    const why = answer.error ?? `HTTP status ${answer.status}`;
    const isForbidden = answer.status === 401 || answer.status === 403;
    return isForbidden ? `the server does not allow it: ${why}` : `not done: ${why}`;
  }

  /** How many members of a pool are busy is not an event: it is seen in small trees each time, in large ones now and then. */
  #isWholeRound(tab: Tab): boolean {
    return tab.rows.length < largeTreeRows || this.#roundCount % wholeRoundEvery === 0;
  }

  #sourceOf(tab: Tab): Source {
    const source = this.#sources.find((each) => each.tab === tab);
    if (source === undefined) throw new TypeError("the tab has no source");
    return source;
  }

  async #askAll(source: Source): Promise<void> {
    this.#roundCount += 1;
    const routes = new Set<string>([...steadyRoutes, ...source.tab.wantedRoutes]);
    await Promise.all(Array.from(routes, async (route) => await this.#ask(source, route)));
  }

  async #ask(source: Source, route: string): Promise<void> {
    const { tab } = source;
    const key = `${tab.origin} ${route}`;
    if (this.#open.has(key)) return;
    this.#open.add(key);
    const polled = route.startsWith("/events")
      ? await askEvents(source, route)
      : await askBody(source, tab.questionOf(route, this.#isWholeRound(tab)));
    this.#open.delete(key);
    tab.take(route, polled);
    this.#options.onChange();
  }
}

/** How servers are asked. */
export interface PolledBodiesOptions {
  readonly system: System;
  /** Between two polls, milliseconds. */
  readonly refreshMs: number;
  /** Called after each answer. */
  readonly onChange: () => void;
}

async function askBody({ headers, url }: Source, route: string): Promise<Polled> {
  const answer = await askControl(url(route), { headers, timeoutMs });
  if (answer.kind === "body") return answer;
  if (answer.kind === "failure") return answer;
  if (answer.status === 204) return { kind: "same" };
  const said = answer.error === undefined ? "" : ` (${answer.error})`;
  return { kind: "failure", reason: `HTTP status ${answer.status}${said}` };
}

/** The latest events come as a stream that ends. */
async function askEvents({ headers, url }: Source, route: string): Promise<Polled> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { ok: isOk, status, body } = await fetch(url(route), { headers, signal });
    if (!isOk || body === null) return { kind: "failure", reason: `HTTP status ${status}` };
    const items: JsonObject[] = [];
    for await (const { event, data } of streamedEvents(body))
      if (event !== "gap") items.push(data as JsonObject);
    return { kind: "body", body: items };
  } catch {
    return { kind: "failure", reason: "the events did not come" };
  }
}
