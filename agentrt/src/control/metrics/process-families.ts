import type { RuntimeSnapshot } from "../../runtime/index.ts";
import type { RequestMetricsValue } from "../../gateway/index.ts";
import type { ProcessUsage } from "../telemetry-view.ts";
import type { WorkerFigures } from "../figures/index.ts";
import { type Family, histogramSamples, type Labels, type Sample } from "./family-text.ts";

/** @returns The families of gateways. */
export function gatewayFamilies({ requests, durations }: RequestMetricsValue): Family[] {
  return [
    {
      name: "agentrt_gateway_requests_total",
      type: "counter",
      help: "Requests that have ended; the status is that of HTTP, over gRPC its own.",
      samples: requests.map(({ gateway, protocol, method, route, status, count }) => ({
        labels: [
          ["gateway", gateway],
          ["protocol", protocol],
          ["method", method],
          ["route", route],
          ["status", String(status)],
        ],
        value: count,
      })),
    },
    {
      name: "agentrt_gateway_request_duration_seconds",
      type: "histogram",
      help: "Time from a request to the end of its answer.",
      samples: durations.flatMap(({ gateway, route, durations: times }) =>
        histogramSamples(
          [
            ["gateway", gateway],
            ["route", route],
          ],
          times,
        ),
      ),
    },
  ];
}

/** What a process has counted, apart from its agents. */
interface CountedProcess {
  readonly exporters: RuntimeSnapshot["exporters"];
  readonly linkLosses?: RuntimeSnapshot["linkLosses"] | null | undefined;
  readonly linkRefused?: RuntimeSnapshot["linkRefused"] | null | undefined;
  readonly linkDuplicateCount?: number | null | undefined;
  readonly uptimeMs: number;
  readonly usage: ProcessUsage;
}

/**
 * Makes the families of processes; those of a worker have its name. The names of what any process has are those that
 * Prometheus' own libraries use.
 *
 * @param own The process that has the tree.
 * @param workers The others: of one that is away, or did not answer, nothing is known now.
 */
export function processesFamilies(
  own: CountedProcess,
  workers: readonly WorkerFigures[],
): Family[] {
  const all: (readonly [Labels, CountedProcess])[] = [[[], own]];
  for (const { group, isFresh, latest } of workers)
    if (isFresh && latest !== undefined) all.push([[["worker", group]], latest]);
  const one = (name: string, help: string, valueOf: (of: CountedProcess) => number): Family => ({
    name,
    type: name.endsWith("_total") ? "counter" : "gauge",
    help,
    samples: all.map(([labels, each]) => ({ labels, value: valueOf(each) })),
  });
  return [
    ...exporterFamilies(all),
    linkFamily(all),
    refusedFamily(all),
    duplicateFamily(all),
    {
      name: "agentrt_worker_up",
      type: "gauge",
      help: "1 for a worker that is there and has answered in time; else its counters are its last ones.",
      samples: workers.map(({ group, isFresh }) => ({
        labels: [["worker", group]],
        value: isFresh ? 1 : 0,
      })),
    },
    one("agentrt_runtime_uptime_seconds", "Seconds since the runtime started.", (each) => {
      return each.uptimeMs / 1000;
    }),
    one("process_cpu_seconds_total", "Processor time, user and system.", ({ usage }) => {
      return usage.cpuSeconds;
    }),
    one("process_resident_memory_bytes", "Memory that is resident.", ({ usage }) => usage.rssBytes),
    one("process_start_time_seconds", "Start since the Unix epoch.", ({ usage }) => {
      return usage.startTimeSeconds;
    }),
    one("nodejs_heap_size_used_bytes", "Memory of JavaScript that is in use.", ({ usage }) => {
      return usage.heapUsedBytes;
    }),
    {
      name: "agentrt_event_loop_delay_seconds",
      type: "gauge",
      help: "How late the event loop was over the last minute or more.",
      samples: all.flatMap(([labels, { usage }]) => delaySamples(labels, usage)),
    },
  ];
}

type Processes = readonly (readonly [Labels, CountedProcess])[];

function exporterFamilies(all: Processes): Family[] {
  const family = (
    name: string,
    help: string,
    valueOf: (counts: RuntimeSnapshot["exporters"][number]) => number,
  ): Family => ({
    name,
    type: "counter",
    help,
    samples: all.flatMap(([labels, { exporters }]) =>
      exporters.map((counts) => ({
        labels: [["exporter", counts.exporter], ...labels],
        value: valueOf(counts),
      })),
    ),
  });
  return [
    family("agentrt_spans_exported_total", "Spans that exporters took.", (each) => each.exported),
    family(
      "agentrt_spans_dropped_total",
      "Spans that were dropped because too many waited.",
      (each) => each.dropped,
    ),
    family(
      "agentrt_spans_failed_total",
      "Spans that exporters could not take.",
      (each) => each.failed,
    ),
  ];
}

/** Without series where no broker keeps messages. */
function duplicateFamily(all: Processes): Family {
  return {
    name: "agentrt_link_messages_duplicate_total",
    type: "counter",
    help: "Messages that a broker keeps, that came again and were left out.",
    samples: all.flatMap(([labels, { linkDuplicateCount: value }]) =>
      value === undefined || value === null ? [] : [{ labels, value }],
    ),
  };
}

/** Without series where messages are not signed. */
function refusedFamily(all: Processes): Family {
  return {
    name: "agentrt_link_messages_refused_total",
    type: "counter",
    help: "Messages of other processes that were refused for their signature.",
    samples: all.flatMap(([labels, { linkRefused }]) =>
      Object.entries(linkRefused ?? {}).map(([reason, value]) => ({
        labels: [["reason", reason], ...labels],
        value,
      })),
    ),
  };
}

/** Without series where nobody knows. */
function linkFamily(all: Processes): Family {
  return {
    name: "agentrt_link_messages_lost_total",
    type: "counter",
    help: "Messages between processes that were lost: unsent by this one, or missing of those for it.",
    samples: all.flatMap(([labels, { linkLosses }]) => {
      if (linkLosses === undefined || linkLosses === null) return [];
      const one = (reason: string, value: number): Sample => ({
        labels: [["reason", reason], ...labels],
        value,
      });
      return [one("unsent", linkLosses.unsentCount), one("missing", linkLosses.missingCount)];
    }),
  };
}

function delaySamples(labels: Labels, { loopDelay }: ProcessUsage): Sample[] {
  if (loopDelay === undefined) return [];
  const { p50Ms, p99Ms, maxMs } = loopDelay;
  const parts = { p50: p50Ms, p99: p99Ms, max: maxMs };
  return Object.entries(parts).map(([stat, ms]) => ({
    labels: [["stat", stat], ...labels],
    value: ms / 1000,
  }));
}
