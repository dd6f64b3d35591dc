import { statSync } from "node:fs";
import { printable, reasonOf } from "../../core/index.ts";
import {
  addUp,
  bySize,
  type HourPoint,
  type NamedSum,
  type SpanRecord,
  SpanReader,
  type SpanSum,
  type SumKind,
} from "../../telemetry/index.ts";
import { bucketOf, type Buckets, type Picture, seriesMax, seriesOf } from "./picture.ts";
import { beginOf, type Since } from "./since.ts";

/** Spans of the feed. */
const feedLength = 200;
/** Spans of one trace that are shown. */
export const traceLengthMax = 1000;
/** Agents, or agents and models, that are told apart: those that have most. */
const nameCountMax = 1000;
/** Spans that are read one by one for charts of minutes: more have charts of hours. */
const fineSpanMax = 100_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A folder of spans, which another process may be writing. */
export class SpanFolder implements Disposable {
  readonly directory: string;
  readonly #windowDays: number;
  readonly #damaged = new Map<string, string>();
  #reader: SpanReader | undefined;

  /**
   * @param directory One that is not there is empty.
   * @param windowDays Days of a file, as the exporter's settings say.
   */
  constructor(directory: string, windowDays: number) {
    this.directory = directory;
    this.#windowDays = windowDays;
  }

  /**
   * Reads what is shown of a range. Whatever the folder is, it does not fail: what is wrong is in the picture's notices.
   *
   * @param nowMs Wall-clock milliseconds.
   */
  read(since: Since, nowMs: number): Picture {
    this.#damaged.clear();
    const fromMs = Math.min(beginOf(since, nowMs), nowMs);
    const span = { fromMs, toMs: nowMs + 1 };
    const notices: string[] = [];
    const reader = this.#open(notices);
    const bucketMs = reader === undefined ? hourMs : fitBucket(reader, span, notices);
    const buckets = { ...span, bucketMs };
    const { messages, calls } = reader === undefined ? nothing : summed(reader, buckets);
    const spans = reader?.recentSpans(feedLength).filter(({ startMs }) => startMs >= fromMs) ?? [];
    if (reader !== undefined) notices.push(...this.#windowNotices(reader));
    notices.push(
      ...Array.from(this.#damaged, ([name, reason]) => `${name} cannot be read: ${reason}`),
    );
    if (calls.largest.length >= nameCountMax)
      notices.push(`the costs are those of the ${nameCountMax} agents and models that cost most`);
    const rates = seriesOf(messages.points, buckets, {
      valueOf: ({ spanCount }) => spanCount,
      nameOf: ({ agent }) => nameText(agent),
    });
    const costs = seriesOf(calls.points, buckets, {
      valueOf: ({ costUsd }) => costUsd,
      nameOf: ({ agent, model }) => `${nameText(agent)} ${printable(model)}`,
    });
    return {
      directory: this.directory,
      range: since.text,
      ...buckets,
      toMs: nowMs,
      costs,
      rates,
      totals: {
        costUsd: calls.total.costUsd,
        messageCount: messages.total.spanCount,
        errorCount: messages.total.errorCount,
        topAgent: topAgentOf(calls.largest) ?? rates[0]?.name ?? "",
      },
      costTable: calls.largest.map(({ agent, model, spanCount, costUsd }) => ({
        agent,
        model,
        callCount: spanCount,
        costUsd,
      })),
      spans,
      notices,
    };
  }

  /** @returns The spans of a trace, by their start; at most {@link traceLengthMax}. */
  trace(traceId: string): SpanRecord[] {
    return this.#reader?.spansOf(traceId, traceLengthMax) ?? [];
  }

  [Symbol.dispose](): void {
    this.#reader?.[Symbol.dispose]();
    this.#reader = undefined;
  }

  #open(notices: string[]): SpanReader | undefined {
    try {
      if (!statSync(this.directory).isDirectory()) {
        notices.push(`${this.directory} is not a directory`);
        return undefined;
      }
      if (this.#reader === undefined)
        this.#reader = new SpanReader(this.directory, {
          onDamaged: (name, error) => void this.#damaged.set(name, printable(reasonOf(error))),
        });
      else this.#reader.refresh();
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      notices.push(
        isMissing
          ? `${this.directory} is not there yet: spans come when a topology with a sqlite exporter runs`
          : `${this.directory} cannot be read: ${printable(reasonOf(error))}`,
      );
      this[Symbol.dispose]();
      return undefined;
    }
    const isEmpty = this.#reader.files().length === 0 && this.#damaged.size === 0;
    if (isEmpty) notices.push(`${this.directory} has no spans yet`);
    return this.#reader;
  }

