import {
  type Log,
  reasonOf,
  type RuntimeEvent,
  type System,
  type Tracer,
  type Redactor,
} from "../core/index.ts";
import { BlockBuilder } from "./block-builder.ts";
import { telemetryErrors } from "./errors.ts";
import { RecentSpans } from "./recent-spans.ts";
import { Sampler, type SamplingOptions } from "./sampler.ts";
import type { SpanExporter } from "./span-exporter.ts";
import { keepsSpans, keptSpans } from "./span-keeper.ts";
import { type ExporterCounts, SpanQueue } from "./span-queue.ts";
import type { SpanRecord } from "./span-record.ts";
import { SpanTracer } from "./span-tracer.ts";
import {
  type BriefSpan,
  type FoundSpans,
  TraceGatherer,
  type TraceList,
  type TraceQuery,
  type UnreadSpans,
} from "./trace-list.ts";

const shutdownTimeoutMs = 2000;
/** Most spans that are packed together. */
const blockLengthMax = 2000;
/** Spans of a trace that are shown, at most. */
const shownCountMax = 1000;

/** From the tracer to the exporters: what a runtime with exporters has. */
export class SpanPipeline {
  readonly #system: System;
  readonly #log: Log;
  readonly #exporters: readonly SpanExporter[];
  readonly #tracer: SpanTracer;
  readonly #builder: BlockBuilder;
  readonly #queues: readonly SpanQueue[];
  readonly #recent = new RecentSpans();

  /**
   * @param init.exporters Where the spans go; each gets every span that is recorded.
   * @param init.redactor Takes secrets out of the texts of spans.
   * @param init.sampling Which traces are recorded; default all, unless their callers say otherwise.
   */
  constructor(init: {
    readonly system: System;
    readonly log: Log;
    readonly exporters: readonly SpanExporter[];
    readonly redactor: Redactor;
    readonly sampling?: SamplingOptions | undefined;
  }) {
    const { system, log, exporters, redactor } = init;
    this.#system = system;
    this.#log = log;
    this.#exporters = exporters;
    const seal = (): void => this.#seal();
    this.#queues = exporters.map((exporter) => new SpanQueue({ system, log, exporter, seal }));
    this.#builder = new BlockBuilder({
      clean: (text) => redactor.text(text),
      onAdded: () => {
        for (const queue of this.#queues) queue.addOne();
        if (this.#builder.length >= blockLengthMax) this.#seal();
      },
    });
    this.#tracer = new SpanTracer(system, new Sampler(init.sampling), this.#builder);
  }

