import type { RequestMetricsValue } from "../gateway/index.ts";
import type { SpanRecord } from "../runtime/index.ts";

/** What the control plane may see of a runtime's spans, and of what its gateways and its process count. */
export interface TelemetryView {
  /** {@inheritDoc Runtime.spansOf} */
  spansOf(traceId: string): Promise<readonly SpanRecord[] | undefined>;
  /** The requests of all gateways. */
  requestMetrics(): RequestMetricsValue;
}
