import type {
  AuditEvent,
  AuditLog,
  AuditRefusal,
  AuditReport,
  JsonObject,
  Log,
  TimerHandle,
} from "../core/index.ts";
import { type AuditHead, auditStateKey, readHead, saveHead } from "./audit-head.ts";
import { formatLine, hashOfLine, noHash, parseLine, timeText } from "./audit-line.ts";
import type { AuditSink, AuditTail } from "./audit-sink.ts";
import { SecurityTally } from "./security-tally.ts";

/** What an audit log is made from. */
export interface AuditTrailOptions {
  readonly sink: AuditSink;
  /** Of the HMAC. Default none: plain hashes. */
  readonly key?: string | undefined;
  /** True for one that leaves no trace before its first record. Default false. */
  readonly isLazy?: boolean | undefined;
  /** Records written together at most, 1 or more. Default 100. */
  readonly batchCountMax?: number | undefined;
  /** How long records wait for others, milliseconds. Default 0. */
  readonly flushIntervalMs?: number | undefined;
  /** Records that wait at most, 1 or more; further ones are counted. Default 10 000. */
  readonly waitingCountMax?: number | undefined;
}

/** What the trail needs of its runtime. */
type Home = Parameters<AuditLog["open"]>[0];

interface Waiting {
  readonly event: AuditEvent;
  readonly atMs: number;
  onTried: () => void;
}

interface Position {
  readonly count: number;
  readonly hash: string;
}

const retryDelayMs = 1_000;
const recordTimeoutMs = 1_000;
const storeTimeoutMs = 1_000;
const closeTimeoutMs = 5_000;
const ignore = (): void => undefined;

