import {
  type CrashTrail,
  type CrashTrails,
  type JsonObject,
  type Log,
  reasonOf,
  type Redactor,
  type System,
} from "../core/index.ts";
import { bundleOf, type RunFacts } from "./bundle-of.ts";
import type { CrashBundle } from "./crash-bundle.ts";
import type { CrashFiles } from "./crash-files.ts";
import { LifeTrail, type Recollection, type TrailHome } from "./life-trail.ts";
import {
  answerWeightMaxOfAll,
  fileLengthMax,
  messageCountMaxOfAll,
  recordCountMaxPerMinute,
  spanCountMax,
} from "./limits.ts";
import { Placeholders } from "./placeholders.ts";

const minuteMs = 60_000;

/** What a recorder needs. */
export interface CrashRecorderOptions {
  readonly files: CrashFiles;
  readonly facts: RunFacts;
  readonly system: Pick<System, "monotonicMs" | "random">;
  readonly log: Log;
  /** Variables whose values are secrets where their names say so. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** What the log of the run is masked with. */
  readonly redactor: Redactor;
}

/** A span, as the runtime keeps it. */
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: object;
  readonly status: string;
  readonly errorMessage: string | null;
}

/** Finds the spans of a trace that were recorded lately; undefined where no spans are made. */
export type FindSpans = (traceId: string) => Promise<readonly Span[] | undefined>;

/**
 * Records the crashes of one process: remembers what each agent did lately, and writes a file when one crashes. What goes
 * wrong with that is logged, and nothing else comes of it.
 */
export class CrashRecorder implements CrashTrails, TrailHome {
  readonly #options: CrashRecorderOptions;
  #messageCount = 0;
  #answerWeight = 0;
  /** When the records of the last minute were written, on the monotonic clock. */
  #recent: number[] = [];
  #isToldFull = false;
  #findSpans: FindSpans | undefined;

  constructor(options: CrashRecorderOptions) {
    this.#options = options;
  }

  /** Says where spans are found; without it none are in a record. */
  follow(findSpans: FindSpans): void {
    this.#findSpans = findSpans;
  }

  /** {@inheritDoc CrashTrails.begin} */
  begin(agent: string): CrashTrail {
    return new LifeTrail(agent, this);
  }

  /** {@inheritDoc CrashTrails.recordOf} */
  recordOf(id: string): JsonObject | undefined {
    const { files, log } = this.#options;
    try {
      return files.has(id) ? (files.read(id) as object as JsonObject) : undefined;
    } catch (error) {
      // The crash is known all the same.
      log.warn("the record of a crash cannot be read", { crash: id, reason: reasonOf(error) });
      return undefined;
    }
  }

  /** {@inheritDoc TrailHome.takeMessage} */
  takeMessage(): boolean {
    if (this.#messageCount >= messageCountMaxOfAll) return false;
    this.#messageCount += 1;
    return true;
  }

  /** {@inheritDoc TrailHome.freeMessages} */
  freeMessages(count: number): void {
    this.#messageCount -= count;
  }

  /** {@inheritDoc TrailHome.takeAnswer} */
  takeAnswer(weight: number): boolean {
    if (this.#answerWeight + weight > answerWeightMaxOfAll) return false;
    this.#answerWeight += weight;
    return true;
  }

  /** {@inheritDoc TrailHome.freeAnswers} */
  freeAnswers(weight: number): void {
    this.#answerWeight -= weight;
  }

  /** {@inheritDoc TrailHome.record} */
  record(recollection: Recollection): string | undefined {
    const { log, files } = this.#options;
    try {
      if (!this.#takeRecord()) return undefined;
      const id = this.#idOf(recollection.crash.atMs);
      const { facts, environment, redactor } = this.#options;
      const placeholders = new Placeholders(environment, redactor);
      const bundle = bundleOf(id, recollection, { facts, placeholders });
      files.write(id, textOf(bundle));
      log.info("crash recorded", { agent: recollection.agent, crash: id });
      const { message } = recollection.crash;
      if (message !== null) void this.#addSpans(bundle, { traceId: message.traceId, placeholders });
      return id;
    } catch (error) {
      const { agent } = recollection;
      log.warn("a crash was not recorded", {
        agent,
        folder: files.folder,
        reason: reasonOf(error),
      });
      return undefined;
    }
  }

  /** Says whether one more record may be written in this minute. */
  #takeRecord(): boolean {
    const nowMs = this.#options.system.monotonicMs();
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < minuteMs);
    if (this.#recent.length >= recordCountMaxPerMinute) {
      if (!this.#isToldFull)
        this.#options.log.warn("too many crashes to record each", { recordCountMaxPerMinute });
      this.#isToldFull = true;
      return false;
    }
    this.#isToldFull = false;
    this.#recent.push(nowMs);
    return true;
  }

  /** Ids of several processes are told apart, and their order is that of the crashes. */
  #idOf(atMs: number): string {
    const chance = Math.floor(this.#options.system.random() * 36 ** 4).toString(36);
    return `${Math.floor(atMs).toString(36).padStart(8, "0")}-${chance.padStart(4, "0")}`;
  }

  /** Spans of a message that is over come a moment later: the record is written once more. */
  async #addSpans(
    bundle: CrashBundle,
    { traceId, placeholders }: { readonly traceId: string; readonly placeholders: Placeholders },
  ): Promise<void> {
    const { files, log } = this.#options;
    try {
      const found = (await this.#findSpans?.(traceId)) ?? [];
      if (found.length === 0) return;
      const spans = found
        .slice(-spanCountMax)
        .map((span) => placeholders.json(spanBody(span)) as JsonObject);
      files.write(bundle.id, textOf({ ...bundle, spans }));
    } catch (error) {
      log.debug("a crash is recorded without its spans", { error });
    }
  }
}

/** A span as `GET /traces/{id}` shows it. */
function spanBody({ name, traceId, spanId, parentSpanId, startMs, endMs, ...rest }: Span): object {
  const { attributes, status, errorMessage } = rest;
  return {
    name,
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: parentSpanId,
    start_time: startMs / 1000,
    end_time: endMs / 1000,
    status,
    error_message: errorMessage,
    attributes,
  };
}

/** The record as text: what makes it too long goes, and it says so. */
function textOf(bundle: CrashBundle): string {
  const text = `${JSON.stringify(bundle, null, 2)}\n`;
  if (text.length <= fileLengthMax) return text;
  const reasons = [...bundle.replay.reasons, "it was too long: answers and spans are left out"];
  const shorter = {
    ...bundle,
    answers: [],
    spans: [],
    tools: [],
    replay: { ...bundle.replay, holds: false, reasons },
  };
  const cut = `${JSON.stringify(shorter, null, 2)}\n`;
  if (cut.length <= fileLengthMax) return cut;
  const empty = { state: null };
  const least = { ...shorter, messages: bundle.messages.slice(-1), state: null, source: [] };
  return `${JSON.stringify({ ...least, checkpoint: { before: empty, after: empty } })}\n`;
}
