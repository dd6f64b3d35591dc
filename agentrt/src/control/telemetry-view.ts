import type { CrashRecord, RecordedCrash } from "../core/index.ts";
import type { RequestMetricsValue } from "../gateway/index.ts";
import type { FoundSpans, TraceList, TraceQuery } from "../runtime/index.ts";
import type { ProcessPicture } from "./process-picture.ts";

/** What the control plane may see of a runtime's spans, and of what its gateways and its process count. */
export interface TelemetryView {
  /** {@inheritDoc Runtime.crashRecord} */
  crashRecord(id: string): CrashRecord | undefined;
  /** {@inheritDoc Runtime.crashRecords} */
  crashRecords(): Promise<readonly RecordedCrash[]>;
  /** {@inheritDoc Runtime.findTrace} */
  findTrace(traceId: string): Promise<FoundSpans | undefined>;
  /** {@inheritDoc Runtime.traces} */
  traces(query: TraceQuery): Promise<TraceList | undefined>;
  /** The requests of all gateways. */
  requestMetrics(): RequestMetricsValue;
  /** What the process uses. */
  processUsage(): ProcessUsage;
}

/** What a process uses, since its start or at this moment. */
export interface ProcessUsage {
  /** Wall clock, milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  /** Since the Unix epoch. */
  readonly startTimeSeconds: number;
  readonly loopDelay: ProcessPicture["loopDelay"];
}