/** The records on their way to a sink, chained by their hashes. */
export class AuditTrail implements AuditLog {
  readonly #options: AuditTrailOptions;
  readonly #sink: AuditSink;
  #home: Home | undefined;
  #waiting: Waiting[] = [];
  /** The last line that was written. */
  #at: Position = { count: 0, hash: noHash };
  /** That of the store, until the sink was looked at. */
  #found: AuditHead | undefined;
  #isOpen = false;
  #isReopenAsked = false;
  #isFlushing = false;
  #isScheduled = false;
  #timer: TimerHandle | undefined;
  #tally: SecurityTally | undefined;
  #isClosed = false;
  #onIdle: (() => void) | undefined;
  #outage: string | undefined;
  /** True once it was said that the head cannot be saved. */
  #isHeadLost = false;
  #writtenCount = 0;
  #lostCount = 0;
  /** Lost since a record said so. */
  #gap: { count: number; readonly sinceMs: number; reason: string } | undefined;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
    this.#sink = options.sink;
  }

  /** {@inheritDoc AuditLog.open} */
  async open(home: Home): Promise<void> {
    this.#home = home;
    this.#tally = new SecurityTally(home.system, (event) => void this.record(event));
    try {
      this.#found = readHead(await this.#inTime(home, home.store.get(auditStateKey)));
    } catch (error) {
      home.log.warn("the head of the audit log could not be read: it is not compared", { error });
    }
    if (this.#found !== undefined) {
      this.#at = this.#found;
      if (this.#found.lostCount > 0) this.#lose(this.#found.lostCount, "the process ended", false);
    }
    const isToLook = this.#options.isLazy !== true || !this.#sink.isUntouched;
    if (!isToLook) return;
    try {
      await this.#openSink();
    } catch (error) {
      this.#fail(error);
    }
    this.#goOn();
  }

  /** {@inheritDoc AuditLog.record} */
  record(event: AuditEvent): Promise<void> {
    const home = this.#home;
    home?.onRecord?.(event);
    if (home === undefined || this.#isClosed) {
      this.#lose(1, "the runtime does not run", true);
      return Promise.resolve();
    }
    const { waitingCountMax = 10_000 } = this.#options;
    if (this.#waiting.length >= waitingCountMax) {
      this.#lose(1, this.#outage ?? "the sink is too slow", true);
      return Promise.resolve();
    }
    const { system } = home;
    if (this.#outage !== undefined) {
      this.#waiting.push({ event, atMs: system.nowMs(), onTried: ignore });
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = system.setTimer(recordTimeoutMs, resolve);
      const onTried = (): void => {
        system.clearTimer(timer);
        resolve();
      };
      this.#waiting.push({ event, atMs: system.nowMs(), onTried });
      this.#schedule(this.#options.flushIntervalMs ?? 0);
    });
  }

  /** {@inheritDoc AuditLog.refuse} */
  refuse(refusal: AuditRefusal): void {
    this.#tally?.note(refusal);
  }

  /** {@inheritDoc AuditLog.reopen} */
  reopen(): void {
    this.#isReopenAsked = true;
    if (this.#isOpen) this.#schedule(0);
  }

  /** {@inheritDoc AuditLog.report} */
  report(): AuditReport {
    return {
      sink: this.#sink.name,
      writtenCount: this.#writtenCount,
      waitingCount: this.#waiting.length,
      lostCount: this.#lostCount,
      outage: this.#outage,
    };
  }

  /** {@inheritDoc AuditLog.close} */
  async close(): Promise<void> {
    const home = this.#home;
    if (home === undefined || this.#isClosed) return;
    this.#tally?.close();
    this.#isClosed = true;
    if (this.#timer !== undefined) home.system.clearTimer(this.#timer);
    const flushed = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      void this.#flush();
    });
    await this.#inTime(home, flushed, closeTimeoutMs).catch(ignore);
    this.#lose(this.#waiting.length, this.#outage ?? "the sink is too slow", true);
    this.#giveUpWaiting();
    await this.#sink.release().catch(ignore);
    const { count, hash } = this.#at;
    if (count === 0 && this.#gap === undefined) return;
    await this.#saveHead(undefined);
    const lost = this.#gap === undefined ? {} : { lost: this.#gap.count };
    const place = this.#sink.place;
    home.log.info("audit log closed", { records: count, head: hash, place, ...lost });
  }

  // Writing.

  #schedule(delayMs: number): void {
    const home = this.#home;
    if (home === undefined || this.#isFlushing || this.#isScheduled) return;
    this.#isScheduled = true;
    const flush = (): void => {
      this.#isScheduled = false;
      this.#timer = undefined;
      void this.#flush();
    };
    // Records of one turn of the event loop are written together.
    if (delayMs === 0) home.system.yieldTurn(flush);
    else this.#timer = home.system.setTimer(delayMs, flush);
  }

  async #flush(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    try {
      if (this.#isReopenAsked) await this.#reopenSink();
      if (!this.#isOpen && this.#isWanted) await this.#openSink();
      while (this.#waiting.length > 0 || this.#gap !== undefined) await this.#writeBatch();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isFlushing = false;
    }
    this.#onIdle?.();
    this.#goOn();
  }

  /** True when there is something to write, or to find out. */
  get #isWanted(): boolean {
    return this.#waiting.length > 0 || this.#gap !== undefined || this.#outage !== undefined;
  }

  #goOn(): void {
    if (this.#isWanted && !this.#isClosed)
      this.#schedule(this.#outage === undefined ? 0 : retryDelayMs);
  }

  async #writeBatch(): Promise<void> {
    const { batchCountMax = 100 } = this.#options;
    const batch = this.#waiting.slice(0, batchCountMax);
    const gap = batch.length === this.#waiting.length ? this.#gap : undefined;
    const gapCount = gap?.count ?? 0;
    const events = batch.map(({ event, atMs }) => ({ event, atMs }));
    if (gap !== undefined) {
      const { sinceMs, reason } = gap;
      const details = { records: gapCount, since: timeText(sinceMs), reason };
      events.push(this.#own("audit.gap", details));
    }
    await this.#write(events);
    this.#waiting.splice(0, batch.length);
    for (const { onTried } of batch) onTried();
    if (gap === undefined) return;
    // Some may have been lost while this was written.
    const isMore = gap.count > gapCount;
    this.#gap = isMore ? { ...gap, count: gap.count - gapCount } : undefined;
  }

  /** Writes events as lines, each with the hash of the one before. */
  async #write(
    events: readonly { readonly event: AuditEvent; readonly atMs: number }[],
  ): Promise<void> {
    let at = this.#at;
    const lines = events.map(({ event: { event, agent, details }, atMs }) => {
      const seq = at.count + 1;
      const ts = timeText(atMs);
      const line = formatLine({ event, ts, agent, signer_id: null, details, seq, prev: at.hash });
      at = { count: seq, hash: hashOfLine(line, this.#options.key) };
      return line;
    });
    await this.#saveHead(at);
    await this.#sink.write(lines);
    this.#at = at;
    this.#writtenCount += lines.length;
    this.#recover();
  }

  #own(event: string, details: JsonObject): { readonly event: AuditEvent; readonly atMs: number } {
    return { event: { event, agent: null, details }, atMs: this.#home?.system.nowMs() ?? 0 };
  }

  // The sink.

  async #reopenSink(): Promise<void> {
    this.#isReopenAsked = false;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#sink.release();
    await this.#openSink();
  }

  async #openSink(): Promise<void> {
    const tail = await this.#sink.open();
    const found = this.#found;
    this.#found = undefined;
    try {
      const own = found === undefined ? this.#lookAt(tail, this.#at) : this.#compare(tail, found);
      this.#isOpen = true;
      this.#recover();
      if (own.length > 0) await this.#write(own.map((each) => this.#own(each.event, each.details)));
    } catch (error) {
      this.#found = found;
      this.#isOpen = false;
      throw error;
    }
  }

  /** Compares what the sink ends with and what the state store says. @returns What is to be recorded about it. */
  #compare(tail: AuditTail, head: AuditHead): Own[] {
    const position = this.#positionOf(tail);
    const died = "the process died while they were written";
    if (position === undefined || tail.kind !== "line") {
      if (tail.kind === "empty" && head.count === 0) this.#lose(head.next?.count ?? 0, died, false);
      return this.#lookAt(tail, head);
    }
    const isDone = position.count === head.count && position.hash === head.hash;
    const isNext = position.count === head.next?.count && position.hash === head.next.hash;
    // A process that died in the middle of a write left some of its lines.
    const isBetween = position.count > head.count && position.count < (head.next?.count ?? 0);
    if (!isDone && !isNext && !isBetween) return this.#lookAt(tail, head);
    this.#at = position;
    this.#lose(Math.max(0, (head.next?.count ?? 0) - position.count), died, false);
    return this.#tellTorn(tail);
  }

  /** Compares what the sink ends with and the line that is known to be the last. */
  #lookAt(tail: AuditTail, last: Position): Own[] {
    this.#at = last;
    if (tail.kind === "none") return [];
    if (tail.kind === "empty") {
      if (last.count > 0) {
        const fields = { place: this.#sink.place, records: last.count };
        this.#log?.warn("the audit log goes on in a new file", fields);
      }
      const algorithm = this.#options.key === undefined ? "sha256" : "hmac-sha256";
      return [{ event: "audit.begin", details: { after: last.count, hash: algorithm } }];
    }
    const position = this.#positionOf(tail);
    // Nothing is known about what others have written, or this runtime without a store that lasts.
    if (last.count === 0 && position !== undefined) {
      this.#at = position;
      return this.#tellTorn(tail);
    }
    if (position?.count === last.count && position.hash === last.hash) return this.#tellTorn(tail);
    const found = { found_records: position?.count ?? null, found_head: position?.hash ?? null };
    const details = { records: last.count, head: last.hash, ...found };
    this.#log?.error(
      "THE AUDIT LOG WAS CHANGED: it does not end with the record that was written last",
      {
        place: this.#sink.place,
        ...details,
      },
    );
    return [...this.#tellTorn(tail), { event: "audit.mismatch", details }];
  }

  #tellTorn(tail: AuditTail): Own[] {
    if (tail.kind !== "line" || tail.tornSizeBytes === 0) return [];
    const details = { torn_bytes: tail.tornSizeBytes };
    const fields = { place: this.#sink.place, tornSizeBytes: tail.tornSizeBytes };
    this.#log?.warn("the last line of the audit log was torn: it was cut off", fields);
    return [{ event: "audit.repair", details }];
  }

  #positionOf(tail: AuditTail): Position | undefined {
    if (tail.kind !== "line") return undefined;
    const record = parseLine(tail.text);
    if (record === undefined) return undefined;
    return { count: record.seq, hash: hashOfLine(tail.text, this.#options.key) };
  }

  // What goes wrong.

  get #log(): Log | undefined {
    return this.#home?.log;
  }

  #fail(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code ?? message;
    const { name: sink, place } = this.#sink;
    if (this.#outage === undefined) {
      const otherwise = "records wait, and the runtime goes on";
      this.#log?.error("the audit log cannot be written", { sink, place, reason, otherwise });
    }
    this.#outage = reason;
    // A connection that has ended is made again.
    if (sink !== "jsonl") this.#isOpen = false;
    for (const each of this.#waiting) {
      each.onTried();
      each.onTried = ignore;
    }
  }

  #recover(): void {
    if (this.#outage === undefined) return;
    this.#outage = undefined;
    const fields = { sink: this.#sink.name, lost: this.#gap?.count ?? 0 };
    this.#log?.info("the audit log can be written again", fields);
  }

  #lose(count: number, reason: string, isNew: boolean): void {
    if (count === 0) return;
    this.#lostCount += isNew ? count : 0;
    const sinceMs = this.#home?.system.nowMs() ?? 0;
    this.#gap ??= { count: 0, sinceMs, reason };
    this.#gap.count += count;
    this.#gap.reason = reason;
  }

  #giveUpWaiting(): void {
    for (const { onTried } of this.#waiting.splice(0)) onTried();
  }

  async #saveHead(next: Position | undefined): Promise<void> {
    const home = this.#home;
    if (home === undefined) return;
    const isKeyed = this.#options.key !== undefined;
    const lostCount = this.#gap?.count ?? 0;
    try {
      await this.#inTime(home, saveHead(home.store, { ...this.#at, next, isKeyed, lostCount }));
      this.#isHeadLost = false;
    } catch (error) {
      if (!this.#isHeadLost) {
        const otherwise = "a cut tail would not be found";
        home.log.error("the head of the audit log could not be saved", { otherwise, error });
      }
      this.#isHeadLost = true;
    }
  }

  async #inTime<Result>(
    home: Home,
    pending: Promise<Result>,
    timeoutMs = storeTimeoutMs,
  ): Promise<Result> {
    const { system } = home;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = system.setTimer(timeoutMs, () =>
      reject(new Error(`no answer in ${timeoutMs} ms`)),
    );
    try {
      return await Promise.race([pending, late]);
    } finally {
      system.clearTimer(timer);
    }
  }
}

interface Own {
  readonly event: string;
  readonly details: JsonObject;
}