  /** Names say where windows begin, and spans how long they are at least. */
  #windowNotices(reader: SpanReader): string[] {
    const lengthMs = this.#windowDays * dayMs;
    const odd = reader
      .files()
      .find(
        ({ beginMs, lastHourMs }) =>
          beginMs % lengthMs !== 0 || (lastHourMs ?? beginMs) >= beginMs + lengthMs,
      );
    if (odd === undefined) return [];
    return [
      `--window-days ${this.#windowDays} is not the exporter's window_days: ${odd.name} is not a window of ${this.#windowDays} days; all of it is shown`,
    ];
  }
}

function nameText(agent: string): string {
  return agent === "" ? "(no agent)" : printable(agent);
}

function topAgentOf(calls: readonly NamedSum[]): string | undefined {
  const totals = new Map<string, number>();
  for (const { agent, costUsd } of calls) totals.set(agent, (totals.get(agent) ?? 0) + costUsd);
  const [top] = [...totals].toSorted(([, one], [, other]) => other - one);
  return top === undefined || top[1] === 0 ? undefined : nameText(top[0]);
}

/** Minutes are of the spans themselves: where those are very many, charts have hours. */
function fitBucket(
  reader: SpanReader,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  notices: string[],
): number {
  const bucketMs = bucketOf(toMs - 1 - fromMs);
  if (bucketMs >= hourMs) return bucketMs;
  const whole = { fromMs: Math.floor(fromMs / hourMs) * hourMs, toMs };
  const { spanCount } = reader.totalOf(whole, "spans");
  if (spanCount <= fineSpanMax) return bucketMs;
  notices.push(
    `more than ${fineSpanMax} spans in ${Math.ceil((toMs - 1 - fromMs) / hourMs)} h: the charts are by hour`,
  );
  return hourMs;
}

/** What is shown of messages, or of calls of models. */
interface Summed {
  readonly total: SpanSum;
  /** Those that cost most first, then those with most spans. */
  readonly largest: readonly NamedSum[];
  /** Of all that a chart may have lines for. */
  readonly points: readonly HourPoint[];
}

const empty: Summed = { total: addUp([]), largest: [], points: [] };
const nothing = { messages: empty, calls: empty };

/** However many agents, keys and models there are: what is held is bounded. */
function summed(
  reader: SpanReader,
  { fromMs, toMs, bucketMs }: Buckets,
): { readonly messages: Summed; readonly calls: Summed } {
  if (bucketMs < hourMs) {
    const points = reader.pointsOf({ fromMs, toMs }, bucketMs);
    const isCall = ({ model }: HourPoint): boolean => model !== "";
    return {
      messages: summedPoints(points.filter((point) => !isCall(point))),
      calls: summedPoints(points.filter(isCall)),
    };
  }
  // Sums are of whole hours: the first one is whole too.
  const span = { fromMs: Math.floor(fromMs / hourMs) * hourMs, toMs };
  const ofHours = (kind: SumKind): Summed => {
    const largest = reader.largestOf(span, kind, nameCountMax);
    const points = reader.pointsOfNames(span, kind, largest.slice(0, seriesMax));
    return { total: reader.totalOf(span, kind), largest, points };
  };
  return { messages: ofHours("messages"), calls: ofHours("calls") };
}

function summedPoints(points: readonly HourPoint[]): Summed {
  const keyOf = ({ agent, model }: NamedSum): string => JSON.stringify([agent, model]);
  const byName = Map.groupBy(points, keyOf);
  const largest = [...byName.values()]
    .map((found) => ({ ...(found[0] as NamedSum), ...addUp(found) }))
    .toSorted(bySize)
    .slice(0, nameCountMax);
  const shown = largest.slice(0, seriesMax).flatMap((each) => byName.get(keyOf(each)) ?? []);
  return { total: addUp(points), largest, points: shown };
}
