import type { JsonObject } from "../../core/index.ts";
import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../gateway/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import {
  askProcess,
  type FeedPageBody,
  feedQuestions,
  ownQuestion,
  readFeedPage,
} from "../elsewhere/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { type Cursor, cursorsText, readCursors } from "./cursors.ts";
import { recentOf, sse, streamHeaders } from "./event-stream.ts";
import { linesPage } from "./page-routes.ts";

/** After a question that failed, milliseconds. */
const pauseMs = 500;

/** What is followed. */
interface Followed {
  readonly view: RuntimeView;
  readonly others: Elsewhere;
  readonly request: GatewayRequest;
  /** Undefined for the lines of all. */
  readonly agent: string | undefined;
}

/**
 * Makes the response that streams the log lines of several processes, as `eventStream` does those of one. Each id says of
 * every process how far its lines were sent; a page of each is held at most, however slow the client is.
 *
 * @returns The response: 400 for a query that makes no sense, 503 when too many watch already.
 */
export function mergedLines(followed: Followed): GatewayResponse {
  const { view, others, request, agent } = followed;
  const { feed } = view.observer.logs;
  const lastId = request.headers["last-event-id"] ?? request.queryParams["last_event_id"] ?? "";
  const cursors = readCursors(lastId);
  if (cursors === undefined)
    return errorResponse(400, "Last-Event-ID must be an id of this stream");
  const recent = recentOf(request);
  if (typeof recent === "string") return errorResponse(400, recent);
  if (feed.isFull) return errorResponse(503, "too many watch already", { "retry-after": "1" });
  const place = agent === undefined ? undefined : others.processOf(agent);
  const processes = agent === undefined ? others.groups() : place === undefined ? [] : [place];
  const isNew = lastId === "";
  const sources = ["", ...processes].map(
    (process) => new Source({ ...followed, process, cursor: cursors.get(process) }),
  );
  const stream = new MergedStream(view, sources, isNew ? recent : undefined);
  return { status: 200, body: undefined, headers: streamHeaders, stream };
}

/** The lines of one process. */
class Source {
  readonly process: string;
  /** Up to where its lines were sent. */
  cursor: Cursor | undefined;
  readonly #of: Followed;
  /** Where the next page begins; undefined before the first one. */
  #next: Cursor | undefined;

  constructor(of: Followed & { readonly process: string; readonly cursor: Cursor | undefined }) {
    this.process = of.process;
    this.cursor = of.cursor;
    this.#of = of;
    if (of.cursor !== undefined)
      this.#next = { epoch: of.cursor.epoch, number: of.cursor.number + 1 };
  }

  /** @returns The latest lines, without a wait; none where the process does not answer. */
  async latest(count: number): Promise<FeedPageBody> {
    const page = await this.#page({ recent: String(count) });
    const first = page.items[0]?.number ?? page.next;
    if (page.epoch !== "") this.cursor = { epoch: page.epoch, number: first - 1 };
    return page;
  }

  /** @returns The lines behind those before, as soon as there are some, or after a while. */
  async more(): Promise<FeedPageBody> {
    const next = this.#next;
    if (next === undefined) return await this.latest(0);
    return await this.#page({ epoch: next.epoch, from: String(next.number) });
  }

  async #page(query: { readonly [name: string]: string }): Promise<FeedPageBody> {
    const page = await this.#ask(query);
    if (page === undefined || page.epoch === "") {
      await this.#of.view.observer.pause(pauseMs);
      return { epoch: "", next: 0, missed: 0, items: [] };
    }
    this.#next = { epoch: page.epoch, number: page.next };
    return page;
  }

  async #ask(query: { readonly [name: string]: string }): Promise<FeedPageBody | undefined> {
    const { view, others, agent } = this.#of;
    const asked = agent === undefined ? query : { ...query, agent };
    if (this.process === "") return await linesPage(view, asked);
    try {
      const question = ownQuestion(feedQuestions.logs, asked);
      const { status, body } = await askProcess({ others, process: this.process }, question);
      return status === 200 ? readFeedPage(body) : undefined;
    } catch {
      // It is asked again while somebody follows it.
      return undefined;
    }
  }
}

/** A line, and where it comes from. */
interface Line {
  readonly source: Source;
  readonly number: number;
  readonly epoch: string;
  readonly data: JsonObject;
}

/** The stream as text: pulled, and never further than the client reads. */
class MergedStream implements AsyncIterable<string> {
  readonly #view: RuntimeView;
  readonly #sources: readonly Source[];
  readonly #recent: number | undefined;
  readonly #queue: string[] = [];
  readonly #asked = new Map<Source, Promise<readonly [Source, FeedPageBody]>>();
  readonly #left = Promise.withResolvers<undefined>();
  #release: (() => void) | undefined;
  #isLeft = false;

  /** @param recent So many of the latest lines come first; undefined where the client goes on. */
  constructor(view: RuntimeView, sources: readonly Source[], recent: number | undefined) {
    this.#view = view;
    this.#sources = sources;
    this.#recent = recent;
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return {
      next: async () => await this.#next(),
      return: async () => {
        this.#leave();
        return { done: true, value: undefined };
      },
    };
  }

  async #next(): Promise<IteratorResult<string, undefined>> {
    if (this.#release === undefined && !this.#isLeft) await this.#begin();
    for (;;) {
      const value = this.#queue.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#view.observer.logs.feed.isEnded) this.#leave();
      if (this.#isLeft) return { done: true, value: undefined };
      for (const source of this.#sources) {
        const asked =
          this.#asked.get(source) ?? source.more().then((page) => [source, page] as const);
        this.#asked.set(source, asked);
      }
      const answer = await Promise.race([...this.#asked.values(), this.#left.promise]);
      if (answer === undefined) continue;
      const [source, page] = answer;
      this.#asked.delete(source);
      this.#take(source, page);
    }
  }

  async #begin(): Promise<void> {
    this.#release = this.#view.observer.logs.feed.hold();
    this.#queue.push("retry: 1000\n\n");
    const recent = this.#recent;
    if (recent === undefined) return;
    const pages = await Promise.all(
      this.#sources.map(async (source) => [source, await source.latest(recent)] as const),
    );
    const lines = pages
      .flatMap(([source, page]) => linesOf(source, page))
      .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
    for (const line of lines.slice(recent === 0 ? lines.length : -recent)) this.#show(line);
  }

  #take(source: Source, page: FeedPageBody): void {
    if (page.missed !== 0)
      this.#queue.push(sse("gap", { missed: page.missed, process_id: source.process }));
    for (const line of linesOf(source, page)) this.#show(line);
    // A page of this process comes every few seconds.
    if (source.process === "" && page.items.length === 0) this.#queue.push(": heartbeat\n\n");
  }

  #show({ source, epoch, number, data }: Line): void {
    source.cursor = { epoch, number };
    const id = cursorsText(this.#sources);
    this.#queue.push(`id: ${id}\n${sse("log", data)}`);
  }

  #leave(): void {
    this.#isLeft = true;
    this.#left.resolve(undefined);
    this.#release?.();
  }
}

function linesOf(source: Source, { epoch, items }: FeedPageBody): Line[] {
  return items.map(({ number, data }) => ({ source, epoch, number, data }));
}

function timeOf({ data }: Line): string {
  return typeof data["time"] === "string" ? data["time"] : "";
}
