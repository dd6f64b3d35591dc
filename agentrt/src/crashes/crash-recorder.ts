import {
  type CrashRecord,
  type CrashTrail,
  type CrashTrails,
  type JsonObject,
  type Log,
  type NotedCrash,
  reasonOf,
  type RecordedCrash,
  type Redactor,
  type System,
} from "../core/index.ts";
import { bundleOf, type RunFacts } from "./bundle-of.ts";
import type { CrashBundle } from "./crash-bundle.ts";
import { type CrashFiles, ownerOf } from "./crash-files.ts";
import { summaryOf } from "./crash-summary.ts";
import { LifeTrail, type Recollection, type TrailHome } from "./life-trail.ts";
import {
  fileLengthMax,
  recordCountMaxPerMinute,
  recordCountMaxPerMinuteOfAgent,
  spanCountMax,
} from "./limits.ts";
import { Placeholders } from "./placeholders.ts";
import { shownIn, unrecorded } from "./shown-crash.ts";
import { TrailRoom } from "./trail-room.ts";

const minuteMs = 60_000;

/** What a recorder needs. */
export interface CrashRecorderOptions {
  readonly files: CrashFiles;
  readonly facts: RunFacts;
  readonly system: Pick<System, "monotonicMs" | "random">;
  readonly log: Log;
  /** Variables whose values are secrets where their names say so. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Names of further variables whose values are secrets; default none. */
  readonly secretNames?: ReadonlySet<string> | undefined;
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
  readonly room = new TrailRoom();
  readonly #options: CrashRecorderOptions;
  /** When the records of the last minute were written, on the monotonic clock, and whose. */
  #recent: { readonly atMs: number; readonly owner: string }[] = [];
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
  recordOf(id: string): CrashRecord | undefined {
    const { files, log } = this.#options;
    try {
      const found = files.has(id) ? files.read(id) : undefined;
      return found !== undefined && this.#isOwn(found) ? found : undefined;
    } catch (error) {
      // The crash is known all the same.
      log.warn("the record of a crash cannot be read", { crash: id, reason: reasonOf(error) });
      return undefined;
    }
  }

  /** {@inheritDoc CrashTrails.list} */
  async list(): Promise<readonly RecordedCrash[]> {
    const { files, log } = this.#options;
    const isListed = (bundle: CrashBundle): boolean => this.#isOwn(bundle);
    return await files.summaries(isListed, ({ message }) => log.debug(message));
  }

  /** Another topology may record in the same folder: what must not be seen there is not known here. */
  #isOwn({ topology_id: id, topology }: CrashBundle): boolean {
    const { facts } = this.#options;
    if (id !== undefined) return id === facts.topologyId;
    return topology !== null && JSON.stringify(topology) === JSON.stringify(facts.topology);
  }

  /** {@inheritDoc TrailHome.record} */
  record(recollection: Recollection): NotedCrash {
    const { log, files } = this.#options;
    try {
      if (!this.#takeRecord(ownerOf(recollection.agent))) return this.#unrecorded(recollection);
      const id = this.#idOf(recollection.crash.atMs);
      const { facts } = this.#options;
      const placeholders = this.#placeholders();
      const bundle = bundleOf(id, recollection, { facts, placeholders });
      files.write(bundle, textOf(bundle));
      log.info("crash recorded", { agent: recollection.agent, crash: id });
      const { message } = recollection.crash;
      if (message !== null) void this.#addSpans(bundle, { traceId: message.traceId, placeholders });
      return { shown: shownIn(bundle), record: summaryOf(bundle) };
    } catch (error) {
      const { agent } = recollection;
      log.warn("a crash was not recorded", {
        agent,
        folder: files.folder,
        reason: reasonOf(error),
      });
      return this.#unrecorded(recollection);
    }
  }

  #unrecorded(recollection: Recollection): NotedCrash {
    const placeholders = (): Placeholders => this.#placeholders();
    return unrecorded(recollection.crash, { had: recollection, placeholders });
  }

  #placeholders(): Placeholders {
    const { environment, redactor, secretNames } = this.#options;
    return new Placeholders(environment, redactor, secretNames);
  }

  /** Says whether one more record may be written in this minute: of an agent that crashes all the time only some are. */
  #takeRecord(owner: string): boolean {
    const nowMs = this.#options.system.monotonicMs();
    this.#recent = this.#recent.filter(({ atMs }) => nowMs - atMs < minuteMs);
    const ofOwner = this.#recent.filter((each) => each.owner === owner).length;
    const isFull =
      this.#recent.length >= recordCountMaxPerMinute || ofOwner >= recordCountMaxPerMinuteOfAgent;
    if (isFull && !this.#isToldFull)
      this.#options.log.warn("too many crashes to record each", {
        agent: owner,
        recordCountMaxPerMinute,
        recordCountMaxPerMinuteOfAgent,
      });
    this.#isToldFull = isFull;
    if (!isFull) this.#recent.push({ atMs: nowMs, owner });
    return !isFull;
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
      files.write(bundle, textOf({ ...bundle, spans }));
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