  /** Opens the exporters, in their order. Throws what one of them throws. */
  async open(): Promise<void> {
    const host = { log: this.#log, system: this.#system };
    for (const exporter of this.#exporters) await exporter.open?.(host);
  }

  /** @returns What became of the spans, for each exporter. */
  counts(): ExporterCounts[] {
    return this.#queues.map((queue) => queue.counts());
  }

  /**
   * Finds the spans of a trace: in an exporter that keeps them, and among the latest that are in memory.
   *
   * @param traceId 32 lower-case hexadecimal digits.
   * @returns The spans, by their start, at most 1000; and what could not be read.
   */
  async findTrace(traceId: string): Promise<FoundSpans> {
    const found = new Map<string, SpanRecord>();
    const unread: UnreadSpans[] = [];
    this.#seal();
    for (const span of this.#recent.spansOf(traceId, this.#system.ids))
      found.set(span.spanId, span);
    for (const [index, exporter] of this.#exporters.entries()) {
      try {
        const kept = await spansIn(exporter, traceId);
        for (const span of kept.spans) found.set(span.spanId, span);
        unread.push(...kept.unread);
      } catch (error) {
        unread.push(this.#unread(index, error));
      }
    }
    const byStart = [...found.values()].toSorted((one, other) => one.startMs - other.startMs);
    return { spans: byStart.slice(0, shownCountMax), unread };
  }

  /**
   * Lists traces, newest first: those in the files of an exporter that keeps them; where none does, those among the latest spans in
   * memory.
   */
  async traces(query: TraceQuery): Promise<TraceList> {
    const unread: UnreadSpans[] = [];
    for (const [index, exporter] of this.#exporters.entries()) {
      if (!keepsSpans(exporter)) continue;
      try {
        return await exporter[keptSpans].traces(query);
      } catch (error) {
        unread.push(this.#unread(index, error));
      }
    }
    this.#seal();
    const gatherer = new TraceGatherer(query);
    gatherer.add(this.#recent.all(this.#system.ids).map(briefOf));
    return { ...gatherer.list(true), unread };
  }

  /** @throws AGENTRT_TELEMETRY_BUSY: who asks is to ask again. */
  #unread(index: number, error: unknown): UnreadSpans {
    if (error instanceof telemetryErrors.BUSY) throw error;
    const { exporter: source = "exporter" } = this.#queues[index]?.counts() ?? {};
    return { source, reason: reasonOf(error) };
  }

  /** What the kernel tells its spans. */
  get tracer(): Tracer {
    return this.#tracer;
  }

  /** Takes an event of the tree: starts, stops, restarts and suspensions are spans too. */
  accept(event: RuntimeEvent): void {
    const { atMs } = event;
    switch (event.type) {
      case "agent.started":
        return this.#tracer.addMoment("agentrt.agent.start", {
          atMs,
          attributes: { "agentrt.agent.name": event.name },
        });
      case "agent.stopped":
      case "agent.crashed": {
        const isCrash = event.type === "agent.crashed";
        const final = isCrash ? "CRASHED" : "STOPPED";
        return this.#tracer.addMoment("agentrt.agent.stop", {
          atMs,
          attributes: { "agentrt.agent.name": event.name, "agentrt.agent.final_status": final },
          ...(isCrash ? { error: event.error } : {}),
        });
      }
      case "agent.suspended":
        return this.#tracer.addMoment("agentrt.agent.suspend", {
          atMs,
          attributes: { "agentrt.agent.name": event.name, "agentrt.suspend.reason": event.reason },
        });
      case "agent.draining":
        return this.#tracer.addMoment("agentrt.agent.drain", {
          atMs,
          attributes: { "agentrt.agent.name": event.name, "agentrt.drain.reason": event.reason },
        });
      case "agent.halted":
        return this.#tracer.addMoment("agentrt.agent.halt", {
          atMs,
          attributes: {
            "agentrt.agent.name": event.name,
            "agentrt.halt.initiated_by": event.initiatedBy,
            "agentrt.halt.reason": event.reason,
          },
        });
      case "agent.resumed":
        return this.#tracer.addMoment("agentrt.agent.resume", {
          atMs,
          attributes: {
            "agentrt.agent.name": event.name,
            "agentrt.resume.approver": event.approver,
          },
        });
      case "supervisor.restart":
        return this.#tracer.addMoment("supervisor.restart", {
          atMs,
          attributes: {
            supervisor: event.supervisor,
            child: event.child,
            restart_count: event.restartCount,
            crashes_in_window: event.crashesInWindow,
            strategy: event.strategy,
          },
        });
      default:
    }
  }

  /** Hands over what waits and shuts the exporters down, within two seconds. */
  async shutdown(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.shutdown(shutdownTimeoutMs)));
  }

  /** Makes a block of the spans that are packed, for all who wait for some. */
  #seal(): void {
    if (this.#builder.length === 0) return;
    const block = this.#builder.build();
    this.#recent.add(block);
    for (const queue of this.#queues) queue.addBlock(block);
  }
}

async function spansIn(exporter: SpanExporter, traceId: string): Promise<FoundSpans> {
  if (keepsSpans(exporter)) return await exporter[keptSpans].spansOf(traceId, shownCountMax);
  return { spans: (await exporter.spansOf?.(traceId, shownCountMax)) ?? [], unread: [] };
}

/** Of which agent a span is, as files have it. */
function briefOf(span: SpanRecord): BriefSpan {
  const { attributes } = span;
  const own = attributes["agentrt.agent.name"] ?? attributes["agentrt.sender"];
  const agent = own === undefined || own === "" ? attributes["child"] : own;
  return { ...span, agent: typeof agent === "string" && agent !== "" ? agent : null };
}
